// Package archtest checks the architecture of amlfix, such as which package may import which. It exists only for its
// tests.
package archtest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Module is the module's path.
const Module = "github.com/amlfix/amlfix"

// below lists which packages of this module those of each area may import, besides their own area: imports only point
// down.
var below = map[string][]string{
	"cmd":     {"rules", "fixers", "runtime", "schema"},
	"rules":   {"fixers", "schema"},
	"fixers":  {"schema"},
	"runtime": {"schema"},
	"schema":  {},
}

// level orders the packages in schema: a package imports those on its own level and below. Packages not listed here are
// on the level of format.
var level = map[string]int{
	"schema": 4, "schema/attach": 4, "schema/testkit/loaded": 4,
	"schema/finding": 2,
	"schema/source":  1,
	"schema/plain":   0,
}

// Violations returns a sentence for every import that points the wrong way. imports maps each package to the packages
// it imports, by full import path.
func Violations(imports map[string][]string) (list []string) {
	for _, from := range slices.Sorted(maps.Keys(imports)) {
		for _, to := range imports[from] {
			if why := wrong(from, to); why != "" {
				list = append(list, fmt.Sprintf("%s imports %s: %s", short(from), short(to), why))
			}
		}
	}
	return list
}

func short(path string) string { return strings.TrimPrefix(path, Module+"/") }

func area(path string) string { name, _, _ := strings.Cut(short(path), "/"); return name }

func wrong(from, to string) string {
	if to == "github.com/docker/docker" || strings.HasPrefix(to, "github.com/docker/docker/") {
		if area(from) != "runtime" {
			return "the Docker client belongs under runtime"
		}
		return ""
	}
	if !strings.HasPrefix(to, Module+"/") {
		return ""
	}
	allowed, known := below[area(from)]
	switch {
	case !known:
		return "the house has no area " + area(from)
	case area(to) == "cmd" && area(from) != "cmd":
		return "nothing imports cmd"
	case area(from) == area(to) && area(from) == "schema":
		if levelOf(to) > levelOf(from) {
			return "imports inside schema point down"
		}
	case area(from) != area(to) && !slices.Contains(allowed, area(to)):
		return fmt.Sprintf("%s may import %s", area(from), strings.Join(append(allowed, "itself"), ", "))
	}
	return ""
}

func levelOf(path string) int {
	if n, ok := level[short(path)]; ok {
		return n
	}
	return 3
}
