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

// Run carries out a plan. Cancelling ctx asks the job to stop; process.Signals
// makes a fitting context and Kill. It returns when nothing is left of the run:
// the outputs are back, container or processes and the working folder are gone,
// except for what Result.Container and Result.KeptAt name. The error is nil when
// the job was started and its end seen, however it ended; it is the reason when
// it was not (Result.Code says what to exit with), and its text is for people.
//
// The run has a record in the project from before its first action on; see the
// package record. It stays, unless the plan says that the run is not tracked.
// Attach resumes a run whose program was killed.
func Run(ctx context.Context, p Plan, opts RunOptions) (Result, error) {
	t := targets.Kind(p.Kind.Value)
	return session.Run(ctx, p, opts, t.About().Where, func(ctx context.Context, s *session.Session) (process.Exit, error) {
		snap, err := scan(ctx, s)
		if err != nil {
			return process.Exit{}, err
		}
		return t.Run(ctx, s, snap)
	})
}

// scan reads the project and makes the shared folder: what every target needs.
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
			return snap, fmt.Errorf("%s: the shared folder %s cannot be made (%w): name another one in nativeSharedDirectory", share.Origin, share.Value, err)
		}
	}
	return snap, nil
}

// Attach resumes the run whose record is in dir, where an earlier program
// was killed, or has lost it: output that was not shown yet is passed on, the job
// is seen to its end, its outputs come back, and nothing is left of it, as with
// Run. A ctx that is cancelled from the start stops the job. A run that is over
// already gives its result again.
//
// The error is record.ErrBusy while another program is at work on the run, and a
// *record.RefusedError when the record is not believed, see vouch: nothing has
// been done then. Otherwise it is as with Run.
func Attach(ctx context.Context, dir string, opts RunOptions) (Result, error) {
	return session.Resume(ctx, dir, opts, func(rec record.Record) (session.Resumed, error) {
		if err := vouch(rec); err != nil {
			return session.Resumed{}, err
		}
		t := targets.Kind(kindOf(rec))
		return session.Resumed{Where: t.About().Where, Proceed: t.Resume}, nil
	})
}

// Fetch tries again to bring back the outputs of the run whose record is in dir, which is over: when the disk has room
// again, or what was in the way is gone. Then nothing is left of the run where it was. Errors are those of session.Fetch.
func Fetch(ctx context.Context, dir string, opts RunOptions) (Result, error) {
	return session.Fetch(ctx, dir, opts, func(rec record.Record) (session.Fetching, error) {
		if err := vouch(rec); err != nil {
			return nil, err
		}
		return targets.Kind(kindOf(rec)).Fetch, nil
	})
}
