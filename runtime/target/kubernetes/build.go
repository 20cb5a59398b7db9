package kubernetes

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/amlfix/amlfix/runtime/docker"
	"github.com/amlfix/amlfix/runtime/plan"
	"github.com/amlfix/amlfix/runtime/preflight"
	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/runtime/session"
	"github.com/amlfix/amlfix/runtime/target"
	container "github.com/amlfix/amlfix/runtime/target/docker"
	"github.com/amlfix/amlfix/schema/secret"
)

// repository returns the repository to which images are pushed.
func (part *Part) repository() string {
	return strings.TrimSuffix(part.Registry.Value, "/") + "/amlfix"
}

// build builds the job's image with this machine's engine, and pushes it to the registry with the login stored by the
// docker command. The job then uses the image with that digest.
func (r *run) build(ctx context.Context) error {
	part, s := partOf(r.s.Plan), r.s
	if part.Build == nil {
		return nil
	}
	var digest string
	env, err := container.Made(ctx, &s.Job, part.Build, func(eng docker.Engine, image string) (err error) {
		as := part.repository() + ":" + path.Base(strings.ReplaceAll(image, ":", "-"))
		login, err := docker.FindLogin(ctx, as)
		if err != nil {
			s.Say.Notice("%v", err)
		}
		s.Say.Enter(progress.Preparing, "pushing the image to %s", as)
		digest, err = eng.Push(ctx, image, as, login)
		return part.pushed(as, err)
	})
	if err != nil {
		return err
	}
	r.built = env
	part.Spec.Image.Value = part.repository() + "@" + digest
	return nil
}

// pushed explains why an image could not be pushed, and what to do.
func (part *Part) pushed(as string, err error) error {
	var e *docker.Error
	if err == nil || !errors.As(err, &e) {
		return err
	}
	next := "check its name, and whether this machine's Docker engine can reach it"
	if e.Problem == docker.LoginNeeded || strings.Contains(e.Said, "denied") {
		next = "log in with `docker login " + docker.RegistryHost(as) + "` as a user who may push there"
	}
	return &plan.PlacedError{Origin: part.Registry.Origin, Err: fmt.Errorf("the image cannot be pushed to %s (%s): %s", as, secret.Hide(e.Said), next)}
}

// claim creates the job's claim unless it exists.
func (r *run) claim(ctx context.Context) error {
	spec := partOf(r.s.Plan).Spec
	made, err := r.client.EnsureClaim(ctx, spec)
	if made {
		r.s.Say.Notice("created claim %s in %s for projects and environments; it stays until `amlfix runs clean --environments` removes it", spec.Claim.Value, r.client.Cluster)
	}
	return err
}

// builder queries the engine that builds the image.
func builder(ctx context.Context, job *session.Job) []preflight.Result {
	part := partOf(job.Plan)
	if part.Build == nil {
		return nil
	}
	info, err := container.Reachable(ctx, job)
	if err != nil {
		return []preflight.Result{target.FailedAs(preflight.Engine, err)}
	}
	return []preflight.Result{{Topic: preflight.Engine, Status: preflight.OK, Text: fmt.Sprintf("the Docker engine at %s builds the image when the job runs, and pushes it to %s", info.Host, part.repository())}}
}
