package azurecli

import (
	"bytes"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/runtime/record"
	"github.com/amlfix/amlfix/runtime/runid"
	"github.com/amlfix/amlfix/runtime/session"
)

// earlyLimit is how many bytes of the CLI's output are kept before the job exists.
const earlyLimit = 1 << 20

// keeper passes the output on, and records it once the job exists.
type keeper struct {
	mu     sync.Mutex
	out    process.Streams
	record record.Record
	run    *record.Run // nil: not yet, or not at all
	early  []piece
	size   int
	err    error
}

type piece struct {
	stream int
	text   []byte
}

type stream struct {
	*keeper
	number int
}

func (k *keeper) stream(number int) io.Writer { return stream{k, number} }

// Write is called by one goroutine for each stream.
func (s stream) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.run == nil && s.size+len(p) <= earlyLimit {
		s.early, s.size = append(s.early, piece{s.number, bytes.Clone(p)}), s.size+len(p)
	}
	return writerOf(s.out, s.number).Write(p)
}

func writerOf(s process.Streams, number int) io.Writer {
	return []io.Writer{s.Stdout, s.Stderr}[number]
}

// found begins the record of a job, or adds to it.
func (k *keeper) found(job record.AzureML) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.record.ID.IsZero() || k.err != nil {
		return
	}
	if k.run != nil {
		k.note(k.run.Update(func(r *record.Record) { r.AzureML = &job }))
		return
	}
	k.record.AzureML = &job
	k.begin()
}

func (k *keeper) begin() {
	run, err := record.Create(k.record)
	if err != nil {
		k.note(err)
		return
	}
	log := run.Log()
	kept := log.Tee(process.Streams{Stdout: io.Discard, Stderr: io.Discard})
	for _, p := range k.early {
		_, _ = writerOf(kept, p.stream).Write(p.text)
	}
	k.run, k.early, k.out = run, nil, log.Tee(k.out)
	k.note(errors.Join(run.Enter(progress.Starting), run.Enter(progress.Running)))
}

// note remembers the first error: the job continues without its record.
func (k *keeper) note(err error) {
	if k.err == nil {
		k.err = err
	}
}

// close records how the job ended. A job that is left continues.
func (k *keeper) close(left bool, began time.Time, result Result) (runid.ID, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.run == nil {
		return runid.ID{}, k.err
	}
	defer k.run.Close()
	k.note(k.run.Log().Err())
	if left {
		k.note(k.run.Enter(progress.Detached))
		return k.record.ID, k.err
	}
	k.note(k.run.Update(func(r *record.Record) {
		r.Exit = &process.Exit{Code: result.Code, Cause: process.Ended, Started: began.UTC(), Ended: time.Now().UTC()}
		r.Outcome, r.Code = string(session.Succeeded), result.Code
		if result.Code != 0 {
			r.Outcome = string(session.Failed)
		}
		v := result.Evidence
		r.GPU = &record.GPU{Sentence: v.Sentence(), Short: v.Short(), Proven: v.Proven(), StandIn: v.StandIn, Names: v.GPUs, Line: v.Line}
	}))
	k.note(k.run.Enter(progress.Done))
	return k.record.ID, k.err
}
