package runtime

import (
	"context"
	"fmt"

	"github.com/amlfix/amlfix/runtime/plan"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/runtime/project"
	"github.com/amlfix/amlfix/runtime/record"
	"github.com/amlfix/amlfix/runtime/session"
	"github.com/amlfix/amlfix/runtime/shim"
	"github.com/amlfix/amlfix/runtime/target"
	"github.com/amlfix/amlfix/schema/disk"
)

// Run carries out a plan. Cancelling ctx asks the job to stop; process.Signals returns a suitable context and Kill. Run
// returns when nothing is left of the run: the outputs are retrieved, and the container or processes and the working
// folder are gone, except for what Result.Container and Result.KeptAt name. The error is nil if the job was started and
// its end was seen, however it ended; otherwise it is the reason (Result.Code says what to exit with), and its text is
// for people.
//
// The run has a record in the project, created before its first action; see package record. The record is kept, unless
// the plan says that the run is not tracked. Attach resumes a run whose program was killed.
func Run(ctx context.Context, p Plan, opts RunOptions) (Result, error) {
	t := targets.Kind(p.Kind.Value)
	if a, ok := t.(target.Ahead); ok {
		defer a.Ahead(ctx, p, &opts)()
	}
	return session.Run(ctx, p, opts, t.About().Where, func(ctx context.Context, s *session.Session) (process.Exit, error) {
		snap, err := scan(ctx, s)
		if err != nil {
			return process.Exit{}, err
		}
		return t.Run(ctx, s, snap)
	})
}

// scan reads the project and creates the shared folder, which every target needs.
func scan(ctx context.Context, s *session.Session) (snap project.Snapshot, err error) {
	if err := context.Cause(ctx); err != nil {
		return snap, err
	}
	s.Say.Enter(progress.Checking, "")
	if snap, err = s.Plan.Snapshot(); err != nil {
		return snap, err
	}
	s.Result.Warnings, s.Size = snap.Warnings, snap.Bytes
	for _, w := range snap.Warnings {
		s.Say.Notice("%s", w)
	}
	s.Sending(snap)
	if err := target.CheckScript(s.Plan, snap); err != nil {
		return snap, err
	}
	for _, f := range shim.Files() {
		snap.Add(f.Path, f.Content)
	}
	if s.Plan.Modules {
		modules, err := snap.Modules()
		if err != nil {
			return snap, err
		}
		snap.Add(plan.ModulesFile, modules)
	}
	if share := s.Plan.ShareDir; share.Value != "" && s.Plan.Host.Address.Value == "" {
		if err := disk.MakeShared(share.Value, 0o755); err != nil {
			return snap, fmt.Errorf("%s: the shared folder %s cannot be created (%w): set another one in nativeSharedDirectory", share.Origin, share.Value, err)
		}
	}
	return snap, nil
}

// Attach resumes the run whose record is in dir, after an earlier program was killed or lost it: it passes on output
// that was not shown yet, follows the job to its end, retrieves its outputs, and leaves nothing of it, as Run does. If
// ctx is cancelled from the start, the job is stopped. For a run that is already over, it returns the result again.
//
// The error is record.ErrBusy while another program is using the run, and a *record.RefusedError if the record is not
// trusted, see vouch: then nothing has been done. Otherwise it is as with Run.
func Attach(ctx context.Context, dir string, opts RunOptions) (Result, error) {
	return session.Resume(ctx, dir, opts, func(rec record.Record) (session.Resumed, error) {
		if err := vouch(rec); err != nil {
			return session.Resumed{}, err
		}
		t := targets.Kind(kindOf(rec))
		return session.Resumed{Where: t.About().Where, Proceed: t.Resume}, nil
	})
}

// Fetch tries again to retrieve the outputs of the run whose record is in dir, which is over: because the disk has
// space again, or an obstacle is gone. Afterwards nothing is left of the run where it ran. Errors are those of
// session.Fetch.
func Fetch(ctx context.Context, dir string, opts RunOptions) (Result, error) {
	return session.Fetch(ctx, dir, opts, func(rec record.Record) (session.Fetching, error) {
		if err := vouch(rec); err != nil {
			return nil, err
		}
		return targets.Kind(kindOf(rec)).Fetch, nil
	})
}
