package schema

import (
	"path"
	"strings"

	"github.com/amlfix/amlfix/schema/plain"
)

// Slashes returns a path of a job's files with slashes: Workbench was a product for Windows, so "aml_config\conda.yml"
// and "aml_config/conda.yml" are one path, wherever amlfix runs.
func Slashes(name string) string {
	name = strings.TrimSpace(name)
	if !strings.Contains(name, `\`) {
		return name
	}
	return strings.ReplaceAll(name, `\`, "/")
}

// slashed is Slashes, and cleans the path.
func slashed(name string) string {
	name = Slashes(name)
	if name == "" || name[0] == '.' || !plain.IsClean(name, '/') {
		return path.Clean(name)
	}
	return name // clean, as most are
}

// folderOf is path.Dir, without work for a clean path of a file in a folder.
func folderOf(rel string) string {
	if i := strings.LastIndexByte(rel, '/'); i > 0 && rel[0] != '.' && plain.IsClean(rel, '/') {
		return rel[:i]
	}
	return path.Dir(rel)
}

// HasDrive reports whether a path begins with a Windows drive letter: it is valid only on its author's computer.
func HasDrive(name string) bool {
	return len(name) > 1 && name[1] == ':' && 'a' <= name[0]|0x20 && name[0]|0x20 <= 'z'
}

// IsFolder reports whether a path from the root leads to a folder.
func (p *Project) IsFolder(rel string) bool {
	return p.disk.at(p.join(rel)) == folder
}
