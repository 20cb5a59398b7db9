package schema

import (
	"strings"

	"github.com/amlfix/amlfix/schema/document"
)

// JobKind is the kind of a job within its dialect.
type JobKind uint8

// The kinds of jobs. All except the first belong to v2.
const (
	// Configuration is a run configuration of Workbench or SDK v1, or another file that is read as one.
	Configuration JobKind = iota
	// Standalone is a job in its own file, or inside a schedule.
	Standalone
	// Child is a job of a pipeline that runs something itself.
	Child
	// Component is a component that is not a pipeline: in a file, or inside a pipeline.
	Component
	// Trial is what a sweep runs, in its own file or in a pipeline.
	Trial
	// Deployment is a deployment of an online or a batch endpoint.
	Deployment
)

// String returns the kind's name in plain words.
func (k JobKind) String() string {
	return [...]string{"run configuration", "job", "job of a pipeline", "component", "sweep", "deployment"}[k]
}

// Job is what the service runs in one environment on one kind of machine, with what it refers to: a run configuration,
// or its counterpart in v2 files. It presents all dialects alike.
//
// Name, Dialect, Kind, File and Node are always set (Node is nil for a run configuration that does not parse); pointers
// are nil if a file refers to nothing that exists, or to what only a workspace or a registry knows. A Field with a File
// belongs to the job, whether or not its key is written: it can be located, and Set says whether it can be changed. A
// Field without a File is not a setting of the job's dialect, or is unknown; only its Text and Bool, which are then
// zero, may be read. Text holds the service's default if the file gives no value; Explicit tells the two apart.
//
// In v2, several mappings make up one job: a child of a pipeline runs a component, and a compute defines the machine.
// Its fields are the effective ones, so they may be in other files than the job's: the child's own fields precede those
// of what it Runs. Only Variables are limited to the job's own. The fields of a component therefore appear in each of
// its users; findings about one field are the same, and count once.
//
// Everything is as of schema.Load. A Job is never changed; Project.With returns other jobs. There is no guarantee that
// values make sense (Framework may be any text), that Script exists, or that the service would accept the job. Rules
// check that.
type Job struct {
	// Name is the run configuration's name, as given to `amlfix run -c`; in v2 the file's Rel with the place in it,
	// such as "train.yml: jobs.train".
	Name    string
	Dialect Dialect
	Kind    JobKind
	// File is the file that the job is in, Node the mapping that describes it there: the whole of a run configuration,
	// a part of a pipeline.
	File *File
	Node *document.Node
	// Type is the "type" of a v2 job, in lower case: "command", "spark", "parallel", "automl" …; "" if the file omits
	// it, and in other dialects.
	Type string
	// Runs is the project's component that a v2 child or sweep names or contains; nil if it has none, or one that only
	// a workspace or a registry knows.
	Runs *Job
	// TargetName is the name of the compute target; in v2 the compute as written, with "azureml:", in the job or as the
	// pipeline's default. An online deployment has none; there it is the size of the machine.
	TargetName Field
	// Target is where the job runs; nil if there is no such target. A v2 job always has one, although its machine may
	// be unknown.
	Target *Target
	// Framework is "Python" or "PySpark" (SDK v1 knows more); PySpark if a Workbench run configuration does not say.
	Framework Field
	// Script is the program; "$file" or "" if it is named only at submission. In v2 it is the entry script of a
	// parallel or a Spark job, or of a deployment.
	Script Field
	// Arguments follow the script.
	Arguments []Field
	// CondaPath and SparkPath are the environment files as written.
	CondaPath, SparkPath Field
	// Environment is the conda environment; nil if there is no such file.
	Environment *Environment
	// Spark is the spark file; nil if there is none.
	Spark *File
	// Variables are the environment variables set for the run, in file order.
	Variables []Variable
	// TrackedRun is a switch of Workbench; it is true unless the file says otherwise.
	TrackedRun Field
	// ServiceSettings are what Workbench jobs do not have; never nil.
	*ServiceSettings
	// SDK holds what only SDK v1 run configurations have; never nil.
	SDK *SDKSettings
	// V2 holds what only v2 has; never nil.
	V2 *V2Settings
	// SparkSettings are Spark's configuration and packages.
	SparkSettings SparkSettings

	recipe *recipe // that installs what the program uses
}

// noService, noSDK and noV2 are for jobs of other dialects; nothing writes to them.
var (
	noService ServiceSettings
	noSDK     SDKSettings
	noV2      V2Settings
)

// NewJob returns the job without settings that a mapping of a file describes.
func NewJob(f *File, n *document.Node) *Job {
	return &Job{File: f, Node: n, ServiceSettings: &noService, SDK: &noSDK, V2: &noV2}
}

