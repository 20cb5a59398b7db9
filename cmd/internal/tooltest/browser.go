package tooltest

import (
	"bytes"
	"embed"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

//go:embed testdata/browser/package.json testdata/browser/package-lock.json
var playwright embed.FS

var browser = sync.OnceValues(func() (string, error) {
	from, err := fs.Sub(playwright, "testdata/browser")
	if err != nil {
		return "", err
	}
	return testkit.Cached("browser", "npm ci --loglevel=error --no-audit --no-fund", from, "package.json", "package-lock.json")
})

// Pictures returns the path of a folder for what a test in a browser keeps. The test is skipped unless the variable
// AMLFIX_TEST_BROWSER names the folder around it.
func Pictures(t testing.TB, name string) string {
	t.Helper()
	around := os.Getenv("AMLFIX_TEST_BROWSER")
	if around == "" {
		t.Skip("AMLFIX_TEST_BROWSER names no folder for pictures")
	}
	folder, err := filepath.Abs(filepath.Join(around, name))
	testkit.OK(t, err)
	return folder
}

// Browse runs a script in testdata that uses pages in a real browser by way of testdata/browser/browser.mjs, and parses
// what it prints into seen. The script is given the path of the browser and the arguments.
func Browse(t testing.TB, seen any, script string, args ...string) {
	t.Helper()
	chromium, node := testkit.Program(t, "chromium"), testkit.Program(t, "node")
	tools, err := browser()
	testkit.OK(t, err)
	script, err = filepath.Abs(filepath.Join("testdata", script))
	testkit.OK(t, err)
	cmd := exec.Command(node, append([]string{script, chromium}, args...)...)
	cmd.Dir = tools
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, said.String())
	}
	testkit.OK(t, json.Unmarshal(out, seen))
}
