//go:build linux

package runtime

import (
	"bytes"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/runtime/internal/enginetest"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestEngineListsNoSecrets checks that what the engine shows to everyone who may list containers, images and volumes
// (names, labels, commands, mounts) contains none of the job's variables. That it contains the job's arguments is
// expected.
func TestEngineListsNoSecrets(t *testing.T) {
	t.Parallel()
	e := engineHere(t)
	image := e.Python(t)
	const value = "hunter2-of-this-test"
	job, root := load(t, files{"train.py": "import os, time\nprint(len(os.environ['STORAGE_KEY']), flush=True)\ntime.sleep(1)\n",
		"aml_config/docker.compute":   "type: localdocker\nbaseDockerImage: " + image + "\n",
		"aml_config/docker.runconfig": "Target: docker\nFramework: Python\nArgumentVector: [$file]\nEnvironmentVariables: {STORAGE_KEY: " + value + ", DB: 'Server=a;Password=" + value + "'}\n"}, "docker", schema.Options{})
	plan := newPlan(t, job, Options{Project: root, Script: "train.py"})
	out := &listing{engine: e, t: t}
	if _, err := Run(t.Context(), plan, RunOptions{Stdout: out, Stderr: out}); err != nil {
		t.Fatal(err)
	}
	testkit.Has(t, out.seen.String(), plan.RunID.String())
	if strings.Contains(out.seen.String(), value) {
		t.Errorf("a secret is listed: %s", out.seen.String())
	}
}

// listing gets the engine's lists when the job prints.
type listing struct {
	engine *enginetest.Engine
	t      *testing.T
	seen   bytes.Buffer
}

func (l *listing) Write(p []byte) (int, error) {
	for _, path := range []string{"/containers/json?all=1", "/images/json?all=1", "/volumes"} {
		l.seen.Write(l.engine.Do(l.t, "GET", path))
	}
	return len(p), nil
}
