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
	Inputs  = "/data/"
	Outputs = "/outputs/"
	Workdir = "/work" // the project
)

// leaving is a v2 job that is migrated to a format outside Azure.
type leaving struct {
	job  *schema.Job
	name string
	// step is the job's role in a pipeline; nil for a job in its own file. child is the step as the files describe it.
	step  *Step
	child schema.PipelineStep
	// values replace the expressions in the command.
	values map[string]binding.Value
	// missing are required inputs without a value.
	missing         []origin
	inputs, outputs []Data
	// notes are entered in the ledger once the job has its final name.
	notes []func(name string)
	order int
}

// note records what happened to fields.
func (l *leaving) note(m *Migration, result, why string, fields ...schema.Field) {
	l.notes = append(l.notes, func(name string) {
		if result == "" {
			m.Ledger.Drop(name, why, fields...)
			return
		}
		m.Ledger.Map(name, result, why, fields...)
	})
}

// readV2 migrates v2 command jobs and pipelines to a format outside Azure: each job and each step becomes a run
// configuration whose nodes are those of its files. Next to older run configurations, v2 files are their migrated form
// rather than sources.
func (m *Migration) readV2() {
	if !m.outside() || len(m.configurations()) > 0 {
		return
	}
	m.lowered = map[*schema.File]*leaving{}
	var files []*schema.File
	take := func(l *leaving, in *schema.Pipeline) {
		f, made := m.lower(l, in)
		l.order = len(m.lowered)
		m.lowered[f] = l
		files = append(files, append(made, f)...)
	}
	used := map[*schema.Job]bool{}
	for _, f := range m.Project.Files {
		if f.V2 == "job" && !f.Broken() && m.wanted(f) && !Written(filepath.Dir(f.Path), m.Project.Boundary()) {
			m.leavePipeline(f, used, take)
		}
	}
	for _, j := range m.Project.Jobs {
		if j.Dialect != schema.V2 || used[j] || !m.wanted(j.File) || Written(filepath.Dir(j.File.Path), m.Project.Boundary()) {
			continue
		}
		if j.Kind != schema.Standalone || whyLeft(j) != "" {
			m.skipV2(j)
			continue
		}
		take(&leaving{job: j, name: j.File.Name()}, nil)
	}
	if len(files) > 0 {
		m.Project = m.Project.Adding(files)
	}
}

// skipV2 records, once per file, that a v2 file is skipped.
func (m *Migration) skipV2(j *schema.Job) {
	why := "a " + j.Kind.String() + " that needs Azure ML: only command jobs and pipelines of command jobs can be written for other platforms"
	if j.V2 != nil && j.Type == "sweep" {
		why = "a sweep, which only Azure ML runs: write its trial as a command job, and run that once for each set of arguments"
	}
	if j.Kind == schema.Component {
		why = "a component that no job in the project runs"
	}
	if !slices.ContainsFunc(m.Skipped, func(s Skipped) bool { return s.File == j.File.Rel }) {
		m.Skipped = append(m.Skipped, Skipped{File: j.File.Rel, Why: why, Job: j.Kind != schema.Component})
	}
}

// leaveV2 notes why the remaining v2 files are not migrated: those that no migrated job uses and that no earlier
// migration wrote.
func (m *Migration) leaveV2() {
	if len(m.lowered) == 0 || len(m.Options.Configs) > 0 {
		return
	}
	said := map[string]bool{}
	for _, row := range m.Ledger.Rows {
		said[row.File.Rel] = true
	}
	for _, s := range m.Skipped {
		said[s.File] = true
	}
	for _, f := range m.Project.Files {
		if f.V2 == "" || f.Of != "" || said[f.Rel] || Written(filepath.Dir(f.Path), m.Project.Boundary()) {
			continue
		}
		why := "describes something in a workspace; the new files do not need it"
		switch {
		case f.V2 == "schedule":
			why = "a schedule, which only Azure ML runs: let cron, or a CronJob of Kubernetes, start what it starts"
		case f.V2 == "compute":
			why = "a compute target of Azure ML; elsewhere a job runs on other machines"
		case f.V2 == "datastore":
			why = "a datastore of Azure ML: what a job reads from it is copied or asked for"
		case strings.HasSuffix(string(f.V2), "endpoint"):
			why = "an endpoint, which only Azure ML has"
		}
		m.Skipped = append(m.Skipped, Skipped{File: f.Rel, Why: why, Job: f.V2 == "schedule"})
	}
}

// whyLeft returns the reason why a v2 job cannot run outside Azure ML, or "" if it can.
func whyLeft(j *schema.Job) string {
	switch {
	case j.Kind == schema.Trial:
		return "is a sweep, but amlfix writes only command jobs for platforms other than Azure ML"
	case j.Type == "pipeline":
		return "runs a pipeline that is not in this project"
	case j.Type != "" && j.Type != "command":
		return "is of type `" + account.Name(j.Type) + "`, but amlfix writes only command jobs for platforms other than Azure ML"
	case !j.Command.Explicit && j.Node.Get("component") != nil:
		return "runs a component that is not in this project, so its command is not known"
	case !j.Command.Explicit || !j.Command.Node.IsString():
		return "has no command"
	}
	return ""
}

