package prepare

import (
	"context"
	_ "embed"
	"strings"

	"github.com/amlfix/amlfix/runtime/docker"
)

// Tools are what an image has to make an environment with.
type Tools struct {
	Conda         string // the path of conda; empty: none
	Python        string // the path of a Python 3 with the module venv; empty: none
	PythonVersion string // its version, such as "3.6.9"; also of a Python that cannot be used
}

//go:embed tools.sh
var toolsScript string

// FindTools looks into an image, in a container that is removed again. An image without a shell has no tools.
func FindTools(ctx context.Context, eng docker.Engine, info docker.Info, img docker.Image, ref, name string) (t Tools, err error) {
	c := docker.Container{Name: docker.ContainerName(name), RunID: name, Label: Label, Image: ref, Argv: []string{"sh", "-c", toolsScript}}
	found, err := docker.Probe(ctx, eng, info, img, c)
	return ReadTools(found.Out), err
}

// ToolsScript is a shell script that looks for tools; ReadTools reads what it says.
func ToolsScript() string { return toolsScript }

// ReadTools reads what ToolsScript has said.
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
