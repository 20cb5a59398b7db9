//go:build linux

package compose_test

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/compose-spec/compose-go/v2/types"

	"github.com/amlfix/amlfix/fixers/migrate"
	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/fixers/migrate/compose"
	"github.com/amlfix/amlfix/fixers/migrate/migratetest"
	"github.com/amlfix/amlfix/schema/testkit"
)

// answers are the answers to the pipeline's questions.
var answers = map[string]migrate.Answer{
	"file-raw": {Value: "data/iris.csv"}, "step-tune": {Value: "drop"}, "folder-tuned": {Value: "data/best"},
}

// TestPipeline checks that the steps of a pipeline wait for each other, and that each finds what another writes.
func TestPipeline(t *testing.T) {
	m := migrated(t, migratetest.Pipeline(), migrate.Options{Answers: answers})
	if open := m.Open(); len(open) > 0 {
		t.Fatalf("open: %+v", open[0])
	}
	p := composed(t, m)
	type want struct {
		command string
		folder  string
		after   []string
		mounts  map[string]string // what is mounted, relative to the project, by its path
	}
	for name, w := range map[string]want{
		"pipeline-prep": {"python prep.py /data/raw/iris.csv /work/labels  /outputs/clean", "/work/src", nil,
			map[string]string{"/work": ".", "/data/raw/iris.csv": "data/iris.csv", "/outputs/clean": "outputs/pipeline/prep/clean", "/work/src/outputs": "src/outputs"}},
		"pipeline-fit-train": {"python train.py /data/data 0.5 /outputs/model", "/work/src", []string{"pipeline-prep"},
			map[string]string{"/work": ".", "/data/data": "outputs/pipeline/prep/clean", "/outputs/model": "outputs/pipeline/model", "/work/src/outputs": "src/outputs"}},
		"pipeline-fit-score": {"ls /data/model > /outputs/scores/scores", "/work", []string{"pipeline-fit-train"},
			map[string]string{"/work": ".", "/data/model": "outputs/pipeline/model", "/outputs/scores": "outputs/pipeline/fit/scores", "/work/outputs": "outputs"}},
		"pipeline-report": {"cat /data/scores/scores /work/src/x /data/tuned > /work/report.txt", "/work", []string{"pipeline-fit-score", "pipeline-prep"},
			map[string]string{"/work": ".", "/data/scores": "outputs/pipeline/fit/scores", "/data/tuned": "data/best", "/work/outputs": "outputs"}},
	} {
		s := p.Services[name]
		testkit.Same(t, []string{"sh", "-c", w.command}, []string(s.Command), "%s", name)
		testkit.Same(t, w.folder, s.WorkingDir, "%s", name)
		testkit.Same(t, w.after, slices.Sorted(maps.Keys(s.DependsOn)), "%s", name)
		for _, d := range s.DependsOn {
			if d.Condition != types.ServiceConditionCompletedSuccessfully || !d.Required {
				t.Errorf("%s waits for %+v", name, d)
			}
		}
		mounts := map[string]string{}
		for _, v := range s.Volumes {
			rel, err := filepath.Rel(p.WorkingDir, v.Source)
			testkit.OK(t, err)
			mounts[v.Target] = filepath.ToSlash(filepath.Join("azureml", rel))
			if v.Bind == nil || bool(v.Bind.CreateHostPath) == (filepath.Ext(v.Source) == ".csv") {
				t.Errorf("%s: %s: %+v", name, v.Target, v.Bind)
			}
		}
		testkit.Same(t, w.mounts, mounts, "%s", name)
	}
	if len(p.Services) != 4 {
		t.Errorf("%d services", len(p.Services))
	}
	env := p.Services["pipeline-fit-train"].Environment
	if *env["MODE"] != "slow" || *env["SEED"] != "1" {
		t.Errorf("a step's variables go before those of its component: %v", env)
	}
	testkit.Same(t, []string{"docker compose run --rm pipeline-report"}, compose.Emitter{}.Next(m))
}

