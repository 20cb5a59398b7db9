package main

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/requirement"
)

// older reports whether a version is older than another.
func older(a, b string) bool { return catalog.CompareVersions(a, b) < 0 }

// lastPatch is more than any Python's patch version has been.
const lastPatch = 30

// allows reports whether the file's Requires-Python allows some patch version of a
// Python. What cannot be read forbids nothing, as with pip.
func (f file) allows(python string) bool {
	if f.Requires == nil || *f.Requires == "" {
		return true
	}
	c, err := requirement.ParseConstraint(requirement.Pip, *f.Requires)
	if err != nil {
		return true
	}
	for patch := range lastPatch {
		if v, err := requirement.ParseVersion(python + "." + strconv.Itoa(patch)); err == nil && c.Allows(v) {
			return true
		}
	}
	return false
}

// release is one release and its files.
type release struct {
	name    string
	version requirement.Version
	files   []file
}

// releases returns those that are final, oldest first, and the newest of them that
// was not withdrawn.
func (p *registered) releases() (list []release, latest release) {
	for name, files := range p.Releases {
		v, err := requirement.ParseVersion(name)
		if err != nil || v.Prerelease() || len(files) == 0 {
			continue
		}
		list = append(list, release{name, v, files})
	}
	slices.SortFunc(list, func(a, b release) int { return a.version.Compare(b.version) })
	for _, r := range list {
		if slices.ContainsFunc(r.files, func(f file) bool { return !f.Yanked }) {
			latest = r
		}
	}
	return list, latest
}

// serves reports whether a release has a wheel for a Python.
func (r release) serves(python string) bool {
	return slices.ContainsFunc(r.files, func(f file) bool { return f.serves(python) })
}

// gap writes releases that follow each other as one: 1.1, or 1.1..1.4.
func gap(releases []string) string {
	if len(releases) == 1 {
		return releases[0]
	}
	return releases[0] + ".." + releases[len(releases)-1]
}

// mostGaps is how many gaps a row lists.
const mostGaps = 9

// rows returns the package's rows: package, python, first, last, gaps, latest,
// status, source, seen, certainty.
func (p *registered) rows(day string) (rows [][]string) {
	all, latest := p.releases()
	for _, python := range catalog.Pythons() {
		var first, last string
		var gaps, missing []string
		for _, r := range all {
			switch {
			case r.serves(python):
				if first == "" {
					first = r.name
				}
				if last = r.name; len(missing) > 0 {
					gaps = append(gaps, gap(missing))
				}
				missing = nil
			case first != "":
				missing = append(missing, r.name)
			}
		}
		status := "ended"
		switch {
		case last == "":
			status = "none"
		case latest.serves(python):
			status = "current"
		}
		if len(gaps) > mostGaps {
			gaps = []string{"*"}
		}
		rows = append(rows, []string{
			p.name, python, first, last, strings.Join(gaps, ";"), latest.name, status, "PyPI JSON (file list)", day, string(catalog.Sourced),
		})
	}
	return rows
}

func writeRows(w io.Writer, rows [][]string) error {
	out := csv.NewWriter(w)
	if err := out.WriteAll(rows); err != nil {
		return err
	}
	return out.Error()
}

// replace puts the rows of a package in the place of its old ones, or at the end of
// the table; all other lines keep their bytes.
func replace(path, pkg string, rows [][]string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("%w: run this at the top of the repository", err)
	}
	var fresh, kept bytes.Buffer
	if err := writeRows(&fresh, rows); err != nil {
		return err
	}
	at := -1
	for line := range bytes.Lines(text) {
		if bytes.HasPrefix(line, []byte(pkg+",")) {
			if at < 0 {
				at = kept.Len()
			}
			continue
		}
		kept.Write(line)
	}
	if at < 0 {
		at = kept.Len()
	}
	old := kept.Bytes()
	return os.WriteFile(path, slices.Concat(old[:at], fresh.Bytes(), old[at:]), 0o644)
}
