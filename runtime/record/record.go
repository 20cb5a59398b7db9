// Package record keeps on disk what is known about a run: what it was planned to do, its state, its output and metrics,
// and how it ended. A state is written before the action that it names, by a temporary file and a rename, so a program
// that is killed at any moment leaves a complete record from which the run can be resumed.
//
// Records are in the project, in .amlfix/runs/ID/, readable only by their owner; git does not see them, and they are
// not sent with a job. Whoever fills in a Record masks secrets; a job's own output is kept unchanged.
package record

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/amlfix/amlfix/runtime/evidence"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/runtime/project"
	"github.com/amlfix/amlfix/runtime/runid"
	"github.com/amlfix/amlfix/schema/plain"
)

// Version is the version of the format of record.json. A record of a later version is not read.
const Version = 1

// Record is the content of record.json.
type Record struct {
	Version int      `json:"version"`
	ID      runid.ID `json:"id"`
	// Program is the version of amlfix that made the record.
	Program string `json:"program,omitempty"`
	// Name is the run configuration; Target and Kind are where and how the job runs.
	Name   string `json:"runConfiguration"`
	Target string `json:"target"`
	Kind   string `json:"kind"`
	// Project is the absolute path of the project's root at the time of the run.
	Project string `json:"project"`
	// Tracked means that the record is kept when the run is over.
	Tracked bool      `json:"tracked"`
	Created time.Time `json:"created"`
	// Script and Arguments are the job's own command line, secrets masked; the script is slash-separated from the
	// project's root.
	Script    string   `json:"script"`
	Arguments []string `json:"arguments,omitempty"`
	// Plan is the plan of the run as displayed, with secrets masked.
	Plan []Line `json:"plan,omitempty"`
	// After is how many steps of the same pipeline were to follow.
	After int `json:"after,omitempty"`
	// GPUs is "all" or a number if the engine was asked to give the job GPUs; otherwise empty.
	GPUs string `json:"gpus,omitempty"`
	// Limit is the time limit in nanoseconds, 0 for none.
	Limit time.Duration `json:"limit,omitempty"`
	Git   *Commit       `json:"git,omitempty"`
	Image *Image        `json:"image,omitempty"`
	// Environment is what was installed on an image; nil if nothing was.
	Environment *Environment `json:"environment,omitempty"`

	// Checks are the results of the checks before the job was started.
	Checks []Check `json:"checks,omitempty"`

	State  progress.State `json:"state"`
	States []Step         `json:"states"`
	Handle Handle         `json:"handle"`
	Stop   *Stop          `json:"stop,omitempty"`
	// Pods are the pods of a run with several, by index; empty for one process or container.
	Pods []Pod `json:"pods,omitempty"`

	// Exit is how the job itself ended, known before its outputs are collected.
	Exit     *process.Exit `json:"exit,omitempty"`
	Outcome  string        `json:"outcome,omitempty"`
	Code     int           `json:"code"` // amlfix's exit code; meaningless without an Outcome
	Reason   string        `json:"reason,omitempty"`
	GPU      *GPU          `json:"gpu,omitempty"`
	Outputs  *Outputs      `json:"outputs,omitempty"`
	Warnings []string      `json:"warnings,omitempty"`
	MLflow   *MLflow       `json:"mlflow,omitempty"`
	// AzureML is the job in the workspace, for a run in Azure ML; otherwise nil.
	AzureML *AzureML `json:"azureml,omitempty"`
}

// LogCut is how the warning begins that a run's log ends too early.
const LogCut = "the record of the run is incomplete, because its log could not be written"

// CutBy returns the warning that a log ends too early because of err.
func CutBy(err error) string { return fmt.Sprintf("%s: %v", LogCut, plain.Cause(err)) }

// Cut returns the warning that the run's log ends too early, or "".
func (r *Record) Cut() string {
	if i := slices.IndexFunc(r.Warnings, func(w string) bool { return strings.HasPrefix(w, LogCut) }); i >= 0 {
		return r.Warnings[i]
	}
	return ""
}

// WarnOfCut notes, once, that the log ends too early because of err.
func (r *Record) WarnOfCut(err error) {
	if r.Cut() == "" {
		r.Warnings = append(r.Warnings, CutBy(err))
	}
}

// AzureML is a job that the user's Azure CLI created.
type AzureML struct {
	Name   string `json:"name,omitempty"`   // in the workspace; empty: the CLI has not reported it
	Studio string `json:"studio,omitempty"` // its page, if the CLI has reported it
}

// Line is one line of a plan.
type Line struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	From  string `json:"from,omitempty"`
}

// Check is the result of a check before the job was started: its topic, "ok", "doubtful", "failed" or "unknown", and
// what was found.
type Check struct {
	Topic  string `json:"topic"`
	Status string `json:"status"`
	Text   string `json:"text"`
}

// Step is a state and when it was entered.
type Step struct {
	State progress.State `json:"state"`
	At    time.Time      `json:"at"`
}

// Handle is what is needed to find a run again, depending on its Kind. It holds no secrets. Each field that is read
// from a file must be checked before use: see vouch in package runtime.
type Handle struct {
	Host      string `json:"host,omitempty"`      // the machine reached over SSH; empty: this one
	User      string `json:"user,omitempty"`      // the user there
	Engine    string `json:"engine,omitempty"`    // the Docker engine, as in DOCKER_HOST
	Container string `json:"container,omitempty"` // its name
	Folder    string `json:"folder,omitempty"`    // a working folder on this machine, which is removed at the end
	Mounted   bool   `json:"mounted,omitempty"`   // the container works in Folder
	Volume    string `json:"volume,omitempty"`    // the engine's volume that holds the project
	Context   string `json:"context,omitempty"`   // the kubectl context of a job in a cluster; Container is the job's name
	Namespace string `json:"namespace,omitempty"` // the job's namespace
}

