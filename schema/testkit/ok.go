package testkit

import (
	"os"
	"path/filepath"
	"testing"
)

// OK ends the test with err unless it is nil.
func OK(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Write writes a file that everybody may read, and makes the folders above it.
func Write(t testing.TB, path, text string) {
	t.Helper()
	OK(t, os.MkdirAll(filepath.Dir(path), 0o755))
	OK(t, os.WriteFile(path, []byte(text), 0o644))
}

// Read returns the text of a file.
func Read(t testing.TB, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	OK(t, err)
	return string(text)
}
