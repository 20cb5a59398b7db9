package kubernetes

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/runtime/kubernetes"
	"github.com/amlfix/amlfix/runtime/plan"
	"github.com/amlfix/amlfix/runtime/project"
	sshjob "github.com/amlfix/amlfix/runtime/remote"
)

// start starts a job in each pod, or in none.
func (g *group) start(ctx context.Context, snap project.Snapshot) (err error) {
	spec := partOf(g.s.Plan).Spec
	if err := g.client.Create(ctx, spec); err != nil {
		return err
	}
	pods, err := g.client.Await(ctx, spec, g.s.Say)
	if err != nil {
		return err
	}
	if g.pods, err = g.s.Several(len(pods)); err != nil {
		return err
	}
	copying := g.copying()
	starting, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	g.each(func(m *member) {
		m.name(pods[m.index])
		if m.err = m.start(starting, pods[m.index], snap, copying); m.err != nil {
			cancel(m.err)
		}
	})
	return context.Cause(starting)
}

func (m *member) name(pod kubernetes.Pod) {
	m.line = m.client.Line(pod.Metadata.Name)
	m.g.pods.Named(m.index, pod.Metadata.Name)
}

func (m *member) start(ctx context.Context, pod kubernetes.Pod, snap project.Snapshot, copying func(int64) func(int64)) (err error) {
	s := m.s
	if m.spec, err = m.run.spec(ctx, pod, m.say); err != nil {
		return err
	}
	part := partOf(s.Plan)
	if n := part.Spread.PerPod; n > 1 && s.Plan.Work == nil {
		m.spec.Argv = plan.SideBySide(m.spec.Argv, n)
	}
	for _, v := range part.environment(m.index) {
		if !strings.HasPrefix(v, port+"=") || !slices.ContainsFunc(s.Plan.Env, func(own plan.Item) bool { return own.Name == port }) {
			m.spec.Env = append(m.spec.Env, v)
		}
	}
	m.upload(ctx, &m.spec, snap, fmt.Sprintf("/pods/%d", m.index), copying)
	m.job, err = sshjob.Start(ctx, m.line, m.spec, s.Control, m.say)
	return err
}

// port is the variable that a job may set itself.
const port = "MASTER_PORT"

// copying reports how much of the project has been copied to all pods together.
func (g *group) copying() func(total int64) func(moved int64) {
	var all, done int64
	return func(total int64) func(int64) {
		g.mu.Lock()
		defer g.mu.Unlock()
		all += total
		var last int64
		return func(moved int64) {
			g.mu.Lock()
			defer g.mu.Unlock()
			done, last = done+moved-last, moved
			g.s.CopyingOf(all)(done)
		}
	}
}
