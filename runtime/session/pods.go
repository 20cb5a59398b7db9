package session

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/amlfix/amlfix/runtime/evidence"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/project"
	"github.com/amlfix/amlfix/runtime/record"
	"github.com/amlfix/amlfix/schema/catalog"
)

// Pods are the pods of a run with several. Each has its own log, byte for byte; the run's log has the lines of all,
// each preceded by the pod's index. Each pod has its own GPU verdict and outputs.
type Pods struct {
	s     *Session
	list  []*pod
	exact []project.Collected // what this process has copied back from each pod
}

type pod struct {
	proof
	log     *record.Log
	lines   [2]*lined
	streams process.Streams
	helper  bool // it is not expected to use a GPU
}

// PodOutputs returns Pods that serve only for the outputs of n pods.
func (s *Session) PodOutputs(n int) *Pods { return &Pods{s: s, exact: make([]project.Collected, n)} }

// Several begins, or continues, to record the output of n pods. It passes on what their logs contain and an earlier
// program did not pass on. The error is about the record.
func (s *Session) Several(n int) (*Pods, error) {
	p := s.PodOutputs(n)
	counted, err := s.passedOn()
	if err != nil {
		return nil, err
	}
	for i := range n {
		log, err := s.rec.run.PodLog(i)
		if err != nil {
			return nil, fmt.Errorf("pod %d: %w", i, err)
		}
		one := &pod{log: log, proof: proof{scanner: evidence.New(catalog.LogPatterns())}}
		for stream, w := range []io.Writer{s.Streams.Stdout, s.Streams.Stderr} {
			one.lines[stream] = &lined{mark: mark(i), w: w, skip: counted[stream].of[i]}
		}
		next := process.Streams{Stdout: io.MultiWriter(one.lines[0], one.scanner.Stream()), Stderr: io.MultiWriter(one.lines[1], one.scanner.Stream())}
		if err := log.Replay(next, true); err != nil {
			return nil, fmt.Errorf("the log of pod %d cannot be read: %w", i, err)
		}
		one.streams = log.Tee(next)
		p.list = append(p.list, one)
	}
	s.pods = p
	return p, nil
}

// passedOn counts how much of each pod's output the run's log contains.
func (s *Session) passedOn() ([2]*passed, error) {
	counts := [2]*passed{{of: map[int]int64{}}, {of: map[int]int64{}}}
	f, err := record.Follow(s.rec.run.Dir())
	if err != nil {
		return counts, err
	}
	defer f.Close()
	err = f.CopyTo(process.Streams{Stdout: counts[0], Stderr: counts[1]})
	for _, c := range counts {
		c.count(true)
	}
	return counts, err
}

// Streams returns the destinations of a pod's output.
func (p *Pods) Streams(index int) process.Streams { return p.list[index].streams }

// Seen returns how many bytes of a pod's output are stored.
func (p *Pods) Seen(index int) (stdout, stderr int64) { return p.list[index].log.Seen() }

// Helper excludes a pod from the GPU verdict.
func (p *Pods) Helper(index int) { p.list[index].helper = true }

// Flush passes on what follows the last complete line of each pod. No more output may arrive afterwards.
func (p *Pods) Flush() {
	for _, one := range p.list {
		for _, l := range one.lines {
			_ = l.pass(true) // as with all output, a reader that left does not matter
		}
		if err := one.log.Err(); err != nil {
			p.s.rec.failed(err)
		}
	}
}

// Sample is Session.Sample for each pod.
func (p *Pods) Sample(ctx context.Context, at []GPUs) (stop func()) {
	s, tries := p.s, 0
	s.sampled = often(ctx, sampleFirst, func(ctx context.Context) time.Duration {
		begin := time.Now()
		tries++
		found := make([]string, len(at))
		var wait sync.WaitGroup
		for i := range at {
			wait.Go(func() { found[i], _ = look(ctx, at[i], &p.list[i].peak) })
		}
		wait.Wait()
		if all := strings.Join(found, ""); all != "" {
			s.keepSample(strings.Join(found, "\n"))
		}
		if tries >= sampleTries && !slices.ContainsFunc(p.list, func(one *pod) bool { return one.peak.Samples > 0 }) {
			return never
		}
		return max(sampleEvery, 10*time.Since(begin))
	})
	return s.sampled
}

