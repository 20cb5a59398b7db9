// Package command converts a command job of Azure ML v2 to the equivalent of a run configuration: a job with one of the
// user's own compute targets, and the work to do there. What only the service can do is refused, with its line.
package command

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/runtime/plan"
	"github.com/amlfix/amlfix/runtime/project"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/binding"
	"github.com/amlfix/amlfix/schema/secret"
)

// Choice is a job together with what the user chose on the command line.
type Choice struct {
	Project *schema.Project
	Job     *schema.Job
	// Name returns the path under which a file is shown; see plan.Options.
	Name func(*schema.File) string
	// Type is the type of the compute target, as in .compute files. Target is the user's target of that type; nil:
	// there is none, and nothing is known about it.
	Type   string
	Target *schema.Target
	// Several means that the target runs jobs on several machines.
	Several bool
	// Chosen is where Type comes from.
	Chosen plan.Origin
	// Image replaces the environment's image; "" for none.
	Image string
	// Inputs are the values of inputs, by name: literals, or paths on this machine.
	Inputs map[string]string
	// Dir is the folder to which relative paths in Inputs refer.
	Dir string
	// Step is the name of the pipeline step that the job is; "" for none. Around then describes the pipeline.
	Step   string
	Around *Pipeline
}

// Limits on what a file may request: a time in seconds that a clock can represent, and the processes that one machine
// can run.
const (
	longest       = 1<<31 - 1
	mostProcesses = 1024
)

// maker makes one job.
type maker struct {
	Choice
	work *plan.Work
	job  schema.Job
	// values holds the values of the expressions in the command.
	values map[string]binding.Value
	// flag is the name of the input on the command line, if the pipeline calls it something else than the step.
	flag string
	// inner are the inputs, from the step's outwards, that get what is being looked up.
	inner []*schema.V2Data
	// alone is the step, if its pipeline is run whole: its inputs cannot then be given on the command line.
	alone string
}

// Lower converts a v2 job to a job for the chosen target and returns it with the work to do there. It reads only the
// files that the job names. The error is a *plan.Error, or several joined.
func Lower(c Choice) (*schema.Job, *plan.Work, error) {
	m := &maker{Choice: c, work: &plan.Work{Target: c.Chosen}, values: map[string]binding.Value{}}
	if c.Around != nil && c.Inputs == nil {
		m.alone = strings.ReplaceAll(path.Join(c.Around.Folder(), c.Step), "/", ".")
	}
	for _, step := range []func() error{m.bound, m.refuse, m.settings, m.target, m.environment, m.code, m.inputs, m.outputs, m.distribution, m.gpus, m.command} {
		if err := step(); err != nil {
			return nil, nil, err
		}
	}
	return &m.job, m.work, nil
}

// At returns the position of a setting.
func (c Choice) At(f schema.Field) plan.Origin {
	d := plan.Draft{Options: plan.Options{Name: c.Name}}
	return d.At(f)
}

// fail returns an error about a setting.
func (c Choice) fail(f schema.Field, format string, args ...any) error {
	return &plan.Error{Origin: c.At(f), Text: fmt.Sprintf(format, args...)}
}

// refuse refuses what only the service can do.
func (m *maker) refuse() error {
	j := m.Job
	typ := schema.FieldAt(j.File, j.Node, "type")
	at := func(names ...string) schema.Field {
		for _, name := range names {
			if f := schema.FieldAt(j.File, j.Node, name); f.Explicit {
				return f
			}
		}
		return schema.Field{}
	}
	switch {
	case j.Kind == schema.Trial:
		return m.fail(or(typ, at("trial")), "a sweep runs many jobs at once, which only Azure ML can do: submit the file with -t azureml, or run its trial as a command job")
	case j.Type == "pipeline":
		return m.fail(or(at("component"), typ), "the pipeline that this step runs is not in this project: save its file here, and refer to that file")
	case j.Type != "" && j.Type != "command":
		return m.fail(typ, "a job of type %s runs only in Azure ML: submit the file with -t azureml", j.Type)
	case !j.Command.Explicit && at("component").Explicit:
		return m.fail(at("component"), "the component is not in this project, so its command is not known: save its file here, and refer to that file")
	case !j.Command.Explicit:
		return m.fail(or(typ, at("compute", "environment")), "the job has no command")
	case m.spread() && !m.Several:
		return m.fail(j.Nodes, "instance_count is %s, but of your own targets only a Kubernetes cluster runs one job on several machines: add -t k8s, or write 1 to run it on one machine", j.Nodes.Text)
	}
	return nil
}

