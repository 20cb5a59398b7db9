package docker

import (
	"context"

	engine "github.com/amlfix/amlfix/runtime/docker"
	"github.com/amlfix/amlfix/runtime/prepare"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/session"
)

// Made has the engine make the image that a part describes, for a target that runs its jobs elsewhere: it builds a
// Dockerfile, installs the packages of a conda file, or both. It calls publish with the image's name while the engine
// is connected. The job's plan belongs to that target.
func Made(ctx context.Context, job *session.Job, part *Part, publish func(eng engine.Engine, image string) error) (env prepare.Env, err error) {
	c := &container{job: job, part: part}
	defer c.close()
	if err := c.connect(ctx); err != nil {
		return env, err
	}
	if err := c.build(ctx); err != nil {
		return env, c.place(err)
	}
	image := part.Image.Value
	if !part.Recipe.Empty() {
		if env, err = c.prepare(ctx, process.Streams{Stdout: job.Options.Stderr, Stderr: job.Options.Stderr}); err != nil {
			return env, err
		}
		image = env.Image
	}
	return env, publish(c.eng, image)
}

// Reachable queries the engine that Made would use.
func Reachable(ctx context.Context, job *session.Job) (engine.Info, error) {
	c := &container{job: job, part: &Part{}}
	defer c.close()
	if err := c.connect(ctx); err != nil {
		return engine.Info{}, err
	}
	return c.eng.Info(ctx)
}