// LookForDriver is Session.LookForDriver for a pod.
func (p *Pods) LookForDriver(ctx context.Context, index int, there Shell) {
	p.list[index].lookForDriver(ctx, there)
}

// verdicts returns the GPU verdict of each pod.
func (p *Pods) verdicts() (list []evidence.Verdict) {
	for _, one := range p.list {
		list = append(list, one.verdict())
	}
	return list
}

// verdict returns the GPU verdict of the whole run.
func (p *Pods) verdict() evidence.Verdict {
	list := p.verdicts()
	var asked []int
	for i, one := range p.list {
		if !one.helper {
			asked = append(asked, i)
		}
	}
	return evidence.Whole(list, asked)
}

// Ended records how the job has ended in a pod.
func (p *Pods) Ended(index int, exit process.Exit) {
	exit.Started, exit.Ended = exit.Started.UTC(), exit.Ended.UTC()
	p.change(index, func(one *record.Pod) { one.Exit = &exit })
}

// Named records the name of a pod.
func (p *Pods) Named(index int, name string) {
	p.change(index, func(one *record.Pod) { one.Name = name })
}

func (p *Pods) change(index int, change func(*record.Pod)) {
	p.s.Record(func(rec *record.Record) {
		rec.Pods = slices.Clone(rec.Pods)
		if index < len(rec.Pods) {
			change(&rec.Pods[index])
		}
	})
}

// Judge records the verdicts on the pods' GPUs.
func (p *Pods) Judge() {
	if !p.s.WantsGPU() && p.verdict().Level == evidence.None {
		return
	}
	for i, v := range p.verdicts() {
		p.change(i, func(one *record.Pod) { one.GPU, one.Proven = v.Sentence(), v.Proven() })
	}
}

// Collect stores the outputs of a pod, which arrive as a tar stream: those of the first pod in outputs/, those of every
// other pod in its own folder below.
func (p *Pods) Collect(ctx context.Context, index int, tar io.Reader) (err error) {
	stream := &counted{r: tar, say: p.s.Say}
	if index == 0 {
		p.exact[0], err = project.CollectTar(ctx, stream, p.s.Plan.Project)
	} else {
		p.exact[index], err = project.CollectTarBelow(ctx, stream, p.s.Plan.Project, podFolder(index))
	}
	return err
}

func podFolder(index int) string { return fmt.Sprintf("pod-%d", index) }

// Collected records what was copied back, including by an earlier program, and reports where the outputs of all pods
// but the first are.
func (p *Pods) Collected() {
	all := &p.s.Result.Outputs
	*all = project.Collected{}
	now := map[string]bool{}
	for _, one := range p.exact {
		for _, f := range one.List {
			now[f.Path] = true
		}
	}
	if earlier := p.s.rec.run.Record().Outputs; earlier != nil {
		for _, f := range earlier.Files {
			if !now[f.Path] {
				all.List, all.Files, all.Bytes = append(all.List, f), all.Files+1, all.Bytes+f.Bytes
			}
		}
	}
	var folders []string
	for i, one := range p.exact {
		all.Files, all.Bytes = all.Files+one.Files, all.Bytes+one.Bytes
		all.List, all.Links, all.Warnings = append(all.List, one.List...), append(all.Links, one.Links...), append(all.Warnings, one.Warnings...)
		if i > 0 && one.Files > 0 {
			folders = append(folders, project.OutputsDir+"/"+podFolder(i)+"/")
		}
	}
	p.s.recordOutputs()
	if len(folders) > 0 {
		p.s.Say.Notice("pods other than the first one also wrote outputs: they are in %s", some(folders))
	}
}
