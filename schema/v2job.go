package schema

import (
	"strings"

	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
)

// v2Reader reads one job of v2.
type v2Reader struct {
	l    *v2Linker
	file *File
	// own are the mappings that describe it, in order of precedence: a sweep and its trial, a parallel job and its
	// task. The second may be nil.
	own      []*document.Node
	pipeline *document.Node // around it; nil for none
}

// nothing is a job without settings.
var nothing = Job{Dialect: V2, ServiceSettings: &noService, V2: &noV2, Target: &Target{}}

// read reads the job. runs is the component whose settings apply if the job has none.
func (r *v2Reader) read(kind JobKind, runs *Job) *Job {
	if runs == nil {
		runs = &nothing
	}
	j := NewJob(r.file, r.own[0])
	j.Dialect, j.Kind, j.Type, j.ServiceSettings, j.V2 = V2, kind, lower(r.own[0].Get("type")), &ServiceSettings{}, &V2Settings{}
	if runs.File != nil {
		j.Runs = runs
	}
	j.Command = r.field("command").or(runs.Command)
	j.Code = r.field("code", "code_configuration").or(runs.Code)
	j.Script = r.script().or(runs.Script)
	j.Nodes = r.in("resources", "instance_count").or(runs.Nodes)
	if kind == Deployment && !j.Nodes.Explicit {
		j.Nodes = r.field("instance_count").or(j.Nodes)
	}
	j.Communicator = r.in("distribution", "type").or(runs.Communicator)
	j.Processes = r.in("distribution", "process_count_per_instance").or(runs.Processes)
	j.Docker.ShmSize = r.in("resources", "shm_size").or(runs.Docker.ShmSize)
	for _, n := range r.own {
		j.Variables = append(j.Variables, variables(r.file, n.Get("environment_variables"))...)
	}
	r.environment(j, runs)
	j.Target = r.target(j, runs)
	return j
}

// field returns the first of the mappings' fields with that name that is set; the mappings of the keys in groups are
// searched too.
func (r *v2Reader) field(name string, groups ...string) Field {
	for _, n := range r.own {
		if at := FieldAt(r.file, n, name); at.Explicit {
			return at
		}
		for _, group := range groups {
			if at := FieldAt(r.file, n.Get(group), name); at.Explicit {
				return at
			}
		}
	}
	return FieldAt(r.file, r.own[0], name)
}

// in returns the field of a group of settings.
func (r *v2Reader) in(group, name string) Field {
	for _, n := range r.own {
		if at := FieldAt(r.file, n.Get(group), name); at.Explicit {
			return at
		}
	}
	return FieldAt(r.file, r.own[0].Get(group), name)
}

// script returns the file that runs, if no command says so.
func (r *v2Reader) script() Field {
	for _, name := range []string{"entry_script", "scoring_script"} {
		if at := r.field(name, "code_configuration"); at.Explicit {
			return at
		}
	}
	return r.in("entry", "file")
}

// or returns the field, or another if only that one is set.
func (f Field) or(other Field) Field {
	if f.Explicit || !other.Explicit {
		return f
	}
	return other
}

// environment finds the job's environment: its own, or that of what it runs.
func (r *v2Reader) environment(j, runs *Job) {
	j.V2.EnvironmentName = r.field("environment").or(runs.V2.EnvironmentName)
	if j.V2.Environment = runs.V2.Environment; j.V2.EnvironmentName.File == r.file {
		j.V2.Environment = r.l.environmentOf(j.V2.EnvironmentName)
	}
	if e := j.V2.Environment; e != nil {
		j.CondaPath, j.Docker.Dockerfile, j.Environment, j.recipe = e.CondaPath, e.Build, e.Conda, e.recipe
	}
}

// target returns where the job runs: its machine as far as the files tell, and the image of its environment. Jobs on
// the same machine with one environment share it.
func (r *v2Reader) target(j, runs *Job) *Target {
	j.TargetName = r.field("compute")
	if !j.TargetName.Explicit && r.pipeline != nil {
		if at := r.l.defaults.of(r.file, r.pipeline); at.Explicit {
			j.TargetName = at
		}
	}
	if f := r.l.Linked("compute", j.TargetName); f != nil {
		j.V2.Compute = r.l.computes[f]
	}
	size := r.in("resources", "instance_type").or(runs.Target.VMSize)
	if j.Kind == Deployment && !size.Explicit {
		if size = r.field("instance_type"); !j.TargetName.Explicit {
			j.TargetName = size
		}
	}
	sizes := size.listed()
	size = common(sizes)
	// A cluster decides itself; instance_type is for machines that the service chooses.
	bySettings := false
	if c := j.V2.Compute; c != nil && c.Size.Explicit {
		size, sizes = c.Size, nil
	} else if set, ok := r.l.sized(j.TargetName); ok {
		size, sizes, bySettings = set, nil, true
	}
	key := v2Target{compute: j.TargetName.Text, size: size.Node, environment: j.V2.Environment, kind: j.Type}
	if c, ok := catalog.CuratedByName(j.V2.EnvironmentName.Text); ok && c.GPU {
		key.curated = c.Name
	}
	if bySettings {
		key.size = nil
	}
	t := r.l.targets[key]
	if t == nil {
		t = &Target{Name: strings.TrimPrefix(j.TargetName.Text, "azureml:"), Dialect: V2, File: r.file, VMSize: size, BySettings: bySettings}
		if len(sizes) > 1 {
			t.Sizes = sizes
		}
		switch t.Type.Text = "managed"; {
		case j.Type == "spark":
			t.Type.Text = "cluster"
		case t.Name == "local":
			t.Type.Text = "localdocker"
		}
		if e := j.V2.Environment; e != nil {
			t.Image, t.recipe = e.Image, e.recipe
		} else if key.curated != "" {
			t.curated = &j.V2.EnvironmentName
		}
		r.l.targets[key] = t
	}
	return t
}

// v2Evidence returns what shows that the machine of a v2 target has CUDA GPUs: its size, or, if only a workspace knows
// that, a GPU image or a curated environment with CUDA; see Suspected. The name of a compute proves nothing.
func v2Evidence(t *Target) []finding.Location {
	n, known := t.GPUs()
	switch {
	case t.declined:
	case t.requested:
		return askedEvidence(t.Jobs[0].TargetName)
	case n > 0:
		return []finding.Location{t.VMSize.Location(sizeHasGPUs(t))}
	case !known && t.Base().Node.IsString() && IsGPUImage(t.Base().Text):
		return []finding.Location{t.Base().Location("this is a GPU image, and the machine is not known")}
	case !known && t.curated != nil && t.curated.Node.IsString():
		return []finding.Location{t.curated.Location("this environment has CUDA, and the machine is not known")}
	}
	return nil
}
