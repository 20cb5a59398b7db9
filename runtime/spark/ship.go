package spark

import (
	_ "embed"
	"encoding/json"
	"fmt"

	"github.com/amlfix/amlfix/runtime/runid"
)

// The scripts that see a job through on YARN. DriverScript is what YARN runs on a node of the cluster in place of the
// job's script, which it starts; HeadScript is for sh on the head node. What they expect is said at their beginnings.
var (
	//go:embed driver.py
	DriverScript []byte
	//go:embed yarn.sh
	HeadScript []byte
)

// JobFile is where DriverScript looks for its Job, and RestDir is the folder with those entries of the project's root
// that spark-submit cannot be given by their names; slash-separated, from the driver's working folder.
const (
	JobFile = ".amlfix/job.json"
	RestDir = ".amlfix-rest"
)

// Job is what DriverScript is to do.
type Job struct {
	Store   string            `json:"store"`   // the run's folder in the cluster's file system
	Argv    []string          `json:"argv"`    // the script, slash-separated from the project's root, and its arguments
	Entries []string          `json:"entries"` // the files and folders of the project's root
	Env     map[string]string `json:"env"`     // set for the script
}

// Encode is the content of JobFile.
func (j Job) Encode() ([]byte, error) {
	text, err := json.Marshal(j)
	if err != nil {
		return nil, fmt.Errorf("the description of the job for its driver cannot be written: %w", err)
	}
	return text, nil
}

// Store is the folder of a run in the cluster's file system, from the user's home there.
func Store(runID runid.ID) string { return ".amlfix/" + runID.String() }

// The settings of spark-submit without which a job on YARN would not end as one elsewhere does.
const (
	Attempts = "spark.yarn.maxAppAttempts"           // how often YARN runs a script that fails
	Waiting  = "spark.yarn.submit.waitAppCompletion" // whether spark-submit sees the job to its end
)
