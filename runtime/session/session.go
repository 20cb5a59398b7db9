// Package session accompanies a run from its first action to its last: it keeps the record, passes the output on, acts
// on requests to stop, retrieves results, and reports how the run ended. What happens in between is up to a target (see
// package target), which uses the methods of a Session.
package session

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/amlfix/amlfix/runtime/docker"
	"github.com/amlfix/amlfix/runtime/evidence"
	"github.com/amlfix/amlfix/runtime/mlflow"
	"github.com/amlfix/amlfix/runtime/plan"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/runtime/project"
	"github.com/amlfix/amlfix/runtime/record"
	"github.com/amlfix/amlfix/runtime/ssh"
	"github.com/amlfix/amlfix/schema/catalog"
)

// Options describes how a run is watched and stopped. The zero value runs silently.
type Options struct {
	Stdout   io.Writer       // receives the job's bytes as they arrive; nil discards them
	Stderr   io.Writer       // likewise; may be the same writer
	Unseen   bool            // nobody reads what Stdout and Stderr receive: whoever resumes the run is shown all of it
	Progress progress.Sink   // receives what the run reports about itself
	Kill     <-chan struct{} // closed when the user asks a second time: the job is killed at once
	Grace    time.Duration   // from the request to stop until the kill; 0: process.DefaultGrace
	Version  string          // of this program, for the record
	// MLflow is the server to which the run is sent while it proceeds; nil: none.
	MLflow *mlflow.Client
	// RequireGPU gives a successful job without proof that it used a GPU the exit code process.CodeNoGPU. If it is
	// known beforehand that the job cannot use one, the job is not started.
	RequireGPU bool
	After      int           // how many steps of a pipeline follow
	Engine     docker.Engine // nil: the engine of the plan's host, or the one that DOCKER_HOST names, or this machine's
	SSH        ssh.Options   // how to log in to the plan's host; its Notice is not used
	// Patience is as in process.Control; 0 unless the caller cannot wait for minutes until an unavailable machine
	// counts as lost.
	Patience time.Duration
}

// Job is a plan and the user's options for its run: what both a check and a run know.
type Job struct {
	Plan    plan.Plan
	Options Options
	Say     progress.Sink
	Size    int64 // the project's size in bytes; 0 until it has been scanned
	// Found records the results of checks before the job is started; nil: nothing is recorded.
	Found func([]record.Check)
}

// NewJob returns the job of a plan.
func NewJob(p plan.Plan, opts Options) *Job { return &Job{Plan: p, Options: opts, Say: opts.Progress} }

// WantsGPU reports whether the job is meant to use a GPU.
func (j *Job) WantsGPU() bool { return j.Plan.GPUs.Value.Wanted() || j.Options.RequireGPU }

// Session is a run with its record. During Run or Resume, the record on disk belongs to it alone, and says what happens
// before it happens: a program that is killed at any moment leaves a record from which Resume continues.
//
// A target uses Streams and Control for its job and stores what it learns in Result; Outcome, Code and Reason are set
// afterwards. The methods may be called only from the goroutine that runs the job, unless they say otherwise.
type Session struct {
	Job
	Streams process.Streams // where the job's output goes: it is shown, scanned and stored
	Control process.Control // how long the job may run, and how it is stopped
	Result  Result

	where string // see Run
	proof
	pods      *Pods     // nil: the run has a single pod
	kept      time.Time // when a GPU sample was last recorded
	sampled   func()    // ends the sampling of GPUs, which continues for a job whose end was not seen
	sent      *project.Snapshot
	unsent    []project.Warning
	elsewhere []string // see Elsewhere
	missing   missing
	shown     process.Streams
	scanned   process.Streams
	rec       *recorder
	send      func(context.Context) // sends the rest of the run to MLflow
	earlier   *record.Stop          // set if an earlier program has asked the job to stop
}

// newSession returns a session without a record; see create and keep.
func newSession(p plan.Plan, opts Options, where string) *Session {
	s := &Session{Job: *NewJob(p, opts), where: where, proof: proof{scanner: evidence.New(catalog.LogPatterns())}, sampled: func() {}}
	s.shown = process.Streams{Stdout: opts.Stdout, Stderr: opts.Stderr}.Shared()
	s.scanned = process.Streams{Stdout: s.scanner.Stream(), Stderr: io.MultiWriter(s.scanner.Stream(), &s.missing)}
	s.Streams = process.Streams{Stdout: io.MultiWriter(s.shown.Stdout, s.scanned.Stdout), Stderr: io.MultiWriter(s.shown.Stderr, s.scanned.Stderr)}
	s.Control = process.Control{Limit: p.Timeout.Value, Grace: opts.Grace, Kill: opts.Kill, Patience: opts.Patience}
	s.Result.RunID = p.RunID
	return s
}

// Run creates the record of a new run, calls start to carry the run out, and reports how it ended. where is where the
// job's programs are looked up, such as "in the image". If the record cannot be created, start is not called.
func Run(ctx context.Context, p plan.Plan, opts Options, where string, start func(context.Context, *Session) (process.Exit, error)) (Result, error) {
	s := newSession(p, opts, where)
	if err := s.create(); err != nil {
		s.settle(ctx, process.Exit{}, err)
		return s.Result, err
	}
	return s.carry(ctx, start)
}

// carry calls out for a run that has a record, and brings the run to its end.
func (s *Session) carry(ctx context.Context, out func(context.Context, *Session) (process.Exit, error)) (Result, error) {
	ctx, over := s.stoppable(ctx)
	defer over()
	s.send = s.track(ctx)
	s.reassure(ctx)
	exit, err := out(ctx, s)
	return s.end(ctx, exit, err)
}

// end reports and records how the run ended.
func (s *Session) end(ctx context.Context, exit process.Exit, err error) (Result, error) {
	s.sampled()
	s.settle(ctx, exit, err)
	s.Result.Evidence, s.Result.GPUWanted = s.verdict(), s.WantsGPU()
	if s.Options.RequireGPU && s.Result.Outcome == Succeeded && s.Result.Code == 0 && !s.Result.Evidence.Proven() {
		s.Result.Code = process.CodeNoGPU
	}
	s.close(ctx)
	s.Say.Enter(progress.Done, "")
	if s.Result.Outcome == Lost {
		return s.Result, errors.New(s.Result.Reason)
	}
	return s.Result, err
}
