package local

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/amlfix/amlfix/runtime/process"
)

// Found is the result of looking for a program.
type Found struct {
	Path string // absolute if found, otherwise as given
	Note string // how it was found, if not under the given name
}

// FindProgram looks for a program as named by pythonLocation or sparkSubmitLocation: a bare name is looked up on PATH,
// anything else is relative to the folder root, with ~ for the user's home. If there is no `python`, it uses `python3`.
func FindProgram(name, root string) (Found, error) {
	path := name
	if rest, ok := strings.CutPrefix(name, "~"); ok && (rest == "" || rest[0] == '/' || rest[0] == os.PathSeparator) {
		home, err := os.UserHomeDir()
		if err != nil {
			return Found{Path: name}, &StartError{Program: name, Code: process.CodeNoProgram, Err: err}
		}
		path = filepath.Join(home, rest)
	}
	if strings.ContainsAny(path, `/`+string(os.PathSeparator)) && !filepath.IsAbs(path) {
		path = filepath.Join(root, path)
	}
	found, err := exec.LookPath(path)
	if err != nil && name == "python" && errors.Is(err, exec.ErrNotFound) {
		if three, err3 := exec.LookPath("python3"); err3 == nil && filepath.IsAbs(three) {
			return Found{Path: three, Note: "there is no `python` on the PATH, so python3 is used"}, nil
		}
	}
	if err != nil {
		return Found{Path: name}, startError(name, err)
	}
	return Found{Path: found}, nil
}
