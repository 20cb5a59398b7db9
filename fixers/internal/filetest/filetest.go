// Package filetest gives the fixers' tests real configuration files and their
// variants.
package filetest

import (
	"bytes"
	"crypto/sha256"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Corpus returns the texts of the real configuration files that are beside the
// checkout, each text once, by path; it skips the test, saying so, where there
// are none.
func Corpus(t testing.TB) map[string][]byte {
	t.Helper()
	dir := filepath.Join(root(t), "..", "shared", "corpus")
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("SKIPPED: no corpus of real files at %s; the tests over the tables ran all the same", dir)
	}
	files := map[string][]byte{}
	seen := map[[32]byte]bool{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !isConfig(path) {
			return err
		}
		text, err := os.ReadFile(path)
		if sum := sha256.Sum256(text); !seen[sum] {
			seen[sum] = true
			files[path] = text
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func isConfig(path string) bool {
	switch filepath.Ext(path) {
	case ".compute", ".runconfig", ".yml", ".yaml":
		return true
	}
	return false
}

func root(t testing.TB) string {
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

// Variants returns text as it is and with other line ends, a byte order mark and
// no final newline.
func Variants(text []byte) map[string][]byte {
	lf := strings.NewReplacer("\r\r\n", "\n", "\r\n", "\n").Replace(string(text))
	return map[string][]byte{
		"as it is":         text,
		"CRLF":             []byte(strings.ReplaceAll(lf, "\n", "\r\n")),
		"CRCRLF":           []byte(strings.ReplaceAll(lf, "\n", "\r\r\n")),
		"byte order mark":  append([]byte("\xef\xbb\xbf"), bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))...),
		"no final newline": bytes.TrimRight(text, "\r\n"),
	}
}
