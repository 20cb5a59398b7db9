package migrate

import (
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/binding"
)

// SkyPilot is the format of SkyPilot's tasks. The folders that other formats have in a container are below the home
// directory there, because a task may not have permission to create others.
const SkyPilot = "skypilot"

// Steps is the folder where the steps of a pipeline, each on its own machine, find what others have written.
const Steps = "/steps"

// skyWorkdir is where SkyPilot copies the project to, relative to the home directory.
const skyWorkdir = "/sky_workdir"

// Home converts a path in a container to the corresponding path below the home directory.
func Home(place string) string {
	if rest, ok := strings.CutPrefix(place, Workdir); ok && (rest == "" || rest[0] == '/') {
		return skyWorkdir + rest
	}
	return place
}

// at returns a path in a container as the format's commands have to write it.
func (m *Migration) at(place string) binding.Value {
	if m.Emitter.Format() == SkyPilot {
		return binding.Value{Variable: "HOME", Text: Home(place)}
	}
	return binding.Value{Text: place}
}

// shown returns a path in a container for people.
func (m *Migration) shown(place string) string {
	if m.Emitter.Format() == SkyPilot {
		return "~" + Home(place)
	}
	return place
}

// outside reports whether the output is for machines outside Azure ML.
func (m *Migration) outside() bool { return m.Emitter.Format() != "v2" && m.Emitter.Format() != "v1" }

// readMachine reads what the files say about the job's machine.
func (m *Migration) readMachine(j *Job) {
	target := j.Source.Target
	j.Spot = j.Source.SDK.VMPriority
	if l := m.lowered[j.Source.File]; l != nil {
		target, j.Spot = l.job.Target, setting(l.job, "queue_settings", "job_tier")
	}
	if target == nil {
		return
	}
	if target.VMSize.Explicit && target.VMSize.Text != "" {
		j.Size = target.VMSize
	}
	if f := target.VMSize.File; !j.Spot.Explicit && f != nil && f.V2 == "compute" {
		j.Spot = schema.FieldAt(f, f.Root(), "tier")
	}
}
