//go:build unix

package main

import (
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/amlfix/amlfix/schema/testkit"
)

// seeded is a project that can be run and migrated, with a secret in every place where that remains possible.
const seeded = `
-- aml_config/local.compute --
type: local
pythonLocation: /bin/sh
username: SEED
surprise: SEED
-- aml_config/local.runconfig --
# SEED
ArgumentVector: [$file, SEED, --token, PLAIN, SEED, "--password", "PLAIN", --db-password=PLAIN, --user, "me:PLAIN", sshpass, -p, PLAIN, 'x']
Target: local
Framework: Python
CondaDependenciesFile: aml_config/conda.yml
EnvironmentVariables:
  GITHUB_PAT: PLAIN
  AUTH: PLAIN
  STORAGE_KEY: PLAIN
  A: SEED
  B: SEED
  C: SEED
-- aml_config/docker.compute --
type: localdocker
baseDockerImage: https://u:PLAIN@registry.example.com/x:1
nativeSharedDirectory: SEED
nvidiaDocker: true
-- aml_config/docker.runconfig --
ArgumentVector:
- $file
- SEED
- --api-key
# between
- PLAIN
- SEED
- >-
  SEED
Target: docker
Framework: Python
CondaDependenciesFile: aml_config/conda.yml
SparkDependenciesFile: aml_config/spark.yml
EnvironmentVariables: {"DB_PASS": "PLAIN", "X": SEED, "Y": SEED}
-- aml_config/vm.compute --
{"type": "remotedocker", "address": "user:PLAIN@vm.example.com", "username": SEED, "privateKey": "PLAIN", "baseDockerImage": "u:PLAIN@registry.example.com/y"}
-- aml_config/vm.runconfig --
ArgumentVector: [$file]
Target: vm
Framework: Python
CondaDependenciesFile: aml_config/conda.yml
EnvironmentVariables: {A: SEED}
-- aml_config/faulty.compute --
type: remotedocker
address: SEED
username: SEED
password: PLAIN
yarnDeployMode: SEED
nvidiaDocker: SEED
-- aml_config/cluster.compute --
type: cluster
address: SEED
username: SEED
-- aml_config/cluster.runconfig --
ArgumentVector: [$file, SEED]
Target: cluster
Framework: PySpark
CondaDependenciesFile: aml_config/conda.yml
SparkDependenciesFile: aml_config/spark.yml
-- aml_config/conda.yml --
name: x
channels:
- https://conda.example.com/t/PLAIN/main
- SEED
dependencies:
- python=3.6
- SEED
- pip:
  - --extra-index-url=https://u:PLAIN@pypi.example.com/simple
  - git+https://PLAIN@github.com/x/y
  - SEED
  - requests==2.0  # SEED
-- aml_config/spark.yml --
configuration:
  spark.hadoop.fs.azure.account.key.x.blob.core.windows.net: PLAIN
  spark.x: SEED
repositories: ["https://u:PLAIN@maven.example.com/x", SEED]
packages:
- {group: a, artifact: b, version: SEED}
-- .amlfix.yaml --
# SEED
images: {SEED: SEED}
choices: {cuda: SEED}
gpu: [SEED]
migrate: {vm-size: SEED}
exclude: [SEED]
-- job.sh --
exit 3
`

// everywhere returns a command's output and the content of all files below a folder, except the sources themselves.
func everywhere(t *testing.T, r result, dir string, sources map[string]bool) string {
	t.Helper()
	var all strings.Builder
	all.WriteString(r.out + r.err)
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(dir, name)
		if err != nil || sources[filepath.ToSlash(rel)] || d.IsDir() || strings.Contains(rel, "outputs") {
			return err
		}
		text, err := os.ReadFile(name)
		all.WriteString("\n" + rel + ":\n" + string(text))
		return err
	})
	testkit.OK(t, err)
	return all.String()
}

// leakCommands returns the commands that read a project; only --diff --raw shows secrets.
func leakCommands() (list [][]string) {
	list = append(list, append([]string{"--verbose"}, everyFormat()...))
	for _, line := range []string{
		"--diff", "--diff --unsafe", "--diff --gpu docker", "targets", "targets --format json", "config", "baseline", "undo", "init",
		"run -c local --plan job.sh", "run -c local --plan", "run -c docker --plan job.sh", "run -c vm --plan job.sh", "run -c cluster --plan job.sh", "run -c vm --check job.sh", "run -c cluster --check job.sh",
		"run -c local job.sh", "run -c vm job.sh", "run -c cluster job.sh", "run -c docker job.sh", "prepare -c docker",
		"migrate --to v2 --script job.sh --out v2", "migrate --to v1 --script job.sh --out v1", "migrate --to compose --script job.sh --out compose", "migrate --to k8s --script job.sh --out k8s",
		"migrate --to skypilot --script job.sh --out skypilot",
		"migrate --to v2 --script job.sh --dry-run", "--add-ignores", "--apply", "--apply --unsafe",
	} {
		list = append(list, strings.Fields(line))
	}
	return list
}

