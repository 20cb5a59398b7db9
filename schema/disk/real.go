package disk

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/amlfix/amlfix/schema/plain"
)

// Real returns the absolute path of a file or folder, with links followed.
func Real(name string) (string, error) {
	abs, err := filepath.Abs(name)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(abs)
}

// OpenReal opens a folder by its real path (see Real). If an element of it has become a link since, the error is a
// *LinkError: what was read at that path must not decide what is written elsewhere.
func OpenReal(real string) (*Dir, error) { return openReal(real, real) }

// openReal is OpenReal with a name for messages.
func openReal(name, real string) (*Dir, error) {
	if element := reservedElement(real); element != "" {
		return nil, fmt.Errorf("%s: %w", name, &ReservedError{element})
	}
	d, err := openRoot(real, false)
	if err != nil {
		return nil, err
	}
	if err := d.isAt(real); err != nil {
		d.Close()
		return nil, fmt.Errorf("%s: %w", name, plain.Cause(err))
	}
	return d, nil
}

// isAt returns an error unless the folder is what an absolute path leads to without a link.
func (d *Dir) isAt(real string) error {
	there, err := lookNoLinks(real)
	if err != nil {
		return err
	}
	opened, err := d.root.Stat(".")
	if err == nil && !os.SameFile(opened, there) {
		err = &LinkError{real}
	}
	return err
}

// lookAtEach is lookNoLinks where the system cannot refuse links: an element that is swapped at that very moment, and
// back, remains unnoticed.
func lookAtEach(real string) (fs.FileInfo, error) {
	for at := real; filepath.Dir(at) != at; at = filepath.Dir(at) {
		if info, err := os.Lstat(at); err != nil || info.Mode()&fs.ModeSymlink != 0 {
			return nil, &LinkError{at}
		}
	}
	return os.Stat(real)
}
