//go:build linux

package skypilot_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/fixers/migrate"
	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/fixers/migrate/migratetest"
	"github.com/amlfix/amlfix/fixers/migrate/skypilot"
	"github.com/amlfix/amlfix/schema/judge"
	"github.com/amlfix/amlfix/schema/testkit"
	"github.com/amlfix/amlfix/schema/testkit/loaded"
)

// written writes the output of a migration, and returns the folder, which is next to links to the project's files if
// the project is read-only.
func written(t *testing.T, m *migrate.Migration) string {
	t.Helper()
	out := m.Options.Out
	if root := m.Project.Root; filepath.Dir(out) == root {
		dir := t.TempDir()
		entries, err := os.ReadDir(root)
		testkit.OK(t, err)
		for _, e := range entries {
			if e.Name() != filepath.Base(out) {
				testkit.OK(t, os.Symlink(filepath.Join(root, e.Name()), filepath.Join(dir, e.Name())))
			}
		}
		out = filepath.Join(dir, filepath.Base(out))
	}
	for _, f := range m.Files {
		testkit.Write(t, out, f.Path, f.Text)
	}
	return out
}

// open matches a value with an open decision.
var open = regexp.MustCompile(`(?m)^ +\S.*: ` + account.Marker + `$`)

// read returns SkyPilot's parse of every task file of a migration, by name. Local files have to exist, unless a
// decision about one is open.
func read(t *testing.T, m *migrate.Migration) map[string][]judge.Task {
	t.Helper()
	dir, files := written(t, m), map[string][]judge.Task{}
	for _, f := range m.Files {
		if !strings.HasSuffix(f.Path, ".yaml") {
			continue
		}
		tasks, err := judge.SkyPilot(t, filepath.Join(dir, f.Path), dir, !open.Match(f.Text))
		if err != nil {
			t.Errorf("%s: %v\n%s", m.Project.Root, err, f.Text)
		}
		files[f.Path] = tasks
	}
	return files
}

// TestSkyPilotAcceptsTheCorpus checks that SkyPilot's own parser accepts the output for every real project.
//
//testkit:norace
func TestSkyPilotAcceptsTheCorpus(t *testing.T) {
	t.Parallel()
	gpus, tasks := 0, 0
	count := migratetest.Corpus(t, skypilot.Emitter{}, nil, func(m *migrate.Migration) {
		files := read(t, m)
		if len(files) != len(m.Jobs) {
			t.Errorf("%s: %d tasks for %d jobs", m.Project.Root, len(files), len(m.Jobs))
		}
		for _, j := range m.Jobs {
			for _, task := range files["task-"+account.Slug(j.Name)+".yaml"] {
				tasks++
				if len(task.Accelerators) > 0 != j.GPU {
					t.Errorf("%s: %s: GPU %v, but accelerators %v", m.Project.Root, j.Name, j.GPU, task.Accelerators)
				}
				if j.GPU {
					gpus++
				}
			}
		}
		for _, f := range m.Files {
			if f.Path != account.Report && strings.Contains(string(f.Text), "mcr.microsoft.com/azureml/") {
				t.Errorf("%s: %s names an image that is only for Azure", m.Project.Root, f.Path)
			}
		}
	})
	if t.Logf("%d projects, %d tasks, %d with a GPU", count, tasks, gpus); count < 100 || gpus == 0 {
		t.Error("is the corpus complete?")
	}
}

// TestSkyPilotAcceptsV2 does the same for v2 command jobs and pipelines.
func TestSkyPilotAcceptsV2(t *testing.T) {
	t.Parallel()
	tasks, chains, several := 0, 0, 0
	count := migratetest.V2(t, skypilot.Emitter{}, func(m *migrate.Migration) {
		own := 0
		for name, list := range read(t, m) {
			own += len(list)
			if strings.HasPrefix(name, "pipeline-") {
				chains++
			}
			for _, task := range list {
				if task.Nodes > 1 {
					several++
				}
			}
		}
		if own != len(m.Jobs) {
			t.Errorf("%s: %d tasks for %d jobs and steps", m.Project.Root, own, len(m.Jobs))
		}
		tasks += own
	})
	if t.Logf("%d jobs and steps, %d tasks, %d pipelines in one file, %d tasks on several machines", count, tasks, chains, several); count < 400 || chains < 20 || several == 0 {
		t.Error("is the corpus complete?")
	}
}

