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
	"strconv"

	engine "github.com/amlfix/amlfix/runtime/docker"
	"github.com/amlfix/amlfix/runtime/plan"
	"github.com/amlfix/amlfix/runtime/preflight"
	"github.com/amlfix/amlfix/runtime/prepare"
	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/runtime/project"
	"github.com/amlfix/amlfix/schema/plain"
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
		if text, _ := os.ReadFile(filepath.Join(b.Context.Value, b.Dockerfile)); hereDocument(failed.Said, text) {
			failed.Said += ": a here-document (<<)" + engine.NoBuildKit
		}
		return &plan.PlacedError{Origin: b.Context.Origin, Err: fmt.Errorf("the image cannot be built from %s: %w", b.Dockerfile, err)}
	}
	return err
}

// unknownInstruction matches what engines say of a line that is not an instruction.
var unknownInstruction = plain.Regexp{Text: `line (\d+): [Uu]nknown instruction: `}

// hereMark matches an instruction as far as the beginning of a here-document.
var hereMark = plain.Regexp{Text: `(?mi)^[ \t]*(?:RUN|COPY|ADD)\b(?:\\\r?\n|[^\n])*?[ \t]\d*<<-?["']?[A-Z_]`}

// hereDocument reports whether the line of a Dockerfile that an engine does not know follows the beginning of a
// here-document.
func hereDocument(said string, text []byte) bool {
	m, at := unknownInstruction.Get().FindStringSubmatch(said), hereMark.Get().FindIndex(text)
	if m == nil || at == nil {
		return false
	}
	line, err := strconv.Atoi(m[1])
	return err == nil && bytes.Count(text[:at[1]], []byte("\n"))+1 < line
}
