package mlflow

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os/user"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/runtime/record"
	"github.com/amlfix/amlfix/runtime/shim"
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
}

// NewMirror prepares to send the run whose record is in dir. known is what was sent before, nil if nothing; saved is
// called when more has been sent, so that the caller can store it.
func NewMirror(c *Client, dir string, known *record.MLflow, saved func(record.MLflow)) *Mirror {
	m := &Mirror{client: c, dir: dir, saved: saved, steps: map[string]int64{}, sent: map[string]bool{}}
	if known != nil && known.Server == c.Name() {
		m.state = *known
	}
	m.state.Server, m.state.Error = c.Name(), ""
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
	if err := m.client.finish(ctx, m.state.Run, status(r.Outcome), end); err != nil {
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

// begin creates the run on the server. It stores the run's ID before sending anything else.
func (m *Mirror) begin(ctx context.Context, r record.Record) error {
	m.state.Experiment = m.experiment(r)
	experiment, err := m.client.experimentID(ctx, m.state.Experiment)
	if err != nil {
		return err
	}
	tags := []pair{{runTag, r.ID.String()}, {"mlflow.source.name", r.Script}, {"mlflow.source.type", "LOCAL"}}
	if u, err := user.Current(); err == nil {
		tags = append(tags, pair{"mlflow.user", u.Username})
	}
	if m.state.Run, err = m.client.createRun(ctx, experiment, r.ID.String(), begun(r), tags); err != nil {
		return err
	}
	m.ours = true
	m.saved(m.state)
	return nil
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

// describe sends parameters and tags that the server does not have yet.
func (m *Mirror) describe(ctx context.Context, r record.Record) error {
	var params, tags []pair
	for _, p := range parameters(r) {
		if !m.sent["param "+p.Key] {
			params = append(params, p)
		}
	}
	for _, t := range tagsOf(r) {
		if !m.sent["tag "+t.Key+"="+t.Value] {
			tags = append(tags, t)
		}
	}
	if len(params)+len(tags) == 0 {
		return nil
	}
	params, tags = params[:min(len(params), pairLimit)], tags[:min(len(tags), pairLimit)]
	if err := m.client.logBatch(ctx, m.state.Run, nil, params, tags); err != nil {
		return err
	}
	for _, p := range params {
		m.sent["param "+p.Key] = true
	}
	for _, t := range tags {
		m.sent["tag "+t.Key+"="+t.Value] = true
	}
	return nil
}

// sendMetrics sends the metrics that follow those the server has.
func (m *Mirror) sendMetrics(ctx context.Context) error {
	f, err := record.OpenMetrics(m.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	if m.at < m.state.Metrics { // another program has sent these: they are only counted
		n, _ := shim.ReadMetrics(io.NewSectionReader(f, m.at, m.state.Metrics-m.at), func(x shim.Metric) { m.values(x) })
		m.at += n
	}
	var batch []metric
	var tags []pair
	n, _ := shim.ReadMetrics(io.NewSectionReader(f, m.at, 1<<62), func(x shim.Metric) {
		values := m.values(x)
		batch = append(batch, values...)
		if len(values) == 0 {
			tags = append(tags, pair{keyOf(x.Name), cut(fmt.Sprint(x.Value), tagLimit)})
		}
	})
	m.at += n
	for len(batch) > 0 || len(tags) > 0 {
		k, l := min(len(batch), batchLimit-pairLimit), min(len(tags), pairLimit)
		if err := m.client.logBatch(ctx, m.state.Run, batch[:k], nil, tags[:l]); err != nil {
			m.at, m.steps = 0, map[string]int64{} // counts everything again; the server ignores what it already has
			return err
		}
		batch, tags = batch[k:], tags[l:]
	}
	if m.state.Metrics != m.at {
		m.state.Metrics = m.at
		m.saved(m.state)
	}
	return nil
}

// values returns the numeric values of a metric, with steps that continue the previous ones. It skips values that are
// not numbers.
func (m *Mirror) values(x shim.Metric) (list []metric) {
	items, isList := x.Value.([]any)
	if !isList {
		items = []any{x.Value}
	}
	key := keyOf(x.Name)
	for _, item := range items {
		if _, ok := (shim.Metric{Value: item}).Number(); !ok {
			return nil
		}
	}
	for _, item := range items {
		list = append(list, metric{Key: key, Value: item, Timestamp: x.Time.UnixMilli(), Step: m.steps[key]})
		m.steps[key]++
	}
	return list
}

// sendArtifacts sends outputs/, the log and the record.
func (m *Mirror) sendArtifacts(ctx context.Context, r record.Record) error {
	at, err := m.client.artifactURI(ctx, m.state.Run)
	if err != nil {
		return err
	}
	folder, err := record.Files(m.dir) // only what is in the record is sent, whatever the record lists
	if err != nil {
		return err
	}
	defer folder.Close()
	send := func(file, name string) error {
		f, err := folder.OpenRead(file)
		if err != nil {
			return nil // the list in the record says what there was
		}
		defer func() { _ = f.Close() }()
		info, err := f.Stat()
		if err != nil {
			return nil
		}
		return m.client.upload(ctx, at, name, info.Size(), f)
	}
	if r.Outputs != nil {
		for _, o := range r.Outputs.Files {
			if !fs.ValidPath(o.Path) {
				continue
			}
			if err := send(path.Join(record.OutputsName, o.Path), path.Join("outputs", o.Path)); err != nil {
				return err
			}
		}
	}
	if err := send(filepath.Base(record.LogFile(m.dir)), "log.txt"); err != nil {
		return err
	}
	return send(filepath.Base(record.Path(m.dir)), "record.json")
}

// What servers accept, in bytes. MLflow 3.17 accepts more (mlflow/utils/validation.py: MAX_PARAM_VAL_LENGTH 6000,
// MAX_TAG_VAL_LENGTH 8000, MAX_ENTITY_KEY_LENGTH 250), older versions only this much. A server counts characters, of
// which there are never more than bytes.
const (
	paramLimit = 500
	tagLimit   = 5000
	keyLimit   = 250
)

// parameters returns the run's parameters, each name once.
func parameters(r record.Record) (list []pair) {
	seen := map[string]bool{}
	for _, p := range r.Parameters() {
		if key := keyOf(p.Name); key != "" && !seen[key] {
			seen[key] = true
			list = append(list, pair{key, cut(p.Value, paramLimit)})
		}
	}
	return list
}

func tagsOf(r record.Record) (list []pair) {
	add := func(key, value string) {
		if value != "" {
			list = append(list, pair{key, cut(value, tagLimit)})
		}
	}
	add("amlfix.version", r.Program)
	if r.Git != nil {
		add("mlflow.source.git.commit", r.Git.ID)
		add("mlflow.source.git.branch", r.Git.Branch)
	}
	if r.Image != nil {
		add("amlfix.image.digest", r.Image.Digest)
		add("amlfix.image.id", r.Image.ID)
	}
	if r.GPU != nil {
		add("amlfix.gpu", r.GPU.Sentence)
	}
	add("amlfix.outcome", r.Outcome)
	add("amlfix.reason", r.Reason)
	return list
}

// keyOf returns a name that every server accepts: letters, digits, and _-. :/.
func keyOf(name string) string {
	name = strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("_-. /", c) {
			return c
		}
		return '_'
	}, name)
	if len(name) > keyLimit {
		name = name[:keyLimit] // from here on, one byte is one character
	}
	for { // MLflow refuses names that are not clean paths; trimming may expose another one
		clean := strings.Trim(path.Clean("/"+name), "/ ")
		if clean == name {
			return name
		}
		name = clean
	}
}

// cut shortens text to at most n bytes, between characters.
func cut(text string, n int) string {
	if len(text) <= n {
		return text
	}
	return strings.ToValidUTF8(text[:n-3], "") + "…"
}
