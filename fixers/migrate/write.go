package migrate

import (
	"errors"
	"path"
	"path/filepath"
	"strings"

	"github.com/amlfix/amlfix/schema"
)

// File is a file to write.
type File struct {
	// Path is slash-separated and relative to the folder that is written.
	Path string
	Text []byte
}

// WriteConda adds a conda file, unless another job's call has added it.
func (m *Migration) WriteConda(c *Conda) {
	if !m.writes(c.Name) {
		m.Write(c.Name, c.Text)
	}
}

func (m *Migration) writes(name string) bool {
	return m.written[name]
}

// Write adds a file. It panics if there is a file with this path, because that is a bug in the emitter.
func (m *Migration) Write(name string, text []byte) {
	if m.writes(name) {
		panic("migrate: two files would be written as " + name)
	}
	m.written[name] = true
	m.Files = append(m.Files, File{name, text})
}

// Up returns a slash-separated path of the project relative to the written folder: "../train.py". A path that is Away
// stays as it is. The result is absolute if there is no relative path, as between two Windows drives.
func (m *Migration) Up(rel string) string {
	if Away(rel) {
		return filepath.ToSlash(rel)
	}
	return way(m.Options.Out, filepath.Join(m.Project.Root, filepath.FromSlash(rel)))
}

// Away reports whether a path is not relative to the project's folder, but absolute or relative to the home directory.
func Away(name string) bool {
	return path.IsAbs(name) || schema.HasDrive(name) || name == "~" || strings.HasPrefix(name, "~/")
}

// way returns a path relative to a folder, with slashes, or the absolute path if there is no relative one.
func way(from, to string) string {
	folder, err1 := filepath.Abs(from)
	target, err2 := filepath.Abs(to)
	rel, err3 := filepath.Rel(folder, target)
	if errors.Join(err1, err2, err3) != nil {
		return filepath.ToSlash(target)
	}
	return filepath.ToSlash(rel)
}

// down returns the written folder relative to the project's folder.
func (m *Migration) down() string { return way(m.Project.Root, m.Options.Out) }
