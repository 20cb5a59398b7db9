package kubernetes

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/amlfix/amlfix/runtime/kubernetes"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/runtime/record"
	sshjob "github.com/amlfix/amlfix/runtime/remote"
	"github.com/amlfix/amlfix/runtime/session"
	"github.com/amlfix/amlfix/runtime/ssh"
	"github.com/amlfix/amlfix/runtime/target"
)

// whole returns how the run ended once all pods have: like the pod that failed first, or else like the first pod.
func (g *group) whole() process.Exit {
	rank := func(e process.Exit) int {
		failed := 0
		if e.Code != 0 {
			failed = 1
		}
		return failed + 2*slices.Index([]process.Cause{process.Ended, process.Cancelled, process.TimedOut, process.Lost}, e.Cause)
	}
	exit := *g.members[0].exit
	for _, m := range g.members {
		if !m.helper && rank(*m.exit) > rank(exit) {
			exit = *m.exit
		}
	}
	if b := g.blamed; b != nil {
		exit = *b.exit
		exit.Note = fmt.Sprintf("pod %d %s", b.index, b.how())
		if b.exit.Note != "" {
			exit.Note += ": " + b.exit.Note
		}
	}
	for _, m := range g.members {
		e := *m.exit
		if !e.Started.IsZero() && (e.Started.Before(exit.Started) || exit.Started.IsZero()) {
			exit.Started = e.Started
		}
		if e.Ended.After(exit.Ended) {
			exit.Ended = e.Ended
		}
	}
	return exit
}

// outcome returns how the run ended, and records what it leaves in the cluster.
func (g *group) outcome() (process.Exit, error) {
	s := g.s
	for _, m := range g.members {
		if m.err != nil { // its machine went away for good
			s.Result.Folder = cmp.Or(m.result.Folder, kubernetes.JobName(s.Plan.RunID)+" in "+g.client.String())
			return g.exit, m.err
		}
	}
	for _, m := range g.members {
		switch {
		case m.gone != nil:
			s.Result.OutputsErr = fmt.Errorf("those of pod %d were lost with it: %w", m.index, m.gone)
		case m.result.CollectErr != nil:
			s.OutputsKept(m.result.CollectErr, m.line.Name()+" of "+g.client.String())
			return g.exit, nil
		}
	}
	return g.exit, nil
}

// settle removes the job from the cluster, unless it may still run or holds the only copy of its outputs.
func (g *group) settle(ctx context.Context, exit process.Exit, err error) (process.Exit, error) {
	s := g.s
	for _, m := range g.members {
		if m.close != nil {
			m.close()
		}
	}
	if s.Result.Folder != "" || s.Result.KeptAt != "" {
		return exit, err
	}
	own := context.WithoutCancel(ctx)
	if exit.Ran() {
		g.each(func(m *member) {
			if m.line != nil && m.gone == nil && m.exit != nil {
				_, _ = g.client.Release(own, m.line, s.Plan.RunID, m.exit.Code)
			}
		})
	}
	if removeErr := g.client.Remove(own, s.Plan.RunID, true); removeErr != nil {
		s.Say.Notice("%v; `amlfix runs clean --orphans` tries again", removeErr)
	}
	return exit, err
}

// openGroup finds the pods of a run that an earlier process began.
func openGroup(ctx context.Context, s *session.Session, rec record.Record) (*group, error) {
	if n := len(rec.Pods); n > mostPods {
		return nil, fmt.Errorf("the record lists %d pods, more than any run has: remove it", n)
	}
	client, err := kubernetes.Connect(ctx, kubernetes.Cluster{Context: rec.Handle.Context, Namespace: rec.Handle.Namespace}, target.OwnEnvironment())
	if err != nil {
		return nil, err
	}
	g := newGroup(s, client, len(rec.Pods))
	pods, err := client.Pods(ctx, kubernetes.JobName(rec.ID))
	if err != nil {
		return g, err
	}
	g.each(func(m *member) {
		m.helper, m.known = rec.Pods[m.index].Helper, rec.Pods[m.index].Exit
		own := rec.Pods[m.index].Name // empty: the job was not started
		is := func(p kubernetes.Pod) bool {
			return p.Index() == m.index && (own == "" || own == p.Metadata.Name)
		}
		at := slices.IndexFunc(pods, func(p kubernetes.Pod) bool { return is(p) && !p.Ended() })
		if at < 0 {
			at = slices.IndexFunc(pods, is)
		}
		m.replaced = slices.ContainsFunc(pods, func(p kubernetes.Pod) bool { return p.Index() == m.index && !is(p) })
		switch {
		case at < 0:
			name := cmp.Or(own, strconv.Itoa(m.index))
			m.gone = &kubernetes.GoneError{Pod: kubernetes.Pod{Metadata: kubernetes.Metadata{Name: name}}, Deleted: true}
		case pods[at].Ended():
			m.gone = &kubernetes.GoneError{Pod: pods[at]}
		default:
			m.line = client.Line(pods[at].Metadata.Name)
			m.job, m.err = sshjob.Open(ctx, m.line, rec.ID, sshjob.ProjectName(rec.Project))
			if errors.As(m.err, &m.gone) {
				m.err = nil
			}
		}
	})
	for _, m := range g.members {
		err = errors.Join(err, m.err)
	}
	return g, err
}

