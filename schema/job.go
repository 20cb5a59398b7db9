package schema

import (
	"path"
	"strings"

	"github.com/amlfix/amlfix/schema/document"
)

// JobKind is what of its dialect a job is.
type JobKind int

// The kinds of jobs. All but the first are of v2.
const (
	// Configuration is a run configuration of Workbench or SDK v1, or what else a
	// reader of one makes of a file.
	Configuration JobKind = iota
	// Standalone is a job in a file of its own, or inside a schedule.
	Standalone
	// Child is a job of a pipeline that runs something itself.
	Child
	// Component is a component that is no pipeline: in a file, or inside a pipeline.
	Component
	// Trial is what a sweep runs, in a file of its own or in a pipeline.
	Trial
	// Deployment is a deployment of an online or a batch endpoint.
	Deployment
)

// String returns the kind's name in plain words.
func (k JobKind) String() string {
	return [...]string{"run configuration", "job", "job of a pipeline", "component", "sweep", "deployment"}[k]
}

// Job is what the service runs in one environment on one kind of machine, with what
// it refers to: a run configuration, or what files of v2 have in its place. It is
// the one view in which the dialects meet.
//
// Name, Dialect, Kind, File and Node are always set (Node is nil for a run
// configuration that does not parse); pointers are nil where a file refers to
// nothing that exists, or to what only a workspace or a registry knows. A Field with
// a File belongs to the job, whether its key is written or not: it can be located,
// and Set says whether it can be changed. A Field without one is no setting of the
// job's dialect, or not known, and only its Text and Bool, then zero, may be read.
// Text holds the service's default where the file says nothing; Explicit says which
// it is.
//
// In v2 several mappings make up one job: a child of a pipeline runs a component,
// and a compute says what machine it is. Its fields are those in force, so they may
// be in other files than the job's: the child's own go before those of what it Runs.
// Variables alone are only the job's own. Fields of a component are therefore met
// again in each of its users; findings about one field are the same, and count once.
//
// Everything is as of schema.Load. A Job is never changed; Project.With returns
// other jobs. Not guaranteed: that values make sense (Framework may be any text), that
// Script exists, or that the service would accept the job. Those are for rules.
type Job struct {
	// Name is the run configuration's name, as given to `amlfix run -c`; in v2 the
	// file's Rel with the place in it, as in "train.yml: jobs.train".
	Name    string
	Dialect Dialect
	Kind    JobKind
	// File is the file that the job is in, Node the mapping that describes it there:
	// the whole of a run configuration, a part of a pipeline.
	File *File
	Node *document.Node
	// Type is the "type" of a job of v2, in small letters: "command", "spark",
	// "parallel", "automl" …; "" where the file leaves it out, and in other dialects.
	Type string
	// Runs is the component of the project that a child or a sweep of v2 names, or
	// holds; nil when it has none, or one that only a workspace or a registry knows.
	Runs *Job
	// TargetName is the name of the compute target; in v2 the compute as it is
	// written, with "azureml:", at the job or as the pipeline's default. For an online
	// deployment, which has none, it is the size of the machine.
	TargetName Field
	// Target is where the job runs; nil when there is no such target. A job of v2
	// always has one, although its machine may not be known.
	Target *Target
	// Framework is "Python" or "PySpark" (SDK v1 knows more); PySpark when a
	// Workbench run configuration does not say.
	Framework Field
	// Script is the program; "$file" or "" when it is named only at submission. In
	// v2 it is the entry script of a parallel or a Spark job, or of a deployment.
	Script Field
	// Command takes the place of script and arguments in SDK v1, where it is a text
	// for the shell or a list of words (SDK.CommandWords), and in v2.
	Command Field
	// Code is the folder that v2 uploads.
	Code Field
	// Nodes is how many machines a job of SDK v1 or v2 takes, Processes how many
	// processes start on each: mpi in SDK v1, distribution in v2.
	Nodes, Processes Field
	// Arguments follow the script.
	Arguments []Field
	// CondaPath and SparkPath are the environment files as referred to.
	CondaPath, SparkPath Field
	// Environment is the conda environment; nil when there is no such file.
	Environment *Environment
	// Spark is the spark file; nil when there is none.
	Spark *File
	// Variables are the environment variables set for the run, in file order.
	Variables []Variable
	// PrepareEnvironment and TrackedRun are the Workbench switches; TrackedRun
	// is true unless the file says otherwise.
	PrepareEnvironment, TrackedRun Field
	// Passwords are the settings of an SDK v1 run configuration that hold
	// secrets for logging in: the registry's password, the service principal's
	// secret.
	Passwords []Field
	// Communicator is how the processes of a job talk to each other: in SDK v1 the
	// key of that name, in v2 the type of the distribution.
	Communicator Field
	// Docker are the container settings of SDK v1 and v2.
	Docker DockerSettings
	// EnvironmentPath is the file that an SDK v1 run configuration names for its
	// environment; not explicit when the environment is in the run
	// configuration itself. Python, image and variables then have that file as
	// their Field.File.
	EnvironmentPath Field
	// EnvironmentFile is that file; nil when there is none.
	EnvironmentFile *File
	// SDK is what only SDK v1 run configurations say; never nil.
	SDK *SDKSettings
	// V2 is what only v2 says; never nil.
	V2 *V2Settings
	// SparkSettings are Spark's configuration and packages.
	SparkSettings SparkSettings
	// Description and DataSources are keys of Workbench alone: a text, and the
	// replacements of one data source file by another.
	Description Field
	DataSources []Variable

	recipe *recipe // that installs what the program uses
}

