package kubernetes

import (
	"path"

	"github.com/amlfix/amlfix/runtime/runid"
)

// environments is the folder on the run's volume that holds environments.
const environments = Root + "/.amlfix/env"

// Environment returns the folder of an environment on the run's volume.
func Environment(key string) string { return path.Join(environments, key) }

// Alive returns the path of a file: the pod of a run waits for its job as long as the file exists.
func Alive(id runid.ID) string { return path.Join(runsDir, id.String()) + ".alive" }
