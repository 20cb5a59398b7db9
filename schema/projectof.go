package schema

import (
	"cmp"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/amlfix/amlfix/schema/disk"
)

// ProjectOf returns the folder of the project that a file in a folder belongs to, or would belong to if it were there.
func ProjectOf(dir string) string {
	d := &discovery{homes: map[string]string{}}
	dir = Identity(dir)
	if isConfigFolder(filepath.Base(dir)) {
		return filepath.Dir(dir)
	}
	return cmp.Or(d.projectAt(dir), dir)
}

// ProjectOfText is ProjectOf for a file with a text: one of v2 belongs to its repository.
func ProjectOfText(name string, text []byte) string {
	dir, base := Identity(filepath.Dir(name)), filepath.Base(name)
	tree, folder := treeOf(dir, Repository(dir)), filepath.Base(dir)
	if _, asked := stray(base); asked && tree != "" {
		if what := textSays(name, text); what != foreign && what != ofSDK && (!isConfigFolder(folder) || parseFile(name, []string{folder + "/" + base}, text, nil).V2 != "") {
			return tree
		}
	}
	return ProjectOf(dir)
}

// projectAt returns the folder of the project that a file in dir outside the configuration folders belongs to, "" when
// there is none: the nearest folder with a configuration folder, in the same repository. Outside a repository, the
// search ends below the user's home folder and below shared folders such as /tmp, where other people's files are not
// considered.
func (d *discovery) projectAt(dir string) string {
	if home, ok := d.homes[dir]; ok {
		return home
	}
	home, tree := "", Repository(dir)
	for up := dir; ; up = filepath.Dir(up) {
		if tree == "" && (isRoot(up) || d.everybodys(up)) {
			break
		}
		if d.hasConfig(up, cmp.Or(tree, up)) {
			home = up
			break
		}
		if up == tree || filepath.Dir(up) == up {
			break
		}
	}
	d.homes[dir] = home
	return home
}

// everybodys reports whether a folder holds the work of several people, or all of one person's work.
func (d *discovery) everybodys(dir string) bool {
	if own, err := os.UserHomeDir(); err == nil && d.own == "" {
		d.own = Identity(own)
	}
	info, err := os.Stat(dir)
	return dir == d.own || err == nil && info.Mode()&fs.ModeSticky != 0
}

func (d *discovery) hasConfig(dir, boundary string) bool {
	for _, name := range ConfigFolders {
		p := filepath.Join(dir, name)
		if info, err := os.Lstat(p); err == nil {
			if _, ok := d.folder(p, disk.Entry{Name: name, Type: info.Mode().Type()}, boundary); ok {
				return true
			}
		}
	}
	return false
}