// resumeGroup is Resume for a run in several pods.
func resumeGroup(ctx context.Context, s *session.Session, rec record.Record) (process.Exit, error) {
	g, err := openGroup(session.Reaching(ctx), s, rec)
	if g == nil || err != nil && rec.MayRun() {
		s.Result.Folder = rec.Handle.Container + " in " + rec.Handle.Context
		return session.Unseen(rec, ""), err
	}
	never := func() (process.Exit, error) {
		if err := g.client.Remove(session.Reaching(ctx), rec.ID, true); err != nil {
			return process.Exit{}, err
		}
		return process.Exit{}, session.ErrNeverStarted
	}
	if !rec.MayRun() {
		return never()
	}
	if rec.Entered(progress.Running).IsZero() {
		if all, err := g.begun(session.Reaching(ctx)); err != nil || !all {
			if err == nil {
				return never()
			}
			s.Result.Folder = rec.Handle.Container + " in " + rec.Handle.Context
			return session.Unseen(rec, ""), err
		}
	}
	if rec.Exit != nil && !slices.ContainsFunc(g.members, func(m *member) bool { return m.gone == nil }) {
		return g.settle(ctx, *rec.Exit, nil) // killed when everything was done except reporting it
	}
	if g.pods, err = s.Several(len(rec.Pods)); err != nil {
		return session.Unseen(rec, ""), err
	}
	g.recall(rec)
	exit, err := g.attend(ctx)
	return g.settle(ctx, exit, err)
}

// begun reports whether the job was started in all pods; otherwise it was started in none. The error means that a pod
// does not say.
func (g *group) begun(ctx context.Context) (all bool, err error) {
	said := make([]error, len(g.members))
	g.each(func(m *member) {
		if m.gone == nil {
			said[m.index] = m.job.Do(ctx, "[ -s pid ]")
		}
	})
	all = true
	for i, no := range said {
		var exit *ssh.ExitError
		switch {
		case g.members[i].gone != nil || errors.As(no, &exit) || errors.Is(no, sshjob.ErrGone):
			all = false
		case no != nil:
			err = no
		}
	}
	return all, err
}

// recall finds the pod that an earlier process saw fail first.
func (g *group) recall(rec record.Record) {
	g.timedOut = rec.Stop != nil
	for _, m := range g.members {
		e := m.known
		if e == nil && m.gone != nil { // the cluster saw it, but no process
			if exit := unseen(m.gone); exit.Cause == process.Ended || m.replaced {
				e = &exit
			}
		}
		failed := e != nil && (e.Cause == process.Lost || e.Cause == process.Ended && e.Code != 0)
		if failed && !g.timedOut && (g.blamed == nil || e.Ended.Before(g.blamed.exit.Ended)) {
			g.blamed, m.exit = m, e
		}
	}
}

// fetchGroup is Fetch for a run in several pods.
func fetchGroup(ctx context.Context, s *session.Session, rec record.Record) error {
	g, err := openGroup(ctx, s, rec)
	if err != nil {
		return err
	}
	outputs := s.PodOutputs(len(g.members))
	there := false
	for _, m := range g.members {
		if m.gone != nil {
			continue
		}
		there = true
		err := m.job.Do(ctx, "true")
		if errors.Is(err, sshjob.ErrGone) {
			continue // its outputs have been copied
		}
		if err == nil {
			err = m.job.Collect(ctx, func(tar io.Reader) error { return outputs.Collect(ctx, m.index, tar) })
		}
		if err != nil {
			return err
		}
	}
	for _, m := range g.members {
		if m.gone != nil && !there {
			return m.gone
		}
		if m.gone != nil {
			s.Say.Notice("%v: outputs that had not been copied back are lost with it", m.gone)
		}
	}
	outputs.Collected()
	return g.client.Remove(ctx, rec.ID, true)
}
