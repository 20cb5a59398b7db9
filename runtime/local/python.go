package local

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/amlfix/amlfix/runtime/process"
)

// Found is a program that was looked for.
type Found struct {
	Path string // absolute when it was found, otherwise as it was given
	Note string // how it was found, when that is not as the name says
}

// FindProgram looks for a program as pythonLocation or sparkSubmitLocation names it: a bare name on PATH, anything else
// relative to the folder root, with ~ for the user's home. When there is no `python`, `python3` is taken instead.
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
