package local

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"
	"time"

	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/schema/disk"
)

// How often a process that waits for a job checks for output, for its end, and for a supervisor that was killed.
const (
	outputPoll     = 20 * time.Millisecond
	supervisorPoll = 500 * time.Millisecond
)

// watcher waits for the end of a job.
type watcher struct {
	files    files
	kill     <-chan struct{}
	began    func()                            // called once; may be nil
	stopping func(process.Step, process.Cause) // called once for each step of stepNames; may be nil
	said     map[process.Step]process.Cause
	since    time.Time
	over     <-chan struct{} // closed when the supervisor has ended; nil: it is not a child of this process
}

// watch passes output on until the job has ended.
func (w *watcher) watch(ctx context.Context, from Position, out process.Streams) (process.Exit, error) {
	w.said, w.since = map[process.Step]process.Cause{}, time.Now()
	readers := []*reader{{dir: w.files.dir, name: outName, at: from.Stdout, to: out.Stdout}, {dir: w.files.dir, name: errName, at: from.Stderr, to: out.Stderr}}
	defer func() {
		for _, r := range readers {
			r.close()
		}
	}()
	done := make(chan struct{})
	var requests sync.WaitGroup
	requests.Go(func() { w.obey(ctx, done) })
	defer func() {
		close(done)
		requests.Wait()
	}()
	for looked := time.Now().Add(-supervisorPoll); ; {
		over := false
		select {
		case <-w.over:
			over = true
		default:
			if w.over == nil && (w.files.has(endedName) || time.Since(looked) > supervisorPoll) {
				over, looked = !w.files.supervised(), time.Now()
			}
		}
		if w.began != nil && w.files.has(begunName) {
			w.began()
			w.began = nil
		}
		pause := outputPoll
		for _, r := range readers { // after the check: no more output arrives once it is over
			if r.copy() {
				pause = 0
			}
		}
		if over && pause > 0 {
			exit, err := w.end()
			return exit, errors.Join(err, readers[0].err, readers[1].err)
		}
		select {
		case <-w.over:
		case <-time.After(pause):
		}
	}
}

// obey passes on requests about the job, even while nobody reads its output.
func (w *watcher) obey(ctx context.Context, done <-chan struct{}) {
	look := time.NewTicker(requestPoll)
	defer look.Stop()
	for cancelled, kill := ctx.Done(), w.kill; ; {
		select {
		case <-done:
			w.taken(ctx)
			return
		case <-look.C:
			w.taken(ctx)
		case <-cancelled:
			cancelled = nil
			w.request(process.Ask, map[bool]string{true: interruptName, false: askName}[process.Interrupted(ctx)])
		case <-kill:
			kill = nil
			w.request(process.Kill, killName)
		}
	}
}

// request sends the supervisor a request. It fails only if the folder is gone, and then the job's end is seen as well.
func (w *watcher) request(step process.Step, name string) {
	w.say(step, cmp.Or(w.said[process.Ask], process.Cancelled))
	_ = w.files.request(name)
}

// stepNames are the files in which the supervisor records that it has taken a step.
func stepNames() map[process.Step]string {
	return map[process.Step]string{process.Ask: askedName, process.Kill: killedName}
}

// taken reports the steps that the supervisor has taken by itself, at the time limit and at the end of the grace
// period.
func (w *watcher) taken(ctx context.Context) {
	for _, step := range []process.Step{process.Ask, process.Kill} {
		var why process.Cause
		if w.said[step] != "" {
			continue
		}
		if ok, _ := w.files.read(stepNames()[step], &why); ok && (why == process.TimedOut || ctx.Err() != nil) {
			w.say(step, why)
		}
	}
}

func (w *watcher) say(step process.Step, why process.Cause) {
	if w.stopping != nil && w.said[step] == "" {
		w.stopping(step, why)
	}
	w.said[step] = why
}

// end returns how the job ended once its supervisor has ended.
func (w *watcher) end() (process.Exit, error) {
	var e ended
	if ok, err := w.files.read(endedName, &e); ok || err != nil {
		if err != nil {
			return process.Exit{}, err
		}
		return e.result()
	}
	var b begun
	ok, err := w.files.read(begunName, &b)
	if _, gone := os.Lstat(w.files.dir.Path()); !ok && errors.Is(gone, fs.ErrNotExist) { // the supervisor has seen it
		return process.Exit{Cause: process.Lost, Code: process.CodeNotStarted, Started: w.since, Ended: time.Now(), Note: ErrGone.Error()}, nil
	}
	if !ok {
		return process.Exit{}, errors.Join(errors.New("the job was not started: the amlfix process that starts it was ended, or there is no space for its files in the temporary folder (TMPDIR)"), err)
	}
	endMembers(b.RunID)
	return process.Exit{Cause: process.Ended, Code: 137, Started: b.Started, Ended: time.Now(),
		Note: "how it ended is not known: the machine was restarted, or the amlfix process that watched over it was killed"}, nil
}

// piece is how much is read at once: a job that never stops printing must not prevent anyone from stopping it.
const piece = 1 << 20

// reader passes on what is appended to a file.
type reader struct {
	dir  *disk.Dir
	name string
	f    *os.File
	read *os.File // as long as what was read, so that the supervisor sees how far behind the reader is; nil if not available
	at   int64
	to   io.Writer
	err  error // the first one; nothing is read after it
}

// copy passes on a piece of what is available, and reports whether there may be more. A missing file counts as empty.
func (r *reader) copy() (more bool) {
	if r.err != nil {
		return false
	}
	if r.f == nil {
		f, err := r.dir.OpenRead(r.name)
		if errors.Is(err, fs.ErrNotExist) {
			return false
		}
		if err != nil {
			r.err = fmt.Errorf("the job's output cannot be read: %w", err)
			return false
		}
		r.f = f
		r.read, _ = r.dir.Edit(r.name+readSuffix, 0o600, false)
	}
	to := r.to
	if to == nil {
		to = io.Discard
	}
	n, err := io.Copy(writer{to}, io.NewSectionReader(r.f, r.at, piece))
	if r.at += n; err != nil {
		r.err = fmt.Errorf("the job's output cannot be read: %w", err)
	}
	if n > 0 && r.read != nil {
		_ = r.read.Truncate(r.at) // on a full disk, only the supervisor's patience suffers
	}
	return n == piece
}

func (r *reader) close() {
	for _, f := range []*os.File{r.f, r.read} {
		if f != nil {
			_ = f.Close()
		}
	}
}

// writer discards what its reader does not want.
type writer struct{ to io.Writer }

func (w writer) Write(p []byte) (int, error) {
	_, _ = w.to.Write(p)
	return len(p), nil
}
