package runtime

import (
	"context"
	"errors"
	"fmt"

	"github.com/amlfix/amlfix/runtime/docker"
	"github.com/amlfix/amlfix/runtime/prepare"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/requirement"
)

// Prepare makes the environment of a plan, also when the plan says that none is to be made, or returns it when it is
// there already. Of opts, Stdout and Stderr get what the tools say. The error's text is for people.
func Prepare(ctx context.Context, plan Plan, opts RunOptions) (prepare.Env, error) {
	r := &runner{plan: plan, opts: opts, say: opts.Progress}
	defer r.hangUp()
	if plan.Recipe.Empty() {
		return prepare.Env{}, errors.New("there is no environment to prepare")
	}
	eng, err := r.engine(ctx)
	if err != nil {
		return prepare.Env{}, err
	}
	if opts.Engine == nil {
		defer func() { _ = eng.Close() }()
	}
	return r.make(ctx, eng, process.Streams{Stdout: opts.Stdout, Stderr: opts.Stderr})
}

// image returns the image to run the job in: that of its environment, or the target's when nothing is to be installed.
func (r *runner) image(ctx context.Context, eng docker.Engine) (string, error) {
	if r.plan.Recipe.Empty() {
		return r.plan.Image.Value, nil
	}
	if r.plan.Prepare.Value {
		env, err := r.make(ctx, eng, process.Streams{Stdout: r.opts.Stderr, Stderr: r.opts.Stderr}) // standard output is the job's
		r.result.Environment = env
		return env.Image, err
	}
	env, ok, err := prepare.Find(ctx, eng, r.environmentSpec())
	switch {
	case err != nil && !docker.Is(err, docker.ImageNotFound):
		return "", err
	case !ok:
		return "", &PlanError{Origin: r.plan.Prepare.Origin, Text: r.unprepared()}
	}
	r.result.Environment = env
	return env.Image, nil
}

// unprepared says what is missing when no environment may be made.
func (r *runner) unprepared() string {
	return fmt.Sprintf("PrepareEnvironment is false, and the environment of %s on image %s has not been prepared yet: run `amlfix prepare -c %s` once",
		r.plan.Conda.Value, r.plan.Image.Value, r.plan.Name)
}

func (r *runner) make(ctx context.Context, eng docker.Engine, out process.Streams) (prepare.Env, error) {
	env, err := prepare.Make(ctx, eng, r.environmentSpec(), out, process.Control{Grace: r.opts.Grace, Kill: r.opts.Kill}, r.say)
	return env, r.placed(err)
}

func (r *runner) onlyConda() string {
	if r.plan.OnlyConda.Path == "" {
		return ""
	}
	return r.plan.OnlyConda.String()
}

func (r *runner) environmentSpec() prepare.Spec {
	return prepare.Spec{Image: r.plan.Image.Value, Recipe: r.plan.Recipe, File: r.plan.Conda.Value, At: r.onlyConda()}
}

// GoneAdvice says what to do about an image whose repository has been taken off its registry; empty for any other.
func GoneAdvice(image string) string {
	m, err := requirement.ParseImage(image)
	if err != nil || !catalog.RemovedRepo(m.Name()) {
		return ""
	}
	return fmt.Sprintf("%s was taken off its registry in 2021: make or find a copy, and name it in .amlfix.yaml under images, as `%q: \"registry.example/NAME:TAG\"`", m.Name(), image)
}