// wanted reports whether the user named a file, or named none.
func (m *Migration) wanted(f *schema.File) bool {
	return len(m.Options.Configs) == 0 || slices.ContainsFunc(m.Options.Configs, func(want string) bool {
		return f.Name() == want || f.Rel == filepath.ToSlash(want) || path.Base(f.Rel) == want
	})
}

// tree puts nodes of a v2 file at the paths that run configurations use for them.
type tree struct {
	m    *Migration
	root *document.Node
	// file is the file that the tree belongs to, and here is the position for nodes from other files. Both are nil if
	// there is only one file.
	file *schema.File
	here *document.Node
}

// put sets a value; at is the v2 node that it comes from. The value is that node or stands for it.
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
			next = &document.Node{Kind: document.Mapping, Tag: "!!map", Dash: -1, Span: value.Span}
			n.Entries = append(n.Entries, document.Entry{Key: text(part, value), Value: next})
		}
		n = next
	}
	n.Entries = append(n.Entries, document.Entry{Key: text(parts[len(parts)-1], value), Value: value})
}

// carry sets the value of a setting at a path; write sets a text instead.
func (t tree) carry(place string, f schema.Field) { t.put(place, f.Node, t.own(f)) }

func (t tree) write(place string, f schema.Field, value string) {
	if f.Node != nil {
		t.put(place, f.Node, text(value, t.at(f)))
	}
}

// at returns the node of a setting in the tree's file.
func (t tree) at(f schema.Field) *document.Node {
	if f.File != t.file && t.file != nil {
		return t.here
	}
	return f.Node
}

// own returns the value of a setting as a node of the tree's file, which is a copy if the setting is in another file.
func (t tree) own(f schema.Field) *document.Node {
	if f.Node == nil || t.at(f) == f.Node {
		return f.Node
	}
	return t.copied(f.Node)
}

func (t tree) copied(of *document.Node) *document.Node {
	n := of.Resolve()
	c := text(n.Value, t.here)
	c.Kind, c.Tag, c.Style = n.Kind, n.Tag, n.Style
	for _, e := range n.Entries {
		c.Entries = append(c.Entries, document.Entry{Key: text(e.Key.Value, t.here), Value: t.copied(e.Value)})
	}
	for _, item := range n.Items {
		c.Items = append(c.Items, t.copied(item))
	}
	t.m.Ledger.Stands(c, of)
	return c
}

// keys joins the keys of a path; it does not use dots because names of data may contain them.
func keys(parts ...string) string { return strings.Join(parts, "\x00") }

// text returns a node with a value, at the position of another.
func text(value string, at *document.Node) *document.Node {
	return &document.Node{Kind: document.Scalar, Tag: "!!str", Style: document.DoubleQuoted, Value: value, Span: at.Span, Properties: at.Properties, Dash: -1}
}

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
	root := &document.Node{Kind: document.Mapping, Tag: "!!map", Dash: -1, Span: at.Root().Span}
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
		list := &document.Node{Kind: document.Sequence, Tag: "!!seq", Dash: -1, Span: n.Span, Items: []*document.Node{n}}
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

// expandV2 replaces the expressions in a v2 job's command with paths in the container.
func (m *Migration) expandV2(j *Job, l *leaving) {
	m.codeV2(j, l.job)
	j.Inputs, j.Outputs = l.inputs, l.outputs
	for _, note := range l.notes {
		note(j.Name)
	}
	m.askInputs(j, l)
	line, err := binding.Expand(l.job.Command.Text, func(name string) (binding.Value, bool) {
		value, ok := l.values[strings.TrimSuffix(name, ".path")]
		if name == "outputs."+schema.Artifacts || name == "outputs.artifacts" {
			return m.at(path.Join(Workdir, j.Code)), true
		}
		return value, ok
	})
	if err != nil {
		answer, open := m.Decide(account.Question{ID: "command-line", Scope: j.Name, Ask: "What is the command of the job?", Example: "'python train.py'",
			Why: account.Place(l.job.Command) + ": " + err.Error()})
		if line = answer; open {
			line = "echo " + account.Marker + "; exit 1"
		}
	}
	j.Shell = line
}

// codeV2 sets the folder of a v2 job in the project.
func (m *Migration) codeV2(j *Job, s *schema.Job) {
	j.Code = m.codeOf(s)
	if j.Code == "." && s.Code.Explicit && path.Clean(path.Join(s.Code.File.Dir(), schema.Slashes(s.Code.Text))) != "." {
		m.Ledger.Drop(j.Name, "not a folder of the project: the job starts in the project folder", s.Code)
	} else {
		m.Ledger.Map(j.Name, "the folder in which the job starts", "", s.Code)
	}
}

// codeOf returns the folder that a v2 job starts in, relative to the project's root.
func (m *Migration) codeOf(s *schema.Job) string {
	if s.Code.Explicit {
		if code := path.Join(s.Code.File.Dir(), schema.Slashes(s.Code.Text)); named(code) && m.Project.Folder(code) {
			return code
		}
	}
	return "."
}
