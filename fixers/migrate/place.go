package migrate

import (
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/binding"
	"github.com/amlfix/amlfix/schema/secret"
)

// SkyPilot is the format of SkyPilot's tasks. What the other formats have in folders of
// a container is below the home directory there, for a task may run without the rights
// to make others.
const SkyPilot = "skypilot"

// Steps is where the steps of a pipeline find what others have made, each on a machine
// of its own.
const Steps = "/steps"

// skyWorkdir is where SkyPilot puts the project, in the home directory.
const skyWorkdir = "/sky_workdir"

// Home returns a path of a container's as the same place below the home directory.
func Home(place string) string {
	if rest, ok := strings.CutPrefix(place, Workdir); ok && (rest == "" || rest[0] == '/') {
		return skyWorkdir + rest
	}
	return place
}

// at returns a path of a container for a command of the format.
func (m *Migration) at(place string) binding.Value {
	if m.Emitter.Format() == SkyPilot {
		return binding.Value{Variable: "HOME", Text: Home(place)}
	}
	return binding.Value{Text: place}
}

// shown returns a path of a container for a reader.
func (m *Migration) shown(place string) string {
	if m.Emitter.Format() == SkyPilot {
		return "~" + Home(place)
	}
	return place
}

// outside reports whether what is written is for machines outside Azure ML.
func (m *Migration) outside() bool { return m.Emitter.Format() != "v2" && m.Emitter.Format() != "v1" }

// Refuse says that an answer cannot be used, and why.
func (m *Migration) Refuse(id, answer, why string) {
	m.fail(&AnswerError{id + "=" + secret.HideValue(answer) + ": " + why})
}

// readMachine finds what the files say of the machine that the job had.
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
