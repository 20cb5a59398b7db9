package report

import (
	"net/url"
	"path"
)

// based returns a path relative to the root of the repository; base is the path from there to the working directory.
func based(base, name string) string {
	if base == "" || path.IsAbs(name) {
		return name
	}
	return path.Join(base, name)
}

// uri returns a slash-separated path as a relative reference of RFC 3986. Bytes that are not UTF-8 are escaped like
// others.
func uri(name string) string { return (&url.URL{Path: name}).String() }
