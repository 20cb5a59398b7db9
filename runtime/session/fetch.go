package session

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/record"
)

// Fetching retrieves outputs that were kept where the job ran, and removes what is left there once all have arrived.
type Fetching func(context.Context, *Session, record.Record) error

// GoneError reports that outputs are lost with what contained them.
type GoneError struct{ What string }

func (e *GoneError) Error() string {
	return e.What + " no longer exists, and the outputs are lost with it"
}

// Fetch tries again to retrieve the outputs of a run that is over. find returns how to do so for a record; it has the
// same role as in Resume. If no outputs are missing, Fetch returns the run's result again. On error, whose text is for
// people, nothing has changed; it is record.ErrBusy while another program is using the run, and a *record.RefusedError
// if the record is not trusted.
func Fetch(ctx context.Context, dir string, opts Options, find func(record.Record) (Fetching, error)) (Result, error) {
	run, err := record.Open(dir)
	if err != nil {
		return Result{}, err
	}
	defer run.Close()
	rec := run.Record()
	if !rec.OutputsMissing() && !rec.OutputsLost() {
		return resultOf(record.Entry{Record: rec, Dir: dir}), nil
	}
	fetch, err := find(rec)
	if err != nil {
		return Result{}, &record.RefusedError{Path: record.Path(dir), Why: err.Error()}
	}
	s := newSession(planOf(rec), opts, "")
	s.rec = &recorder{run: run, say: s.Say, fail: func(error) {}} // the run stays over: it enters no state
	s.Result.OutputsErr, s.Result.KeptAt = errors.New(rec.Outputs.Error), rec.Outputs.At
	if err := fetch(ctx, s, rec); err != nil {
		if _, ok := errors.AsType[*GoneError](err); ok {
			s.rec.update(func(rec *record.Record) {
				out := *rec.Outputs
				out.Error, out.At = oneLine(err.Error()), ""
				rec.Outputs = &out
			})
		}
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

// FetchFolder is a Fetching for a job that worked in a folder on this machine.
func (s *Session) FetchFolder(ctx context.Context, rec record.Record) error {
	s.Result.KeptAt = ""
	if _, err := os.Stat(rec.Handle.Folder); errors.Is(err, fs.ErrNotExist) {
		s.DropFolder(rec) // the folder around it may still exist
		return &GoneError{"its working folder " + rec.Handle.Folder}
	}
	if s.Collect(ctx, rec.Handle.Folder); s.Result.OutputsErr != nil {
		return s.Result.OutputsErr
	}
	s.DropFolder(rec)
	return nil
}
