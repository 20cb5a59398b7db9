package schema

import (
	"io/fs"
	"path"
	"strings"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/plain"
)

// sdkJob reads an SDK v1 run configuration and the target it describes. The reader's rules are those of azureml-core:
// keys are camel-cased before they are looked up, and any non-empty value of a switch is true. in is where its
// environment is: f itself, or another file.
func sdkJob(f *File, in sdkEnvironment) (*Job, *Target) {
	root := f.Root()
	home, environment := in.file, in.node
	python := sdkGet(environment, "python")
	docker := sdkGet(environment, "docker")

	j := NewJob(f, root)
	j.Name, j.Dialect, j.ServiceSettings = f.Name(), SDKv1, &ServiceSettings{}
	j.TargetName = sdkField(f, root, "target").orDefault("local")
	j.Framework = sdkField(f, root, "framework"+after+"script").orDefault("Python")
	j.Communicator = sdkField(f, root, "communicator")
	j.Script = sdkField(f, root, "script")
	j.Arguments = items(f, sdkGet(root, "arguments"))
	j.CondaPath = sdkField(home, python, "condaDependenciesFile").orDefault(path.Join(f.Dir(), "conda_dependencies.yml"))
	j.SparkPath = Field{File: f}
	j.TrackedRun = Field{File: f, Bool: true}
	j.Variables = variables(home, sdkGet(environment, "environmentVariables"))
	j.Variables = append(j.Variables, variables(f, sdkGet(root, "environmentVariables"))...)
	j.Docker = sdkDocker(f, root, home, docker)
	registry := sdkGet(docker, "baseImageRegistry")
	principal := sdkGet(sdkGet(root, "history"), "ambientAuthentication")
	j.EnvironmentPath, j.EnvironmentFile = in.path, in.named
	j.Command = sdkField(f, root, "command")
	if j.Nodes = sdkField(f, root, "nodeCount"); !j.Nodes.Explicit {
		if batch := sdkField(f, sdkGet(root, "batchai"), "nodeCount"); batch.Explicit {
			j.Nodes = batch
		}
	}
	j.Processes = sdkField(f, sdkGet(root, "mpi"), "processCountPerNode")
	j.SDK = readSDK(f, root, home, environment)
	j.SparkSettings = sparkSettings(f, sdkGet(root, "spark"), home, sdkGet(environment, "spark"))
	j.Passwords = []Field{sdkField(home, registry, "password"), sdkField(f, principal, "secret")}
	return j, sdkTarget(j, root, home, environment)
}

// sdkDocker reads the container settings. Late 1.x moved them out of the environment, whose own then matter only where
// the others say nothing.
func sdkDocker(f *File, root *document.Node, home *File, docker *document.Node) (s DockerSettings) {
	s.Enabled = sdkSwitch(home, docker, "enabled")
	s.ShmSize = sdkField(home, docker, "shmSize")
	s.Arguments = items(home, sdkGet(docker, "arguments"))
	if late := sdkGet(root, "docker"); late != nil {
		if use := sdkSwitch(f, late, "useDocker"); use.Explicit {
			s.Enabled = use
		}
		if size := sdkField(f, late, "shmSize"); size.Explicit {
			s.ShmSize = size
		}
		if list := items(f, sdkGet(late, "arguments")); len(list) > 0 {
			s.Arguments = list
		}
	}
	s.Dockerfile = sdkField(home, docker, "baseDockerfile")
	if !s.Dockerfile.Explicit {
		s.Dockerfile = sdkField(home, docker, "buildContext")
	}
	return s
}

