package project

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"

	"github.com/amlfix/amlfix/schema/plain"
)

// walk is fs.WalkDir below an opened folder, for names with arbitrary bytes: package fs accepts only UTF-8. It does not
// visit the root itself, and fails if something cannot be read.
func walk(root *os.Root, dir string, visit func(name string, info fs.FileInfo) error) error {
	f, err := root.Open(dir)
	if err != nil {
		return unreadable(dir, err)
	}
	names, err := f.Readdirnames(-1)
	_ = f.Close()
	if err != nil {
		return unreadable(dir, err)
	}
	slices.Sort(names)
	for _, base := range names {
		name := path.Join(dir, base)
		info, err := root.Lstat(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue // removed since its folder was read
		}
		if err != nil {
			return unreadable(name, err)
		}
		switch err := visit(name, info); {
		case errors.Is(err, fs.SkipDir):
			continue
		case err != nil:
			return err
		}
		if !info.IsDir() {
			continue
		}
		if err := walk(root, name, visit); err != nil {
			return err
		}
	}
	return nil
}

func unreadable(name string, err error) error {
	return fmt.Errorf("%s: cannot be read: %w", name, because(err))
}

// because returns why a part of the project cannot be read, and what helps.
func because(err error) error {
	if err = plain.Cause(err); errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("%w: a line in .amlignore leaves it out", err)
	}
	return err
}
