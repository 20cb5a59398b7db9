package schema

import (
	"path"
	"strings"

	"github.com/amlfix/amlfix/schema/document"
)

// Job is one run configuration with what it refers to: the one view in which
// the dialects meet.
//
// Name, Dialect and File are always set; pointers are nil where a file refers to
// nothing that exists. A Field with a File belongs to the job, whether its key is
// written or not: it can be located, and Set says whether it can be changed. A Field
// without one is no setting of the job's dialect, and only its Text and Bool, then
// zero, may be read. Text holds the
// service's default where the file says nothing; Explicit tells which it is.
//
// Everything is as of schema.Load. A Job is never changed; Project.With returns
// other jobs. Not guaranteed: that values make sense (Framework may be any text), that
// Script exists, or that the service would accept the job. Those are for rules.
type Job struct {
	// Name is the run configuration's name, as given to `amlfix run -c`.
	Name    string
	Dialect Dialect
	// File is the run configuration.
	File *File
	// TargetName is the name of the compute target.
	TargetName Field
	// Target is where the job runs; nil when there is no such target.
	Target *Target
	// Framework is "Python" or "PySpark" (SDK v1 knows more); PySpark when a
	// Workbench run configuration does not say.
	Framework Field
	// Script is the program; "$file" or "" when it is named only at submission.
	Script Field
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
	// Communicator is how the processes of an SDK v1 job talk to each other.
	Communicator Field
	// Docker are the container settings of an SDK v1 run configuration.
	Docker DockerSettings
	// EnvironmentPath is the file that an SDK v1 run configuration names for its
	// environment; not explicit when the environment stands in the run
	// configuration itself. Python, image and variables then have that file as
	// their Field.File.
	EnvironmentPath Field
	// EnvironmentFile is that file; nil when there is none.
	EnvironmentFile *File
	// SDK is what only SDK v1 run configurations say.
	SDK SDKSettings
	// SparkSettings are Spark's configuration and packages.
	SparkSettings SparkSettings
	// Description and DataSources are keys of Workbench alone: a text, and the
	// replacements of one data source file by another.
	Description Field
	DataSources []Variable
}

// DockerSettings are what SDK v1 run configurations say about their container.
type DockerSettings struct {
	Enabled   Field
	ShmSize   Field
	Arguments []Field
	// Dockerfile says that the image is built rather than named, by a Dockerfile
	// or a folder with one; the base image counts for nothing then.
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
	j := &Job{Name: f.Name(), Dialect: Workbench, File: f}
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
