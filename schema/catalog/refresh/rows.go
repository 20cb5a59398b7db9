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

// lastPatch is higher than the patch version of any Python release so far.
const lastPatch = 30

// allows reports whether the file's Requires-Python allows any patch release of a Python version. An invalid specifier
// forbids nothing, as in pip.
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

// releases returns the final releases, oldest first, and the newest of them that was not yanked.
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

// serves reports whether a Python version can install a release without a compiler, and whether it can build it with
// one. The sources of a pure package need no compiler.
func (r release) serves(python string, pure bool) (ready, compiles bool) {
	sources := slices.ContainsFunc(r.files, func(f file) bool { return f.sources() && f.allows(python) })
	ready = pure && sources || slices.ContainsFunc(r.files, func(f file) bool { return f.serves(python) })
	return ready, sources && !pure
}

// pure reports whether every wheel of a package fits every platform.
func pure(all []release) bool {
	wheels := 0
	for _, r := range all {
		for _, f := range r.files {
			if !strings.HasSuffix(f.Filename, ".whl") {
				continue
			}
			if wheels++; !strings.HasSuffix(f.Filename, "-any.whl") {
				return false
			}
		}
	}
	return wheels > 0
}

// between writes a range of releases as the table does: 1.1, or 1.1..1.4.
func between(first, last string) string {
	if first == last {
		return first
	}
	return first + ".." + last
}

// ofPython returns which releases a Python version can install, in the table's notation.
func ofPython(all []release, python string, pure bool) string {
	var first, last, compiled string
	var gaps, missing []string
	sources, counted := 0, 0 // of the releases up to the newest with sources
	for i, r := range all {
		ready, compiles := r.serves(python, pure)
		if compiles {
			sources, counted, compiled = sources+1, i+1, r.name
		}
		switch {
		case ready:
			if first == "" {
				first = r.name
			}
			if last = r.name; len(missing) > 0 {
				gaps = append(gaps, " !"+between(missing[0], missing[len(missing)-1]))
			}
			missing = nil
		case first != "":
			missing = append(missing, r.name)
		}
	}
	text := python
	if first != "" {
		text += " " + between(first, last) + strings.Join(gaps, "")
	}
	if sources*2 > counted { // a few are exceptions
		text += " <=" + compiled
	}
	return text
}

// row returns the package's row: package, latest, status, pythons, source, seen, certainty.
func (p *registered) row(day string) []string {
	all, latest := p.releases()
	pure, status := pure(all), "ended"
	var pythons []string
	for _, python := range catalog.Pythons() {
		pythons = append(pythons, ofPython(all, python, pure))
		if ready, _ := latest.serves(python, pure); ready {
			status = "current"
		}
	}
	return []string{p.name, latest.name, status, strings.Join(pythons, ";"), "PyPI JSON (file list)", day, string(catalog.Sourced)}
}

func writeRow(w io.Writer, row []string) error {
	out := csv.NewWriter(w)
	if err := out.Write(row); err != nil {
		return err
	}
	out.Flush()
	return out.Error()
}

// replace replaces a package's row in the file at path, or appends it; all other lines keep their bytes.
func replace(path string, row []string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("%w: run this at the top of the repository", err)
	}
	var fresh, kept bytes.Buffer
	if err := writeRow(&fresh, row); err != nil {
		return err
	}
	at := -1
	for line := range bytes.Lines(text) {
		if bytes.HasPrefix(line, []byte(row[0]+",")) {
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