// sdkTarget reads the target that a run configuration describes, and makes it that of the job.
func sdkTarget(j *Job, root *document.Node, home *File, environment *document.Node) *Target {
	f, python, docker := j.File, sdkGet(environment, "python"), sdkGet(environment, "docker")
	t := &Target{Name: j.TargetName.Text, Dialect: SDKv1, File: f, Docker: j.Docker.Enabled}
	t.Type = Field{File: f, mapping: root, Text: "managed"}
	t.UserManaged = sdkSwitch(home, python, "userManagedDependencies")
	local := t.Name == "local"
	switch {
	case local && j.Docker.Enabled.Bool:
		t.Type.Text = "localdocker"
	case local && t.UserManaged.Bool:
		t.Type.Text = "local"
	}
	t.Image = sdkField(home, docker, "baseImage"+after+"enabled")
	t.GPUSwitch = sdkSwitch(home, docker, "gpuSupport"+after+"baseImage"+after+"enabled")
	t.PythonLocation = sdkField(home, python, "interpreterPath").orDefault("python")
	t.SharedVolumes = sdkSwitch(home, docker, "sharedVolumes")
	t.VMSize = sdkField(f, sdkGet(root, "amlcompute"), "vmSize")
	t.SharedDirectory = Field{File: f}
	t.Jobs = []*Job{j}
	j.Target = t
	return t
}

// sdkEnvironment is where the environment of an SDK v1 job is.
type sdkEnvironment struct {
	file *File
	node *document.Node // nil when there is none, or none that can be read
	path Field          // as named, when the run configuration names a file
	// named is the file that path leads to; nil when there is none.
	named *File
}

// sdkEnvironmentOf finds the environment of a run configuration: the mapping, or the root of the file that replaces it.
// azureml-core reads the path from the project folder, or from the run configuration's own folder if that was loaded by
// its path.
func (p *Project) sdkEnvironmentOf(f *File) sdkEnvironment {
	at := sdkField(f, f.Root(), "environment")
	if f.Uses != nil {
		return sdkEnvironment{file: f.Uses, node: f.Uses.Root(), path: at, named: f.Uses}
	}
	if !at.Node.IsString() || strings.TrimSpace(at.Text) == "" {
		return sdkEnvironment{file: f, node: at.Node}
	}
	for _, rel := range sdkPaths(f, at.Text) {
		if named := p.refer(rel, EnvironmentFile); named != nil {
			return sdkEnvironment{file: named, node: named.Root(), path: at, named: named}
		}
	}
	// nothing can be concluded from a missing file, not even what it omits
	absent := parseFile(p.join(slashed(at.Text)), []string{slashed(at.Text)}, nil, fs.ErrNotExist)
	return sdkEnvironment{file: absent, path: at}
}

// sdkGet returns the value of the key that azureml-core reads as name.
//
//go:noinline
func sdkGet(n *document.Node, name string) *document.Node {
	e, _ := sdkEntry(n, name)
	return e.Value
}

func sdkEntry(n *document.Node, name string) (document.Entry, bool) {
	if e, ok := n.Entry(name); ok {
		return e, true
	}
	if n = n.Resolve(); n.IsMapping() {
		for _, e := range n.Entries() {
			if k := e.Key.Value; k != "" && k[0]|' ' == name[0] && plain.CamelCase(k) == name { // a program has thousands
				return e, true
			}
		}
	}
	return document.Entry{}, false
}

func sdkField(f *File, mapping *document.Node, keys string) Field {
	out := Field{File: f, keys: keys, mapping: mapping.Resolve()}
	if e, ok := sdkEntry(mapping, out.name()); ok {
		out.fill(e)
	}
	return out
}

// sdkSwitch reads a switch as azureml-core does: Python's bool() of what ruamel.yaml reads. Any text that is not empty
// is true, and "no" is a text.
func sdkSwitch(f *File, mapping *document.Node, keys string) Field {
	out := sdkField(f, mapping, keys)
	n := out.Node.Resolve()
	switch {
	case n == nil || n.Kind != document.Scalar:
	case n.Style != document.Plain:
		out.Bool = n.Value != ""
	default:
		switch r := document.Ruamel.Read(n.Value); r.Type {
		case document.AsNull:
		case document.AsBoolean:
			out.Bool = r.Text == "True"
		case document.AsInteger, document.AsFloat:
			out.Bool = strings.Trim(r.Text, "-0.") != ""
		default:
			out.Bool = true
		}
	}
	return out
}

func items(f *File, list *document.Node) (fields []Field) {
	for _, item := range list.List() {
		fields = append(fields, Field{Text: item.Text(), Explicit: true, Node: item, File: f})
	}
	return fields
}
