package local

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"

	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/schema/disk"
)

// drainTime is how long output is still read after the job's last process has ended.
const drainTime = 2 * time.Second

// pipes carry the output. They are created here rather than by exec, which would wait for every process that holds
// them; and they are pipes rather than the files themselves, which a job that writes to /dev/stdout would truncate.
type pipes struct {
	read, write [2]*os.File
	done        [2]chan struct{}
}

func connect(cmd *exec.Cmd, out process.Streams) (*pipes, error) {
	p := &pipes{}
	for i, w := range []io.Writer{out.Stdout, out.Stderr} {
		var err error
		if p.read[i], p.write[i], err = os.Pipe(); err != nil {
			p.started()
			p.drain(0)
			return nil, err
		}
		p.done[i] = make(chan struct{})
		go func() {
			defer close(p.done[i])
			_, _ = io.Copy(w, p.read[i])
		}()
	}
	cmd.Stdout, cmd.Stderr = p.write[0], p.write[1]
	return p, nil
}

// started closes this program's copies of the pipe ends that the job writes to.
func (p *pipes) started() {
	for _, w := range p.write {
		if w != nil {
			_ = w.Close()
		}
	}
}

// drain reads the remaining output, for no longer than d after all writers should be gone.
func (p *pipes) drain(d time.Duration) {
	deadline := time.NewTimer(d)
	defer deadline.Stop()
	for i, r := range p.read {
		if r == nil || p.done[i] == nil {
			continue
		}
		select {
		case <-p.done[i]:
		case <-deadline.C:
			deadline.Reset(0)
		}
		_ = r.Close()
		<-p.done[i]
	}
}

// keeper writes output to a file. A write error does not stop the job: the rest is dropped, and this is reported at the
// end.
type keeper struct {
	dir     *disk.Dir
	name    string
	f       *os.File
	err     error
	written int64
	read    int64     // by the watcher, when last checked
	moved   time.Time // when this had changed; by this process's clock, because that of files may be set
}

func (k *keeper) Write(p []byte) (int, error) {
	for k.err == nil && k.written-k.read > maxLead && k.watched() {
		time.Sleep(requestPoll)
	}
	if k.err == nil {
		_, k.err = k.f.Write(p)
	}
	k.written += int64(len(p))
	return len(p), nil
}

// A job that prints faster than its watcher can pass on waits for it, as for any reader of a pipe. A watcher that has
// not read anything for a while does not count.
const (
	maxLead    = 64 << 20 // bytes
	watchTime  = 2 * time.Second
	readSuffix = ".read"
)

// watched checks how far the watcher has read, and reports whether to wait for it.
func (k *keeper) watched() bool {
	info, err := k.dir.Lstat(k.name + readSuffix)
	if err != nil {
		return false
	}
	if size := info.Size(); size != k.read || k.moved.IsZero() {
		k.read, k.moved = size, time.Now()
	}
	return k.written-k.read > maxLead && time.Since(k.moved) < watchTime
}

// keep opens the files for the job's output. done closes them and returns what was not kept, or "".
func keep(f files) (out process.Streams, done func() (note string), err error) {
	var keepers []*keeper
	done = func() (note string) {
		for _, k := range keepers {
			if k.err == nil {
				k.err = k.f.Close()
			}
			if k.err != nil && note == "" {
				note = fmt.Sprintf("its output is not complete: %v", k.err)
			}
		}
		return note
	}
	for name, stream := range map[string]*io.Writer{outName: &out.Stdout, errName: &out.Stderr} {
		w, err := f.dir.Create(name, 0o600)
		if err != nil {
			_ = done()
			return out, nil, err
		}
		k := &keeper{dir: f.dir, name: name, f: w}
		keepers, *stream = append(keepers, k), k
	}
	return out, done, nil
}
