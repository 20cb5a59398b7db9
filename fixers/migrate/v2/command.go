package v2

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate"
	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/fixers/migrate/shell"
	"github.com/amlfix/amlfix/fixers/migrate/yamlout"
	"github.com/amlfix/amlfix/schema/catalog"
)

// command returns a command job without its names.
func (w *jobWriter) command() (m yamlout.Map) {
	j := w.j
	m = m.Set("type", "command").Set("code", w.m.Up(w.j.Code))
	inputs, outputs := w.data()
	m = append(m, w.commandEntry())
	m = m.Fill("inputs", inputs).Fill("outputs", outputs)
	m = w.withVariables(append(m, w.environmentEntry()))
	place := w.place()
	m = append(m, place.job...)
	m = m.Fill("resources", w.resources(place))
	m = m.Fill("distribution", w.distribution())
	if j.Timeout > 0 {
		m = m.Set("limits", yamlout.Map{{Key: "timeout", Value: j.Timeout}})
		limit := "`limits.timeout`"
		if w.sweeps() {
			limit = "`limits.trial_timeout`"
		}
		w.m.Ledger.Map(j.Name, limit, "", j.Source.SDK.MaxDuration)
	}
	if place.spot {
		m = m.Set("queue_settings", yamlout.Map{{Key: "job_tier", Value: "spot"}})
	}
	m = append(m, w.identity()...)
	m = m.Fill("services", w.services())
	return m
}

// identity returns the setting to run the job as the user who submits it, if it did before.
func (w *jobWriter) identity() (m yamlout.Map) {
	if !w.j.UserIdentity {
		return nil
	}
	w.m.Ledger.Map(w.j.Name, "`identity: user_identity`", "", w.j.Source.SDK.Passthrough)
	return m.Set("identity", yamlout.Map{{Key: "type", Value: "user_identity"}})
}

// commandEntry returns the command as text for a shell.
func (w *jobWriter) commandEntry() yamlout.Entry {
	j := w.j
	entry := yamlout.Entry{Key: "command"}
	var words []string
	switch {
	case j.Shell != "":
		words = []string{j.Shell}
		if strings.Contains(j.Shell, "${{") {
			if _, open := w.m.Decide(&account.Question{ID: "expression", Scope: j.Name, Ask: "Is `${{` in the command meant for Azure ML?", Choices: []string{"yes"},
				Why: "v1 passed it on unchanged; v2 replaces it with an input"}); open {
				entry.Above = append(entry.Above, account.Marker+": v2 reads ${{ as the start of an expression")
			}
		}
	case len(j.Command) > 0:
		words = rendered(j.Command)
	default:
		script, _ := j.Program()
		words = append([]string{shell.Join([]string{j.Interpreter, script})}, rendered(j.Arguments)...)
	}
	if _, mark := j.Program(); mark != "" {
		entry.Above = append(entry.Above, mark)
	}
	if slices.Contains(words, account.Marker) {
		entry.Above = append(entry.Above, account.Marker+": "+w.marked()+"; see "+account.Report)
	}
	entry.Value = strings.Join(append(w.exports(), strings.Join(words, " ")), "; ")
	return entry
}

// marked returns the comment that explains the marker in a command.
func (w *jobWriter) marked() string {
	for _, d := range w.m.Open() {
		switch {
		case !slices.Contains(d.Scopes, w.j.Name):
		case d.ID == "arguments":
			return "the arguments were given at submission"
		case strings.HasPrefix(d.ID, "argument-"):
			return "the program computes an argument"
		}
	}
	return "a secret of the old command is not copied"
}

// render returns a shell word in which the expressions that Azure ML replaces are outside all quotes.
func render(word migrate.Word) string {
	if text, only := word.Text(); only && !word.ForShell() {
		return shell.Quote(text)
	}
	var b strings.Builder
	for _, p := range word {
		switch {
		case p.Input != "" && p.Texts != nil:
			b.WriteString(shell.Expansion("${{inputs."+p.Input+"}}", p.Texts))
		case p.Input != "":
			b.WriteString("${{inputs." + p.Input + "}}")
		case p.Output != "":
			b.WriteString("${{outputs." + p.Output + "}}")
		case p.ForShell:
			b.WriteString(shell.Unread(p.Text))
		default:
			b.WriteString(shell.Quote(p.Text))
		}
	}
	return b.String()
}

// exports returns the shell commands that set the variables from which scripts read paths, and those whose values Azure
// ML would read as expressions.
func (w *jobWriter) exports() (lines []string) {
	for _, d := range w.j.Inputs {
		if d.Export != "" {
			lines = append(lines, "export "+d.Export+"=${{inputs."+d.Name+"}}")
		}
	}
	for _, d := range w.j.Outputs {
		if d.Export != "" {
			lines = append(lines, "export "+d.Export+"=${{outputs."+d.Name+"}}")
		}
		if d.Waits {
			lines = append(lines, "echo done > ${{outputs."+d.Name+"}}/done") // an empty folder is not kept
		}
	}
	if w.j.Share {
		lines = append(lines, "export "+migrate.ShareVariable+"=${{outputs."+migrate.ShareName+"}}")
	}
	for _, v := range w.j.Variables {
		if !v.Secret && strings.Contains(v.Value, "${{") {
			lines = append(lines, "export "+v.Name+"="+shell.Quote(v.Value))
		}
	}
	return lines
}

