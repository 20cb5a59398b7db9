package session

import (
	"bytes"
	"context"
	"io"
	"path"
	"path/filepath"
	"time"

	"github.com/amlfix/amlfix/runtime/shim"
	"github.com/amlfix/amlfix/schema/disk"
)

// MetricsSource returns the content of the file of a job's metrics from byte from on, or nothing if the file does not
// exist or has no more.
type MetricsSource func(ctx context.Context, from int64) ([]byte, error)

// How often metrics are read, and the least pause, as a multiple of the time that the last read took.
const (
	measureEvery = time.Second
	measureRest  = 20
	measureTime  = 30 * time.Second // for the last read, when the job has ended
)

// Measure copies the job's metrics into the record while the job runs, and the rest when the returned function is
// called. Unreadable metrics do no harm to the run.
func (s *Session) Measure(ctx context.Context, source MetricsSource) (stop func()) {
	end := often(context.WithoutCancel(ctx), measureEvery, func(ctx context.Context) time.Duration {
		begin := time.Now()
		s.measureOnce(ctx, source)
		return max(measureEvery, measureRest*time.Since(begin))
	})
	return func() {
		end()
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), measureTime)
		defer cancel()
		s.measureOnce(last, source)
	}
}

func (s *Session) measureOnce(ctx context.Context, source MetricsSource) {
	run := s.rec.run
	more, err := source(ctx, run.MetricsSize())
	if end := bytes.LastIndexByte(more, '\n') + 1; err == nil && end > 0 {
		s.rec.failed(run.AddMetrics(more[:end]))
	}
}

// FileMetrics reads the metrics of a job that works in a folder on this machine.
func FileMetrics(dir string) MetricsSource {
	return func(_ context.Context, from int64) ([]byte, error) {
		base, err := disk.OpenTemp(filepath.Dir(dir))
		if err != nil {
			return nil, err
		}
		defer base.Close()
		f, err := base.OpenRead(path.Join(filepath.Base(dir), shim.MetricsFile))
		if err != nil {
			return nil, nil //nolint:nilerr // no metrics yet, or the job has put something else there
		}
		defer func() { _ = f.Close() }()
		return io.ReadAll(io.NewSectionReader(f, from, MetricsPiece))
	}
}

// MetricsPiece is how many bytes of the metrics are read at once: more than a job writes between two reads, and few
// enough to hold in memory. The rest follows with the next read.
const MetricsPiece = 64 << 20
