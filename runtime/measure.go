package runtime

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"io"
	"path"
	"path/filepath"
	"time"

	"github.com/amlfix/amlfix/runtime/docker"
	"github.com/amlfix/amlfix/runtime/shim"
	"github.com/amlfix/amlfix/schema/disk"
)

// metricsSource returns what the file of a job's metrics has behind its first bytes; nothing when there is no such file,
// or it has no more.
type metricsSource func(ctx context.Context, from int64) ([]byte, error)

// Looking for metrics: how often, and how much longer than it took.
const (
	measureEvery = time.Second
	measureRest  = 20
	measureTime  = 30 * time.Second // for the last look, when the job has ended
)

// measure copies the job's metrics into the record while the job runs, and what is left when the returned function is
// called. Metrics that cannot be read do not harm the run.
func (r *runner) measure(ctx context.Context, source metricsSource) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	over, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for pause := measureEvery; ; {
			select {
			case <-over:
				return
			case <-time.After(pause):
			}
			begin := time.Now()
			r.measureOnce(ctx, source)
			pause = max(measureEvery, measureRest*time.Since(begin))
		}
	}()
	return func() {
		cancel()
		close(over)
		<-ended
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), measureTime)
		defer cancel()
		r.measureOnce(last, source)
	}
}

func (r *runner) measureOnce(ctx context.Context, source metricsSource) {
	run := r.rec.run
	more, err := source(ctx, run.MetricsSize())
	if end := bytes.LastIndexByte(more, '\n') + 1; err == nil && end > 0 {
		r.rec.failed(run.AddMetrics(more[:end]))
	}
}

// fileMetrics reads the metrics of a job that works in a folder of this machine.
func fileMetrics(dir string) metricsSource {
	return func(_ context.Context, from int64) ([]byte, error) {
		base, err := disk.OpenTemp(filepath.Dir(dir))
		if err != nil {
			return nil, err
		}
		defer base.Close()
		f, err := base.OpenRead(path.Join(filepath.Base(dir), shim.MetricsFile))
		if err != nil {
			return nil, nil //nolint:nilerr // there are none yet, or a job has put something else there
		}
		defer func() { _ = f.Close() }()
		return io.ReadAll(io.NewSectionReader(f, from, metricsPiece))
	}
}

// metricsPiece is how much of the metrics is read at once.
const metricsPiece = 64 << 20

// containerMetrics reads the metrics of a job in a container, running or not. The engine gives only whole files, so it is
// first asked how long the file is.
func containerMetrics(eng docker.Engine, name string) metricsSource {
	file := path.Join(docker.WorkDir, shim.MetricsFile)
	return func(ctx context.Context, from int64) ([]byte, error) {
		stat, err := eng.Stat(ctx, name, file)
		if err != nil || stat.Size <= from {
			return nil, err
		}
		stream, err := eng.CopyOut(ctx, name, file)
		if err != nil {
			return nil, err
		}
		defer func() { _ = stream.Close() }()
		tr := tar.NewReader(stream)
		h, err := tr.Next()
		if err != nil || h.Typeflag != tar.TypeReg {
			return nil, errors.Join(err, errors.New("the metrics are no file"))
		}
		if _, err := io.CopyN(io.Discard, tr, from); err != nil {
			return nil, err
		}
		return io.ReadAll(io.LimitReader(tr, metricsPiece))
	}
}
