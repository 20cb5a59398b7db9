package migrate

import (
	"path"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
)

// lower turns a command job into a run configuration, in the file with its command, and a file for its environment.
func (m *Migration) lower(l *leaving, in *schema.Pipeline) (f *schema.File, more []*schema.File) {
	j := l.job
	for own := j; own != nil; own = own.Runs {
		m.Ledger.Add(own.File)
	}
	f, t := m.stand(j.Command.File, schema.RunConfig)
	t.file, t.here = j.Command.File, j.Command.Node
	f.Dialect = schema.SDKv1
	t.carry("command", j.Command)
	if j.TargetName.Explicit {
		t.write("target", j.TargetName, strings.TrimPrefix(j.TargetName.Text, "azureml:"))
	} else {
		nowhere := text("serverless", j.Command.Node) // no key in the files has it
		t.put("target", nowhere, nowhere)
	}
	m.lowerVariables(l, t)
	f.Uses = m.lowerEnvironment(j)
	if named := j.V2.EnvironmentName; named.Explicit && named.Node.IsString() && j.V2.Environment != nil {
		t.carry("environment", named)
	}
	if f.Uses != nil {
		more = append(more, f.Uses)
	}
	lowerScale(j, t)
	for of := j.Runs; of != nil; of = of.Runs {
		for _, f := range [][2]schema.Field{{of.Nodes, j.Nodes}, {of.Communicator, j.Communicator}, {of.Processes, j.Processes}, {of.Docker.ShmSize, j.Docker.ShmSize}} {
			if f[0].Explicit && f[0].Node != f[1].Node {
				l.note(m, "", "the step sets its own value", f[0])
			}
		}
	}
	m.lowerData(l, in)
	return f, more
}

// lowerVariables carries over the environment variables: a step's override its component's.
func (m *Migration) lowerVariables(l *leaving, t tree) {
	seen := map[string]bool{}
	for own := l.job; own != nil; own = own.Runs {
		for _, v := range own.Variables {
			if seen[v.Name] {
				l.note(m, "", "the step sets this variable itself", v.Value)
				continue
			}
			seen[v.Name] = true
			t.carry(keys("environmentVariables", v.Name), v.Value)
		}
	}
}

// stand returns a file with another's text, and an empty tree in it.
func (m *Migration) stand(at *schema.File, kind schema.Kind) (*schema.File, tree) {
	root := document.NewMapping(at.Root().Span)
	f := &schema.File{Path: at.Path, Rel: at.Rel, Of: at.Rel, Kind: kind, Source: at.Source, Stream: &document.Stream{Source: at.Source, Documents: []*document.Node{root}}}
	return f, tree{m: m, root: root}
}

// lowerEnvironment returns the job's environment as a file.
func (m *Migration) lowerEnvironment(j *schema.Job) *schema.File {
	e, named := j.V2.Environment, j.V2.EnvironmentName
	if e == nil {
		at := j.File
		if named.Explicit {
			at = named.File
		}
		f, t := m.stand(at, schema.EnvironmentFile)
		if named.Explicit && named.Node.IsString() {
			t.write("name", named, strings.TrimPrefix(named.Text, "azureml:"))
		}
		return f
	}
	f, t := m.stand(e.File, schema.EnvironmentFile)
	m.Ledger.Add(e.File)
	t.carry(keys("docker", "baseImage"), e.Image)
	switch {
	case e.CondaPath.Explicit && e.CondaPath.Node.IsMapping():
		t.put(keys("python", "condaDependencies"), e.CondaPath.Node, e.CondaPath.Node.Resolve())
	case e.Conda != nil:
		t.write(keys("python", "condaDependenciesFile"), e.CondaPath, e.Conda.File.Rel)
	case e.CondaPath.Explicit:
		t.write(keys("python", "condaDependenciesFile"), e.CondaPath, path.Join(e.File.Dir(), schema.Slashes(e.CondaPath.Text)))
	}
	if e.Build.Explicit {
		file := "Dockerfile"
		if e.Dockerfile.Explicit {
			file = e.Dockerfile.Text
		}
		t.write(keys("docker", "baseDockerfile"), e.Build, path.Join(e.File.Dir(), schema.Slashes(e.Build.Text), file))
	}
	return f
}

// setting returns a setting of a v2 job, or of the component that it runs.
func setting(j *schema.Job, group, name string) (f schema.Field) {
	for own := j; own != nil && !f.Explicit; own = own.Runs {
		f = schema.FieldAt(own.File, own.Node.Get(group), name)
	}
	return f
}

// lowerScale carries over the number of nodes and processes.
func lowerScale(j *schema.Job, t tree) {
	t.carry("nodeCount", j.Nodes)
	t.carry(keys("docker", "shmSize"), j.Docker.ShmSize)
	t.carry("maxRunDurationSeconds", setting(j, "limits", "timeout"))
	if args := setting(j, "resources", "docker_args"); args.Explicit {
		n := t.own(args)
		list := document.NewSequence(n.Span)
		list.AddItem(n)
		if n.IsSequence() {
			list = n
		}
		t.put(keys("docker", "arguments"), args.Node, list)
	}
	kind := j.Communicator
	switch strings.ToLower(kind.Text) {
	case "":
	case "mpi":
		t.write("communicator", kind, "OpenMpi")
		t.carry(keys("mpi", "processCountPerNode"), j.Processes)
	case "pytorch":
		t.write("communicator", kind, "Nccl")
		t.write(keys("pytorch", "processCount"), j.Processes, strconv.Itoa(number(j.Nodes.Text)*number(j.Processes.Text)))
	case "tensorflow":
		t.write("communicator", kind, "ParameterServer")
		t.write("framework", kind, "TensorFlow")
		t.carry(keys("tensorflow", "workerCount"), setting(j, "distribution", "worker_count"))
		t.carry(keys("tensorflow", "parameterServerCount"), setting(j, "distribution", "parameter_server_count"))
	default:
		t.carry("communicator", kind)
	}
}

// number returns the positive integer in a text, or 1.
func number(text string) int {
	n, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil || n < 1 {
		return 1
	}
	return n
}