// spread reports whether the job is for several machines.
func (m *maker) spread() bool { return m.Job.Nodes.Explicit && m.Job.Nodes.Text != "1" }

func or(a, b schema.Field) schema.Field {
	if a.Explicit {
		return a
	}
	return b
}

// settings copies the settings that need no change.
func (m *maker) settings() error {
	j := m.Job
	m.job = schema.Job{Name: j.Name, Dialect: schema.V2, Kind: j.Kind, File: j.File, Node: j.Node, Type: j.Type, ServiceSettings: &schema.ServiceSettings{}, SDK: j.SDK, V2: j.V2}
	m.job.Docker.ShmSize = j.Docker.ShmSize
	m.job.Nodes, m.job.Processes, m.job.Communicator, m.job.Runs = j.Nodes, j.Processes, j.Communicator, j.Runs
	m.job.TrackedRun.Bool = true
	for own := j; own != nil; own = own.Runs {
		for _, v := range own.Variables {
			if !slices.ContainsFunc(m.job.Variables, func(o schema.Variable) bool { return o.Name == v.Name }) {
				m.job.Variables = append(m.job.Variables, v)
			}
		}
	}
	for _, name := range []string{"services", "identity"} {
		if f := schema.FieldAt(j.File, j.Node, name); f.Explicit {
			m.note(name+" is for Azure ML, and is not used", f)
		}
	}
	for own := j; own != nil && m.work.Limit.Value == 0; own = own.Runs {
		f := schema.FieldAt(own.File, own.Node.Get("limits"), "timeout")
		if err := m.setting(&f); err != nil {
			return err
		}
		if !f.Explicit {
			continue
		}
		seconds, err := strconv.Atoi(f.Text)
		if err != nil || seconds < 1 || seconds > longest {
			return m.fail(f, "limits.timeout is %q: write seconds, such as 3600", f.Text)
		}
		m.work.Limit = plan.From(seconds, m.At(f))
	}
	return nil
}

// target turns the chosen compute target into one that runs a shell.
func (m *maker) target() error {
	t := &schema.Target{Name: m.Type, File: m.Job.File, Type: schema.Field{Text: m.Type}}
	if m.Target != nil {
		own := *m.Target
		t = &own
	}
	if t.Type.Text == "cluster" {
		return m.fail(t.Type, "target %s is a Spark cluster, which does not run command jobs: choose another one with -t", t.Name)
	}
	t.Dialect, t.PythonLocation, t.UserManaged = schema.Workbench, schema.Field{Text: plan.Shell}, schema.Field{}
	if !t.GPUSwitch.Bool && m.Job.Target.GPU() {
		t.GPUSwitch = m.Job.Target.VMSize
		t.GPUSwitch.Bool = true
	}
	m.job.Target, m.job.TargetName = t, schema.Field{Text: t.Name}
	return nil
}

// code finds the code folder.
func (m *maker) code() error {
	f := m.Job.Code
	if !f.Explicit || f.Text == "" {
		return nil
	}
	dir, err := m.local(f, "code")
	if err == nil {
		m.work.Code = plan.From(dir, m.At(f))
	}
	return err
}

// outputs plans a folder, or a file, for each output.
func (m *maker) outputs() error {
	for _, d := range m.Job.Outputs() {
		if err := m.named("output", d); err != nil {
			return err
		}
		if d.IsArtifacts() {
			m.values["outputs."+d.Name] = binding.Value{Variable: plan.FolderVariable}
			continue
		}
		below, file := m.place(d)
		name := project.OutputsDir + "/" + below
		m.work.Outputs = append(m.work.Outputs, plan.Output{Name: d.Name, Field: plan.From(name, m.At(d.At())), Folder: !file})
		m.values["outputs."+d.Name] = binding.Value{Variable: plan.FolderVariable, Text: "/" + name}
	}
	return nil
}

// named refuses the name of an input or output that no folder can have.
func (m *maker) named(what string, d schema.V2Data) error {
	if d.Name == "" || strings.ContainsFunc(d.Name, func(r rune) bool {
		return r != '_' && r != '-' && r != '.' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	}) || strings.Trim(d.Name, ".") == "" {
		return m.fail(d.At(), "%q is not a valid name for an %s: use letters, digits and _", d.Name, what)
	}
	return nil
}

