package migrate

import (
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/binding"
	"github.com/amlfix/amlfix/schema/document"
)

// The folders of a container.
const (
	Inputs  = "/data/"    // where data lies
	Outputs = "/outputs/" // where outputs go
	Workdir = "/work"     // where the project is
)

// readV2 lets command jobs of v2 leave Azure: each becomes a run configuration, whose
// nodes are those of its files. Beside older run configurations they are what
// those were migrated to, and no sources.
func (m *Migration) readV2() {
	if f := m.Emitter.Format(); f != "compose" && f != "k8s" || len(m.Project.RunConfigurations()) > 0 {
		return
	}
	m.lowered = map[*schema.File]*schema.Job{}
	var files []*schema.File
	left := map[string]bool{}
	for _, j := range m.Project.Jobs {
		if j.Dialect != schema.V2 || !m.wanted(j) || Written(filepath.Dir(j.File.Path), m.Project.Boundary()) {
			continue
		}
		if j.Kind != schema.Standalone || j.Type != "" && j.Type != "command" || !j.Command.Explicit || !j.Command.Node.IsString() {
			if !left[j.File.Rel] {
				left[j.File.Rel] = true
				m.Skipped = append(m.Skipped, Skipped{File: j.File.Rel, Why: "a " + j.Kind.String() + " that needs Azure ML: only command jobs in files of their own run elsewhere"})
			}
			continue
		}
		f, made := m.lower(j)
		m.lowered[f] = j
		files = append(files, append(made, f)...)
	}
	if len(files) > 0 {
		m.Project = m.Project.Adding(files)
	}
}

// wanted reports whether a job is one of those that were named; without names all are.
func (m *Migration) wanted(j *schema.Job) bool {
	return len(m.Options.Configs) == 0 || slices.ContainsFunc(m.Options.Configs, func(want string) bool {
		return j.File.Name() == want || j.File.Rel == filepath.ToSlash(want) || path.Base(j.File.Rel) == want
	})
}

// tree puts nodes of a file of v2 at the places that run configurations have for
// them.
type tree struct {
	m    *Migration
	root *document.Node
}

// put sets a value; at is the node of v2 that it comes from. The value is that node,
// or stands for it.
func (t tree) put(place string, at, value *document.Node) {
	if at == nil || value == nil {
		return
	}
	if value != at {
		t.m.Ledger.Stands(value, at)
	}
	parts := strings.Split(place, "\x00")
	n := t.root
	for _, part := range parts[:len(parts)-1] {
		next := n.Get(part)
		if next == nil {
			next = &document.Node{Kind: document.Mapping, Tag: "!!map", Dash: -1, Span: at.Span}
			n.Entries = append(n.Entries, document.Entry{Key: text(part, at), Value: next})
		}
		n = next
	}
	n.Entries = append(n.Entries, document.Entry{Key: text(parts[len(parts)-1], at), Value: value})
}

// keys joins the keys of a place: names of data may hold dots.
func keys(parts ...string) string { return strings.Join(parts, "\x00") }

// text returns a node in the place of another.
func text(value string, at *document.Node) *document.Node {
	return &document.Node{Kind: document.Scalar, Tag: "!!str", Style: document.DoubleQuoted, Value: value, Span: at.Span, Properties: at.Properties, Dash: -1}
}

// lower makes a run configuration of a command job, and a file of its environment.
func (m *Migration) lower(j *schema.Job) (f *schema.File, more []*schema.File) {
	m.Ledger.Add(j.File)
	f, t := m.stand(j.File, schema.RunConfig)
	f.Dialect = schema.SDKv1
	t.put("command", j.Command.Node, j.Command.Node)
	if j.TargetName.Explicit && j.TargetName.File == j.File {
		t.put("target", j.TargetName.Node, text(strings.TrimPrefix(j.TargetName.Text, "azureml:"), j.TargetName.Node))
	} else {
		t.put("target", j.Command.Node, text("serverless", j.Command.Node))
	}
	if n := j.Node.Get("environment_variables").Resolve(); n.IsMapping() {
		t.put("environmentVariables", n, n)
	}
	f.Uses = m.lowerEnvironment(j)
	if named := j.V2.EnvironmentName; named.Explicit && named.Node.IsString() && j.V2.Environment != nil {
		t.put("environment", named.Node, named.Node)
	}
	if f.Uses != nil {
		more = append(more, f.Uses)
	}
	m.lowerScale(j, t)
	for _, d := range j.Inputs() {
		m.lowerInput(t, d, j.File.Dir())
	}
	for _, d := range j.Outputs() {
		if n := d.Given.Node; n != nil {
			at := n
			if p := n.Get("path"); p != nil {
				at = p
			}
			address := "outputs"
			if at != n {
				address = at.Text()
			}
			t.put(keys("outputData", d.Name, "outputLocation", "uri", "path"), at, text(address, at))
			if mode := n.Get("mode"); mode != nil {
				t.put(keys("outputData", d.Name, "mechanism"), mode, mode)
			}
		}
	}
	return f, more
}

