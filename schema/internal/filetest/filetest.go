// Package filetest gives tests their files: the repository's own golden
// projects, the corpus of real files where a checkout has one beside it, and
// variants of both that real editors and operating systems produce.
package filetest

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Root returns the repository's root folder.
func Root(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			t.Fatal("no go.mod above the working directory")
		}
		dir = parent
	}
}

// Corpus returns the folder of real, redacted configuration files that is
// beside the checkout; it skips the test, saying so, where there is none.
func Corpus(t testing.TB) string {
	t.Helper()
	dir := filepath.Join(Root(t), "..", "shared", "corpus")
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("SKIPPED: no corpus of real files at %s; the tests over testdata ran all the same", dir)
	}
	return dir
}

// Files returns the content of every configuration file below dir by its path;
// of files with the same content, the first.
func Files(t testing.TB, dir string) map[string][]byte {
	t.Helper()
	files, seen := map[string][]byte{}, map[string]bool{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !IsConfig(path) {
			return err
		}
		text, err := os.ReadFile(path)
		if !seen[string(text)] {
			seen[string(text)] = true
			files[path] = text
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// IsConfig reports whether a file's name is one of a configuration file.
func IsConfig(path string) bool {
	for _, end := range []string{".compute", ".runconfig", ".yml", ".yaml"} {
		if strings.HasSuffix(path, end) {
			return true
		}
	}
	return false
}

// Variants returns text as other editors would have saved it, by a name for
// each: CRLF, the doubled carriage returns of SDK v1 on Windows, a byte order
// mark, no final newline, and a comment beyond ASCII on the first line.
func Variants(text []byte) map[string][]byte {
	lf := bytes.ReplaceAll(bytes.ReplaceAll(text, []byte("\r\r\n"), []byte("\n")), []byte("\r\n"), []byte("\n"))
	v := map[string][]byte{
		"as it is":         text,
		"CRLF":             bytes.ReplaceAll(lf, []byte("\n"), []byte("\r\n")),
		"CRCRLF":           bytes.ReplaceAll(lf, []byte("\n"), []byte("\r\r\n")),
		"byte order mark":  append([]byte("\xef\xbb\xbf"), bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))...),
		"no final newline": bytes.TrimRight(text, "\r\n"),
	}
	if !bytes.HasPrefix(text, []byte("\xef\xbb\xbf")) {
		v["beyond ASCII"] = append([]byte("# größer als α → 日本\n"), text...)
	}
	return v
}
