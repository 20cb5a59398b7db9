package attach

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/amlfix/amlfix/schema/disk"
)

// ExistsError tells that a file to be made is there already.
type ExistsError struct{ Path string }

func (e *ExistsError) Error() string {
	return e.Path + ": exists already and is left as it is: choose another name, or remove the file first"
}

// Create makes the files below root, and the folder they are in: all, or none.
// Nothing that exists is overwritten, not even when it appears at this very
// moment, and nothing is written through a link. The error is an *ExistsError or
// names the path that could not be written.
func Create(root string, files []File) error {
	d, err := disk.Open(root)
	if err != nil {
		return err
	}
	defer d.Close()
	var list []disk.File
	for _, f := range files {
		list = append(list, disk.File{Name: f.Path, Text: []byte(f.Text)})
	}
	err = d.MakeAll(list)
	switch at := new(fs.PathError); {
	case errors.As(err, &at) && errors.Is(err, fs.ErrExist):
		return &ExistsError{Path: at.Path}
	case errors.As(err, &at):
		return fmt.Errorf("%s: cannot be written: %w", at.Path, at.Err)
	}
	return err
}

// Missing returns those of the environment files that are not there, with the text
// of a project that needs no packages yet.
func Missing(root string) (files []File) {
	for i, p := range EnvironmentFiles() {
		if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(p))); err != nil {
			files = append(files, File{Path: p, Text: templates[i]})
		}
	}
	return files
}

// templates are the environment files of an empty project of Workbench, without its
// own packages: no index has these any more.
var templates = [...]string{`# What conda installs for jobs in containers and on other machines.
name: project_environment
dependencies:
  - python=3.5.2
`, `# Spark's configuration and packages, for jobs that use Spark.
configuration: {}
repositories: []
packages: []
`}
