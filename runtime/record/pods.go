package record

import (
	"fmt"

	"github.com/amlfix/amlfix/runtime/process"
)

// Pod is one of the pods of a run with several.
type Pod struct {
	Name string `json:"name,omitempty"` // in the cluster
	// Helper means that the pod runs until the others have ended, and needs no GPU.
	Helper bool `json:"helper,omitempty"`
	// Exit is how the job ended in it; nil if that was not seen.
	Exit *process.Exit `json:"exit,omitempty"`
	// GPU is the verdict on the GPU for people; Proven is whether a GPU was used.
	GPU    string `json:"gpu,omitempty"`
	Proven bool   `json:"proven,omitempty"`
	// Metrics means that the run's metrics are those of this pod, which is always the first.
	Metrics bool `json:"metrics,omitempty"`
}

// PodLogName returns the name of the file in a record's folder that holds a pod's output, without the pod's index in
// each line.
func PodLogName(index int) string { return fmt.Sprintf("pod-%d.log", index) }

// PodLog opens the log of one of the run's pods, which is closed with the record. It must be used only by the goroutine
// that runs the job.
func (r *Run) PodLog(index int) (*Log, error) {
	l, err := openLog(r.at, PodLogName(index))
	if err == nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.pods = append(r.pods, l)
	}
	return l, err
}
