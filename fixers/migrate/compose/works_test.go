//go:build linux

package compose_test

import (
	"testing"

	"github.com/amlfix/amlfix/fixers/migrate"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestV2ThatCannotWork checks that the migration asks about v2 jobs that cannot run anywhere, as it does for older
// dialects.
func TestV2ThatCannotWork(t *testing.T) {
	for name, tt := range map[string]struct{ job, file, text, open string }{
		"works":                 {job: "command: python train.py\nenvironment: {image: \"python:3.12\"}\n"},
		"a script":              {job: "command: python gone.py\nenvironment: {image: \"python:3.12\"}\n", open: "command"},
		"a folder":              {job: "command: python x.py\ncode: gone\nenvironment: {image: \"python:3.12\"}\n", open: "command"},
		"an image":              {job: "command: \"true\"\nenvironment: {image: \"<acr>.azurecr.io/x:1\"}\n", open: "image"},
		"a name for an image":   {job: "command: \"true\"\nenvironment: {image: \"youracr.azurecr.io/x:1\"}\n", open: "image"},
		"a registered one":      {job: "command: \"true\"\nenvironment: azureml:mine:1\n", open: "image"},
		"packages":              {job: "command: \"true\"\nenvironment: {image: \"python:3.12\", conda_file: gone.yml}\n", open: "conda-file"},
		"a Dockerfile":          {job: "command: \"true\"\nenvironment: {build: {path: gone}}\n", open: "dockerfile"},
		"Python 2":              {job: "command: python train.py\nenvironment: {image: \"python:3.12\", conda_file: conda.yml}\n", file: "train.py", text: "print 'x'\n", open: "rewrite"},
		"Workbench's logger":    {job: "command: cd . && python train.py\nenvironment: {image: \"python:3.12\", conda_file: conda.yml}\n", file: "train.py", text: "from azureml.logging import get_azureml_logger\n", open: "rewrite"},
		"a value":               {job: "command: echo ${{inputs.x}}\ninputs: {x: {type: string}}\nenvironment: {image: \"python:3.12\"}\n", open: "input-x"},
		"a value it may lack":   {job: "command: echo $[[${{inputs.x}}]]\ninputs: {x: {type: string, optional: true}}\nenvironment: {image: \"python:3.12\"}\n"},
		"data":                  {job: "command: ls ${{inputs.x}}\ninputs: {x: {type: uri_folder}}\nenvironment: {image: \"python:3.12\"}\n", open: "folder-x"},
		"what nothing declares": {job: "command: ls ${{inputs.x}}\nenvironment: {image: \"python:3.12\"}\n", open: "command-line"},
	} {
		files := map[string]string{"job.yml": "$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json\n" + tt.job, "train.py": "", "conda.yml": "dependencies: [python=3.11]\n"}
		if tt.file != "" {
			files[tt.file] = tt.text
		}
		m := migrated(t, files, migrate.Options{})
		got := ""
		for _, d := range m.Open() {
			got += d.ID
		}
		testkit.Same(t, tt.open, got, "%s", name)
	}
}
