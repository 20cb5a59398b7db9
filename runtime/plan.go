// Package runtime runs a job on its compute target: NewPlan turns a schema.Job into a Plan, pure data in which every
// value knows where it comes from, and Run carries the plan out. This version runs local and local Docker targets.
package runtime

import (
	"fmt"
	"time"

	"github.com/amlfix/amlfix/runtime/prepare"
	"github.com/amlfix/amlfix/runtime/runid"
)

// Kind is how a job runs.
type Kind string

// The kinds that this version runs.
const (
	Local  Kind = "local"  // a process of this machine
	Docker Kind = "docker" // a container of the Docker engine
	Remote Kind = "remote" // a process of another machine, over SSH
	// Cluster is spark-submit on the head node of a cluster, over SSH.
	Cluster Kind = "cluster"
)

// GPURequest is what is asked of the container engine.
type GPURequest string

// The requests. A local process is not asked for: it sees what its user sees.
const (
	NoGPUs  GPURequest = "none"
	AllGPUs GPURequest = "all"
)

// Origin is where a value comes from: a line of a file, or a remark, or both.
type Origin struct {
	Path string // as shown to the user, slash-separated; empty: no file
	Line int    // 1-based; 0: the file as a whole
	Note string // such as "default" or "command line"
}

// String is "path:line", "path:line, note" or "note".
func (o Origin) String() string {
	at := o.Path
	if at != "" && o.Line > 0 {
		at = fmt.Sprintf("%s:%d", o.Path, o.Line)
	}
	switch {
	case at == "":
		return o.Note
	case o.Note == "":
		return at
	}
	return at + ", " + o.Note
}

// Field is a value and where it comes from.
type Field[T any] struct {
	Value  T
	Origin Origin
}

// Item is an argument or an environment variable; an argument has no Name.
type Item struct {
	Name   string
	Value  string
	Secret bool // not to be shown
	Origin Origin
}

// Plan is everything a run needs to know, before anything has been done.
type Plan struct {
	RunID   runid.ID
	Name    string // the run configuration
	Target  Field[string]
	Kind    Field[Kind]
	Host    Field[string] // the machine that it runs on, over SSH: a name or address, perhaps with :port; empty: this one
	User    Field[string] // the user there; empty: as ~/.ssh/config says
	Stored  Field[string] // why the credentials that stand in the file are of no use; empty: there are none
	Project string        // the project's root folder
	// Script is the job's program, slash-separated from the project's root; empty when the run configuration names none.
	Script Field[string]
	// Interpreter is the program that is started: for a local run its path when it was found.
	Interpreter Field[string]
	// InterpreterKey is the setting of the target that names the Python: "pythonLocation", in SDK v1 "interpreterPath".
	InterpreterKey string
	Spark          []Item // for spark-submit: what stands before the script
	Argv           []Item // what follows the interpreter, and Spark: the script and its arguments
	Env            []Item // set on top of the environment of the user (local) or of the image (docker)
	// ShareDir is the folder for nativeSharedDirectory, with the project's name; empty: none. It is absolute on this
	// machine; on Host it is slash-separated and relative to the user's home there when it is not absolute, or starts with ~.
	ShareDir Field[string]
	// Unshared tells that nativeSharedDirectory is named and not used, because a container gets it only with sharedVolumes.
	Unshared Field[bool]
	// YARN tells that spark-submit asks YARN, a cluster's own manager, for the machines of the job.
	YARN bool
	// Distributed tells that the script runs on a node of the cluster rather than where it is started.
	Distributed Field[bool]
	// Frameworks are those that the conda file names, for a Python of the user's own, in which nothing is installed.
	Frameworks []Field[string]
	Outputs    Field[string] // the folder that comes back, slash-separated from the project's root
	Timeout    Field[time.Duration]
	Tracked    Field[bool] // the record of the run stays when it is over

	// These are for containers.
	Image Field[string] // the one to be used
	Named string        // the image that the target names; it differs from Image when the settings name another one for it
	// Recipe is what is installed on the image before the job runs; none when it is empty.
	Recipe prepare.Recipe
	// Conda is the file that the recipe comes from, as shown to the user.
	Conda Field[string]
	// OnlyConda is where the first package of the recipe stands that conda alone can install; no Path: there is none.
	OnlyConda Origin
	// Prepare is false when only an environment may be used that has been made before.
	Prepare Field[bool]
	GPUs    Field[GPURequest]
	Shared  Field[bool]   // mount folders: ShareDir and, instead of sending the project, a copy of it when the engine is on this machine
	Memory  Field[int64]  // bytes; 0: no limit
	Shm     Field[int64]  // bytes; 0: the engine's default
	IPC     Field[string] // whose shared memory the container sees, as in docker run --ipc; empty: the engine's default

	// Notes are things that the files ask for and the run will not do.
	Notes []Field[string]
}
