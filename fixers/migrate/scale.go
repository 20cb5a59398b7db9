package migrate

import (
	"cmp"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/secret"
)

// readScale reads the number of nodes and how processes are distributed.
func (m *Migration) readScale(j *Job) {
	s := j.Source
	if t := s.Target; t != nil && t.NodeCount().Explicit {
		j.Nodes = m.count(j, t.NodeCount(), 1)
	}
	j.Nodes = m.number(j, s.Nodes, j.Nodes, account.Question{ID: "nodes", Ask: "On how many nodes does the job run?", Example: "2"}, "nodeCount")
	j.Timeout = m.count(j, s.SDK.MaxDuration, 0)
	j.UserIdentity = s.SDK.Passthrough.Bool
	j.ShmSize = ShmSize(s.Docker.ShmSize.Text)
	if s.Docker.ShmSize.Explicit && s.Docker.ShmSize.Text != "" && j.ShmSize == "" {
		m.Ledger.Drop(j.Name, "not a size that Docker accepts", s.Docker.ShmSize)
	}
	for i, a := range s.Docker.Arguments {
		text := argumentText(a.Node)
		if format := m.Emitter.Format(); format == "v2" || format == SkyPilot { // others ask about all of them
			if answer, open := m.openText(j, a, "docker-argument-"+strconv.Itoa(i+1), "argument "+strconv.Itoa(i+1)+" of docker run"); open {
				text = answer
			}
		}
		j.DockerArgs = append(j.DockerArgs, text)
	}
	services := identifiers()
	for i, e := range s.SDK.Endpoints {
		if slices.ContainsFunc(s.SDK.Endpoints[:i], func(o schema.Endpoint) bool { return o.Name == e.Name }) {
			continue
		}
		j.Services = append(j.Services, Service{Name: services.Take(identifier(e.Name)), Type: e.Type.Text, Source: e})
	}
	m.readDistribution(j)
}

// ShmSize returns a size in the form that every format accepts, an integer and b, k, m or g; "" if Docker does not
// accept it as a size.
func ShmSize(text string) string {
	n, ok := plain.Bytes(text)
	if !ok {
		return ""
	}
	unit := min(bits.TrailingZeros64(uint64(n))/10, 3) //nolint:gosec // no size is negative
	return strconv.FormatInt(n>>(10*unit), 10) + "bkmg"[unit:unit+1]
}

// count returns a positive integer, or instead.
func (m *Migration) count(j *Job, f schema.Field, instead int) int {
	if !f.Explicit {
		return instead
	}
	n, err := strconv.Atoi(strings.TrimSpace(f.Text))
	if err != nil || n < 1 {
		m.Ledger.Drop(j.Name, "not a number of at least 1", f)
		return instead
	}
	return n
}

// number is count for a number that the program may compute: then it asks q.
func (m *Migration) number(j *Job, f schema.Field, instead int, q account.Question, key string) int {
	lost := m.lost(j, key)
	if !lost.Explicit || m.Emitter.Format() == "compose" && q.ID == "nodes" { // it runs on one machine
		return m.count(j, f, instead)
	}
	q.Scope = j.Name
	q = m.Computed(q, lost)
	n, _ := m.DecideNumber(&q, instead)
	m.Ledger.Decide(j.Name, "", q.ID, lost)
	return n
}

