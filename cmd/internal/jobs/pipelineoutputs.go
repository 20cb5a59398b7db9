package jobs

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/runtime"
	"github.com/amlfix/amlfix/runtime/command"
	"github.com/amlfix/amlfix/runtime/plan"
	"github.com/amlfix/amlfix/runtime/project"
	"github.com/amlfix/amlfix/runtime/record"
	"github.com/amlfix/amlfix/schema"
)

// expect records where the outputs of a step will be, even if the step cannot be planned: that is no fault of later
// steps.
func (r *pipelineRun) expect(s step, p plan.Plan) {
	if p.Work == nil {
		for _, d := range s.job.Outputs() {
			s.notes(d.Name, command.Made{Path: filepath.Join(p.Project, project.OutputsDir, s.child, d.Name), Folder: d.Type() != "uri_file", Later: true})
		}
		return
	}
	r.artifacts(s, command.Made{Path: filepath.Join(p.Project, project.OutputsDir), Later: true})
	for _, out := range p.Work.Outputs {
		s.notes(out.Name, command.Made{Path: filepath.Join(p.Project, filepath.FromSlash(out.Value)), Folder: out.Folder, Later: true})
	}
}

// notes records an output of a step, for later steps.
func (s step) notes(name string, made command.Made) {
	for _, d := range s.job.Outputs() {
		if d.Name == name {
			s.around.Made(s.child, d, made)
		}
	}
}

// made records the outputs that a step has made in this run, ignoring those that an earlier run left under the same
// names.
func (r *pipelineRun) made(s step, p plan.Plan, result runtime.Result) error {
	all := command.Made{Path: filepath.Join(result.Record, record.OutputsName)}
	if _, err := os.Stat(all.Path); err != nil {
		all.Path = ""
	}
	r.artifacts(s, all)
	for _, out := range p.Work.Outputs {
		below := strings.TrimPrefix(out.Value, project.OutputsDir+"/")
		made := command.Made{Path: filepath.Join(result.Record, record.OutputsName, filepath.FromSlash(below)), Folder: out.Folder}
		if _, err := os.Stat(made.Path); errors.Is(err, fs.ErrNotExist) {
			made.Path = ""
			if slices.ContainsFunc(result.Outputs.List, func(f project.File) bool { return f.Path == below || strings.HasPrefix(f.Path, below+"/") }) {
				made.Path = filepath.Join(p.Project, filepath.FromSlash(out.Value)) // the file system does not support hard links
			} else if !out.Folder {
				r.Say("step %s has not written its output %s, a file", s.name, out.Name)
				return console.Status(console.NotStarted)
			}
		}
		s.notes(out.Name, made)
	}
	return nil
}

// artifacts records, under its names, the output that comprises everything that a step leaves.
func (r *pipelineRun) artifacts(s step, made command.Made) {
	made.Folder, made.Below = true, project.OutputsDir
	s.around.Outputs[s.child+"."+schema.Artifacts] = made
	for _, d := range s.job.Outputs() {
		if d.IsArtifacts() {
			s.around.Outputs[s.child+"."+d.Name] = made
		}
	}
}

// earlier records what earlier runs of other steps have left in the project. all are the steps of the whole pipeline.
func (r *pipelineRun) earlier(k chosen, all []step) {
	job := r.steps[0].job
	for around := r.steps[0].around; around != nil; job, around = around.Of, around.Outer {
		for _, name := range schema.Makers(job) {
			for _, d := range job.Inputs() {
				_, out, ok := strings.Cut(d.Value().Text, "parent.jobs."+name+".outputs.")
				if !ok {
					continue
				}
				out = strings.TrimRight(out, " }")
				below := filepath.FromSlash(around.Kept(name, out, outputsOf(all, around, name)))
				at := filepath.Join(k.root.Dir, project.OutputsDir, below)
				if info, err := os.Stat(at); err == nil && filepath.IsLocal(below) {
					around.Outputs[name+"."+out] = command.Made{Path: at, Folder: info.IsDir()}
				}
			}
		}
	}
}

// outputsOf returns the outputs of a step of a pipeline, which may itself be a pipeline of some of the steps.
func outputsOf(all []step, around *command.Pipeline, name string) []schema.V2Data {
	for _, s := range all {
		if s.around == around && s.child == name && s.job != nil {
			return s.job.Outputs()
		}
		for p := s.around; p != nil; p = p.Outer {
			if p.Outer == around && p.Name == name {
				return p.Of.Outputs()
			}
		}
	}
	return nil
}
