// Package skypilot writes jobs as SkyPilot tasks. SkyPilot finds a machine for each in the user's clouds or clusters.
// Source of the fields: the schemas of tasks and resources in the Python package skypilot.
package skypilot

import (
	"path"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate"
	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/fixers/migrate/container"
	"github.com/amlfix/amlfix/schema/escape"
	"github.com/amlfix/amlfix/schema/format"
	"github.com/amlfix/amlfix/schema/plain"
)

// Emitter writes a task for each run configuration, and one file for a pipeline whose steps form a chain.
type Emitter struct{ container.Outside }

// Format is "skypilot".
func (Emitter) Format() string { return migrate.SkyPilot }

// Title returns the name of the format for people.
func (Emitter) Title() string { return "SkyPilot" }

// Schema returns the format of conda files; tests check tasks with SkyPilot's own parser.
func (Emitter) Schema(f migrate.File) format.Kind {
	if strings.HasSuffix(f.Path, ".yml") {
		return format.Conda
	}
	return ""
}

// Secret returns a phrase that says where the value of a secret comes from.
func (Emitter) Secret(_ *migrate.Migration, _ *migrate.Job, v migrate.Variable) string {
	return "Set " + v.Name + " in the shell that starts the task: `--secret " + v.Name + "` takes its value from there."
}

// Emit adds the files to the migration.
func (Emitter) Emit(m *migrate.Migration) error {
	images, called := container.NewImages(m), names(m)
	tasks := map[*migrate.Job]*task{}
	for _, j := range m.Jobs {
		t := newTask(m, j, images, called[j])
		if tasks[j] = t; j.Step == nil {
			t.write()
		}
	}
	for _, p := range m.Pipelines {
		writePipeline(m, p, tasks)
	}
	for _, j := range m.Jobs {
		tasks[j].place()
	}
	return nil
}

// names returns the name of each job's task.
func names(m *migrate.Migration) map[*migrate.Job]string {
	called, taken := map[*migrate.Job]string{}, plain.Names{Sep: "-"}
	for _, j := range m.Jobs {
		called[j] = taken.Take(account.Slug(j.Name))
	}
	return called
}

// Next returns the commands that build the images, and start the tasks.
func (Emitter) Next(m *migrate.Migration) (lines []string) {
	lines = container.Builds(m, registryOf(m), true)
	called := names(m)
	for _, j := range m.Jobs {
		if name := called[j]; j.Step == nil {
			lines = append(lines, "sky launch -c "+name+" "+taskFile(name)+secrets(j), "# before `sky down "+name+"` releases the machine, copy what the job wrote: rsync -r "+escape.Word(name+":"+kept(m, j))+" .")
		}
	}
	for _, p := range m.Pipelines {
		switch steps := m.StepsOf(p); {
		case len(steps) == 0:
		case chain(steps):
			lines = append(lines, "sky jobs launch "+pipelineFile(pipelineName(m, p))+secrets(steps...))
		default:
			lines = append(lines, "# the steps of "+p.Name+", each after those that it waits for have succeeded")
			for _, j := range steps {
				lines = append(lines, "sky jobs launch "+taskFile(called[j])+secrets(j))
			}
		}
	}
	return lines
}

// kept returns the folder that a job writes to, relative to the home directory.
func kept(m *migrate.Migration, j *migrate.Job) string {
	onMachine := func(d *account.Decision) bool {
		return d.ID == outputsDecision && d.Taken == onMachine && slices.Contains(d.Scopes, j.Name)
	}
	if slices.ContainsFunc(m.Decisions, onMachine) {
		return "outputs"
	}
	return strings.TrimPrefix(migrate.Home(path.Join(migrate.Workdir, j.Code, "outputs")), "/")
}

func taskFile(name string) string { return "task-" + name + ".yaml" }

// pipelineName returns the unique name of a pipeline.
func pipelineName(m *migrate.Migration, p *migrate.Pipeline) (name string) {
	taken := plain.Names{Sep: "-"}
	for _, other := range m.Pipelines {
		if name = taken.Take(account.Slug(other.Name)); other == p {
			break
		}
	}
	return name
}

func pipelineFile(name string) string { return "pipeline-" + name + ".yaml" }

// secrets returns the options that pass tasks their secrets.
func secrets(jobs ...*migrate.Job) (options string) {
	for _, j := range jobs {
		for _, v := range j.Variables {
			if option := " --secret " + v.Name; v.Secret && isName(v.Name) && !strings.Contains(options+" ", option+" ") {
				options += option
			}
		}
	}
	return options
}
