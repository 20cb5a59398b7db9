//go:build linux

package judge

import (
	"embed"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

// Task is a task as SkyPilot reads it.
type Task struct {
	Name, Run, Setup, Workdir string
	Nodes                     int
	Envs                      map[string]string
	// Secrets are the names of the secrets without a value in the file.
	Secrets []string
	// Mounts are copied from a path or a URL to the path in their key; Buckets are mounted.
	Mounts       map[string]string
	Buckets      map[string]Bucket
	Accelerators map[string]float64
	CPUs, Memory string
	Spot         bool
	Image        string
	Options      []string // of docker run
}

// Bucket is a mounted bucket: the one at the URL Source, or one to create with that Name.
type Bucket struct{ Name, Source, Mode string }

// SkyPilotVenv is the environment variable with the folder of a Python environment that has the packages of
// skypilot.txt. Without it, one is created in the user's cache folder.
const SkyPilotVenv = "AMLFIX_TEST_SKYPILOT"

//go:embed skypilot.txt
var skyPilotList embed.FS

//go:embed skypilot.py
var skyPilotScript string

var skyPilot = sync.OnceValues(func() (*process, error) {
	python, err := pythonIn(SkyPilotVenv, "skypilot", skyPilotList, "skypilot.txt")
	if err != nil {
		return nil, err
	}
	return start(python, skyPilotScript)
})

// SkyPilot returns the tasks of a file as SkyPilot reads and validates them, without a network or a login, so that it
// does not check whether a cloud has the machine. folder is where sky is started. whole also checks that the local
// files exist. The error is SkyPilot's message if it rejects the file. The test is skipped if SkyPilot cannot be
// installed, or fails if the environment variable CI is "true".
func SkyPilot(t testing.TB, path, folder string, whole bool) ([]Task, error) {
	t.Helper()
	testkit.Program(t, "python3")
	reader, err := skyPilot()
	if err != nil {
		testkit.Unavailable(t, err.Error())
	}
	answer, err := reader.say(map[string]any{"path": path, "folder": folder, "whole": whole})
	if err != nil {
		t.Fatalf("%s: SkyPilot does not answer: %v", path, err)
	}
	var said struct {
		Accepted bool
		Faults   []Fault
		Values   struct{ Tasks []Task }
	}
	testkit.OK(t, json.Unmarshal(answer, &said))
	if !said.Accepted {
		var faults []string
		for _, f := range said.Faults {
			faults = append(faults, f.Message)
		}
		return nil, fmt.Errorf("%s: %s", path, strings.Join(faults, "; "))
	}
	return said.Values.Tasks, nil
}
