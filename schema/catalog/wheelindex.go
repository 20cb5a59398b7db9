package catalog

import (
	"net/url"
	"path"
	"strings"
)

// WheelIndex is a place other than PyPI that has builds of some packages for the CPU or for one CUDA version.
type WheelIndex struct {
	// Packages are the pip names of the packages with such builds.
	Packages []string
	// GPU is false if all builds are for the CPU.
	GPU bool
	// Counterpart is the address of the same wheel for GPUs, without a query; empty if none is known.
	Counterpart string
	// Label is the local version label of the builds, such as cpu or cu118; empty if they have several.
	Label string
	Origin
}

// indexRow is a WheelIndex with its host and path.
type indexRow struct {
	WheelIndex
	Host, Folder string
}

var indexRows = &table[indexRow]{name: "wheel_indexes", finish: func(r record, row *indexRow) { row.GPU = r.text("build") == "cuda" }}

// LookupWheelIndex returns what is recorded in table wheel_indexes about an address that pip is given: an index, a page
// of links, or a wheel there. ok is false for other addresses and for places with builds of all kinds.
func LookupWheelIndex(address string) (index WheelIndex, ok bool) {
	u, err := url.Parse(address)
	if err != nil {
		return WheelIndex{}, false
	}
	parts := strings.Split(strings.Trim(path.Clean("/"+u.Path), "/"), "/")
	for _, row := range indexRows.all() {
		depth := strings.Count(row.Folder, "/")
		if !strings.EqualFold(u.Hostname(), row.Host) || len(parts) < depth {
			continue
		}
		if fits, _ := path.Match(row.Folder, "/"+strings.Join(parts[:depth], "/")); fits {
			index = row.WheelIndex
			if last := parts[depth-1]; !strings.Contains(last, ".") {
				index.Label = last
			}
			if row.Counterpart != "" { // replaces the folder up to its first pattern
				old := row.Folder[:strings.IndexAny(row.Folder, "*[")]
				u.RawQuery, u.Fragment = "", ""
				index.Counterpart = strings.Replace(u.String(), old, row.Counterpart, 1)
			}
			return index, true
		}
	}
	return WheelIndex{}, false
}

// IsPyPI reports whether an address is PyPI's index, which pip uses by default.
func IsPyPI(address string) bool {
	u, err := url.Parse(address)
	return err == nil && (strings.EqualFold(u.Hostname(), "pypi.org") || strings.EqualFold(u.Hostname(), "pypi.python.org")) && strings.Trim(u.Path, "/") == "simple"
}
