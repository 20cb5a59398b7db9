package record

import (
	"fmt"

	"github.com/amlfix/amlfix/runtime/process"
)

// Pod is one of the pods of a run that has several.
type Pod struct {
	Name string `json:"name,omitempty"` // in the cluster
	// Helper says that it serves until the others have ended, and needs no GPU.
	Helper bool `json:"helper,omitempty"`
	// Exit is how the job ended in it; nil if that was not seen.
	Exit *process.Exit `json:"exit,omitempty"`
	// GPU is the verdict on the GPU for people, Proven whether one was used.
	GPU    string `json:"gpu,omitempty"`
	Proven bool   `json:"proven,omitempty"`
	// Metrics says that the metrics of the run are those of this pod: they are the
	// first one's only.
	Metrics bool `json:"metrics,omitempty"`
}

// PodLogName is the name of the file in a record's folder that holds the output of a
// pod, without its index in each line.
func PodLogName(index int) string { return fmt.Sprintf("pod-%d.log", index) }

// PodLog opens the log of one of the run's pods, which is closed with the record. It
// belongs to the goroutine that runs the job.
func (r *Run) PodLog(index int) (*Log, error) {
	l, err := openLog(r.at, PodLogName(index))
	if err == nil {
		r.pods = append(r.pods, l)
	}
	return l, err
}