// TestNothingShowsSecrets puts secrets of every form into every kind of file, and searches everything that the commands
// print, write and send for them.
//
//testkit:norace
func TestNothingShowsSecrets(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	rounds, step := len(newSeeder(0).forms), 25 // so that each form is in some places, and each place has some forms
	if os.Getenv("AMLFIX_THOROUGH") != "" {
		step = 1
	}
	for first := 0; first < rounds; first += step {
		t.Run(strconv.Itoa(first), func(t *testing.T) {
			t.Parallel()
			s := newSeeder(first)
			archive := txtar.Parse([]byte(s.fill(seeded)))
			checkLeaks(t, s, archive.Files, true)
		})
	}
}

// TestNothingShowsSecretsInAnyKey does the same with files that have every key known to a schema, with arbitrary
// values.
//
//testkit:norace
func TestNothingShowsSecretsInAnyKey(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	for first := 0; first < len(newSeeder(0).forms); first += 30 {
		t.Run(strconv.Itoa(first), func(t *testing.T) {
			t.Parallel()
			checkLeaksInAnyKey(t, newSeeder(first), first%60 == 0)
		})
	}
}

func checkLeaksInAnyKey(t *testing.T, s *seeder, asJSON bool) {
	t.Helper()
	files := []txtar.File{
		{Name: "aml_config/a.compute", Data: s.everyKey(t, "compute", asJSON)},
		{Name: "aml_config/a.runconfig", Data: s.everyKey(t, "workbench-runconfig", asJSON)},
		{Name: "aml_config/conda_dependencies.yml", Data: s.everyKey(t, "conda", asJSON)},
		{Name: "aml_config/spark_dependencies.yml", Data: s.everyKey(t, "spark", asJSON)},
		{Name: ".azureml/b.runconfig", Data: s.everyKey(t, "sdk-runconfig", asJSON)},
		{Name: ".amlfix.yaml", Data: s.everyKey(t, "settings", asJSON)},
		{Name: ".amlfix-baseline.json", Data: s.everyKey(t, "baseline", true)},
	}
	for _, kind := range []string{"v2-command", "v2-pipeline", "v2-spark", "v2-environment", "v2-compute"} {
		text := s.everyKey(t, kind, false)
		files = append(files, txtar.File{Name: kind + ".yml", Data: append([]byte("$schema: https://azuremlschemas.azureedge.net/latest/"+v2Names[kind]+".schema.json\n"), withoutSchema(text)...)})
	}
	checkLeaks(t, s, files, false)
}

var v2Names = map[string]string{"v2-command": "commandJob", "v2-pipeline": "pipelineJob", "v2-spark": "sparkJob", "v2-environment": "environment", "v2-compute": "amlCompute"}

func withoutSchema(text []byte) []byte {
	_, rest, _ := strings.Cut(string(text), "\n")
	return []byte(rest)
}

// checkLeaks runs every command on the files; runs means that the local job can run.
func checkLeaks(t *testing.T, s *seeder, files []txtar.File, runs bool) {
	t.Helper()
	sent := &listener{}
	server := httptest.NewServer(sent)
	defer server.Close()
	for _, args := range leakCommands() {
		dir := testkit.Unpack(t, files)
		sources := map[string]bool{}
		for _, f := range files {
			sources[f.Name] = true
		}
		res := amlfixWith(t.Context(), dir, map[string]string{"MLFLOW_TRACKING_URI": server.URL}, args...)
		text := everywhere(t, res, dir, sources)
		if runs && strings.Join(args, " ") == "run -c local job.sh" {
			if records, _ := filepath.Glob(filepath.Join(dir, ".amlfix", "runs", "*", "record.json")); res.code != 3 || len(records) != 1 || sent.text() == "" {
				t.Fatalf("the job did not run: exit %d, %d records, %d bytes sent\n%s", res.code, len(records), len(sent.text()), res.err)
			}
		}
		if args[0] == "run" {
			for _, more := range []string{"runs list", "runs show", "runs show --format json"} {
				r := amlfix(t, dir, strings.Fields(more)...)
				text += r.out + r.err
			}
			text += sent.text()
		}
		for _, shown := range s.shownIn(text) {
			at := strings.Index(text, shown.secret[:10])
			if at < 0 {
				at = strings.Index(text, shown.secret[len(shown.secret)-10:])
			}
			t.Errorf("amlfix %s shows a part of %q:\n%s", strings.Join(args, " "), shown.value, text[max(0, at-150):min(len(text), at+60)])
		}
	}
}

// listener records everything sent to it.
type listener struct {
	mu  sync.Mutex
	got strings.Builder
}

func (l *listener) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	l.mu.Lock()
	l.got.WriteString(r.URL.String() + "\n" + string(body) + "\n")
	l.mu.Unlock()
	_, _ = io.WriteString(w, `{"experiment": {"experiment_id": "1"}, "run": {"info": {"run_id": "1", "artifact_uri": "mlflow-artifacts:/1"}}}`)
}

func (l *listener) text() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.got.String()
}
