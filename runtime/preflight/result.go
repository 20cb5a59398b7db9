// Package preflight looks, before a job is started, whether it can run where it is to run: on an engine or in a Python of
// its own, with its image, its packages and its GPUs. Nothing that it does is left behind.
package preflight

// Status is what came out of a check.
type Status string

// The statuses. A Doubtful thing may work, but probably not as the user means it; about an Unknown one nothing can be
// said from here.
const (
	OK       Status = "ok"
	Doubtful Status = "doubtful"
	Failed   Status = "failed"
	Unknown  Status = "unknown"
)

// Topic is what was looked at.
type Topic string

// The topics.
const (
	Project     Topic = "project"
	Connection  Topic = "connection"
	Program     Topic = "program"
	Packages    Topic = "packages"
	Engine      Topic = "engine"
	Image       Topic = "image"
	Environment Topic = "environment"
	Disk        Topic = "disk"
	Folder      Topic = "folder" // one that is shared between runs
	GPUs        Topic = "gpus"
	Driver      Topic = "driver"
	CUDA        Topic = "cuda"
)

// Result is one thing that was looked at.
type Result struct {
	Topic  Topic
	Status Status
	Text   string // what was found, on one line; with an error what to do is in it too
	Next   string // what to do about it; may be empty
	Err    error  // the error of the engine that Text is taken from; may be nil
}

// String is the text and what to do.
func (r Result) String() string {
	if r.Next == "" {
		return r.Text
	}
	return r.Text + ": " + r.Next
}
