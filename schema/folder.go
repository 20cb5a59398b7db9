package schema

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

func isConfigFolder(name string) bool { return slices.Contains(ConfigFolders, name) }

// readable reports whether a file of a configuration folder may be relevant.
func readable(name string) bool {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".compute", ".runconfig", ".yml", ".yaml":
		return true
	}
	return false
}

// skipFolder reports whether a folder cannot contain a project of the user.
func skipFolder(path, name string) bool {
	switch name {
	case ".git", ".hg", ".svn", "node_modules", "__pycache__", ".tox", ".nox", ".amlfix", "site-packages":
		return true
	}
	if path == "/proc" || path == "/sys" { // Linux shows its processes and devices there
		return true
	}
	if strings.HasPrefix(name, ".amlfix-") { // left by a migration that was killed
		return true
	}
	if name == "venv" || name == ".venv" || name == "env" || strings.HasSuffix(name, "env") {
		return exists(filepath.Join(path, "pyvenv.cfg")) || exists(filepath.Join(path, "conda-meta"))
	}
	return false
}

// entryOf returns the path of an entry of a folder with an absolute, clean path: filepath.Join would clean it again.
func entryOf(folder, name string) string {
	if !filepath.IsAbs(folder) || os.IsPathSeparator(folder[len(folder)-1]) { // as a root does
		return filepath.Join(folder, name)
	}
	return folder + string(filepath.Separator) + name
}

// above is filepath.Dir for an absolute, clean path, which it does not clean again.
func above(name string) string {
	end := strings.LastIndexByte(name, filepath.Separator)
	if end <= len(filepath.VolumeName(name)) { // a root, or right below one
		return filepath.Dir(name)
	}
	return name[:end]
}

func exists(path string) bool { _, err := os.Stat(path); return err == nil }

// parent returns the folder above dir, also for relative paths such as "." and "aml_config".
func parent(dir string) string {
	if dir == "." || filepath.Base(dir) == ".." {
		return filepath.Join(dir, "..")
	}
	return filepath.Dir(dir)
}

func isRoot(dir string) bool { return filepath.Dir(dir) == dir && dir != "." }

// relative returns the slash-separated path from a folder to a file.
func relative(folder, name string) string {
	if within(folder, name) && len(name) > len(folder) {
		return filepath.ToSlash(strings.TrimPrefix(name[len(folder):], string(filepath.Separator)))
	}
	if rel, err := filepath.Rel(folder, name); err == nil {
		name = rel
	}
	return filepath.ToSlash(name)
}
