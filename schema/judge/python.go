//go:build linux

package judge

import (
	"embed"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

// Venv is the environment variable with the folder of a Python environment that has the packages of
// requirements.txt. Without it, one is created in the user's cache folder.
const Venv = "AMLFIX_TEST_VENV"

//go:embed requirements.txt
var lists embed.FS

// Python returns the path of a Python interpreter with the packages of requirements.txt. The
// environment is created once from PyPI, in about half a minute, and kept in the user's cache
// folder under a name that changes with the requirements. If that is not possible, the test is
// skipped, or fails if the environment variable CI is "true".
func Python(t testing.TB) string {
	t.Helper()
	testkit.Program(t, "python3")
	python, err := interpreter()
	if err != nil {
		testkit.Unavailable(t, err.Error())
	}
	return python
}

var interpreter = sync.OnceValues(func() (string, error) {
	dir := os.Getenv(Venv)
	if dir == "" {
		made, err := testkit.Cached("readers", `
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check --requirement requirements.txt`, lists, "requirements.txt")
		if err != nil {
			return "", err
		}
		dir = filepath.Join(made, "venv")
	}
	python := filepath.Join(dir, "bin", "python")
	if _, err := os.Stat(python); err != nil {
		return "", fmt.Errorf("no Python environment at %s: %w", dir, err)
	}
	return python, nil
})
