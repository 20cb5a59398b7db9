// Package testkit is what the tests of several packages share: real files, the programs of others, and one way to say
// that a part is missing. Only tests and the packages that serve them import it.
package testkit

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	_ "github.com/amlfix/amlfix/schema/format/library" // tests check files
)

// Unavailable skips a test that needs a part which is not here; why names it and says how to get it. With CI=true the
// test fails instead: there, every part is.
func Unavailable(t testing.TB, why string) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatal("not tested, and this is CI: " + why)
	}
	t.Skip("SKIPPED: " + why)
}

// Set skips a test of a named set, which docs/testing.md lists, unless the set's variable is given. With CI=true all of
// them run.
func Set(t testing.TB, variable string) {
	t.Helper()
	if os.Getenv(variable) == "" && os.Getenv("CI") != "true" {
		t.Skip("SKIPPED: part of a set that takes long: set " + variable + "=1 to run it")
	}
}

// Channels is the variable of the set that installs amlfix and other packages with pip, uv, pipx, npm and pre-commit,
// and builds it in clones.
const Channels = "AMLFIX_TEST_CHANNELS"

// install says how to get the programs that tests start.
var install = map[string]string{
	"bash":    "apt-get install bash",
	"etcd":    "apt-get install etcd-server",
	"git":     "apt-get install git",
	"mandoc":  "apt-get install mandoc",
	"node":    "apt-get install nodejs npm",
	"python3": "apt-get install python3 python3-venv",
	"script":  "apt-get install bsdutils",
	"sshd":    "apt-get install openssh-server",
	"uv":      "pip install uv",
}

// Program returns the path of an installed program, and skips the test where it is missing.
func Program(t testing.TB, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		Unavailable(t, name+" is not installed: "+install[name])
	}
	return path
}

// Root returns the repository's root folder.
func Root(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	OK(t, err)
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
