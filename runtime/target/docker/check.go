package docker

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	engine "github.com/amlfix/amlfix/runtime/docker"
	"github.com/amlfix/amlfix/runtime/plan"
	"github.com/amlfix/amlfix/runtime/preflight"
	"github.com/amlfix/amlfix/runtime/project"
	"github.com/amlfix/amlfix/runtime/target"
	"github.com/amlfix/amlfix/schema/escape"
	"github.com/amlfix/amlfix/schema/secret"
)

// needs returns what the job needs of an engine.
func (c *container) needs() preflight.Container {
	p, part := c.job.Plan, c.part
	n := preflight.Container{ID: p.RunID.String(), Image: part.Image.Value, Named: part.Named, GPUs: p.GPUs.Value.Wanted(), GPUCount: p.GPUs.Value.Count(), GPUTotal: &c.gpus, Recipe: part.Recipe, Program: p.Interpreter.Value, File: part.Conda.Value, At: part.At(),
		Gone: goneAdvice(part.Image.Value), Bytes: c.job.Size, Free: c.free, Say: c.job.Say}
	if !part.Prepare.Value {
		n.Unprepared = c.unprepared()
	}
	return n
}

// free returns how much of the engine's disk is free, in bytes, if this machine or the plan's host can see it.
func (c *container) free(ctx context.Context, info engine.Info) (int64, bool) {
	switch {
	case c.line != nil:
		return target.FreeThere(ctx, c.line, escape.Word(info.Root))
	case info.Local:
		return preflight.FreeSpace(info.Root)
	}
	return 0, false
}

// check checks the engine and what the job needs of it.
func (c *container) check(ctx context.Context) (results []preflight.Result) {
	defer c.close()
	if err := c.connect(ctx); err != nil {
		topic, why := preflight.Engine, "the Docker engine cannot be asked"
		if host := c.job.Plan.Host.Address.Value; host != "" && c.line == nil {
			topic, why = preflight.Connection, "there is no connection to "+secret.HideValue(host)
		}
		return append(append(results, target.FailedAs(topic, err)), c.needs().Unseen(why)...)
	}
	if c.line != nil {
		results = append(results, target.Connected(c.line))
	}
	if res, yes := c.unbuilt(ctx); yes {
		return append(results, res)
	}
	found, _ := preflight.CheckContainer(ctx, c.eng, c.needs())
	for i, f := range found {
		if f.Err != nil && f.Next == "" { // otherwise it would repeat what Next says
			found[i].Err = c.place(f.Err)
		}
	}
	return append(results, found...)
}

// begin checks, before a run, what the run itself would not notice, or only late. It pulls the image if it is missing,
// and returns how to request GPUs.
func (c *container) begin(ctx context.Context) (engine.GPUWay, error) {
	needs := c.needs()
	needs.Pull = true
	results, way := preflight.CheckContainer(ctx, c.eng, needs)
	if err := context.Cause(ctx); err != nil {
		return way, err
	}
	return way, target.Judge(Target{}, c.job, results, c.place)
}

// sourceLimit is the size in bytes up to which a source file is searched: scripts written by people are smaller, and
// data should not be read.
const sourceLimit = 1 << 20

// checkWords checks whether an engine, which takes only UTF-8, would change an argument of the job.
func checkWords(p plan.Plan) (results []preflight.Result) {
	for i, word := range p.Command() {
		if !utf8.ValidString(word) {
			results = append(results, preflight.Result{Topic: preflight.Program, Status: preflight.Failed,
				Text: fmt.Sprintf("argument %d is not valid UTF-8, and a container engine would change it", i+1), Next: "rename the file that it names, or run the job on a target without a container"})
		}
	}
	return results
}

// checkUngiven checks whether a job that must use a GPU gets one: an engine gives a container only what is requested,
// unless the job itself tells NVIDIA's software which GPUs it sees.
func (c *container) checkUngiven() []preflight.Result {
	p := c.job.Plan
	itself := slices.ContainsFunc(p.Variables(), func(v string) bool { return strings.HasPrefix(v, engine.VisibleDevices+"=") })
	if !c.job.Options.RequireGPU || p.GPUs.Value.Wanted() || itself {
		return nil
	}
	return []preflight.Result{{Topic: preflight.GPUs, Status: preflight.Failed, Text: "--require-gpu: the job gets no GPU, so it cannot use one", Next: "request GPUs, for example with --gpus all"}}
}

// checkUnshared checks, if the container does not get the shared folder, whether a script of the project uses it.
func (c *container) checkUnshared(snap project.Snapshot) []preflight.Result {
	if !c.part.Unshared.Value {
		return nil
	}
	root, err := os.OpenRoot(snap.Root)
	if err != nil {
		return nil // sending the project will report this
	}
	defer func() { _ = root.Close() }()
	for _, e := range snap.Entries {
		if !strings.HasSuffix(e.Path, ".py") || !e.Mode.IsRegular() || e.Size > sourceLimit {
			continue
		}
		if text, err := fs.ReadFile(root.FS(), e.Path); err == nil && bytes.Contains(text, []byte(plan.ShareVariable)) {
			return []preflight.Result{{Topic: preflight.Folder, Status: preflight.Doubtful, Text: e.Path + " reads " + plan.ShareVariable + ", which is not set: a container gets nativeSharedDirectory only with sharedVolumes",
				Next: "write sharedVolumes: true"}}
		}
	}
	return nil
}
