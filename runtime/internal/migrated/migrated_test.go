//go:build linux

// Package migrated runs the output of "amlfix migrate --to compose" in a real engine. It contains only tests; they are
// here because the engine's helper is.
package migrated

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/compose-spec/compose-go/v2/types"

	"github.com/amlfix/amlfix/fixers/migrate"
	"github.com/amlfix/amlfix/fixers/migrate/compose"
	"github.com/amlfix/amlfix/runtime/internal/enginetest"
	"github.com/amlfix/amlfix/schema/judge/container"
	"github.com/amlfix/amlfix/schema/testkit"
	"github.com/amlfix/amlfix/schema/testkit/loaded"
)

func TestMain(m *testing.M) { os.Exit(enginetest.Main(m)) }

// miniforge is the base image of migrated jobs. No registry that has it can be reached here.
const miniforge = "condaforge/miniforge3:24.11.3-0"

// conda stands in for the program of that image: it makes an environment from the image's own Python. It proves how
// conda is called and where its result is expected, not that a package can be installed.
const conda = `#!/bin/sh
echo "` + enginetest.StandInMark + ` conda $*"
case "$1 $2" in
"env create")
  [ "$3 $4 $5 $6" = "-p /opt/env -f /tmp/conda.yml" ] && grep -q 'python=3.11' /tmp/conda.yml || exit 2
  mkdir -p /opt/env/bin && ln -s /usr/bin/python3 /opt/env/bin/python ;;
"clean -afy") ;;
*) exit 2 ;;
esac
`

const program = `
import json, os, sys
s = os.statvfs("/dev/shm")
print(json.dumps([sys.argv[1:], os.environ["MODE"], os.environ["TOKEN_OF_MINE"], sys.executable, os.getcwd(), s.f_blocks * s.f_frsize]))
with open("made-by-the-job.txt", "w") as f: f.write("weights")
`

var project = map[string]string{
	"aml_config/docker.compute": "type: localdocker\nbaseDockerImage: microsoft/mmlspark:plus-0.9.9\n",
	"aml_config/docker.runconfig": `Target: docker
Framework: Python
CondaDependenciesFile: aml_config/conda_dependencies.yml
ArgumentVector: [scripts/train.py, --greeting, "it's $HOME & ${MODE}", "010", ""]
EnvironmentVariables: {MODE: "$fast", TOKEN_OF_MINE: c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0}
`,
	"aml_config/conda_dependencies.yml": "name: project_environment\ndependencies:\n- python=3.5.2\n- numpy\n",
	"scripts/train.py":                  program,
}

const want = `[["--greeting", "it's $HOME & ${MODE}", "010", ""], "$fast", "from-the-shell", "/opt/env/bin/python", "/work", 67108864]`

// migrated writes the project, migrates it, and returns the new folder.
func migrated(t *testing.T) (root, out string) {
	t.Helper()
	root = filepath.Join(t.TempDir(), "digits")
	for name, text := range project {
		testkit.Write(t, root, name, text)
	}
	m, err := migrate.New(loaded.Project(t, root), compose.Emitter{}, migrate.Options{})
	testkit.OK(t, err)
	testkit.OK(t, m.Commit())
	return root, m.Options.Out
}

// TestMigratedProjectRuns builds the image of a migrated CPU project and runs its service in a real engine: with Docker
// Compose if it is installed, and otherwise with the docker program, given what Compose's own reader reads.
func TestMigratedProjectRuns(t *testing.T) {
	if _, err := exec.LookPath("docker"); err != nil {
		testkit.Unavailable(t, "the docker program is not installed (apt-get install docker.io)")
	}
	e := enginetest.Start(t)
	e.Derive(t, miniforge, e.Python(t), map[string]string{"/opt/conda/bin/conda": conda})
	root, out := migrated(t)
	docker := func(args ...string) (string, string, error) {
		cmd := exec.Command("docker", args...)
		cmd.Dir = out
		// the classic builder: the other one is a plugin that may be missing
		cmd.Env = append(os.Environ(), "DOCKER_HOST="+e.Host, "DOCKER_CONFIG="+t.TempDir(), "DOCKER_BUILDKIT=0", "TOKEN_OF_MINE=from-the-shell")
		var stdout, stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		err := cmd.Run()
		return stdout.String(), stderr.String(), err
	}
	p, err := container.ComposeFile(filepath.Join(out, "compose.yaml"), "TOKEN_OF_MINE=from-the-shell")
	testkit.OK(t, err)
	s := p.Services["docker"]
	if text, log, err := docker("build", "--network", "none", "-f", filepath.Join(s.Build.Context, s.Build.Dockerfile), "-t", s.Image, s.Build.Context); err != nil {
		t.Fatalf("docker build: %v\n%s%s", err, text, log)
	}
	run := append([]string{"run", "--rm", "--network", "none"}, flags(s)...)
	if _, _, err := docker("compose", "version"); err == nil {
		run = []string{"compose", "run", "--rm", "docker"}
	} else {
		t.Log("no docker compose here: the service is run as Compose's own reader reads it")
	}
	text, log, err := docker(run...)
	if err != nil {
		t.Fatalf("docker %s: %v\n%s%s", strings.Join(run, " "), err, text, log)
	}
	testkit.Same(t, want, strings.TrimSpace(text), "the job prints")
	if made, err := os.ReadFile(filepath.Join(root, "made-by-the-job.txt")); err != nil || string(made) != "weights" {
		t.Errorf("what the job wrote: %q, %v", made, err)
	}
}

// flags returns the docker run flags equivalent to a service's settings.
func flags(s types.ServiceConfig) (args []string) {
	if _, err := exec.LookPath("docker-init"); err == nil && s.Init != nil && *s.Init {
		args = append(args, "--init") // Debian packages it separately from the engine
	}
	for _, v := range s.Volumes {
		args = append(args, "-v", v.Source+":"+v.Target)
	}
	for name, value := range s.Environment {
		args = append(args, "-e", name+"="+*value)
	}
	if s.ShmSize > 0 {
		args = append(args, "--shm-size", strconv.FormatInt(int64(s.ShmSize), 10))
	}
	args = append(args, "-w", s.WorkingDir, s.Image)
	return append(args, s.Command...)
}