// migrated writes a project and migrates it.
func migrated(t *testing.T, files map[string]string, answers map[string]string) *migrate.Migration {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "digits")
	for name, text := range files {
		testkit.Write(t, dir, name, text)
	}
	options := migrate.Options{Answers: map[string]migrate.Answer{}}
	for id, value := range answers {
		options.Answers[id] = migrate.Answer{Value: value, From: migrate.FromFlag}
	}
	m, err := migrate.New(loaded.Project(t, dir), skypilot.Emitter{}, options)
	testkit.OK(t, err)
	return m
}

// one returns the only task of a migration.
func one(t *testing.T, m *migrate.Migration) judge.Task {
	t.Helper()
	for _, list := range read(t, m) {
		if len(list) == 1 {
			return list[0]
		}
	}
	t.Fatal("there is no task")
	return judge.Task{}
}

// asked returns the ids of the open decisions.
func asked(m *migrate.Migration) (ids []string) {
	for _, d := range m.Open() {
		ids = append(ids, d.ID)
	}
	slices.Sort(ids)
	return ids
}

const jobSchema = "$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json\n"

// TestResources checks that a task requests the machine that the job had: its GPUs under SkyPilot's names, its cores,
// and whether it may be evicted. What is retired or unknown is a decision.
func TestResources(t *testing.T) {
	for name, tt := range map[string]struct {
		files   map[string]string
		answers map[string]string
		gpus    map[string]float64
		cpus    string
		memory  string
		spot    bool
		decided bool
	}{
		"a GPU": {files: map[string]string{"job.yml": "resources: {instance_type: Standard_ND40rs_v2}\nqueue_settings: {job_tier: Spot}\n"},
			gpus: map[string]float64{"V100-32GB": 8}, spot: true},
		"a part of one": {files: map[string]string{"job.yml": "resources: {instance_type: Standard_NV6ads_A10_v5}\n"}, gpus: map[string]float64{"A10": 0.167}},
		"a retired one": {files: map[string]string{"job.yml": "resources: {instance_type: Standard_NC6s_v3}\n"}, gpus: map[string]float64{"V100": 1}, decided: true},
		"another one": {files: map[string]string{"job.yml": "resources: {instance_type: Standard_NC6s_v3}\n"}, answers: map[string]string{"accelerators": "A100-80GB:2"},
			gpus: map[string]float64{"A100-80GB": 2}, decided: true},
		"a compute target": {files: map[string]string{"job.yml": "compute: azureml:cheap\n", "cheap.yml": "$schema: https://azuremlschemas.azureedge.net/latest/amlCompute.schema.json\nname: cheap\ntype: amlcompute\nsize: Standard_DS3_v2\ntier: low_priority\n"},
			cpus: "4+", memory: "14+", spot: true},
		"an expensive one": {files: map[string]string{"job.yml": "compute: azureml:dear\n", "dear.yml": "$schema: https://azuremlschemas.azureedge.net/latest/amlCompute.schema.json\nname: dear\ntype: amlcompute\nsize: Standard_X9\ntier: dedicated\n"}},
		"an unnamed GPU": {files: map[string]string{"job.yml": "resources: {instance_type: Standard_ND128isr_NDR_GB200_v6}\n"},
			gpus: map[string]float64{"T4": 4}, decided: true},
		"nothing": {files: map[string]string{"job.yml": ""}},
	} {
		files := map[string]string{"train.py": ""}
		for file, text := range tt.files {
			files[file] = text
		}
		files["job.yml"] = jobSchema + "command: python train.py\nenvironment: {image: \"example.com/own:1\"}\n" + files["job.yml"]
		m := migrated(t, files, tt.answers)
		task := one(t, m)
		testkit.Same(t, tt.gpus, task.Accelerators, "%s", name)
		testkit.Same(t, []any{tt.cpus, tt.memory, tt.spot}, []any{task.CPUs, task.Memory, task.Spot}, "%s", name)
		if got := slices.ContainsFunc(m.Decisions, func(d *account.Decision) bool { return d.ID == "accelerators" }); got != tt.decided || len(m.Open()) > 0 {
			t.Errorf("%s: decided %v, want %v; open: %v", name, got, tt.decided, asked(m))
		}
	}
}
