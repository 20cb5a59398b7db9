package skypilot

import (
	"slices"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate"
	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/fixers/migrate/container"
	"github.com/amlfix/amlfix/fixers/migrate/shell"
)

// head is the address of the first machine, and port the one where the processes meet.
const (
	head = `"$(echo "$SKYPILOT_NODE_IPS" | head -n 1)"`
	port = "29500"
)

// ranked sets the variables that Azure ML set for PyTorch with one process per machine.
const ranked = "export MASTER_ADDR=" + head + " MASTER_PORT=" + port + ` WORLD_SIZE="$SKYPILOT_NUM_NODES"
export NODE_RANK="$SKYPILOT_NODE_RANK" RANK="$SKYPILOT_NODE_RANK" LOCAL_RANK=0`

// run sets the command.
func (t *task) run() {
	j := t.j
	if _, mark := j.Program(); mark != "" {
		t.about = append(t.about, mark)
	}
	script := false
	switch {
	case j.Shell != "":
		script = t.line(strings.TrimRight(j.Shell, "\n"))
	case len(j.Command) > 0 && j.Distribution != nil, slices.ContainsFunc(j.Command, migrate.Word.ForShell):
		script = t.line(t.words(j.Command))
	case len(j.Command) > 0:
		t.command = t.words(j.Command)
	default:
		program, _ := j.Program()
		t.command = strings.TrimSpace(strings.Join(append(t.launcher(), shell.Quote(program)), " ") + " " + t.words(j.Arguments))
	}
	if j.Timeout > 0 {
		if script {
			t.command = "sh -c " + shell.Quote(t.command)
		}
		t.command = "timeout " + strconv.Itoa(j.Timeout) + " " + t.command
		t.m.Ledger.Map(j.Name, "`timeout` in `run`", "", j.Source.SDK.MaxDuration)
	}
}

// line sets the command of a job with a command line, which Azure ML started once per process. script means that the
// result is also a command line rather than a simple command.
func (t *task) line(text string) (script bool) {
	j, d := t.j, t.j.Distribution
	t.command = text
	if d == nil {
		return true
	}
	if d.Kind == migrate.PyTorch && d.PerNode == 1 {
		t.command = ranked + "\n" + t.command
		t.m.Ledger.Map(j.Name, "the variables RANK, WORLD_SIZE and MASTER_ADDR", "", container.DistributionFields(j.Source)...)
		return true
	}
	launcher := t.launcher()
	switch {
	case d.Kind == migrate.PyTorch:
		t.command = strings.Join(launcher, " ") + " --no-python sh -c " + shell.Quote("export NODE_RANK=$GROUP_RANK\n"+t.command)
	case len(launcher) > 1: // other than the interpreter
		t.command = strings.Join(launcher[:len(launcher)-1], " ") + " sh -c " + shell.Quote(t.command)
	}
	return len(launcher) == 1
}

// words returns arguments as shell words, with the paths of data filled in. These begin with a variable that the shell
// replaces, so the parts of a word are quoted one by one, as in v2, and not the word as for containers.
func (t *task) words(words []migrate.Word) string {
	var line []string
	for _, word := range words {
		var b, text strings.Builder
		flush := func() {
			if text.Len() > 0 {
				b.WriteString(shell.Quote(text.String()))
				text.Reset()
			}
		}
		for _, p := range word {
			switch {
			case p.Input != "":
				flush()
				b.WriteString(inHome(t.inputAt(p.Input)))
			case p.Output != "":
				flush()
				b.WriteString(inHome(migrate.Outputs + p.Output))
			case p.ForShell:
				flush()
				b.WriteString(p.Text)
			default:
				text.WriteString(p.Text)
			}
		}
		if flush(); b.Len() == 0 {
			b.WriteString("''")
		}
		line = append(line, b.String())
	}
	return strings.Join(line, " ")
}

// inputAt returns the path of an input.
func (t *task) inputAt(name string) string {
	for _, d := range t.j.Inputs {
		if d.Name == name && d.File != "" {
			return migrate.Inputs + name + "/" + d.File
		}
	}
	return migrate.Inputs + name
}

// launcher returns the shell words that start the script.
func (t *task) launcher() []string {
	j := t.j
	python := shell.Quote(j.Interpreter)
	d := j.Distribution
	if j.Spark {
		words := []string{"spark-submit"}
		for _, arg := range container.SparkArguments(t.m, j) {
			words = append(words, shell.Quote(arg))
		}
		return words
	}
	if d == nil {
		return []string{python}
	}
	fields := container.DistributionFields(j.Source)
	switch {
	case d.Kind == migrate.PyTorch && (d.PerNode > 1 || j.Nodes > 1):
		t.m.Ledger.Map(j.Name, "`torch.distributed.run`", "", fields...)
		return append([]string{python, "-m", "torch.distributed.run"}, t.joined()...)
	case d.Kind == migrate.MPI && j.Nodes == 1 && d.PerNode > 1:
		t.m.Ledger.Map(j.Name, "`mpirun`", "the image must contain Open MPI", fields...)
		return []string{"mpirun", "--allow-run-as-root", "-n", strconv.Itoa(d.PerNode), python}
	case d.Kind == migrate.TensorFlow || j.Nodes > 1:
		answer, open := t.m.Decide(&account.Question{ID: "distribution", Scope: j.Name, Ask: "How do the processes of the job find each other?", Choices: []string{"single"},
			Why: "amlfix connects only PyTorch's processes by the addresses that SkyPilot gives to a task: write what your launcher needs into `run`, from SKYPILOT_NODE_IPS and SKYPILOT_NODE_RANK, or answer `single` for one process on one machine"})
		t.m.Ledger.Decide(j.Name, answer, "distribution", append(fields, j.Source.Nodes)...)
		if open {
			t.marked("the job's processes are not connected")
		} else {
			j.Nodes = 1
		}
	default:
		t.m.Ledger.Drop(j.Name, "one process needs no launcher", fields...)
	}
	return []string{python}
}

// joined returns the arguments of torch's launcher, using the variables that SkyPilot sets on each machine.
func (t *task) joined() []string {
	d := t.j.Distribution
	processes := strconv.Itoa(d.PerNode)
	if t.j.GPU && t.j.RequestedGPUs() == d.PerNode {
		processes = `"$SKYPILOT_NUM_GPUS_PER_NODE"`
	}
	return []string{
		`--nnodes="$SKYPILOT_NUM_NODES"`, `--node_rank="$SKYPILOT_NODE_RANK"`, "--nproc_per_node=" + processes,
		"--master_addr=" + head, "--master_port=" + port,
	}
}
