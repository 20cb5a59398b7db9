package mlflow

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os/user"
	"path/filepath"
	"time"

	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/runtime/record"
	"github.com/amlfix/amlfix/schema/escape"
)

// Mirror sends one run. It is not safe for concurrent use.
type Mirror struct {
	client *Client
	dir    string
	state  record.MLflow
	saved  func(record.MLflow)
	steps  map[string]int64 // values that each metric has had so far
	at     int64            // bytes of the metrics that steps covers
	sent   map[string]bool  // parameters and tags that the server has
	ours   bool             // the server has confirmed that state.Run is this run
	doubt  bool             // the server may have created the run, although its answer did not arrive
}

// NewMirror prepares to send the run whose record is in dir. known is what was sent before, nil if nothing; saved is
// called when more has been sent, so that the caller can store it.
func NewMirror(c *Client, dir string, known *record.MLflow, saved func(record.MLflow)) *Mirror {
	m := &Mirror{client: c, dir: dir, saved: saved, steps: map[string]int64{}, sent: map[string]bool{}}
	if known != nil && known.Server == c.Name() {
		m.state = *known
	}
	m.state.Server, m.state.Error, m.doubt = c.Name(), "", known != nil
	return m
}

// Send brings the server up to date with the record. When the run is over, it also sends artifacts and the final
// status. Repeating what an earlier call sent is avoided or harmless. It sends nothing about a run whose job has not
// started, because a server does not accept a later start time.
func (m *Mirror) Send(ctx context.Context, r record.Record) error {
	switch r.State {
	case progress.Planned, progress.Checking, progress.Preparing, progress.Creating, progress.Uploading:
		return nil
	default:
	}
	if m.state.Run == "" {
		if err := m.begin(ctx, r); err != nil {
			return err
		}
	} else if err := m.recognise(ctx, r); err != nil {
		return err
	}
	if err := m.describe(ctx, r); err != nil {
		return err
	}
	if err := m.sendMetrics(ctx); err != nil {
		return err
	}
	if !r.Over() || m.state.Complete {
		return nil
	}
	lacking := m.sendArtifacts(ctx, r)
	if lacking != nil && !errors.Is(lacking, errElsewhere) {
		return lacking
	}
	end := time.Now()
	if r.Exit != nil && !r.Exit.Ended.IsZero() {
		end = r.Exit.Ended
	}
	update := map[string]any{"run_id": m.state.Run, "status": status(r.Outcome), "end_time": end.UnixMilli()}
	if err := m.client.call(ctx, http.MethodPost, "runs/update", nil, update, nil); err != nil {
		return err
	}
	m.state.Complete = true
	if lacking != nil {
		m.state.Error = lacking.Error()
	}
	m.saved(m.state)
	return nil
}

// Reach asks the server for the run's experiment, to check that it answers.
func (m *Mirror) Reach(ctx context.Context, r record.Record) error {
	_, err := m.client.experimentID(ctx, m.experiment(r))
	return err
}

// experiment returns the name of the run's experiment: the one in the environment, or the project's.
func (m *Mirror) experiment(r record.Record) string {
	if m.client.experiment != "" {
		return m.client.experiment
	}
	return filepath.Base(r.Project)
}

// begin creates the run on the server, unless an earlier attempt has, of which nothing was heard. It stores the run's
// ID before sending anything else.
func (m *Mirror) begin(ctx context.Context, r record.Record) error {
	m.state.Experiment = m.experiment(r)
	experiment, err := m.client.experimentID(ctx, m.state.Experiment)
	if err != nil {
		return err
	}
	own := pair{runTag, r.ID.String()}
	if m.doubt {
		m.state.Run, err = m.client.findRun(ctx, experiment, own)
	}
	switch {
	case err != nil:
	case m.state.Run == "":
		err = m.create(ctx, experiment, own, r)
		m.ours = err == nil
	default:
		err = m.recognise(ctx, r)
	}
	if err != nil {
		m.state.Run = ""
		return err
	}
	m.saved(m.state)
	return nil
}

func (m *Mirror) create(ctx context.Context, experiment string, own pair, r record.Record) (err error) {
	tags := []pair{own, {"mlflow.source.name", r.Script}, {"mlflow.source.type", "LOCAL"}}
	if u, err := user.Current(); err == nil {
		tags = append(tags, pair{"mlflow.user", u.Username})
	}
	m.doubt = true
	m.state.Run, err = m.client.createRun(ctx, experiment, r.ID.String(), begun(r), tags)
	return err
}

// begun returns when the job started: what happens before, such as making its environment, is not part of the run.
func begun(r record.Record) time.Time {
	if at := r.Entered(progress.Starting); !at.IsZero() {
		return at
	}
	return r.Created
}

// runTag is the tag that holds a run's ID.
const runTag = "amlfix.run"

// recognise asks the server whether the run that the record names is this one, so that nothing is written to another
// run.
func (m *Mirror) recognise(ctx context.Context, r record.Record) error {
	if m.ours {
		return nil
	}
	tag, err := m.client.tag(ctx, m.state.Run, runTag)
	if err == nil && tag != r.ID.String() {
		err = fmt.Errorf("%s: its run %s is not run %s, although the record says so, so nothing is sent", m.client.Name(), escape.Said(m.state.Run, 80), r.ID)
	}
	m.ours = err == nil
	return err
}

// status returns MLflow's status for an outcome.
func status(outcome string) string {
	switch outcome {
	case "succeeded":
		return "FINISHED"
	case "cancelled":
		return "KILLED"
	}
	return "FAILED"
}
