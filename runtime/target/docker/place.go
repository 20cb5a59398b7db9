package docker

import (
	"errors"
	"fmt"

	engine "github.com/amlfix/amlfix/runtime/docker"
	"github.com/amlfix/amlfix/runtime/plan"
	"github.com/amlfix/amlfix/runtime/target"
)

// goneError is about an image that its registry no longer has; why the pull failed does not matter then.
type goneError struct {
	text string
	err  error
}

func (e *goneError) Error() string { return e.text }

func (e *goneError) Unwrap() error { return e.err }

// place adds the line in the project's files that caused an engine's error.
func (c *container) place(err error) error {
	e, ok := errors.AsType[*engine.Error](err)
	if !ok || e.Problem == engine.NoConnection {
		return target.PlaceHost(c.job.Plan, err)
	}
	o := plan.Origin{}
	switch e.Problem {
	case engine.ImageInvalid, engine.ImageNotFound, engine.ImagePlatform, engine.ImageFormat, engine.LoginNeeded, engine.RateLimited, engine.RegistryAway, engine.RegistryTLS, engine.RegistryCut:
		o = c.part.Image.Origin
	case engine.GPUUnsupported, engine.GPURefused, engine.GPUDriverOld:
		o = c.job.Plan.GPUs.Origin
	case engine.MountRefused:
		o = c.part.Shared.Origin
	default: // no line in the files is the cause
	}
	if gone := goneAdvice(c.part.Image.Value); gone != "" && o == c.part.Image.Origin {
		err = &goneError{fmt.Sprintf("image %s is not on the engine, and cannot be pulled: %s", c.part.Image.Value, gone), err}
	}
	if c.job.Plan.Work != nil && o == c.part.Image.Origin && o != plan.ImageFlag {
		err = &goneError{err.Error() + "; --image IMAGE selects another one", err}
	}
	if o.Path == "" {
		return err
	}
	return &plan.PlacedError{Origin: o, Err: err}
}
