package kubernetes

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"sync"
	"time"

	"github.com/amlfix/amlfix/runtime/kubernetes"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/runtime/project"
	"github.com/amlfix/amlfix/runtime/record"
	sshjob "github.com/amlfix/amlfix/runtime/remote"
	"github.com/amlfix/amlfix/runtime/session"
	"github.com/amlfix/amlfix/runtime/shim"
)

// group is a run in several pods: one job in each pod, started and ended together.
type group struct {
	s       *session.Session
	client  *kubernetes.Client
	pods    *session.Pods
	members []*member

	ctx      context.Context // of the run: cancelled when the user wants it to end
	watched  func()          // stops watching the running jobs
	mu       sync.Mutex
	said     map[string]bool // what was reported about the state of the run
	running  int             // members whose end has not been seen
	over     chan struct{}   // closed when all have ended
	exit     process.Exit    // of the run, valid once over is closed
	blamed   *member         // the member whose failure ends the run; nil: none yet
	timedOut bool
}

// member is the job in one of the pods.
type member struct {
	*run
	g        *group
	index    int
	helper   bool // it runs until the others have ended
	spec     sshjob.Spec
	job      *sshjob.Job
	ctx      context.Context // cancelled when the job is to end, for any reason
	cancel   context.CancelCauseFunc
	gone     *kubernetes.GoneError // its pod no longer exists
	replaced bool                  // the cluster has created another pod in its place
	known    *process.Exit         // what an earlier process saw
	ended    bool                  // its exit is known, or will never be
	written  []string
	result   sshjob.Result
	err      error
}

func newGroup(s *session.Session, client *kubernetes.Client, pods int) *group {
	g := &group{s: s, client: client, said: map[string]bool{}, over: make(chan struct{}), running: pods}
	for i := range pods {
		g.members = append(g.members, &member{run: &run{s: s, client: client, sends: g.once}, g: g, index: i, helper: partOf(s.Plan).Spread.helper(i)})
	}
	return g
}

// each calls do for all members concurrently.
func (g *group) each(do func(*member)) {
	var wait sync.WaitGroup
	for _, m := range g.members {
		wait.Go(func() { do(m) })
	}
	wait.Wait()
}

// carry creates the pods, starts a job in each, and follows them to their end.
func (g *group) carry(ctx context.Context, snap project.Snapshot) (process.Exit, error) {
	if err := g.start(ctx, snap); err != nil {
		return g.settle(ctx, process.Exit{}, err)
	}
	s := g.s
	s.Say.Enter(progress.Running, "running on %d pods of %s", len(g.members), kubernetes.JobName(s.Plan.RunID))
	exit, err := g.attend(ctx)
	return g.settle(ctx, exit, err)
}

// say reports the events of the job in a pod: each state that the run enters once, and notices with the pod's index. A
// pod that is stopped because another one failed does not change the state of the run.
func (m *member) say(e progress.Event) {
	g := m.g
	g.mu.Lock()
	defer g.mu.Unlock()
	key := string(e.State) + e.Text
	switch {
	case e.State == "" && e.Moved > 0:
	case e.State == "":
		e.Text = fmt.Sprintf("pod %d: %s", m.index, e.Text)
	case g.said[key], e.State == progress.Stopping && g.ctx.Err() == nil && m.ctx.Err() != nil:
		return
	case e.State == progress.Stopping && g.ctx.Err() == nil:
		g.timedOut = true
	}
	g.said[key] = e.State != ""
	g.s.Say(e)
}

// once reports something that holds for several pods only once.
func (g *group) once(text string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.said[text] {
		g.s.Say.Notice("%s", text)
	}
	g.said[text] = true
}

// attend follows the jobs to their ends, and resumes each one's output where its log ends.
func (g *group) attend(ctx context.Context) (process.Exit, error) {
	g.ctx = ctx
	for _, m := range g.members {
		m.ctx, m.cancel = context.WithCancelCause(ctx) //nolint:fatcontext // of each pod, derived from that of the group
		defer m.cancel(nil)
		if m.helper {
			g.pods.Helper(m.index)
		}
	}
	if g.blamed != nil { // an earlier process saw it
		g.end()
	}
	g.watched = g.watch(ctx)
	g.each(func(m *member) { m.attend() })
	g.watched()
	g.pods.Flush()
	g.each(func(m *member) {
		if m.gone == nil {
			g.pods.LookForDriver(ctx, m.index, m.line.Script)
		}
	})
	var written []string
	for _, m := range g.members {
		written = append(written, m.written...)
	}
	g.pods.Judge()
	g.s.Elsewhere(written)
	exit, err := g.outcome()
	g.pods.Collected()
	return exit, err
}

