package report

import (
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// file returns shown as a link to a file, where links are wanted. The address has
// the name of this machine: a terminal may be the one of another.
func (t *text) file(name, shown string) string {
	if !t.opts.Linked {
		return shown
	}
	if !filepath.IsAbs(name) {
		name = filepath.Join(t.opts.Dir, filepath.FromSlash(name))
	}
	name, host := path.Clean(filepath.ToSlash(name)), t.host
	if !strings.HasPrefix(name, "/") { // a drive of Windows
		name, host = "/"+name, ""
	}
	return t.style.Link((&url.URL{Scheme: "file", Host: host, Path: name}).String(), shown)
}

// hostname returns the name of this machine, "" where it has none.
func hostname() string {
	name, err := os.Hostname()
	if err != nil {
		return ""
	}
	return name
}
