package container

import (
	"slices"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate"
	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/fixers/migrate/built"
	"github.com/amlfix/amlfix/fixers/migrate/shell"
)

// Joined reports whether the launcher connects the processes of several machines if it knows their addresses.
func (c *Container) Joined() bool {
	d := c.Job.Distribution
	return d != nil && d.Kind == migrate.PyTorch && len(c.Launcher) > 1
}

// command sets the argument vector.
func (w *writer) command() {
	j := w.j
	if _, mark := j.Program(); mark != "" {
		w.c.about(mark)
	}
	switch {
	case j.Shell != "":
		w.shell(j.Shell)
	case slices.ContainsFunc(j.Command, migrate.Word.ForShell):
		w.shell(w.line(j.Command))
	case len(j.Command) > 0 && j.Distribution != nil:
		w.shell(shell.Join(w.words(j.Command)))
	case len(j.Command) > 0:
		w.c.Argv = w.words(j.Command)
	default:
		script, _ := j.Program()
		w.c.Launcher = w.launcher()
		w.c.Argv = append([]string{script}, w.words(j.Arguments)...)
	}
}

// ranked is the shell code that runs before the command on each machine of a distributed PyTorch job. It sets the
// variables that Azure ML set, with defaults for a single machine.
const ranked = `export MASTER_ADDR="${MASTER_ADDR:-localhost}" MASTER_PORT="${MASTER_PORT:-29500}" WORLD_SIZE="${WORLD_SIZE:-1}"
export NODE_RANK="${JOB_COMPLETION_INDEX:-0}" RANK="${JOB_COMPLETION_INDEX:-0}" LOCAL_RANK=0
`

// shell sets the command of a job with a command line, which Azure ML started once per process.
func (w *writer) shell(line string) {
	j, c := w.j, w.c
	c.Argv = []string{"sh", "-c", line}
	d := j.Distribution
	launcher := w.launcher()
	switch {
	case d == nil || len(launcher) == 1 && d.Kind != migrate.PyTorch:
	case d.Kind == migrate.PyTorch && d.PerNode == 1:
		c.Ranks = true
		c.Argv[2] = ranked + line
		w.m.Ledger.Map(j.Name, "the variables RANK, WORLD_SIZE and MASTER_ADDR", "", DistributionFields(w.j.Source)...)
	case d.Kind == migrate.PyTorch:
		c.Launcher = launcher
		c.Argv = []string{"--no-python", "sh", "-c", "export NODE_RANK=$GROUP_RANK\n" + line}
	default:
		c.Launcher = launcher[:len(launcher)-1]
	}
}

// words returns arguments with the paths of data filled in.
func (w *writer) words(words []migrate.Word) (argv []string) {
	for _, word := range words {
		var b strings.Builder
		for _, p := range word {
			switch {
			case p.Input != "":
				b.WriteString(w.inputAt(p.Input))
			case p.Output != "":
				b.WriteString(outputPath(p.Output))
			default:
				b.WriteString(p.Text)
			}
		}
		argv = append(argv, b.String())
	}
	return argv
}

// line returns a command for a shell, with the paths of data filled in and quoted.
func (w *writer) line(words []migrate.Word) string {
	argv := w.words(words)
	for i, word := range words {
		if !word.ForShell() {
			argv[i] = shell.Quote(argv[i])
		}
	}
	return strings.Join(argv, " ")
}

// launcher returns the words that start the script.
func (w *writer) launcher() []string {
	j, s := w.j, w.j.Source.SDK
	if j.Spark {
		return append([]string{"/opt/spark/bin/spark-submit"}, SparkArguments(w.m, w.j)...)
	}
	d := j.Distribution
	if d == nil || (j.Shell != "" || len(j.Command) > 0) && d.Kind == migrate.PyTorch && d.PerNode == 1 {
		return []string{j.Interpreter}
	}
	fields := DistributionFields(w.j.Source)
	switch {
	case d.Kind == migrate.PyTorch && (d.PerNode > 1 || j.Nodes > 1):
		w.m.Ledger.Map(j.Name, "`torch.distributed.run`", "", fields...)
		return []string{j.Interpreter, "-m", "torch.distributed.run", "--nproc_per_node=" + strconv.Itoa(d.PerNode)}
	case d.Kind == migrate.MPI && j.Nodes == 1 && d.PerNode > 1:
		w.m.Ledger.Map(j.Name, "`mpirun`", "the image must contain Open MPI", fields...)
		return []string{"mpirun", "--allow-run-as-root", "-n", strconv.Itoa(d.PerNode), j.Interpreter}
	case d.Kind == migrate.TensorFlow || j.Nodes > 1:
		answer, open := w.m.Decide(&account.Question{ID: "distribution", Scope: j.Name, Ask: "How do the job's processes find each other?", Choices: []string{"single"},
			Why: "the old service started " + kindWords()[d.Kind] + " on several machines, which plain containers cannot do: use an operator (such as Kubeflow's), or answer `single` for one process only"})
		w.m.Ledger.Decide(j.Name, answer, "distribution", append(fields, s.ParameterServerCount)...)
		if open {
			w.c.about(account.Marker + ": the job's processes are not connected; see " + account.Report)
		}
	default:
		w.m.Ledger.Drop(j.Name, "a single process needs no launcher", fields...)
	}
	return []string{j.Interpreter}
}

func kindWords() map[migrate.DistributionKind]string {
	return map[migrate.DistributionKind]string{migrate.MPI: "MPI", migrate.PyTorch: "PyTorch", migrate.TensorFlow: "TensorFlow's workers and parameter servers"}
}

// oneMachine is Spark's name for all cores of the machine it is started on.
const oneMachine = "local[*]"

// SparkArguments returns the arguments of spark-submit before the script.
func SparkArguments(m *migrate.Migration, j *migrate.Job) []string {
	s := j.Source.SparkSettings
	master, _ := m.Decide(&account.Question{ID: "spark-master", Scope: j.Name, Ask: "On which Spark master does the job run?", Default: oneMachine, Example: "spark://HOST:7077",
		Why: "`" + oneMachine + "` is the machine that the container runs on, without executors; to use a cluster, write the address of its master"})
	argv := []string{"--master", master}
	for _, v := range s.Configuration {
		switch {
		case !v.Value.Explicit || v.Value.Node.Tag() == built.Open:
		case master == oneMachine && strings.HasPrefix(v.Name, "spark.executor."):
			m.Ledger.Drop(j.Name, "there are no executors on one machine", v.Value)
		case v.Name == "spark.yarn.maxAppAttempts" || strings.HasPrefix(v.Name, "spark.yarn."):
			m.Ledger.Drop(j.Name, "there is no YARN", v.Value)
		case v.Name == "spark.app.name" && v.Value.Text == "Azure ML Experiment":
			m.Ledger.Drop(j.Name, "the template's default name", v.Value)
		default:
			argv = append(argv, "--conf", v.Name+"="+v.Value.Text)
			m.Ledger.Map(j.Name, "`--conf` of spark-submit", "", v.Value)
		}
	}
	packages, repositories := m.SparkPackages(j, "`--packages` of spark-submit", "`--repositories` of spark-submit")
	if len(packages) > 0 {
		argv = append(argv, "--packages", strings.Join(packages, ","))
	}
	if len(repositories) > 0 {
		argv = append(argv, "--repositories", strings.Join(repositories, ","))
	}
	return argv
}