// watch observes the GPUs of all pods, and the metrics that the first pod writes.
func (g *group) watch(ctx context.Context) (end func()) {
	looks := make([]session.GPUs, len(g.members))
	for i, m := range g.members {
		if m.gone == nil {
			smi := []session.SMI{session.SMIOf(m.line.Script)}
			looks[i] = session.GPUs{List: smi, Processes: smi, Job: m.job.Processes}
		}
	}
	sampled, measured := g.pods.Sample(ctx, looks), func() {}
	if first := g.members[0]; first.gone == nil {
		file := path.Join(sshjob.ProjectName(g.s.Plan.Project), shim.MetricsFile)
		g.s.Record(func(rec *record.Record) { rec.Pods[0].Metrics = true })
		measured = g.s.Measure(ctx, func(ctx context.Context, from int64) ([]byte, error) {
			return first.job.Read(ctx, file, from, session.MetricsPiece)
		})
	}
	return sync.OnceFunc(func() { sampled(); measured() })
}

func (m *member) attend() {
	g := m.g
	if m.gone != nil {
		g.seen(m, m.lost(), nil)
		return
	}
	m.spec.Exited = func(exit process.Exit) {
		g.seen(m, explained(m.ctx, m.line, g.s.Plan.RunID, exit), nil)
		if exit.Code != 0 {
			_ = m.job.Do(context.WithoutCancel(m.ctx), ": >seen") // otherwise the cluster ends the pods an hour later
		}
		<-g.over
		g.watched()
		m.written = m.job.Written(context.WithoutCancel(m.ctx))
	}
	m.spec.Collect = func(ctx context.Context, tar io.Reader) error { return g.pods.Collect(ctx, m.index, tar) }
	out, errs := g.pods.Seen(m.index)
	m.result, m.err = sshjob.Attend(m.ctx, m.job, sshjob.Position{Stdout: out, Stderr: errs}, m.spec, g.pods.Streams(m.index), m.s.Control, m.say)
	if errors.As(m.err, &m.gone) || errors.As(m.result.CollectErr, &m.gone) {
		m.err = nil
	}
	switch {
	case m.gone != nil:
		g.seen(m, m.lost(), nil)
	case errors.Is(m.err, sshjob.ErrGone) || errors.Is(m.err, sshjob.ErrNotBegun):
		exit := process.Exit{Cause: process.Lost, Code: process.CodeNotStarted, Started: time.Now(), Note: m.err.Error() + ", and how the job ended is not known"}
		if m.known != nil { // everything was done for it
			exit = *m.known
		}
		m.err = nil
		g.seen(m, exit, nil)
	case m.err != nil:
		g.seen(m, m.result.Exit, m.err)
	}
}

// lost returns the exit of a job whose pod is gone.
func (m *member) lost() process.Exit {
	if m.known != nil {
		return *m.known
	}
	return unseen(m.gone)
}

// end requests all jobs to end.
func (g *group) end() {
	for _, m := range g.members {
		m.cancel(&process.Signalled{Signal: os.Interrupt})
	}
}

// seen records how the job in a pod has ended, or that this will not be known. The first failure ends the other jobs;
// the last end completes the run.
func (g *group) seen(m *member, exit process.Exit, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if m.ended {
		return
	}
	m.ended, m.exit = true, &exit
	g.running--
	if err == nil {
		g.pods.Ended(m.index, exit)
	}
	stopped := g.ctx.Err() != nil || g.timedOut || exit.Cause == process.TimedOut || exit.Cause == process.Cancelled
	failed := exit.Code != 0 || exit.Cause == process.Lost || err != nil
	if exit.Cause == process.TimedOut {
		g.timedOut = true
	}
	switch {
	case failed && !stopped && g.blamed == nil:
		g.blamed = m
		if g.running > 0 {
			g.s.Say.Notice("pod %d %s: stopping the other %d", m.index, m.how(), g.running)
		}
		g.end()
	case !slices.ContainsFunc(g.members, func(m *member) bool { return !m.helper && !m.ended }):
		g.end() // the parameter servers
	}
	if g.running == 0 {
		g.exit = g.whole()
		g.s.Exited(g.exit)
		close(g.over)
	}
}

// how returns how the job in a pod failed.
func (m *member) how() string {
	switch {
	case m.exit.OOMKilled:
		return "ran out of memory"
	case m.exit.Cause == process.Lost:
		return "was lost"
	}
	return fmt.Sprintf("ended with exit code %d", m.exit.Code)
}