// noSDK and noV2 are what jobs of other dialects have; nothing writes to them.
var (
	noSDK SDKSettings
	noV2  V2Settings
)

// DockerSettings are what SDK v1 run configurations and jobs of v2 say about their
// container; Enabled and Arguments are of SDK v1 alone.
type DockerSettings struct {
	Enabled   Field
	ShmSize   Field
	Arguments []Field
	// Dockerfile says that the image is built rather than named, by a Dockerfile
	// or a folder with one; in SDK v1 the base image counts for nothing then, and in
	// v2 there is none.
	Dockerfile Field
}

// Variable is an environment variable of a run.
type Variable struct {
	Name  string
	Value Field
}

// UsesConda reports whether the service would build the conda environment for
// this job. A missing target gives false: nothing is known then.
func (j *Job) UsesConda() bool { return j.Target.Provisions() }

// UsesSpark reports whether the job runs in Spark.
func (j *Job) UsesSpark() bool {
	return strings.EqualFold(j.Framework.Text, "PySpark") || j.Target != nil && j.Target.Type.Text == "cluster"
}

// workbenchJob reads a Workbench run configuration.
func workbenchJob(f *File) *Job {
	root := f.Root()
	j := &Job{Name: f.Name(), Dialect: Workbench, File: f, Node: root, SDK: &noSDK, V2: &noV2}
	j.TargetName = field(f, root, "Target")
	j.Framework = field(f, root, "Framework", "Target").orDefault("PySpark")
	j.CondaPath = field(f, root, "CondaDependenciesFile", "Framework", "Target")
	if !j.CondaPath.Explicit && j.CondaPath.Key == nil {
		// the name of the same key before September 2017
		if old := field(f, root, "CondaFile"); old.Explicit {
			j.CondaPath = old
		}
	}
	j.CondaPath = j.CondaPath.orDefault(path.Join(f.Dir(), "conda_dependencies.yml"))
	j.SparkPath = field(f, root, "SparkDependenciesFile").orDefault(path.Join(f.Dir(), "spark_dependencies.yml"))
	j.PrepareEnvironment = switchField(f, root, "PrepareEnvironment")
	j.TrackedRun = switchField(f, root, "TrackedRun")
	if !j.TrackedRun.Explicit {
		j.TrackedRun.Bool = true
	}
	if vector := root.Get("ArgumentVector").Resolve(); vector.IsSequence() {
		for i, item := range vector.Items {
			arg := Field{Text: item.Text(), Explicit: true, Node: item, File: f}
			if i == 0 {
				j.Script = arg
			} else {
				j.Arguments = append(j.Arguments, arg)
			}
		}
	}
	if j.Script.File == nil {
		j.Script = field(f, root, "ArgumentVector")
		j.Script.Text = ""
	}
	j.Variables = variables(f, root.Get("EnvironmentVariables"))
	j.Description = field(f, root, "Description")
	j.DataSources = variables(f, root.Get("DataSourceSubstitutions"))
	return j
}

func variables(f *File, mapping *document.Node) (list []Variable) {
	mapping = mapping.Resolve()
	if !mapping.IsMapping() {
		return nil
	}
	for _, e := range mapping.Entries {
		v := Field{File: f, mapping: mapping}
		v.fill(e)
		list = append(list, Variable{Name: e.Key.Value, Value: v})
	}
	return list
}
