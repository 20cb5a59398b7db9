package schema

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

func isConfigFolder(name string) bool { return slices.Contains(configFolders, name) }

func existingConfigFolder(dir string) string {
	for _, name := range configFolders {
		p := filepath.Join(dir, name)
		if info, err := os.Stat(p); err == nil && info.IsDir() {
			return p
		}
	}
	return ""
}

// skipFolder reports whether no project of the user's can be below a folder.
func skipFolder(path, name string) bool {
	switch name {
	case ".git", ".hg", ".svn", "node_modules", "__pycache__", ".tox", ".nox", ".amlfix", "site-packages":
		return true
	}
	if name == "venv" || name == ".venv" || name == "env" || strings.HasSuffix(name, "env") {
		return exists(filepath.Join(path, "pyvenv.cfg")) || exists(filepath.Join(path, "conda-meta"))
	}
	return false
}

// staysIn reports whether a path, its links followed, lies below folder.
func staysIn(folder, path string) bool {
	inside, err1 := filepath.EvalSymlinks(folder)
	target, err2 := filepath.EvalSymlinks(path)
	if err1 != nil || err2 != nil {
		return false
	}
	inside, err1 = filepath.Abs(inside)
	target, err2 = filepath.Abs(target)
	if err1 != nil || err2 != nil {
		return false
	}
	rel, err := filepath.Rel(inside, target)
	return err == nil && filepath.IsLocal(rel) && !strings.Contains("/"+strings.ToLower(filepath.ToSlash(rel))+"/", "/.git/")
}

// leavesTree reports whether a link leads to something outside folder. A link
// that leads nowhere does not: it is read, and that it cannot be is a finding.
func leavesTree(folder, path string) bool { return exists(path) && !staysIn(folder, path) }

func exists(path string) bool { _, err := os.Stat(path); return err == nil }

// parent returns the folder above dir, also for relative paths such as "." and
// "aml_config".
func parent(dir string) string {
	if dir == "." || filepath.Base(dir) == ".." {
		return filepath.Join(dir, "..")
	}
	return filepath.Dir(dir)
}

// base returns a folder's own name, also for ".".
func base(dir string) string {
	if abs, err := filepath.Abs(dir); err == nil {
		return filepath.Base(abs)
	}
	return filepath.Base(dir)
}

func isRoot(dir string) bool { return filepath.Dir(dir) == dir && dir != "." }
