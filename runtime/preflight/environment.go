package preflight

import (
	"context"
	"fmt"
	"strings"

	"github.com/amlfix/amlfix/runtime/docker"
	"github.com/amlfix/amlfix/runtime/prepare"
)

// environment checks whether the environment exists or can be made.
func (k *checker) environment(ctx context.Context) {
	spec := prepare.Spec{Image: k.Image, Recipe: k.Recipe, File: k.File, At: k.At}
	env, found, err := prepare.Find(ctx, k.eng, spec)
	switch {
	case err != nil:
		k.failed(Environment, err)
		return
	case found:
		k.ok(Environment, "the environment of %s exists as image %s", k.File, env.Image)
		return
	case k.Unprepared != "":
		k.add(Result{Topic: Environment, Status: Failed, Text: k.Unprepared})
		return
	}
	tools, err := prepare.FindTools(ctx, k.eng, k.info, k.img, k.Image, k.ID)
	if err == nil {
		err = prepare.Possible(spec, tools)
	}
	switch {
	case err != nil:
		k.failed(Environment, err)
	case tools.Conda != "":
		k.ok(Environment, "the environment of %s is not built yet; the image has conda, and amlfix run builds it", k.File)
	case !prepare.AllowsPython(k.Recipe.Python, tools.PythonVersion):
		k.add(Result{Topic: Environment, Status: Doubtful, Text: fmt.Sprintf("%s requires %s, but the image has no conda to install it: the job runs on the image's Python %s", k.File, k.Recipe.Python, tools.PythonVersion),
			Next: "use an image with conda or with that Python, or require the image's version in the file"})
	default:
		k.ok(Environment, "the environment of %s is not built yet; the image has no conda, so amlfix run installs the packages under pip on its Python %s", k.File, tools.PythonVersion)
	}
}

// program looks for the job's program in the image, without starting the image.
func (k *checker) program(ctx context.Context, here bool) {
	if !here || strings.Contains(k.Program, "/") || k.Program == "" {
		return
	}
	c := docker.Container{Name: docker.ContainerName(k.ID), RunID: k.ID, Image: k.tried, Argv: []string{k.Program}}
	switch found, err := docker.FindProgram(ctx, k.eng, k.img, c); {
	case err != nil:
		k.failed(Program, err)
	case found == "" && k.Program == "sh":
		k.add(Result{Topic: Program, Status: Failed, Text: "image " + k.Image + " has no sh, which starts the job's command", Next: "use an image with a shell"})
	case found == "":
		k.add(Result{Topic: Program, Status: Failed, Text: fmt.Sprintf("image %s has no program %s, and none that could replace it", k.Image, k.Program),
			Next: "use an image with Python, or add a conda file and let amlfix install it"})
	case found != k.Program:
		k.ok(Program, "image %s has no %s; %s is started instead", k.Image, k.Program, found)
	}
}
