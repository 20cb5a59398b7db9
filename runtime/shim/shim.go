// Package shim lets scripts written for Azure ML run elsewhere: it provides, in pure Python, the few azureml modules
// that training scripts call while they run, and defines the format in which their metrics are recorded.
//
// The modules are azureml.logging (Azure ML Workbench: get_azureml_logger) and azureml.core (SDK v1: only Run). They
// support Python 2.7, and 3.4 and later. If real azureml packages are installed, their modules win.
package shim

import (
	"embed"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// PythonDir is the folder that holds the Python modules, slash-separated and relative to the job's working directory.
// It should be the last entry of PYTHONPATH, so that the user's own module named azureml comes first.
const PythonDir = ".amlfix/python"

//go:embed python/azureml/*.py python/azureml/core/*.py
var modules embed.FS

// File is a file that is sent with a job.
type File struct {
	Path    string // slash-separated, relative to the job's working directory
	Content []byte
}

// Files returns the Python files that belong in the job's working directory, sorted by path.
func Files() (files []File) {
	_ = fs.WalkDir(modules, "python", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := modules.ReadFile(name)
		files = append(files, File{Path: path.Join(PythonDir, strings.TrimPrefix(name, "python/")), Content: content})
		return err
	})
	return files
}

// AppendPath appends dir to the list of folders in the variable called name in env ("NAME=value"; the last of several
// equal names counts), and adds the variable if it is missing. separator is that of the job's system. AppendPath does
// not modify env.
func AppendPath(env []string, name, dir string, separator rune) []string {
	for _, v := range slices.Backward(env) {
		if list, ok := strings.CutPrefix(v, name+"="); ok && list != "" {
			dir = list + string(separator) + dir
			break
		}
	}
	return append(slices.Clip(env), name+"="+dir)
}
