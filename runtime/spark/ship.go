package spark

import (
	_ "embed"
	"encoding/json"
	"fmt"

	"github.com/amlfix/amlfix/runtime/runid"
)

// The scripts that run a job on YARN. YARN runs DriverScript on a node of the cluster instead of the job's script,
// which it starts; HeadScript is for sh on the head node. Each script documents what it expects.
var (
	//go:embed driver.py
	DriverScript []byte
	//go:embed yarn.sh
	HeadScript []byte
)

// JobFile is where DriverScript looks for its Job, and RestDir is the folder for those entries of the project's root
// that cannot be passed to spark-submit by name; both are slash-separated and relative to the driver's working
// directory.
const (
	JobFile = ".amlfix/job.json"
	RestDir = ".amlfix-rest"
)

// Job describes what DriverScript should do.
type Job struct {
	Store   string            `json:"store"`   // the run's folder in the cluster's file system
	Argv    []string          `json:"argv"`    // the script, slash-separated and relative to the project's root, and its arguments
	Entries []string          `json:"entries"` // the files and folders of the project's root
	Env     map[string]string `json:"env"`     // set for the script
}

// Encode returns the content of JobFile.
func (j Job) Encode() ([]byte, error) {
	text, err := json.Marshal(j)
	if err != nil {
		return nil, fmt.Errorf("the description of the job for its driver cannot be written: %w", err)
	}
	return text, nil
}

// Store returns the folder of a run in the cluster's file system, relative to the user's home there.
func Store(runID runid.ID) string { return ".amlfix/" + runID.String() }

// The spark-submit settings without which a job on YARN would not end like a job elsewhere.
const (
	Attempts = "spark.yarn.maxAppAttempts"           // how often YARN runs a script that fails
	Waiting  = "spark.yarn.submit.waitAppCompletion" // whether spark-submit waits for the job to end
)
