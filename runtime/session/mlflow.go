package session

import (
	"context"
	"time"

	"github.com/amlfix/amlfix/runtime/mlflow"
	"github.com/amlfix/amlfix/runtime/record"
)

// How often a run is sent to an MLflow server while it proceeds, how long sending may take at the end, and how long the
// server may then take to answer. If the user wants to stop, it takes no longer either.
const (
	trackEvery = 2 * time.Second
	trackTime  = 10 * time.Minute
	trackBrief = 3 * time.Second
)

// track sends the run to the MLflow server while it proceeds. The returned function sends the rest once the record says
// how the run ended. A server that is unavailable neither harms nor slows the run: this is reported once, and the
// record can be sent later.
func (s *Session) track(ctx context.Context) (finish func(context.Context)) {
	client := s.Options.MLflow
	if client == nil || !s.Plan.Tracked.Value {
		return func(context.Context) {}
	}
	mirror := mlflow.NewMirror(client, s.rec.run.Dir(), s.rec.run.Record().MLflow, func(m record.MLflow) {
		s.rec.update(func(rec *record.Record) { rec.MLflow = &m })
	})
	pause := trackEvery
	end := often(context.WithoutCancel(ctx), 0, func(own context.Context) time.Duration {
		if err := mirror.Send(own, s.rec.run.Record()); err != nil {
			pause = min(2*pause, time.Minute)
		} else {
			pause = trackEvery
		}
		return pause
	})
	return func(run context.Context) {
		end()
		own, stop := context.WithTimeout(context.WithoutCancel(run), trackTime)
		defer stop()
		if run.Err() == nil { // from now on Ctrl-C ends the sending
			defer context.AfterFunc(run, stop)()
		} else {
			own, stop = context.WithTimeout(own, trackBrief)
			defer stop()
		}
		brief, stopAsking := context.WithTimeout(own, trackBrief)
		err := mirror.Reach(brief, s.rec.run.Record())
		stopAsking()
		if err == nil {
			err = mirror.Send(own, s.rec.run.Record())
		}
		if err != nil {
			s.rec.update(func(rec *record.Record) {
				m := record.MLflow{Server: client.Name()}
				if rec.MLflow != nil {
					m = *rec.MLflow
				}
				m.Error = Explain(err)
				rec.MLflow = &m
			})
			s.Say.Notice("%s; `amlfix runs push %s` sends the run later", Explain(err), s.Plan.RunID)
		}
	}
}

// Push sends the record in dir to an MLflow server: all of it, or what the server lacks. The error is record.ErrBusy
// while a program is using the run.
func Push(ctx context.Context, client *mlflow.Client, dir string) (record.MLflow, error) {
	run, err := record.Open(dir)
	if err != nil {
		return record.MLflow{}, err
	}
	defer run.Close()
	var failed error
	mirror := mlflow.NewMirror(client, dir, run.Record().MLflow, func(m record.MLflow) {
		if err := run.Update(func(rec *record.Record) { rec.MLflow = &m }); err != nil {
			failed = err
		}
	})
	if err := mirror.Send(ctx, run.Record()); err != nil {
		return record.MLflow{}, err
	}
	return *run.Record().MLflow, failed
}
