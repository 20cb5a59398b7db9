// Package shim lets scripts that were written for Azure ML run elsewhere: it provides, in pure Python, the few modules
// of azureml that training scripts call while they run, and says in which format what they log is recorded.
//
// The modules are azureml.logging (Azure ML Workbench: get_azureml_logger) and azureml.core (SDK v1: Run alone). They
// run on Python 2.7 and 3.4 and later. Where real azureml packages are installed, their modules win.
package shim

import (
	"embed"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// PythonDir is the folder with the Python modules, slash-separated from the job's working folder. It is to be the last
// entry of PYTHONPATH, so that a module called azureml of the user's own comes first.
const PythonDir = ".amlfix/python"

//go:embed python/azureml/*.py python/azureml/core/*.py
var modules embed.FS

// File is one file that goes with a job.
type File struct {
	Path    string // slash-separated, from the job's working folder
	Content []byte
}

// Files lists the Python files that are to be in the job's working folder, sorted by path.
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

// AppendPath puts dir at the end of the list of folders in the variable name of env ("NAME=value"; of two equal names
// the last counts), which it makes when there is none. separator is that of the job's system. env itself is not changed.
func AppendPath(env []string, name, dir string, separator rune) []string {
	for _, v := range slices.Backward(env) {
		if list, ok := strings.CutPrefix(v, name+"="); ok && list != "" {
			dir = list + string(separator) + dir
			break
		}
	}
	return append(slices.Clip(env), name+"="+dir)
}
