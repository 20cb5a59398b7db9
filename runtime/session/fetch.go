package session

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/record"
)

// Fetching brings outputs back that were kept where the job ran, and removes what is left there when all are here.
type Fetching func(context.Context, *Session, record.Record) error

// Fetch tries again to bring back the outputs of a run that is over. find says how, and is that of Resume. A run whose
// outputs are not missing gives its result again. With an error, which is for people, all is as it was; it is
// record.ErrBusy while another program is using the run, and a *record.RefusedError when the record is not trusted.
func Fetch(ctx context.Context, dir string, opts Options, find func(record.Record) (Fetching, error)) (Result, error) {
	run, err := record.Open(dir)
	if err != nil {
		return Result{}, err
	}
	defer run.Close()
	rec := run.Record()
	if !rec.OutputsMissing() {
		return resultOf(record.Entry{Record: rec, Dir: dir}), nil
	}
	fetch, err := find(rec)
	if err != nil {
		return Result{}, &record.RefusedError{Path: record.Path(dir), Why: err.Error()}
	}
	s := newSession(planOf(rec), opts, "")
	s.rec = &recorder{run: run, say: s.Say, fail: func(error) {}} // the run stays over: no state is entered
	s.Result.OutputsErr, s.Result.KeptAt = errors.New(rec.Outputs.Error), rec.Outputs.At
	if err := fetch(ctx, s, rec); err != nil {
		return resultOf(record.Entry{Record: run.Record(), Dir: dir}), err
	}
	s.Result.OutputsErr, s.Result.KeptAt = nil, ""
	s.recordOutputs()
	if rec.Outcome == string(Succeeded) && rec.Code == process.CodeNotStarted {
		s.rec.update(func(rec *record.Record) { rec.Code = 0 })
	}
	res := resultOf(record.Entry{Record: run.Record(), Dir: dir})
	res.Outputs.Warnings = s.Result.Outputs.Warnings
	return res, nil
}

// FetchFolder is a Fetching for a job that has worked in a folder of this machine.
func (s *Session) FetchFolder(ctx context.Context, rec record.Record) error {
	if _, err := os.Stat(rec.Handle.Folder); rec.Handle.Folder == "" || err != nil {
		return fmt.Errorf("its working folder %s no longer exists, and its outputs are lost with it", rec.Handle.Folder)
	}
	s.Result.KeptAt = ""
	if s.Collect(ctx, rec.Handle.Folder); s.Result.OutputsErr != nil {
		return s.Result.OutputsErr
	}
	s.DropFolder(rec)
	return nil
}