// TestFilesBetweenSteps checks that a file has the same name in both steps.
func TestFilesBetweenSteps(t *testing.T) {
	const step = "command, environment: {image: \"python:3.12\"}"
	m := migrated(t, map[string]string{"p.yml": "$schema: https://azuremlschemas.azureedge.net/latest/pipelineJob.schema.json\ntype: pipeline\njobs:\n" +
		"  use: {type: " + step + ", command: \"cat ${{inputs.a}} ${{inputs.b}}\", code: \"git+https://example.com/x\", inputs: {a: \"${{parent.jobs.make.outputs.a}}\", b: \"${{parent.jobs.make.outputs.b}}\"}}\n" +
		"  make: {type: " + step + ", command: \"date > ${{outputs.a}} > ${{outputs.b}}\", outputs: {a: {type: uri_file, path: \"azureml://datastores/d/paths/x/table.csv\"}, b: {type: uri_file}}}\n"}, migrate.Options{})
	if open := m.Open(); len(open) > 0 {
		t.Errorf("open: %+v", open[0])
	}
	p := composed(t, m)
	testkit.Same(t, "date > /outputs/a/table.csv > /outputs/b/b", p.Services["p-make"].Command[2])
	testkit.Same(t, "cat /data/a/table.csv /data/b/b", p.Services["p-use"].Command[2])
	if report := migratetest.Report(m); !strings.Contains(report, "not a folder of the project") {
		t.Error("nothing is reported about the code")
	}
}

// TestStepsLeft checks that the migration asks about a step that runs only in Azure ML, with its line, and about the
// data that it would have written. A step without a command is skipped, with the reason.
func TestStepsLeft(t *testing.T) {
	m := migrated(t, migratetest.Pipeline(), migrate.Options{})
	var open []string
	for _, d := range m.Open() {
		open = append(open, d.ID+": "+d.Why)
	}
	testkit.Same(t, []string{
		"step-tune: pipeline.yml:20 is a sweep, but amlfix writes only command jobs for platforms other than Azure ML: write its replacement by hand, or answer `drop` to leave it out",
		"file-raw: it is in the workspace's storage, which containers outside Azure cannot reach: download it first (`az storage blob download-batch`)",
		"folder-tuned: the step tune, which is left out, made it",
	}, open)
	files := migratetest.Pipeline()
	files["pipeline.yml"] = strings.Split(files["pipeline.yml"], "jobs:")[0] + "jobs:\n  tune:\n    type: automl\n    task: regression\n"
	files["job.yml"] = "$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json\ncommand: \"true\"\nenvironment: {image: \"python:3.12\"}\n"
	m = migrated(t, files, migrate.Options{})
	var left []string
	for _, s := range m.Skipped {
		left = append(left, s.File+": "+s.Why)
	}
	slices.Sort(left)
	testkit.Same(t, []string{
		"fit.yml: a job of a pipeline that needs Azure ML: only command jobs and pipelines of command jobs can be written for other platforms",
		"labels.yml: describes something in a workspace; the new files do not need it",
		"pipeline.yml: a pipeline without commands: the step at pipeline.yml:12 is of type `automl`, but amlfix writes only command jobs for platforms other than Azure ML",
		"score.yml: a component that no job in the project runs",
		"train.yml: a component that no job in the project runs",
	}, left)
	if len(m.Jobs) != 1 || account.Slug(m.Jobs[0].Name) != "job" {
		t.Errorf("jobs: %v", m.Jobs)
	}
}

// TestOutputPath checks that an output with a local path, which only Azure ML cannot write, is in that folder.
func TestOutputPath(t *testing.T) {
	m := migrated(t, map[string]string{"jobs/job.yml": "$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json\nenvironment: {image: \"python:3.12\"}\n" +
		"command: \"date > ${{outputs.a}} > ${{outputs.b}}/x ${{outputs.c}} ${{outputs.d}} ${{outputs.e}} ${{outputs.f}} ${{outputs.g}}\"\noutputs:\n  a: {type: uri_file, path: ../made/a.csv}\n  b: {type: uri_folder, path: ./b}\n" +
		"  c: {type: uri_folder, path: \"azureml://datastores/d/paths/c\"}\n  d: {type: uri_folder, path: ../../d}\n" +
		"  e: {type: uri_folder, path: \"../made/${{name}}\"}\n  f: {type: uri_file, path: \"../made/the model.csv\"}\n  g: {type: uri_file, path: \"../made/g-of-${{name}}.csv\"}\n"}, migrate.Options{})
	composed(t, m)
	text := string(m.Files[slices.IndexFunc(m.Files, func(f migrate.File) bool { return f.Path == "compose.yaml" })].Text)
	for _, want := range []string{"../made:/outputs/a\n", "../jobs/b:/outputs/b\n", "../outputs/c:/outputs/c\n", "../outputs/d:/outputs/d\n",
		"../outputs/e:/outputs/e\n", "../outputs/f:/outputs/f\n", "../outputs/g:/outputs/g\n", "date > /outputs/a/a.csv > /outputs/b/x"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %s", want, text)
		}
	}
}
