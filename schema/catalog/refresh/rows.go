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

// release is one release, and whether it has a wheel for the Python at hand.
type release struct {
	name    string
	version requirement.Version
	files   []file
}

// releases returns those that are final and not withdrawn, oldest first.
func (p *registered) releases() (list []release) {
	for name, files := range p.Releases {
		v, err := requirement.ParseVersion(name)
		if err != nil || v.Prerelease() || !slices.ContainsFunc(files, func(f file) bool { return !f.Yanked }) {
			continue
		}
		list = append(list, release{name, v, files})
	}
	slices.SortFunc(list, func(a, b release) int { return a.version.Compare(b.version) })
	return list
}

// mostGaps is how many releases without a wheel a row lists.
const mostGaps = 9

// rows returns the package's rows: package, python, first, last, gaps, latest,
// status, source, seen, certainty.
func (p *registered) rows(day string) (rows [][]string) {
	all := p.releases()
	if len(all) == 0 {
		return nil
	}
	latest := all[len(all)-1].name
	for _, python := range catalog.Pythons() {
		var first, last string
		var gaps, missing []string
		for _, r := range all {
			switch {
			case slices.ContainsFunc(r.files, func(f file) bool { return f.serves(python) }):
				if first == "" {
					first = r.name
				}
				last, gaps = r.name, append(gaps, missing...)
				missing = nil
			case first != "":
				missing = append(missing, r.name)
			}
		}
		status := "ended"
		switch {
		case last == "":
			status = "none"
		case last == latest:
			status = "current"
		}
		if len(gaps) > mostGaps {
			gaps = []string{"*"}
		}
		rows = append(rows, []string{
			p.name, python, first, last, strings.Join(gaps, ";"), latest, status, "PyPI JSON (file list)", day, string(catalog.Sourced),
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