// distribution plans the processes that run in parallel.
func (m *maker) distribution() error {
	count, typ := m.Job.Processes, strings.ToLower(m.Job.Communicator.Text)
	n, err := strconv.Atoi(cmp.Or(count.Text, "1"))
	if err != nil || n < 1 || n > mostProcesses {
		return m.fail(count, "process_count_per_instance is %q: write a number from 1 to %d", count.Text, mostProcesses)
	}
	switch {
	case m.spread(): // one process per machine needs no others beside it
		if n > 1 {
			m.work.Processes = plan.From(n, m.At(count))
		}
	case typ == "pytorch":
		m.work.Processes = plan.From(n, m.At(or(count, m.Job.Communicator)))
	case n == 1 && typ != "" && !m.Several:
		m.note("one process runs, without what Azure ML prepares for a distribution of type "+typ, m.Job.Communicator)
	case n > 1:
		return m.fail(or(m.Job.Communicator, count), "%d processes of a distribution of type %s need services that only Azure ML starts: only type pytorch runs here with several processes", n, cmp.Or(typ, "none"))
	}
	return nil
}

// gpus sets the number of the job's GPUs, if its machine has any: all of the machine's, or one for each process that
// uses one.
func (m *maker) gpus() error {
	t := m.Job.Target
	if !t.GPU() || t.Suspected() && m.work.Processes.Value < 2 {
		return nil
	}
	n, known := t.GPUs()
	o := m.At(t.VMSize)
	if p := m.work.Processes; p.Value > 1 && (!known || p.Value < n) {
		n, o = p.Value, p.Origin
	}
	if n > 0 {
		m.work.GPUs = plan.From(plan.GPURequest(strconv.Itoa(n)), o)
	}
	return nil
}

// command inserts the values into the command.
func (m *maker) command() error {
	f := m.Job.Command
	m.work.Command = plan.From("", m.At(f))
	value := func(name string) (binding.Value, bool) { v, ok := m.values[name]; return v, ok }
	text, err := binding.Expand(f.Text, value)
	if unknown, ok := errors.AsType[*binding.UnknownError](err); ok {
		return m.unknown(f, unknown.Name)
	}
	if why := plan.Unpassable(text); why != "" {
		return m.fail(f, "the command, with the values of its inputs, %s", why)
	}
	m.work.Command.Value = text
	for _, in := range m.work.Inputs {
		if in.Secret {
			m.values["inputs."+in.Name] = binding.Value{Text: secret.Mask}
		}
	}
	shown, err := binding.Expand(f.Text, value)
	hidden := secret.HideValue(shown) // before it is quoted or split into lines
	if hidden != shown {
		m.hideGiven(shown, hidden)
	}
	m.work.Shown = hidden
	return err
}

// hideGiven marks the inputs that the command has after --password, for instance, whatever their names are. shown is
// the command, hidden what is left of it without secrets.
func (m *maker) hideGiven(shown, hidden string) {
	for i := range m.work.Inputs {
		in := &m.work.Inputs[i]
		if in.Secret || len(in.Value) < secret.Shortest || !strings.Contains(shown, in.Value) || strings.Contains(hidden, in.Value) {
			continue
		}
		mark := strings.Map(func(r rune) rune { // another value of this form, which nothing else contains
			switch low := r | 0x20; {
			case r >= '0' && r <= '9':
				return '0' + '9' - r
			case low >= 'a' && low <= 'm':
				return r + 13
			case low >= 'n' && low <= 'z':
				return r - 13
			}
			return r
		}, in.Value)
		text, _ := binding.Expand(m.Job.Command.Text, func(name string) (binding.Value, bool) {
			if name == "inputs."+in.Name {
				return binding.Value{Text: mark}, true
			}
			v, ok := m.values[name]
			return v, ok
		})
		in.Secret = strings.Contains(text, mark) && !strings.Contains(secret.HideValue(text), mark)
	}
}

// unknown returns why an expression in the command has no value.
func (m *maker) unknown(f schema.Field, name string) error {
	root, rest, _ := strings.Cut(name, ".")
	switch root {
	case "inputs":
		return m.fail(f, "the command uses ${{%s}}, which has no value: add it to inputs, or give it with --input %s=VALUE", name, rest)
	case "search_space":
		return m.fail(f, "the command uses ${{%s}}, which a sweep sets, but only Azure ML runs sweeps", name)
	}
	return m.fail(f, "the command uses ${{%s}}, which the file does not define", name)
}
