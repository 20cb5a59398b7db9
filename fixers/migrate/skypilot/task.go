package skypilot

import (
	"slices"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate"
	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/fixers/migrate/container"
	"github.com/amlfix/amlfix/fixers/migrate/shell"
	"github.com/amlfix/amlfix/fixers/migrate/yamlout"
)

// task is a task while it is being built.
type task struct {
	m    *migrate.Migration
	j    *migrate.Job
	name string
	// about are comments for its head.
	about []string
	// image is the image that it runs in; setup are the commands that create its environment.
	image string
	setup []string
	// mounts maps paths below the home directory to what is there: a text or a bucket.
	mounts yamlout.Map
	// envs are the variables with texts; exports are shell lines that set those with paths.
	envs, secrets yamlout.Map
	exports       []string
	// folders are created before the command starts; before and last are added around $PATH.
	folders      []string
	before, last string
	command      string
	options      yamlout.Flow // of docker run
}

// started is a comment that says what paths are relative to.
const started = "Paths start at the folder of this file: run sky there."

// newTask returns the task for a job.
func newTask(m *migrate.Migration, j *migrate.Job, images *container.Images, name string) *task {
	t := &task{m: m, j: j, name: name}
	t.about = []string{"Written by amlfix from " + container.From(j) + "."}
	if j.Step == nil {
		t.about = append(t.about, started)
	}
	t.environment(images)
	t.data()
	t.variables()
	t.run()
	t.dockerOptions()
	return t
}

// marked adds a comment that a decision is open.
func (t *task) marked(what string) {
	t.about = append(t.about, account.Marker+": "+what+"; see "+account.Report)
}

// body returns the task as a mapping.
func (t *task) body() yamlout.Map {
	body := yamlout.Map{{Key: "name", Value: t.name}, {Key: "resources", Value: t.resources()}}
	if t.j.Nodes > 1 {
		body = body.Set("num_nodes", t.j.Nodes)
		t.m.MapNodes(t.j, "`num_nodes`")
	}
	body = body.Set("workdir", local(t.m.Up(".")))
	for _, part := range []struct {
		key   string
		value yamlout.Map
	}{{"file_mounts", t.mounts}, {"envs", t.envs}, {"secrets", t.secrets}} {
		body = body.Fill(part.key, part.value)
	}
	if len(t.options) > 0 {
		body = body.Set("config", yamlout.Map{{Key: "docker", Value: yamlout.Map{{Key: "run_options", Value: t.options}}}})
	}
	if len(t.setup) > 0 {
		body = body.Set("setup", script(append([]string{"set -e"}, t.setup...)))
	}
	return body.Set("run", script(append(t.preamble(), t.command)))
}

// write adds the file of a separate task.
func (t *task) write(more ...string) {
	body := t.body()
	t.m.Write(taskFile(t.name), yamlout.Bytes(append(t.head(), more...), body))
}

// head returns the comments of the task.
func (t *task) head() []string { return append(t.about, t.m.Marks(t.j, t.about)...) }

func script(lines []string) yamlout.Block {
	return yamlout.Block(strings.TrimRight(strings.Join(lines, "\n"), "\n") + "\n")
}

// preamble returns the lines before the command.
func (t *task) preamble() (lines []string) {
	if t.before+t.last != "" {
		lines = append(lines, `export PATH="`+t.before+`$PATH`+t.last+`"`)
	}
	lines = append(lines, t.exports...)
	if len(t.folders) > 0 {
		lines = append(lines, "mkdir -p "+strings.Join(t.folders, " "))
	}
	if t.j.Code != "." {
		lines = append(lines, "cd "+inHome(migrate.Workdir+"/"+t.j.Code)+" || exit")
	}
	return append(lines, "mkdir -p outputs # which Azure ML made")
}

// variables adds the environment variables.
func (t *task) variables() {
	for _, v := range t.j.Variables {
		switch {
		case slices.ContainsFunc(t.exports, func(line string) bool { return strings.HasPrefix(line, "export "+v.Name+"=") }):
			t.m.Ledger.Drop(t.j.Name, "the path of the data is passed under this name", v.Source)
		case !isName(v.Name):
			t.askName(v)
		case v.Secret:
			t.secrets = t.secrets.Set(v.Name, nil)
			t.m.Ledger.Map(t.j.Name, "a variable in `secrets`", "its value was not copied", v.Source)
		case t.substituted(v.Name):
			t.exports = append(t.exports, "export "+v.Name+"="+shell.Quote(v.Value))
			t.m.Ledger.Map(t.j.Name, "`export` in `run`", "in `envs`, SkyPilot would also replace its name in paths of files", v.Source)
		default:
			t.envs = t.envs.Set(v.Name, v.Value)
			t.m.Ledger.Map(t.j.Name, "a variable in `envs`", "", v.Source)
		}
	}
}

// substituted reports whether a path of the task contains the name of a variable, which SkyPilot would replace with its
// value.
func (t *task) substituted(name string) bool {
	holds := func(text string) bool {
		return strings.Contains(text, "$"+name) || strings.Contains(text, "${"+name)
	}
	return holds(t.m.Up(".")) || slices.ContainsFunc(t.mounts, func(e yamlout.Entry) bool {
		text, _ := e.Value.(string)
		return holds(text)
	})
}

// isName reports whether SkyPilot accepts a variable's name and does not use it itself.
func isName(name string) bool {
	return migrate.IsVariable(name) && !strings.HasPrefix(name, "SKYPILOT_")
}

// askName asks about a variable whose name SkyPilot rejects.
func (t *task) askName(v migrate.Variable) {
	why := "SkyPilot accepts only ASCII letters, digits and `_` in names, and reserves those that begin with SKYPILOT_: give it another name in the script and the old file, or answer `drop`"
	if t.m.AskName(t.j, v, why) {
		t.marked("a variable is left out because of its name")
	}
}

// dockerOptions passes on the arguments of docker run, and the size of /dev/shm.
func (t *task) dockerOptions() {
	const key, where = "`config.docker.run_options`", "it applies where SkyPilot itself starts the container, not on Kubernetes"
	s := t.j.Source.Docker
	for _, arg := range t.j.DockerArgs {
		t.options = append(t.options, arg)
	}
	t.m.Ledger.Map(t.j.Name, key, where, s.Arguments...)
	if t.j.ShmSize != "" {
		t.options = append(t.options, "--shm-size="+t.j.ShmSize)
		t.m.Ledger.Map(t.j.Name, key, where, s.ShmSize)
	}
}
