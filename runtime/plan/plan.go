// Package plan turns a job into a Plan: pure data that describes what a run would do, and which line of the project's
// files each value comes from.
//
// New plans what all targets have in common, and the target adds the rest to a Draft. Nothing in this package starts,
// writes or connects to anything.
package plan

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/amlfix/amlfix/runtime/runid"
)

// Kind is the name of a way to run jobs, as plans show it and records keep it. Each package below runtime/target
// defines one.
type Kind string

// GPURequest is the request for GPUs to the container engine.
type GPURequest string

// The named requests; others are the number of GPUs to reserve for the run. Only containers are given GPUs: any other
// process sees what its user sees.
const (
	NoGPUs  GPURequest = "none"
	AllGPUs GPURequest = "all"
)

// Wanted reports whether the job gets GPUs.
func (g GPURequest) Wanted() bool { return g != "" && g != NoGPUs }

// Count returns how many GPUs are reserved for the run; 0 if it shares all, or gets none.
func (g GPURequest) Count() int {
	n, _ := strconv.Atoi(string(g)) // "all" and "none" are not numbers
	return max(n, 0)
}

// ParseGPUs parses a request as the user writes it: "all", "none" or a number.
func ParseGPUs(text string) (g GPURequest, ok bool) {
	g = GPURequest(text)
	n, err := strconv.Atoi(text)
	return g, g == AllGPUs || g == NoGPUs || err == nil && n > 0 && n <= 1024 && text == strconv.Itoa(n)
}

// Origin is where a value comes from: a line of a file, or a remark, or both.
type Origin struct {
	Path string // as shown to the user, slash-separated; empty: no file
	Line int    // 1-based; 0: the file as a whole
	Note string // such as "default" or "command line"
}

// String returns "path:line", "path:line, note" or "note".
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

// From returns a Field with this value and origin.
func From[T any](value T, o Origin) Field[T] { return Field[T]{Value: value, Origin: o} }

// Item is an argument or an environment variable; an argument has no Name.
type Item struct {
	Name   string
	Value  string
	Secret bool // not to be shown
	Origin Origin
}

// Host is another machine that a job runs on, reached over SSH.
type Host struct {
	Address Field[string] // a name or address, optionally with :port; empty: the job runs on this machine
	User    Field[string] // the user there; empty: as ~/.ssh/config says
	Stored  Field[string] // why the credentials in the file cannot be used; empty: there are none
}

// Plan is everything a run needs to know before it does anything. What only one kind of target needs is in Part.
type Plan struct {
	RunID   runid.ID
	Name    string // the run configuration
	Target  Field[string]
	Kind    Field[Kind]
	Host    Host   // the machine that the job runs on, if it is not this one
	Project string // the project's root folder, absolute
	// Script is the job's program, slash-separated, relative to the project's root; empty if the run configuration
	// names none.
	Script Field[string]
	// Interpreter is the program that is started. On this machine, it is a path if the program was found.
	Interpreter Field[string]
	// InterpreterKey is the setting of the target that names the Python: "pythonLocation", in SDK v1 "interpreterPath".
	InterpreterKey string
	Spark          []Item // arguments of spark-submit before the script
	// Modules means that ModulesFile is sent with the job.
	Modules bool
	Argv    []Item // what follows the interpreter and Spark: the script and its arguments
	// Work is what a v2 command job runs instead of a script; the interpreter is then Shell. nil for other jobs.
	Work *Work
	Env  []Item // set on top of the environment of the user or, in a container, of the image
	// Frameworks are those that the conda file names, for a Python of the user's own, in which nothing is installed.
	Frameworks []Field[string]
	// ShareDir is the folder for nativeSharedDirectory, with the project's name, or empty. On this machine, it is
	// absolute; on Host, it is slash-separated, and relative to the user's home unless it is absolute or starts with ~.
	ShareDir Field[string]
	ShareAs  string // where the job sees ShareDir; empty: under its own path
	// Transport describes, for people, how the project gets to where the job runs.
	Transport string
	Outputs   Field[string] // the folder that is copied back, slash-separated, relative to the project's root
	Timeout   Field[time.Duration]
	Tracked   Field[bool] // the run's record is kept when the run is over
	GPUs      Field[GPURequest]
	Part      Part // nil: the target needs nothing more
	// Notes are things that the files request and that the run will not do.
	Notes []Field[string]
}

// Part is what only one kind of target needs to know. Its type belongs to the package of that target, and only that
// package uses it.
type Part interface {
	// Lines returns the part's lines in the displayed plan: what the job runs in, and its limits. They need not be
	// masked.
	Lines(Plan) (surroundings, limits []Line)
}

// Command returns the job's command line, without the interpreter.
func (p Plan) Command() (argv []string) {
	if p.Work != nil {
		return p.Work.Argv()
	}
	for _, a := range slices.Concat(p.Spark, p.Argv) {
		argv = append(argv, a.Value)
	}
	return argv
}

// Variables returns the variables that the plan sets, as "NAME=value".
func (p Plan) Variables() (env []string) {
	for _, v := range p.Env {
		env = append(env, v.Name+"="+v.Value)
	}
	return env
}
