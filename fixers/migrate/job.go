package migrate

import (
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/fixers/migrate/condaenv"
	"github.com/amlfix/amlfix/schema"
)

// Job is a job to be written, in no format yet. Everything in it is what the job
// needs; Source says where it comes from.
type Job struct {
	// Name is the run configuration's name, made unique within the migration and
	// fit for file names.
	Name   string
	Source *schema.Job
	// Part says that there is no job: only its environment, or its compute target, is
	// to be written.
	Part bool
	// Serves says of a part that a web service runs in it.
	Serves bool
	// Spark says that the job runs on Spark; otherwise it is a command in a container.
	Spark bool
	// GPU says that it needs a GPU; GPUs is how many its machine had, 0 where nothing says.
	GPU  bool
	GPUs int
	// Place is where the old job ran.
	Place Place

	// Target is the name of the compute target, as named in the run configuration or
	// at submission.
	Target string
	// Experiment is the experiment's name; "" where nothing names one.
	Experiment string

	// Interpreter runs Script, a path from the project's folder; "" for Script
	// while it is undecided. Arguments follow.
	Interpreter string
	Script      string
	// Code is the folder of the project that the job's own begins in, from its root:
	// "." but for jobs that a program starts with another one.
	Code      string
	Arguments []Word
	// Missing says that Script, or a script that the command runs, is not in the
	// project, and that nobody has said what to do about it.
	Missing bool
	// Fails says that Script certainly fails in the new environment, and that nobody
	// has said when it is rewritten.
	Fails bool
	// Lacks says that the line which submits the job names a file that is not in the
	// project, and that nobody has said that the job goes without it.
	Lacks bool
	// keeps says that the user wants the notebook that Script is to be run.
	keeps bool
	// Shell is a text for a shell in place of the above, Command a vector.
	Shell   string
	Command []Word

	// Variables are the environment variables, in order.
	Variables []Variable
	// Image is what the job starts from; Conda is installed on top, if not nil.
	Image Image
	Conda *Conda
	// Dockerfile builds the image instead; nil when it is not built.
	Dockerfile *Dockerfile
	// Registered is a registered environment, NAME or NAME:VERSION, in place of
	// all three.
	Registered string

	// Lost says in what a step runs whose program computes it; absent for others.
	Lost schema.Field

	// Nodes is at least 1.
	Nodes        int
	Distribution *Distribution
	// Timeout is in seconds; 0 for none.
	Timeout int
	// ShmSize is the size of /dev/shm, a whole number and b, k, m or g in powers of
	// 1024, such as 2g; "" for the default.
	ShmSize string
	// Size is where the files name the size of its machine, Spot where they ask for one
	// that may be taken away.
	Size, Spot schema.Field
	// DockerArgs are further arguments for docker run.
	DockerArgs []string
	// Inputs and Outputs are the data the job reads and writes.
	Inputs, Outputs []Data
	// Services run beside the job.
	Services []Service
	// UserIdentity runs the job as the user who submits it.
	UserIdentity bool
	// Share says that a script reads AZUREML_NATIVE_SHARE_DIRECTORY.
	Share bool
	// Sweep is what varies the arguments of the job; nil for none, or for one that a
	// program builds.
	Sweep *Sweep
	// Step is what the job is in a pipeline; nil for a job of its own.
	Step *Step

	submitted []submission // the lines that submit it
	runs      []string     // the scripts that its command runs for certain
	// The names of the source's inputs and outputs, in their order; "" for one that
	// is there twice.
	inputs, outputs []string
}

// Place is where a job ran.
type Place int

// The places.
const (
	OnLocal    Place = iota // this computer
	OnMachine               // a Linux machine of one's own
	OnCluster               // an HDInsight cluster
	OnTarget                // a compute target of the workspace
	OnTheFly                // a cluster that the service made for the run
	OnInstance              // an Azure Container Instance
)

// Program returns the script to write into the command, from Code, and the comment that marks
// the place, without "#", while the script is undecided or missing; "" for none.
func (j *Job) Program() (script, mark string) {
	script = j.Script
	if below, ok := strings.CutPrefix(script, j.Code+"/"); ok {
		script = below
	}
	switch {
	case j.Script == "" && j.Shell == "" && len(j.Command) == 0 && j.Step != nil:
		return account.UndecidedScript, account.StepMark
	case j.Script == "" && j.Shell == "" && len(j.Command) == 0:
		return account.UndecidedScript, account.ScriptMark
	case j.Missing:
		return script, account.MissingMark
	case j.Lacks:
		return script, account.SourceMark
	case j.Fails:
		return script, account.FailsMark
	}
	return script, ""
}

// Word is one argument. Its parts are joined.
type Word []Part

// Part is a stretch of text, or the path of an input or output.
type Part struct {
	Text, Input, Output string
	// Value says that Input is a text in place of a path, which may hold spaces.
	Value bool
}

// Text returns the word's text if it is only text.
func (w Word) Text() (text string, only bool) {
	var b strings.Builder
	for _, p := range w {
		if p.Input != "" || p.Output != "" {
			return "", false
		}
		b.WriteString(p.Text)
	}
	return b.String(), true
}

func literal(text string) Word { return Word{{Text: text}} }

// Variable is an environment variable.
type Variable struct {
	Name, Value string
	// Secret says that Value is left out: the new files may only refer to it.
	Secret bool
	Source schema.Field
}

// Image is the image of a job.
type Image struct {
	condaenv.Base
	// Replaced says that the image is not the one of the source.
	Replaced bool
	// Old is the source's image, "" when it names none.
	Old string
	// Source is where the source names it.
	Source schema.Field

	noted account.Note
}

// Dockerfile is an image to be built.
type Dockerfile struct {
	// Text is the Dockerfile.
	Text string
	// Context is a folder of the project, from its root, in which a Dockerfile
	// is already; Text is empty then, and Path is the Dockerfile in it.
	Context, Path string
	Source        schema.Field
}

// Distribution is how the processes of a job are started.
type Distribution struct {
	Kind DistributionKind
	// PerNode is the number of processes on each node, for MPI and PyTorch.
	PerNode int
	// Workers and Servers are the counts of TensorFlow.
	Workers, Servers int
}

// DistributionKind is what starts the processes.
type DistributionKind string

// The kinds, in the words of Azure ML v2.
const (
	MPI        DistributionKind = "mpi"
	PyTorch    DistributionKind = "pytorch"
	TensorFlow DistributionKind = "tensorflow"
)

// Data is data that a job reads or writes.
type Data struct {
	// Name is fit for an identifier.
	Name string
	// Address is an azureml: address; "" while it is undecided or for an output
	// that the service may place.
	Address string
	// Type is the kind of data that a step of a pipeline takes from the pipeline.
	Type string
	// Table says that it is a tabular dataset.
	Table bool
	// Mode is mount, download, upload or direct.
	Mode string
	// Export is the environment variable that the script reads its path from; ""
	// for none.
	Export string
	// Waits says that the data only makes a step wait for another.
	Waits bool
	Open  bool
	// Folder is where the data is in the project, from its root; "" where nothing says.
	// File is the name of a file that the data is; "" for a folder.
	Folder, File string
	// Why is what there is to know of where the data is; "" for what is true of a
	// workspace's storage.
	Why    string
	Source schema.Data
}

// Service is a service beside a job.
type Service struct {
	Name, Type string
	Source     schema.Endpoint
}