// stand returns a file that has another's text, and an empty tree in it.
func (m *Migration) stand(at *schema.File, kind schema.Kind) (*schema.File, tree) {
	root := &document.Node{Kind: document.Mapping, Tag: "!!map", Dash: -1, Span: at.Root().Span}
	f := &schema.File{Path: at.Path, Rel: at.Rel, Of: at.Rel, Kind: kind, Source: at.Source, Stream: &document.Stream{Source: at.Source, Documents: []*document.Node{root}}}
	return f, tree{m, root}
}

// lowerEnvironment returns what the job runs in, as a file of an environment.
func (m *Migration) lowerEnvironment(j *schema.Job) *schema.File {
	e, named := j.V2.Environment, j.V2.EnvironmentName
	if e == nil {
		f, t := m.stand(j.File, schema.EnvironmentFile)
		if named.Explicit && named.Node.IsString() {
			t.put("name", named.Node, text(strings.TrimPrefix(named.Text, "azureml:"), named.Node))
		}
		return f
	}
	f, t := m.stand(e.File, schema.EnvironmentFile)
	if e.File != j.File {
		m.Ledger.Add(e.File)
	}
	if e.Image.Explicit {
		t.put(keys("docker", "baseImage"), e.Image.Node, e.Image.Node)
	}
	switch {
	case e.CondaPath.Explicit && e.CondaPath.Node.IsMapping():
		t.put(keys("python", "condaDependencies"), e.CondaPath.Node, e.CondaPath.Node.Resolve())
	case e.Conda != nil:
		t.put(keys("python", "condaDependenciesFile"), e.CondaPath.Node, text(e.Conda.File.Rel, e.CondaPath.Node))
	}
	if e.Build.Explicit {
		file := "Dockerfile"
		if e.Dockerfile.Explicit {
			file = e.Dockerfile.Text
		}
		t.put(keys("docker", "baseDockerfile"), e.Build.Node, text(path.Join(e.File.Dir(), schema.Slashes(e.Build.Text), file), e.Build.Node))
	}
	return f
}

// lowerScale carries over how much the job runs on.
func (m *Migration) lowerScale(j *schema.Job, t tree) {
	t.put("nodeCount", j.Nodes.Node, j.Nodes.Node)
	t.put(keys("docker", "shmSize"), j.Docker.ShmSize.Node, j.Docker.ShmSize.Node)
	if n := j.Node.Get("limits").Get("timeout"); n != nil {
		t.put("maxRunDurationSeconds", n, n)
	}
	if n := j.Node.Get("resources").Get("docker_args"); n != nil {
		list := &document.Node{Kind: document.Sequence, Tag: "!!seq", Dash: -1, Span: n.Span, Items: []*document.Node{n}}
		if n.IsSequence() {
			list = n
		}
		t.put(keys("docker", "arguments"), n, list)
	}
	kind := j.Communicator.Node
	if kind == nil {
		return
	}
	d := j.Node.Get("distribution")
	switch strings.ToLower(kind.Text()) {
	case "mpi":
		t.put("communicator", kind, text("OpenMpi", kind))
		t.put(keys("mpi", "processCountPerNode"), j.Processes.Node, j.Processes.Node)
	case "pytorch":
		t.put("communicator", kind, text("Nccl", kind))
		nodes, each := number(j.Nodes.Text), number(j.Processes.Text)
		if p := j.Processes.Node; p != nil {
			t.put(keys("pytorch", "processCount"), p, text(strconv.Itoa(nodes*each), p))
		}
	case "tensorflow":
		t.put("communicator", kind, text("ParameterServer", kind))
		t.put("framework", kind, text("TensorFlow", kind))
		t.put(keys("tensorflow", "workerCount"), d.Get("worker_count"), d.Get("worker_count"))
		t.put(keys("tensorflow", "parameterServerCount"), d.Get("parameter_server_count"), d.Get("parameter_server_count"))
	default:
		t.put("communicator", kind, kind)
	}
}

