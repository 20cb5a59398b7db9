//go:build linux

package judge

import (
	"crypto/sha256"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// Venv is the variable that names the folder of a Python environment that has
// the packages of requirements.txt. Without it one is made in the user's cache.
const Venv = "AMLFIX_TEST_VENV"

//go:embed requirements.txt
var requirements []byte

// Python returns the path of a Python interpreter with the packages of
// requirements.txt. It is made once from PyPI, in about half a minute, and kept
// in the user's cache folder under a name that changes with the requirements.
// Where that cannot be done the test is skipped, or fails when the variable CI
// is "true".
func Python(t testing.TB) string {
	t.Helper()
	python, err := interpreter()
	if err != nil {
		Unavailable(t, err.Error())
	}
	return python
}

// Unavailable skips a test for the want of a part; it fails in CI, where every
// part must be.
func Unavailable(t testing.TB, why string) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatalf("not tested, and this is CI: %s", why)
	}
	t.Skipf("SKIPPED, SO NOT TESTED: %s", why)
}

var interpreter = sync.OnceValues(func() (string, error) {
	if dir := os.Getenv(Venv); dir != "" {
		return existing(dir)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("no folder for a Python environment: %w", err)
	}
	dir := filepath.Join(cache, "amlfix-test", fmt.Sprintf("venv-%.6x", sha256.Sum256(requirements)))
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return "", err
	}
	// Packages are tested side by side: one makes the environment, the others
	// wait for it. The lock ends with the process, whatever ends that.
	lock, err := os.OpenFile(dir+".lock", os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return "", err
	}
	defer lock.Close() //nolint:errcheck // nothing is written to it
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		return "", fmt.Errorf("%s: %w", lock.Name(), err)
	}
	if _, err := os.Stat(filepath.Join(dir, complete)); err != nil {
		if err := install(dir); err != nil {
			return "", err
		}
	}
	return existing(dir)
})

// complete is the file that says that an environment has all packages.
const complete = "amlfix-complete"

func existing(dir string) (string, error) {
	python := filepath.Join(dir, "bin", "python")
	if _, err := os.Stat(python); err != nil {
		return "", fmt.Errorf("no Python environment at %s: %w", dir, err)
	}
	return python, nil
}

func install(dir string) error {
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	list := dir + ".txt"
	if err := os.WriteFile(list, requirements, 0o600); err != nil {
		return err
	}
	for _, command := range [][]string{
		{"python3", "-m", "venv", dir},
		{filepath.Join(dir, "bin", "pip"), "install", "--quiet", "--disable-pip-version-check", "--requirement", list},
	} {
		out, err := exec.Command(command[0], command[1:]...).CombinedOutput()
		if err != nil {
			return errors.Join(fmt.Errorf("no Python environment with the vendor's readers could be made: %s: %w\n%.1000s",
				strings.Join(command, " "), err, strings.TrimSpace(string(out))), os.RemoveAll(dir))
		}
	}
	return os.WriteFile(filepath.Join(dir, complete), nil, 0o600)
}
