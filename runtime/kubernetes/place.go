package kubernetes

import (
	"path"

	"github.com/amlfix/amlfix/runtime/runid"
)

// environments is the folder of the environments on the run's volume.
const environments = Root + "/.amlfix/env"

// Environment is the folder of an environment on the run's volume.
func Environment(key string) string { return path.Join(environments, key) }

// Alive is a file that keeps the pod of a run waiting for its job for as long as it
// exists.
func Alive(id runid.ID) string { return path.Join(runsDir, id.String()) + ".alive" }
