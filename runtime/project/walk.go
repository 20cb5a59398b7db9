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
	return fmt.Errorf("%s: cannot be read: %w", name, plain.Cause(err))
}

// What helps if the user may not read a part of what is sent.
const (
	ignoreIt = "a line in .amlignore leaves it out"
	copyIt   = "make it readable, or give a copy of what the job needs" // ignore files do not apply to inputs
)

// advised adds what helps to an error about a part that the user may not read.
func advised(err error, what string) error {
	if errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("%w: %s", err, what)
	}
	return err
}
