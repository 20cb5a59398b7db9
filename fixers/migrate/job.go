package migrate

import (
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/fixers/migrate/condaenv"
	"github.com/amlfix/amlfix/schema"
)

// Job is a job to write, independent of the format. It has everything that the job needs; Source says where it comes
// from.
type Job struct {
	// Name is the run configuration's name, made unique within the migration and valid as a file name.
	Name   string
	Source *schema.Job
	// Part means that there is no job: only its environment, or its compute target, is written.
	Part bool
	// Serves means, for a part, that a web service runs in it.
	Serves bool
	// Spark means that the job runs on Spark; otherwise it is a command in a container.
	Spark bool
	// GPU means that it needs a GPU; GPUs is how many its machine had, 0 if not known.
	GPU  bool
	GPUs int
	// Place is where the old job ran.
	Place Place

	// Target is the name of the compute target, as named in the run configuration or at submission.
	Target string
	// Experiment is the experiment's name, or "".
	Experiment string

	// Interpreter runs Script, a path relative to the project's folder, with Arguments. Script is "" while it is
	// undecided.
	Interpreter string
	Script      string
	// Alone means that it is the job of a sweep without the sweep.
	Alone bool
	// Called is its name in the files for containers, where it is unique.
	Called string
	// Code is the folder that the job's paths are relative to, from the project's root: "." except for jobs that a
	// program starts in another folder.
	Code      string
	Arguments []Word
	// Missing means that Script, or a script that the command runs, is not in the project, and that the question about
	// it is open.
	Missing bool
	// Fails means that Script certainly fails in the new environment, and that the question about it is open.
	Fails bool
	// Lacks means that the line that submits the job names a file that is not in the project, and that the question
	// about it is open.
	Lacks bool
	// keeps means that the user wants to run Script although it is a notebook.
	keeps bool
	// Shell is a shell command to run instead of the above; Command is an argument vector.
	Shell   string
	Command []Word

	// Variables are the environment variables, in order.
	Variables []Variable
	// Image is the job's base image; Conda is installed on top, if not nil.
	Image Image
	Conda *Conda
	// Dockerfile builds the image instead; nil if it is not built.
	Dockerfile *Dockerfile
	// Registered is a registered environment, NAME or NAME:VERSION, instead of all three.
	Registered string

	// Lost is the environment of a step if its program computes it; absent for others.
	Lost schema.Field

	// Nodes is at least 1.
	Nodes        int
	Distribution *Distribution
	// Timeout is in seconds; 0 means no limit.
	Timeout int
	// ShmSize is the size of /dev/shm, a whole number and b, k, m or g in powers of 1024, such as 2g; "" for the
	// default.
	ShmSize string
	// Size is the field with the size of its machine; Spot is the field that asks for a spot machine, which may be
	// evicted.
	Size, Spot schema.Field
	// DockerArgs are additional arguments for docker run.
	DockerArgs []string
	// Inputs and Outputs are the data the job reads and writes.
	Inputs, Outputs []Data
	// Services run alongside the job.
	Services []Service
	// UserIdentity means that the job runs as the user who submits it.
	UserIdentity bool
	// Share means that a script reads AZUREML_NATIVE_SHARE_DIRECTORY.
	Share bool
	// Sweep is the sweep that varies the job's arguments; nil if there is none or a program builds it.
	Sweep *Sweep
	// Step is the job's role in a pipeline; nil for a separate job.
	Step *Step

	submitted []submission // the lines that submit it
	noFolder  schema.Field // the folder of its code, if it does not exist
	runs      []string     // the scripts that its command certainly runs
	// The new names of the source's inputs and outputs, in order; "" for a duplicate.
	inputs, outputs []string
	// mounts are the paths on the machine at which SDK v1 put them.
	mounts []mount
	// in and out are the data of the source that the job reads and writes, in the order of inputs and outputs.
	in, out []schema.Data
}

// Place is the kind of place where a job ran.
type Place int

// The places.
const (
	OnLocal    Place = iota // this computer
	OnMachine               // the user's own Linux machine
	OnCluster               // an HDInsight cluster
	OnTarget                // a compute target of the workspace
	OnTheFly                // a cluster that the service made for the run
	OnInstance              // an Azure Container Instance
)

// Program returns the script to write into the command, relative to Code, and the comment, without "#", that marks the
// place while the script is undecided or missing, or "".
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

// Part is text, or the path of an input or output.
type Part struct {
	Text, Input, Output string
	// Texts are the values of an Input that is a text instead of a path, as far as they are known; otherwise it is nil.
	Texts []string
	// ForShell means that a shell reads Text, which is not quoted.
	ForShell bool
}

// Text returns the word's text up to the first input or output; only is false if there is one.
func (w Word) Text() (text string, only bool) {
	var b strings.Builder
	for _, p := range w {
		if p.Input != "" || p.Output != "" {
			return b.String(), false
		}
		b.WriteString(p.Text)
	}
	return b.String(), true
}

func literal(text string) Word { return Word{{Text: text}} }

// Variable is an environment variable.
type Variable struct {
	Name, Value string
	// Secret means that Value is omitted: the new files may only refer to it.
	Secret bool
	Source schema.Field
}

// Image is the image of a job.
type Image struct {
	condaenv.Base
	// Replaced means that the image is not the source's.
	Replaced bool
	// Old is the source's image, or "".
	Old string
	// Source is the field that names it.
	Source schema.Field

	noted account.Note
}

// Dockerfile is an image to build.
type Dockerfile struct {
	// Text is the content of the Dockerfile.
	Text string
	// Context is a folder of the project, relative to its root, that already has a Dockerfile at Path; Text is then
	// empty.
	Context, Path string
	Source        schema.Field
}

// Distribution is how the processes of a job are started.
type Distribution struct {
	Kind DistributionKind
	// PerNode is the number of processes on each node, for MPI and PyTorch.
	PerNode int
	// Workers and Servers are the numbers of TensorFlow's workers and parameter servers.
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
	// Name is a valid identifier.
	Name string
	// Address is an azureml: address; "" while it is undecided, or for an output whose place the service may choose.
	Address string
	// Type is the type of data that a pipeline passes to a step.
	Type string
	// Mode is mount, download, upload or direct.
	Mode string
	// Export is the environment variable that the script reads its path from, or "".
	Export string
	// Waits means that the data only makes a step wait for another.
	Waits bool
	Open  bool
	// Folder is the data's folder in the project, relative to its root, or "" if not known. If the data is a file, File
	// is its name; for an output, the file of the run that the command copies there.
	Folder, File string
	// Why explains where the data is; "" for a workspace's storage.
	Why    string
	Source schema.Data
}

// Service is a service that runs alongside a job.
type Service struct {
	Name, Type string
	Source     schema.Endpoint
}
