package testkit

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/gofrs/flock"
)

// The user's cache folder, read before a test can set another home.
var cache, _ = os.UserCacheDir()

// Venv is a script for Cached that makes a virtual environment in the folder venv. arguments are what `pip install` is
// given.
func Venv(arguments string) string {
	return "\npython3 -m venv venv\nvenv/bin/pip install --quiet --disable-pip-version-check " + arguments
}

// Cached returns a folder in which a shell script was run beside some files. It is made once for each content of the
// script and the files, below amlfix-test in the user's cache folder; packages that are tested at the same time wait
// for each other.
func Cached(name, script string, from fs.FS, files ...string) (string, error) {
	hash, keep := sha256.New(), []string{"! -name lock"}
	hash.Write([]byte(script))
	texts := make([][]byte, len(files))
	for i, f := range files {
		text, err := fs.ReadFile(from, f)
		if err != nil {
			return "", err
		}
		texts[i] = text
		hash.Write(text)
		keep = append(keep, "! -name "+f)
	}
	dir := filepath.Join(cache, "amlfix-test", name+"-"+hex.EncodeToString(hash.Sum(nil)[:6]))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	for i, f := range files {
		if err := os.WriteFile(filepath.Join(dir, f), texts[i], 0o644); err != nil {
			return "", err
		}
	}
	lock := flock.New(filepath.Join(dir, "lock"))
	if err := lock.Lock(); err != nil {
		return "", err
	}
	defer func() { _ = lock.Unlock() }() // the end of the process does it, too
	if _, err := os.Stat(filepath.Join(dir, "done")); err == nil {
		return dir, nil
	}
	cmd := exec.Command("sh", "-c", "set -e\nfind . -mindepth 1 -maxdepth 1 "+strings.Join(keep, " ")+" -exec rm -rf {} +\n"+script+"\ntouch done")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("the tools for tests in %s cannot be made (once, from a network): %w: %.500s", name, err, strings.TrimSpace(string(out)))
	}
	return dir, nil
}
