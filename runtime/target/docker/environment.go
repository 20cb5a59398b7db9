package docker

import (
	"context"
	"errors"
	"fmt"

	engine "github.com/amlfix/amlfix/runtime/docker"
	"github.com/amlfix/amlfix/runtime/plan"
	"github.com/amlfix/amlfix/runtime/prepare"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/session"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/requirement"
)

// Prepare returns a plan's environment, and makes it if it does not exist, even if the plan says not to make one. Of
// the options, it uses Stdout and Stderr for the tools' output. The error's text is for people.
func Prepare(ctx context.Context, job *session.Job) (prepare.Env, error) {
	if part, ok := PartOf(job.Plan); !ok || part.Recipe.Empty() {
		return prepare.Env{}, errors.New("there is no environment to prepare")
	}
	c := containerOf(job)
	defer c.close()
	if err := c.connect(ctx); err != nil {
		return prepare.Env{}, err
	}
	return c.prepare(ctx, process.Streams{Stdout: job.Options.Stdout, Stderr: job.Options.Stderr})
}

// environment returns the environment to run the job in; its Image is empty if nothing is to be installed.
func (c *container) environment(ctx context.Context) (prepare.Env, error) {
	if c.part.Recipe.Empty() {
		return prepare.Env{}, nil
	}
	if c.part.Prepare.Value {
		return c.prepare(ctx, process.Streams{Stdout: c.job.Options.Stderr, Stderr: c.job.Options.Stderr}) // standard output is reserved for the job
	}
	env, ok, err := prepare.Find(ctx, c.eng, c.recipe())
	switch {
	case err != nil && !engine.Is(err, engine.ImageNotFound):
		return prepare.Env{}, err
	case !ok:
		return prepare.Env{}, &plan.Error{Origin: c.part.Prepare.Origin, Text: c.unprepared()}
	}
	return env, nil
}

// unprepared returns what is missing if no environment may be made.
func (c *container) unprepared() string {
	return fmt.Sprintf("PrepareEnvironment is false, and the environment of %s on image %s has not been prepared yet: run `amlfix prepare -c %s` once",
		c.part.Conda.Value, c.part.Image.Value, c.job.Plan.Name)
}

func (c *container) prepare(ctx context.Context, out process.Streams) (prepare.Env, error) {
	opts := c.job.Options
	env, err := prepare.Make(ctx, c.eng, c.recipe(), out, process.Control{Grace: opts.Grace, Kill: opts.Kill}, c.job.Say)
	return env, c.place(err)
}

func (c *container) recipe() prepare.Spec {
	p := c.job.Plan
	return prepare.Spec{Run: p.RunID.String(), Project: engine.ProjectMark(p.Project), Image: c.part.Image.Value, Recipe: c.part.Recipe, File: c.part.Conda.Value, At: c.part.At()}
}

// At returns the position of the first package that only conda can install, or an empty string.
func (part *Part) At() string {
	if part.OnlyConda.Path == "" {
		return ""
	}
	return part.OnlyConda.String()
}

// goneAdvice returns what to do about an image whose repository was removed from its registry, or an empty string for
// any other image.
func goneAdvice(image string) string {
	m, err := requirement.ParseImage(image)
	if err != nil || !catalog.RemovedRepo(m.Name()) {
		return ""
	}
	return fmt.Sprintf("%s was removed from its registry in 2021: create or find a copy, and set it in .amlfix.yaml under images, as `%q: \"registry.example/NAME:TAG\"`", m.Name(), image)
}