// Stop records that the job was asked to stop: why ("cancelled" or "timed out") and the resulting exit code.
type Stop struct {
	Cause string    `json:"cause"`
	Code  int       `json:"code"`
	At    time.Time `json:"at"`
}

// Commit is what git reported about the project when the run began.
type Commit struct {
	ID      string `json:"commit"`
	Branch  string `json:"branch,omitempty"`  // empty: none
	Changed bool   `json:"changed,omitempty"` // tracked files differ from the commit
}

// String returns the beginning of the commit's hash, its branch, and whether files differ from it.
func (c *Commit) String() string {
	text := c.ID[:min(12, len(c.ID))]
	if c.Branch != "" {
		text += " on " + c.Branch
	}
	if c.Changed {
		text += ", with changes that are not committed"
	}
	return text
}

// Image is the image that the container was created from.
type Image struct {
	Name   string `json:"name"`
	Digest string `json:"digest,omitempty"` // repository@sha256:…; empty if no registry has the image
	ID     string `json:"id,omitempty"`
}

// Environment is what was installed on a base image to make the Image that the container was created from.
type Environment struct {
	File string `json:"file"` // the conda file
	Base Image  `json:"base"`
	Way  string `json:"way"` // "conda", or "venv" for the pip packages alone
	// Packages are the requirements in File at the time of the run, Python's first.
	Packages []string `json:"packages,omitempty"`
}

// GPU is the verdict on the GPU.
type GPU struct {
	Sentence string   `json:"sentence"`
	Short    string   `json:"short,omitempty"` // the same in two words; empty in records from before 2026-12
	Proven   bool     `json:"proven"`
	StandIn  bool     `json:"standIn,omitempty"`
	Names    []string `json:"names,omitempty"`
	Way      string   `json:"way,omitempty"` // how the engine was asked for GPUs
	Peak     *Peak    `json:"peak,omitempty"`
	// Line is the line of the log on which the verdict is based, counted from 1 over both streams, or 0.
	Line   int    `json:"line,omitempty"`
	Driver string `json:"driver,omitempty"` // its version, as reported by nvidia-smi while the job ran
}

// Peak is the most that nvidia-smi showed while the job ran.
type Peak struct {
	Samples     int   `json:"samples"`
	Utilisation int   `json:"utilisation"` // per cent
	Memory      int64 `json:"memory"`      // bytes, on one GPU
	Process     bool  `json:"process"`     // a process of the job was on a GPU
}

// Outputs are the retrieved outputs.
type Outputs struct {
	Files []project.File `json:"files,omitempty"`
	Bytes int64          `json:"bytes"`
	Error string         `json:"error,omitempty"`  // set if not all were retrieved
	At    string         `json:"keptAt,omitempty"` // where the rest is
}

// MLflow says how much of the run has been sent to an MLflow server.
type MLflow struct {
	Server     string `json:"server"`
	Experiment string `json:"experiment"`
	Run        string `json:"run"`
	Metrics    int64  `json:"metrics"`            // bytes of metrics.jsonl that the server has
	Complete   bool   `json:"complete,omitempty"` // the whole run has been sent
	Error      string `json:"error,omitempty"`    // why not
}

// Entered returns when the run first entered a state, or zero.
func (r Record) Entered(s progress.State) time.Time {
	for _, step := range r.States {
		if step.State == s {
			return step.At
		}
	}
	return time.Time{}
}

// Enter records that the run enters a state.
func (r *Record) Enter(s progress.State) {
	r.State, r.States = s, append(slices.Clip(r.States), Step{s, time.Now().UTC()})
}

// Over reports whether nothing remains to be done.
func (r Record) Over() bool { return r.State == progress.Done }

// OutputsMissing reports whether outputs of a run that is over could not be retrieved, and are kept where it ran.
func (r Record) OutputsMissing() bool {
	return r.Over() && r.Outputs != nil && r.Outputs.Error != "" && r.Outputs.At != ""
}

// OutputsLost reports whether outputs of a run that is over could not be retrieved, and are not known to be anywhere.
func (r Record) OutputsLost() bool {
	return r.Over() && r.Outputs != nil && r.Outputs.Error != "" && r.Outputs.At == ""
}

// MayRun reports whether the job may have been started, so that there may be something to resume.
func (r Record) MayRun() bool {
	return !r.Over() && !r.Entered(progress.Starting).IsZero()
}

// SaysGPU reports whether the verdict on the GPU is meaningful: it is not for a job that neither should use a GPU nor
// showed one.
func (r Record) SaysGPU() bool {
	g := r.GPU
	return g != nil && (r.WantsGPUs() || g.Proven || g.StandIn || g.Peak != nil || g.Short != evidence.Verdict{}.Short() || r.Code == process.CodeNoGPU)
}

// WantsGPUs reports whether the engine was asked to give the job GPUs. A record of an earlier version says so only in
// the displayed plan.
func (r Record) WantsGPUs() bool {
	return r.GPUs != "" && r.GPUs != "none" || slices.ContainsFunc(r.Plan, func(l Line) bool { return l.Name == "gpus" && l.Value == "all" })
}
