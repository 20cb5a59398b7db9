// Package preflight checks, before a job is started, whether it can run where it is meant to run: on an engine or in
// one of the user's Pythons, with its image, its packages and its GPUs. It leaves nothing behind.
package preflight

// Status is the outcome of a check.
type Status string

// The statuses. Doubtful means that something may work, but probably not as intended; Unknown means that it cannot be
// checked from here.
const (
	OK       Status = "ok"
	Doubtful Status = "doubtful"
	Failed   Status = "failed"
	Unknown  Status = "unknown"
)

// Topic is what was checked.
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
	Folder      Topic = "folder" // a folder that is shared between runs
	GPUs        Topic = "gpus"
	Driver      Topic = "driver"
	CUDA        Topic = "cuda"
)

// Result is the result of one check.
type Result struct {
	Topic  Topic
	Status Status
	Text   string // what was found, on one line; in case of an error, including what to do
	Next   string // what to do about it; may be empty
	Err    error  // the engine error on which Text is based; may be nil
}

// String returns the text and what to do.
func (r Result) String() string {
	if r.Next == "" {
		return r.Text
	}
	return r.Text + ": " + r.Next
}
