package prepare

import (
	"context"
	_ "embed"
	"strings"

	"github.com/amlfix/amlfix/runtime/docker"
)

// Tools are the programs in an image that can make an environment.
type Tools struct {
	Conda         string // the path of conda; empty: none
	Python        string // the path of a Python 3 with the module venv; empty: none
	PythonVersion string // its version, such as "3.6.9"; also set for a Python that cannot be used
}

// ToolsScript is a shell script that looks for tools; ReadTools parses its output.
//
//go:embed tools.sh
var ToolsScript string

// FindTools inspects an image in a temporary container of a run. An image without a shell has no tools.
func FindTools(ctx context.Context, eng docker.Engine, info docker.Info, img docker.Image, ref, run string) (t Tools, err error) {
	c := docker.Container{Name: docker.ContainerName(run + "-tools"), RunID: run, Image: ref, Argv: []string{"sh", "-c", ToolsScript}}
	found, err := docker.Probe(ctx, eng, info, img, c)
	return ReadTools(found.Out), err
}

// ReadTools parses the output of ToolsScript.
func ReadTools(said string) (t Tools) {
	for line := range strings.Lines(said) {
		switch name, value, _ := strings.Cut(strings.TrimSpace(line), "="); name {
		case "conda":
			t.Conda = value
		case "python":
			t.Python = value
		case "version":
			t.PythonVersion = value
		}
	}
	return t
}