// number returns a whole number of at least 1.
func number(text string) int {
	n, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil || n < 1 {
		return 1
	}
	return n
}

// lowerInput carries over an input that is data in Azure; others are texts, and files
// of the project.
func (m *Migration) lowerInput(t tree, d schema.V2Data, dir string) {
	v := d.Value()
	if !v.Explicit || !isData(d) || m.local(v, dir) != "" {
		return
	}
	t.put(keys("data", d.Name, "dataLocation", "uri", "path"), v.Node, text(v.Text, v.Node))
	if given := d.Given.Node; given.IsMapping() {
		if mode := given.Get("mode"); mode != nil {
			t.put(keys("data", d.Name, "mechanism"), mode, mode)
		}
	}
}

// isData reports whether an input is a file or a folder, and no text.
func isData(d schema.V2Data) bool {
	switch d.Type() {
	case "uri_file", "uri_folder", "mltable", "mlflow_model", "custom_model", "triton_model", "safe_tensors_model":
		return true
	case "":
		return d.Given.Node.IsMapping() && d.Given.Node.Get("path") != nil
	}
	return false
}

// local returns where an input of the project is, from its root; "" for others.
func (m *Migration) local(v schema.Field, dir string) string {
	name := schema.Slashes(v.Text)
	if strings.Contains(name, ":") || name == "" || path.IsAbs(name) {
		return ""
	}
	if rel := path.Join(dir, name); named(rel) && m.Project.Exists(rel) {
		return rel
	}
	return ""
}

// expandV2 writes the paths of a container into the command of a job of v2.
func (m *Migration) expandV2(j *Job, s *schema.Job) {
	paths := map[string]string{}
	for i, d := range j.Source.SDK.Inputs {
		paths["inputs."+d.Name] = Inputs + j.inputs[i]
	}
	for i, d := range j.Source.SDK.Outputs {
		paths["outputs."+d.Name] = Outputs + j.outputs[i]
	}
	for _, d := range s.Inputs() {
		v := d.Value()
		if _, known := paths["inputs."+d.Name]; known || !v.Explicit {
			continue
		}
		if rel := m.local(v, s.File.Dir()); isData(d) && rel != "" {
			paths["inputs."+d.Name] = path.Join(Workdir, rel)
			m.Ledger.Map(j.Name, "`"+path.Join(Workdir, rel)+"` in the command", "it is in the project", v)
			continue
		}
		paths["inputs."+d.Name] = v.Literal()
		m.Ledger.Map(j.Name, "a text in the command", "", v)
	}
	line, err := binding.Expand(s.Command.Text, func(name string) (binding.Value, bool) {
		p, ok := paths[name]
		return binding.Value{Text: p}, ok
	})
	if err != nil {
		answer, open := m.Decide(account.Question{ID: "command-line", Scope: j.Name, Ask: "What is the command of the job?", Example: "'python train.py'",
			Why: account.Place(s.Command) + ": " + err.Error()})
		if line = answer; open {
			line = "echo " + account.Marker + "; exit 1"
		}
	}
	j.Shell = line
}

// codeV2 finds the folder of a job of v2 in the project.
func (m *Migration) codeV2(j *Job, s *schema.Job) {
	if !s.Code.Explicit {
		return
	}
	code := path.Join(s.File.Dir(), schema.Slashes(s.Code.Text))
	if named(code) && m.Project.Folder(code) {
		j.Code = code
		m.Ledger.Map(j.Name, "the folder that the job starts in", "", s.Code)
	}
}