// variables returns the environment variables; for secrets, only their names.
func (w *jobWriter) variables() yamlout.Entry {
	entry := yamlout.Entry{Key: "environment_variables"}
	m := yamlout.Map{}
	for _, v := range w.j.Variables {
		switch {
		case v.Secret:
			if mark := w.m.AskSecret(w.j.Name, "the job", v.Name, v.Source, ""); mark != "" {
				entry.Above = append(entry.Above, strings.Replace(mark, "; see", "; read it from a Key Vault, see", 1))
			}
		case strings.Contains(v.Value, "${{"):
			w.m.Ledger.Map(w.j.Name, "exported in the command", "Azure ML would evaluate it in environment_variables", v.Source)
		default:
			m = m.Set(v.Name, v.Value)
			w.m.Ledger.Map(w.j.Name, "`environment_variables`", "", v.Source)
		}
	}
	entry.Value = m
	return entry
}

// withVariables returns m with the environment variables, if there are any.
func (w *jobWriter) withVariables(m yamlout.Map) yamlout.Map {
	entry := w.variables()
	if list, _ := entry.Value.(yamlout.Map); len(list)+len(entry.Above) > 0 {
		m = append(m, entry)
	}
	return m
}

// distribution returns how the processes are started.
func (w *jobWriter) distribution() (m yamlout.Map) {
	j, s := w.j, w.j.Source.SDK
	d := j.Distribution
	if d == nil {
		return nil
	}
	m = m.Set("type", string(d.Kind))
	why := ""
	if strings.EqualFold(j.Source.Communicator.Text, "IntelMpi") {
		why = "the new image contains Open MPI"
	}
	w.m.Ledger.MapRest(j.Name, "`distribution: "+string(d.Kind)+"`", why, j.Source.Communicator, j.Source.Framework)
	w.askProcesses()
	switch d.Kind {
	case migrate.TensorFlow:
		m = m.Set("worker_count", d.Workers).Set("parameter_server_count", d.Servers)
		w.m.Ledger.Map(j.Name, "`distribution.worker_count`", "", s.WorkerCount)
		w.m.Ledger.Map(j.Name, "`distribution.parameter_server_count`", "", s.ParameterServerCount)
	case migrate.MPI:
		m = m.Set("process_count_per_instance", d.PerNode)
		w.m.Ledger.Map(j.Name, "`distribution.process_count_per_instance`", "", j.Source.Processes)
	case migrate.PyTorch:
		m = m.Set("process_count_per_instance", d.PerNode)
		w.m.Ledger.MapRest(j.Name, "`distribution.process_count_per_instance`", "now per node, before for all nodes", s.ProcessCount)
	}
	return m
}

// askProcesses asks about the number of processes if the machine has fewer GPUs, because it is not the size that they
// were counted for.
func (w *jobWriter) askProcesses() {
	d := w.j.Distribution
	vm, known := catalog.VMSize(w.size)
	if !w.j.GPU || !known || d.PerNode <= vm.Count() || vm.Count() == 0 {
		return
	}
	var open bool
	d.PerNode, open = w.m.DecideNumber(&account.Question{ID: "processes", Scope: w.j.Name, Ask: "How many processes does each node run?", Example: strconv.Itoa(vm.Count()),
		Why: fmt.Sprintf("%d processes, but %s has %d GPU; `vm-size` selects a larger size", d.PerNode, w.size, vm.Count())}, d.PerNode)
	if open {
		w.head = append(w.head, account.Marker+": How many processes does each node run? See "+account.Report)
	}
}

// serviceTypes maps services to their new names in v2.
func serviceTypes() map[string]string {
	return map[string]string{"jupyterlab": "jupyter_lab", "jupyter": "jupyter_lab", "vscode": "vs_code", "tensorboard": "tensor_board", "ssh": "ssh"}
}

func (w *jobWriter) services() (m yamlout.Map) {
	for _, s := range w.j.Services {
		kind, ok := serviceTypes()[strings.ToLower(s.Type)]
		if !ok {
			w.m.Ledger.Drop(w.j.Name, "v2 does not have this service", s.Source.Entry)
			continue
		}
		m = m.Set(s.Name, yamlout.Map{{Key: "type", Value: kind}})
		w.m.Ledger.Map(w.j.Name, "`services."+s.Name+"`", "", s.Source.Type)
		w.m.Ledger.Drop(w.j.Name, "the service chooses the port", s.Source.Port)
	}
	return m
}

// resources returns the resources that the job requests.
func (w *jobWriter) resources(p placed) (m yamlout.Map) {
	j, s := w.j, w.j.Source
	m = m.Fill("instance_type", p.instanceType)
	if j.Nodes > 1 || j.Distribution != nil || p.instanceType != "" {
		m = m.Set("instance_count", j.Nodes)
		w.m.MapNodes(j, "`resources.instance_count`")
	}
	switch j.ShmSize {
	case "":
	case "2g":
		w.m.Ledger.Drop(j.Name, "2g is the default", s.Docker.ShmSize)
	default:
		m = m.Set("shm_size", j.ShmSize)
		w.m.Ledger.Map(j.Name, "`resources.shm_size`", "", s.Docker.ShmSize)
	}
	var args []string
	if p.gpuArgs {
		args = append(args, "--gpus", "all")
	}
	for _, a := range j.DockerArgs {
		args = append(args, shell.Quote(a))
	}
	if len(args) > 0 {
		m = m.Set("docker_args", strings.Join(args, " "))
		w.m.Ledger.Map(j.Name, "`resources.docker_args`", "", s.Docker.Arguments...)
	}
	return m
}
