package docker

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	engine "github.com/amlfix/amlfix/runtime/docker"
	"github.com/amlfix/amlfix/runtime/plan"
	"github.com/amlfix/amlfix/runtime/preflight"
	"github.com/amlfix/amlfix/runtime/prepare"
	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/runtime/project"
)

// planBuild plans an image that is built from a Dockerfile of the project.
func (d *draft) planBuild() {
	b := &d.Options.Work.Build
	sum := sha256.Sum256([]byte(b.Context.Value + "\x00" + b.Dockerfile))
	d.part.Build = b
	d.part.Image = plan.From(prepare.BuiltRepository+":"+hex.EncodeToString(sum[:])[:16], plan.Origin{Path: b.Context.Origin.Path, Line: b.Context.Origin.Line,
		Note: "built from " + filepath.ToSlash(filepath.Join(filepath.Base(b.Context.Value), b.Dockerfile))})
}

// unbuilt reports that the image has yet to be built; false: it exists, or is not to be built.
func (c *container) unbuilt(ctx context.Context) (preflight.Result, bool) {
	if c.part.Build == nil {
		return preflight.Result{}, false
	}
	if _, err := c.eng.Image(ctx, c.part.Image.Value); !engine.Is(err, engine.ImageNotFound) {
		return preflight.Result{}, false
	}
	return preflight.Result{Topic: preflight.Image, Status: preflight.Unknown, Text: "the image is built from " + c.part.Build.Dockerfile + " when the job runs"}, true
}

// build builds the plan's image. The engine repeats only the steps that have changed.
func (c *container) build(ctx context.Context) error {
	b := c.part.Build
	if b == nil {
		return nil
	}
	c.job.Say.Enter(progress.Preparing, "building the image of %s", b.Context.Origin)
	var snap project.Snapshot
	if err := snap.JoinContext(b.Context.Value, b.Dockerfile); err != nil {
		return &plan.PlacedError{Origin: b.Context.Origin, Err: err}
	}
	out := c.job.Options.Stderr
	if out == nil {
		out = io.Discard
	}
	files, send := io.Pipe()
	go func() { _ = send.CloseWithError(snap.TarAll(ctx, send)) }()
	err := c.eng.Build(ctx, engine.Build{Name: c.part.Image.Value, Dockerfile: b.Dockerfile, Labels: map[string]string{prepare.BuiltLabel: "1"}}, files, out)
	_ = files.Close()
	if failed, ok := errors.AsType[*engine.BuildError](err); ok {
		text, _ := os.ReadFile(filepath.Join(b.Context.Value, b.Dockerfile))
		if strings.Contains(failed.Said, "nknown instruction: ") && bytes.Contains(text, []byte("<<")) {
			failed.Said += ": a here-document (<<)" + engine.NoBuildKit
		}
		return &plan.PlacedError{Origin: b.Context.Origin, Err: fmt.Errorf("the image cannot be built from %s: %w", b.Dockerfile, err)}
	}
	return err
}