// readDistribution reads how the processes are distributed.
func (m *Migration) readDistribution(j *Job) {
	const allProcesses = "pytorch.processCount"
	s, processes := j.Source, account.Question{ID: "processes", Ask: "How many processes does each node run?", Example: "1"}
	framework, communicator := strings.ToLower(strings.TrimSpace(s.Framework.Text)), strings.ToLower(strings.TrimSpace(s.Communicator.Text))
	switch s.Distribution() {
	case schema.MPI:
		j.Distribution = &Distribution{Kind: MPI, PerNode: m.number(j, s.Processes, 1, processes, "mpi.processCountPerNode")}
	case schema.PyTorch:
		if m.lost(j, allProcesses).Explicit {
			j.Distribution = &Distribution{Kind: PyTorch, PerNode: m.number(j, s.SDK.ProcessCount, 1, processes, allProcesses)}
			return
		}
		total := m.count(j, s.SDK.ProcessCount, j.Nodes)
		j.Distribution = &Distribution{Kind: PyTorch, PerNode: max(1, total/j.Nodes)}
		if total%j.Nodes != 0 {
			j.Distribution.PerNode, _ = m.DecideNumber(&account.Question{ID: "processes", Scope: j.Name, Ask: "How many processes does each node run?", Example: strconv.Itoa(j.Distribution.PerNode),
				Why: strconv.Itoa(total) + " processes cannot be divided evenly among " + strconv.Itoa(j.Nodes) + " nodes"}, j.Distribution.PerNode)
			m.Ledger.Decide(j.Name, "", "processes", s.SDK.ProcessCount)
		}
	case schema.TensorFlow:
		if framework == "python" || framework == "" {
			answer, _ := m.Decide(&account.Question{ID: "parameter-server", Scope: j.Name, Ask: "Does TensorFlow start the parameter servers?", Default: "yes", Choices: []string{"yes", "no"},
				Why: account.Place(s.Communicator) + " requests parameter servers, but " + cmp.Or(account.Place(s.Framework), "the default framework") + " says Python; only TensorFlow uses them"})
			m.Ledger.Decide(j.Name, "parameter servers: "+answer, "parameter-server", s.Communicator, s.Framework)
			if answer == "no" {
				return
			}
		}
		j.Distribution = m.tasks(j)
	case schema.NoDistribution:
		m.askNodes(j)
	case schema.UnknownDistribution:
		if communicator != "paralleltask" {
			m.askCommunicator(j)
			return
		}
		m.Decide(&account.Question{ID: "parallel", Scope: j.Name, Ask: "How is the work divided?", Choices: []string{"job"},
			Why: "the communicator ParallelTask has no equivalent in a command job: write a parallel job by hand, or answer `job` for a single plain job"})
		m.Ledger.Decide(j.Name, "", "parallel", s.Communicator)
	}
}

// tasks reads how many workers and parameter servers TensorFlow starts.
func (m *Migration) tasks(j *Job) *Distribution {
	const workers, servers = "tensorflow.workerCount", "tensorflow.parameterServerCount"
	d := &Distribution{Kind: TensorFlow}
	if m.Emitter.Format() != "v2" {
		return d // others do not start them
	}
	d.Servers = m.number(j, j.Source.SDK.ParameterServerCount, 1, account.Question{ID: "servers", Ask: "How many parameter servers does TensorFlow start?", Example: "1"}, servers)
	nodes, computed := m.lost(j, "nodeCount"), m.lost(j, workers)
	if computed.Explicit && nodes.Explicit && nodes.Node.Span == computed.Node.Span { // TensorflowConfiguration: a node for each
		d.Workers = j.Nodes
		m.Ledger.Decide(j.Name, "", "nodes", computed)
		return d
	}
	q := account.Question{ID: "workers", Ask: "How many workers does TensorFlow start?", Example: "2"}
	if j.Nodes > 1 {
		q.Default = strconv.Itoa(max(1, j.Nodes-d.Servers))
	}
	d.Workers = m.number(j, j.Source.SDK.WorkerCount, 1, q, workers)
	return d
}

// askNodes asks about a job on several nodes whose processes are not connected, so that each runs the whole script.
func (m *Migration) askNodes(j *Job) {
	if format := m.Emitter.Format(); j.Nodes < 2 || m.lost(j, "nodeCount").Explicit || j.Spark || format != "v2" && format != SkyPilot && (format != "k8s" || j.Step != nil) {
		return // other jobs run on one machine, or as in SDK v1; askStepNodes asks about a step in one pod
	}
	from := j.Source.Nodes
	if !from.Explicit && j.Source.Target != nil {
		from = j.Source.Target.NodeCount()
	}
	j.Nodes, _ = m.DecideNumber(&account.Question{ID: "nodes", Scope: j.Name, Ask: "On how many nodes does the job run?", Example: "1",
		Why: account.Place(from) + " asks for " + strconv.Itoa(j.Nodes) + " nodes, but no communicator connects their processes: each node runs the whole script, unless the script finds the other nodes itself"}, j.Nodes)
	if j.Nodes == 1 {
		m.Ledger.Decide(j.Name, "one node", "nodes", from)
	}
}

// askCommunicator asks about a communicator that v1 did not have.
func (m *Migration) askCommunicator(j *Job) {
	s := j.Source
	answer, _ := m.Decide(&account.Question{ID: "communicator", Scope: j.Name, Ask: "What connects the job's processes?", Choices: []string{"mpi", "pytorch", "none"},
		Why: account.Place(s.Communicator) + " says " + account.Name(secret.HideValue(s.Communicator.Text)) + ", which v1 did not support"})
	switch answer {
	case "mpi":
		j.Distribution = &Distribution{Kind: MPI, PerNode: m.count(j, s.Processes, 1)}
	case "pytorch":
		j.Distribution = &Distribution{Kind: PyTorch, PerNode: max(1, m.count(j, s.SDK.ProcessCount, j.Nodes)/j.Nodes)}
	}
	m.Ledger.Decide(j.Name, answer, "communicator", s.Communicator)
}