// ServiceSettings are what jobs of SDK v1 and v2 have. They are apart because a job of Workbench, of which a repository
// may have thousands, has none of them.
type ServiceSettings struct {
	// Command replaces script and arguments: in SDK v1 a text for the shell or a list of words (SDK.CommandWords).
	Command Field
	// Code is the folder that v2 uploads.
	Code Field
	// Nodes is the number of machines, Processes the number of processes on each: mpi in SDK v1, distribution in v2.
	Nodes, Processes Field
	// Passwords are the settings of an SDK v1 run configuration that hold secrets for logging in: the registry's
	// password, the service principal's secret.
	Passwords []Field
	// Communicator is how the processes of a job communicate: in SDK v1 the key of that name, in v2 the type of the
	// distribution.
	Communicator Field
	// Docker are the container settings.
	Docker DockerSettings
	// EnvironmentPath is the file that an SDK v1 run configuration names for its environment; not explicit if the
	// environment is in the run configuration itself. If it is explicit, Python, image and variables have that file as
	// their Field.File.
	EnvironmentPath Field
	// EnvironmentFile is that file; nil if there is none.
	EnvironmentFile *File
}

// DockerSettings are what SDK v1 run configurations and v2 jobs say about their container; only SDK v1 has Enabled and
// Arguments.
type DockerSettings struct {
	Enabled   Field
	ShmSize   Field
	Arguments []Field
	// Dockerfile says that the image is built rather than named, by a Dockerfile or a folder with one; then the base
	// image is ignored in SDK v1, and v2 has none.
	Dockerfile Field
}

// Variable is an environment variable of a run.
type Variable struct {
	Name  string
	Value Field
}

// PrepareEnvironment returns the switch of Workbench that builds the environment before the job. Like Description, it
// is read only when it is asked for: few ask, and a repository may have thousands of jobs.
func (j *Job) PrepareEnvironment() Field { return j.workbench("PrepareEnvironment").asSwitch() }

// Description returns a text that only Workbench has.
func (j *Job) Description() Field { return j.workbench("Description") }

func (j *Job) workbench(key string) Field {
	if j.Dialect != Workbench {
		return Field{}
	}
	return FieldAt(j.File, j.Node, key)
}

// HasCommand reports whether the job has a command that is not empty; later versions of SDK v1 wrote an empty one.
func (j *Job) HasCommand() bool {
	return j.Command.Explicit && (j.Command.Text != "" || len(j.SDK.CommandWords) > 0)
}

// UsesConda reports whether the service would build the conda environment for this job. It returns false for a missing
// target, about which nothing is known.
func (j *Job) UsesConda() bool { return j.Target.Provisions() }

// UsesSpark reports whether the job runs in Spark.
func (j *Job) UsesSpark() bool {
	return strings.EqualFold(j.Framework.Text, "PySpark") || j.Target != nil && j.Target.Type.Text == "cluster"
}

// workbenchJob reads a Workbench run configuration.
func workbenchJob(f *File) *Job {
	root := f.Root()
	j := NewJob(f, root)
	j.Name, j.Dialect = f.Name(), Workbench
	j.TargetName = FieldAt(f, root, "Target")
	j.Framework = fieldAfter(f, root, "Framework"+after+"Target").orDefault("PySpark")
	j.CondaPath = fieldAfter(f, root, "CondaDependenciesFile"+after+"Framework"+after+"Target")
	if !j.CondaPath.Explicit && j.CondaPath.Key == nil {
		// the name of this key before September 2017
		if old := FieldAt(f, root, "CondaFile"); old.Explicit {
			j.CondaPath = old
		}
	}
	j.CondaPath = j.CondaPath.orBeside("conda_dependencies.yml")
	j.SparkPath = FieldAt(f, root, "SparkDependenciesFile").orBeside("spark_dependencies.yml")
	j.TrackedRun = FieldAt(f, root, "TrackedRun").asSwitch()
	if !j.TrackedRun.Explicit {
		j.TrackedRun.Bool = true
	}
	if vector := root.Get("ArgumentVector").Resolve(); vector.IsSequence() {
		if n := len(vector.Items()); n > 1 {
			j.Arguments = make([]Field, 0, n-1)
		}
		for i, item := range vector.Items() {
			arg := Field{Text: item.Text(), Explicit: true, Node: item, File: f}
			if i == 0 {
				j.Script = arg
			} else {
				j.Arguments = append(j.Arguments, arg)
			}
		}
	}
	if j.Script.File == nil {
		j.Script = FieldAt(f, root, "ArgumentVector")
		j.Script.Text = ""
	}
	j.Variables = variables(f, root.Get("EnvironmentVariables"))
	return j
}

func variables(f *File, mapping *document.Node) (list []Variable) {
	mapping = mapping.Resolve()
	if !mapping.IsMapping() || len(mapping.Entries()) == 0 {
		return nil
	}
	list = make([]Variable, 0, len(mapping.Entries()))
	for _, e := range mapping.Entries() {
		if e.Key.Tag() == "!!merge" {
			continue
		}
		v := Field{File: f, mapping: mapping}
		v.fill(e)
		list = append(list, Variable{Name: e.Key.Value, Value: v})
	}
	if !mapping.Merges() {
		return list
	}
	known := map[string]bool{}
	for _, v := range list {
		known[v.Name] = true
	}
	for _, n := range mapping.Merged() {
		for _, e := range n.Own() {
			if !known[e.Key.Value] {
				known[e.Key.Value] = true
				v := Field{File: f, mapping: n}
				v.fill(e)
				list = append(list, Variable{Name: e.Key.Value, Value: v})
			}
		}
	}
	return list
}
