//go:build linux

package judge

import (
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

// Venv is the environment variable with the folder of a Python environment that has the packages of requirements.txt.
// Without it, one is created in the user's cache folder.
const Venv = "AMLFIX_TEST_VENV"

//go:embed requirements.txt
var lists embed.FS

// Python returns the path of a Python interpreter with the packages of requirements.txt. The environment is created
// once from PyPI, in about half a minute, and kept in the user's cache folder under a name that changes with the
// requirements. If that is not possible, the test is skipped, or fails if the environment variable CI is "true".
func Python(t testing.TB) string {
	t.Helper()
	testkit.Program(t, "python3")
	python, err := interpreter()
	if err != nil {
		testkit.Unavailable(t, err.Error())
	}
	return python
}

var interpreter = sync.OnceValues(func() (string, error) { return pythonIn(Venv, "readers", lists, "requirements.txt") })

// pythonIn returns the interpreter of the Python environment in the folder that an environment variable names, or else
// of one with the packages of a list, which is made once.
func pythonIn(variable, name string, from fs.FS, list string) (string, error) {
	dir := os.Getenv(variable)
	if dir == "" {
		made, err := testkit.Cached(name, testkit.Venv("--requirement "+list), from, list)
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
}
