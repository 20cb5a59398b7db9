package report

import (
	"net/url"
	"path"
	"path/filepath"
	"strings"
)

// file returns shown as a link to a file, if links are enabled. The URL contains the name of this machine, because the
// terminal may be on another one.
func (t *text) file(name, shown string) string {
	if !t.style.Links() {
		return shown
	}
	if !filepath.IsAbs(name) {
		name = filepath.Join(t.opts.Dir, filepath.FromSlash(name))
	}
	name, host := path.Clean(filepath.ToSlash(name)), t.host
	if !strings.HasPrefix(name, "/") { // a Windows drive
		name, host = "/"+name, ""
	}
	return t.style.Link((&url.URL{Scheme: "file", Host: host, Path: name}).String(), shown)
}

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
