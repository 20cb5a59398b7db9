package testkit

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Index writes a folder of packages, from which a resolver can take them in place of PyPI, and returns it. A package is
// the name of its file, of a wheel or of a source archive, with what it needs after a colon: "a-1.0-py3-none-any.whl:
// b>=2, c". A wheel holds a module of its name, which knows its version.
func Index(t testing.TB, packages ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, p := range packages {
		file, needs, _ := strings.Cut(p, ": ")
		name, rest, _ := strings.Cut(file, "-")
		version, _, _ := strings.Cut(strings.TrimSuffix(rest, ".tar.gz"), "-")
		about := "Metadata-Version: 2.1\nName: " + name + "\nVersion: " + version + "\n"
		if needs != "" {
			about += "Requires-Dist: " + strings.ReplaceAll(needs, ", ", "\nRequires-Dist: ") + "\n"
		}
		var text bytes.Buffer
		z := zip.NewWriter(&text)
		folder := name + "-" + version + ".dist-info/"
		for _, part := range [][2]string{{name + ".py", "version = '" + version + "'\n"}, {folder + "METADATA", about}, {folder + "WHEEL", "Wheel-Version: 1.0\n"}, {folder + "RECORD", ""}} {
			w, err := z.Create(part[0])
			OK(t, err)
			_, err = w.Write([]byte(part[1]))
			OK(t, err)
		}
		OK(t, z.Close())
		OK(t, os.WriteFile(filepath.Join(dir, file), text.Bytes(), 0o600))
	}
	return dir
}
