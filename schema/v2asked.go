package schema

import (
	"path"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/finding"
)

// ask determines which v2 jobs count as jobs with or without GPUs on the user's word. A name refers to a compute, or,
// if no compute has it, to a job. If only some of the jobs that share a target are named, these get a separate target.
func (l *v2Linker) ask() {
	if len(l.opts.GPU)+len(l.opts.CPU) == 0 {
		return
	}
	computes := map[string]bool{}
	for _, name := range l.computeNames(l.added) {
		computes[name] = true
	}
	meant := func(j *Job, asked []string) bool {
		if len(asked) == 0 {
			return false
		}
		names, compute := j.Names(), j.compute()
		return slices.ContainsFunc(asked, func(name string) bool {
			if computes[name] {
				return compute == name || j.V2.Compute != nil && j.V2.Compute.Called(name)
			}
			return slices.Contains(names, name)
		})
	}
	type asked struct {
		*Target
		gpu, cpu bool
	}
	apart := map[asked]*Target{}
	for _, j := range l.added {
		key := asked{j.Target, meant(j, l.opts.GPU), meant(j, l.opts.CPU)}
		if !key.gpu && !key.cpu {
			continue
		}
		if apart[key] == nil {
			t := *j.Target
			t.requested, t.declined = key.gpu, key.cpu
			apart[key] = &t
		}
		j.Target = apart[key]
	}
}

// V2Names returns the names that Options.GPU and Options.CPU may use for what v2 files describe: those of computes, and
// those of jobs (see Job.Names).
func (p *Project) V2Names() (computes, jobs []string) {
	for _, j := range p.Jobs {
		if j.Dialect == V2 {
			jobs = append(jobs, j.Names()...)
		}
	}
	return p.computeNames(p.Jobs), jobs
}

// computeNames returns the names of the computes that the project defines, and of those that its jobs name.
func (p *Project) computeNames(jobs []*Job) (names []string) {
	for _, c := range p.V2Computes {
		names = append(names, c.File.Name())
		if c.Name.Explicit {
			names = append(names, c.Name.Text)
		}
	}
	for _, j := range jobs {
		if name := j.compute(); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// Called reports whether the compute has a name: its own, or that of its file.
func (c *V2Compute) Called(name string) bool {
	return c.Name.Explicit && c.Name.Text == name || c.File.Called(name)
}

// compute returns the name of a v2 job's compute, or "". Deployments name a size.
func (j *Job) compute() string {
	if j.Dialect != V2 || j.TargetName.name() == "instance_type" {
		return ""
	}
	return computeName(j.TargetName)
}

// Names returns the names of a v2 job on a command line, the full name first: its Name; its file, with and without
// folder and extension, and the name that the file gives; in a pipeline the key of the step; and the same for the
// component that it runs.
func (j *Job) Names() []string {
	names := []string{j.Name, j.File.Rel, path.Base(j.File.Rel), j.File.Name()}
	if _, where, ok := strings.Cut(j.Name, ": "); ok {
		names = append(names, where[strings.LastIndexByte(where, '.')+1:])
	} else if name := j.Node.Get("name"); name.IsString() {
		names = append(names, name.Value)
	}
	if j.Runs != nil && j.Runs.File != j.File {
		names = append(names, j.Runs.Names()...)
	}
	return names
}

// askedEvidence says that a target counts as a GPU target on the user's word.
func askedEvidence(at Field) []finding.Location {
	return []finding.Location{at.Location("a GPU target according to --gpu or the settings")}
}
