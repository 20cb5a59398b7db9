//go:build unix

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/runtime/record"
	"github.com/amlfix/amlfix/runtime/runid"
	"github.com/amlfix/amlfix/schema/testkit"
)

// measuringJobs log metrics without Python: any program may write the file.
const measuringJobs = shellJobs + `
-- measure.sh --
for i in 8 4 2 1; do echo "{\"t\": 1.0, \"name\": \"loss\", \"value\": $i}" >> "$AMLFIX_METRICS"; done
echo '{"t": 1.0, "name": "model", "value": "resnet"}' >> "$AMLFIX_METRICS"
echo measured
echo done >&2
echo weights > outputs/model.bin
-- aml_config/untracked.runconfig --
ArgumentVector: [$file]
Target: local
Framework: Python
TrackedRun: false
`

// runIDs returns the IDs of a project's records, oldest first.
func runIDs(t *testing.T, dir string) (ids []string) {
	t.Helper()
	list, err := record.List(dir)
	testkit.OK(t, err)
	for _, e := range list {
		ids = append(ids, e.ID.String())
	}
	return ids
}

// timeless replaces what differs from run to run.
func timeless(text, dir string) string {
	for _, r := range []struct{ expr, by string }{
		{regexp.QuoteMeta(dir), "DIR"},
		{`\d{8}-\d{6}-[0-9a-f]{6}`, "RUN"},
		{`[A-Z][a-z]{2} \d+ [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d  \([^)]*\)`, "THEN"},
		{`\d{4}-\d\d-\d\d \d\d:\d\d`, "THEN"},
		{`\d\d:\d\d:\d\d\.\d{3}`, "TIME"},
		{`\b\d+(\.\d+)?m?s\b`, "TOOK"},
		{` {2,}`, "  "},
	} {
		text = regexp.MustCompile(r.expr).ReplaceAllString(text, r.by)
	}
	return text
}

func TestRuns(t *testing.T) {
	dir := testkit.Folder(t, measuringJobs)
	if r := amlfix(t, dir, "runs"); r.code != 0 || !strings.Contains(r.err, "there are no runs here") {
		t.Errorf("%+v", r)
	}
	for _, args := range []string{"run -c local measure.sh --password=hunter2", "run -c local fail.sh", "run -c untracked job.sh"} {
		amlfix(t, dir, strings.Fields(args)...)
	}
	ids := runIDs(t, dir)
	if len(ids) != 2 {
		t.Fatalf("%v: the untracked run left a record, or another did not", ids)
	}
	list := `RUN  STARTED  TOOK  JOB  TARGET  GPU  METRIC  STATE
RUN  THEN  TOOK  measure.sh --password=***  local  -  loss █▄▂▁ 1  succeeded
RUN  THEN  TOOK  fail.sh  local  -  -  failed (42)
`
	show := `run RUN  succeeded after TOOK
  job  measure.sh --password=***  (local)
  target  local  (local)
  started  THEN
  record  .amlfix/runs/RUN

metrics
  loss  █▄▂▁  1  1 to 8, 4 values
  model  resnet

plan
  target  local  (aml_config/local.runconfig:2)
  runs  local  (aml_config/local.compute:1)
  program  /bin/sh  (aml_config/local.compute:2)
  argument  measure.sh  (aml_config/local.runconfig:1, $file is the script of the command line)
  argument  --password=***  (command line)
  variable  WHO=world  (aml_config/local.runconfig:5)
  variable  PYTHONUNBUFFERED=1  (default: output is not buffered)
  project  DIR  (a copy of it is the working folder)
  outputs  outputs/  (what the job writes there is copied back)

states
  TIME  planned  TOOK
  TIME  checking  TOOK
  TIME  creating  TOOK
  TIME  uploading  TOOK
  TIME  starting  TOOK
  TIME  running  TOOK
  TIME  collecting  TOOK
  TIME  done

outputs  1 file, 8 B
  outputs/model.bin  8 B
`
	for args, want := range map[string]string{"runs": list, "runs list": list, "runs show " + ids[0]: show, "runs show " + ids[0][len(ids[0])-6:]: show} {
		r := amlfix(t, dir, strings.Fields(args)...)
		if d := cmp.Diff(want, timeless(r.out, dir)); d != "" || r.code != 0 {
			t.Errorf("%s: %d, %s\n%s", args, r.code, r.err, d)
		}
	}
	if r := amlfix(t, dir, "runs", "logs", ids[0]); r.out != "measured\n" || r.err != "done\n" {
		t.Errorf("%+v", r)
	}
	reported := amlfix(t, dir, "runs", "report", ids[0], "-o", "run.html")
	page := testkit.Read(t, dir, "run.html")
	if reported.code != 0 || reported.out != "" || reported.err != "amlfix: wrote a page about run "+ids[0]+" to run.html: open it in a browser\n" {
		t.Errorf("%+v", reported)
	}
	testkit.Has(t, page, "<title>succeeded: measure.sh --password=*** · "+ids[0], "<strong>succeeded</strong> after ", "<figcaption>loss</figcaption>", "<td>resnet</td>", "aml_config/local.runconfig:5", "<span>measured</span>", "outputs/model.bin")
	if r := amlfix(t, dir, "runs", "report", ids[1]); r.code != 0 || !strings.HasPrefix(r.out, "<!DOCTYPE html>") || !strings.Contains(r.out, "failed</strong> with exit code 42") {
		t.Errorf("%d %.200s", r.code, r.out)
	}
	if r := amlfix(t, dir, "runs", "report", "-o", "nowhere/x.html"); r.code == 0 || !strings.Contains(r.err, "--output nowhere/x.html: the file cannot be written") {
		t.Errorf("%+v", r)
	}
	if r := amlfix(t, dir, "runs", "attach", ids[1]); r.code != 42 || !strings.Contains(r.err, "failed with exit code 42") {
		t.Errorf("%+v", r)
	}
	if r := amlfix(t, dir, "runs", "show"); !strings.Contains(r.out, ids[1]) {
		t.Errorf("not the newest: %+v", r)
	}
	var rows struct {
		Runs []struct {
			ID, Outcome string
			Code        int
			Metrics     []struct{ Name, Last string }
		}
	}
	r := amlfix(t, dir, "runs", "list", "--format", "json")
	if err := json.Unmarshal([]byte(r.out), &rows); err != nil || len(rows.Runs) != 2 || rows.Runs[1].Code != 42 || rows.Runs[0].Metrics[0].Last != "1" {
		t.Errorf("%v: %s", err, r.out)
	}
	if text := testkit.Read(t, dir, filepath.Join(".amlfix", "runs", ids[0], "record.json")); strings.Contains(text, "hunter2") {
		t.Error("a secret is in the record")
	}
	if r := amlfix(t, dir, "runs", "clean", "--older", "0s"); r.code != 0 || strings.Count(r.err, "removed the record of run") != 2 {
		t.Errorf("%+v", r)
	}
	if _, err := os.Stat(filepath.Join(dir, ".amlfix")); !os.IsNotExist(err) {
		t.Errorf("something is left: %v", err)
	}
}

func TestRunsUsage(t *testing.T) {
	dir := testkit.Folder(t, measuringJobs)
	amlfix(t, dir, "run", "-c", "local", "job.sh")
	amlfix(t, dir, "run", "-c", "local", "job.sh")
	ids := runIDs(t, dir)
	for _, tt := range []struct{ args, err string }{
		{"runs shwo", `"shwo" is not one of list, show, logs, attach, fetch, stop, compare, report, clean, push; did you mean show?`},
		{"runs show nothere", "there is no run nothere here"},
		{"runs show " + ids[0][:8], "is part of several ids:"},
		{"runs attach", "no run is in progress"},
		{"runs show a b", `unexpected argument "b"`},
		{"runs list a", `unexpected argument "a"`},
		{"runs clean --older never", `--older: "never" is not a time`},
		{"runs push", "push needs the address of an MLflow server in MLFLOW_TRACKING_URI"},
		{"runs show --html x.html", "unknown flag --html; did you mean amlfix runs report -o FILE?"},
		{"runs list --dry-run", "use it with clean"},
		{"runs clean --environments", "there is no terminal: add --yes"},
		{"runs list --format xml", "is not one of text, json"},
	} {
		if r := amlfix(t, dir, strings.Fields(tt.args)...); r.code != console.BadUsage || !strings.Contains(r.err, tt.err) {
			t.Errorf("%s: %d, %s", tt.args, r.code, r.err)
		}
	}
	if r := amlfix(t, dir, "runs", "fetch"); r.code != 0 || r.err != "amlfix: no run here has outputs missing: there is nothing to fetch\n" {
		t.Errorf("%+v", r)
	}
	if r := amlfix(t, dir, "runs", "stop", ids[0]); r.code != 0 || !strings.Contains(r.err, "has ended: succeeded") {
		t.Errorf("%+v", r)
	}
	t.Setenv("DOCKER_HOST", "unix://"+dir+"/none.sock")
	testkit.Write(t, dir, "job.yml", "type: command\ncommand: echo\nenvironment: {image: python:3.12}\n")
	testkit.Write(t, dir, "both.yml", "type: pipeline\njobs:\n  a: {type: command, command: echo, environment: {image: python:3.12}}\n  b: {type: command, command: echo, environment: {image: python:3.12}}\n")
	for _, args := range []string{"run job.yml", "run --check job.yml", "run --check both.yml"} {
		r := amlfix(t, dir, strings.Fields(args)...)
		if r.code != console.NotStarted || strings.Count(r.err, "packages here\n") != 1 || args != "run --check both.yml" && !strings.HasSuffix(r.err, "packages here\n") {
			t.Errorf("%s: %+v", args, r)
		}
	}
	if r := amlfix(t, dir, "runs", "clean", "--environments", "--dry-run"); r.code != console.Failure || strings.Count(r.err, "no Docker engine answers") != 1 {
		t.Errorf("%+v", r)
	}
}

// TestCompare shows what two runs have in common and how they differ, in both formats.
func TestCompare(t *testing.T) {
	dir := testkit.Folder(t, measuringJobs)
	if r := amlfix(t, dir, "runs", "compare"); r.code != console.BadUsage || !strings.Contains(r.err, "there are no runs here") {
		t.Errorf("%+v", r)
	}
	for _, args := range []string{"run -c local measure.sh --epochs 3 --password=hunter2", "run -c local --timeout 90s fail.sh --epochs 5 extra"} {
		amlfix(t, dir, strings.Fields(args)...)
	}
	want := `  run  RUN  RUN
  started  THEN  THEN
  took  TOOK  TOOK
  state  succeeded  failed (42)

metrics
  loss  1  (1 to 8, 4 values)  -
  model  resnet  -

parameters
  epochs  3  5
  password  ***  -
  run configuration  local  local
  target  local  local
  argument 3  -  extra

plan
  argument  measure.sh  fail.sh
  argument  3  5
  argument  --password=***  extra
  time limit  -  1m30s
  8 lines are the same
`
	ids := runIDs(t, dir)
	for _, args := range [][]string{{}, {ids[0]}, ids} {
		r := amlfix(t, dir, append([]string{"runs", "compare"}, args...)...)
		if d := cmp.Diff(want, timeless(r.out, dir)); d != "" || r.code != 0 {
			t.Errorf("%v: %+v\n%s", args, r, d)
		}
	}
	var got struct {
		Runs []struct{ ID string }
		Rows []struct {
			Section, Name string
			Values        []string
			Same          bool
		}
	}
	r := amlfix(t, dir, "runs", "compare", "--format", "json", ids[1], ids[0])
	if err := json.Unmarshal([]byte(r.out), &got); err != nil || len(got.Runs) != 2 || got.Runs[0].ID != ids[1] || got.Rows[0].Section != "run" || got.Rows[0].Same || got.Rows[0].Values[1] != ids[0] {
		t.Errorf("%v, %+v", err, r)
	}
}

// TestStopAndWatch stops a run from another process, while a third one watches it.
func TestStopAndWatch(t *testing.T) {
	dir := testkit.Folder(t, shellJobs)
	cmd := spawn(t, dir, "run", "slow.sh")
	testkit.OK(t, cmd.Start())
	testkit.Until(t, "the job is started", func() bool {
		ids := runIDs(t, dir)
		return len(ids) == 1 && strings.Contains(testkit.Read(t, record.Dir(dir, runid.MustParse(ids[0])), "log"), "started")
	})
	watching := spawn(t, dir, "runs", "attach")
	var shown, said testkit.Buffer
	watching.Stdout, watching.Stderr = &shown, &said
	testkit.OK(t, watching.Start())
	said.Await(t, "another amlfix process is using")
	leaving := spawn(t, dir, "runs", "logs", "--follow")
	var left testkit.Buffer
	leaving.Stdout, leaving.Stderr = &left, &left
	testkit.OK(t, leaving.Start())
	left.Await(t, "started\n")
	testkit.OK(t, leaving.Process.Signal(os.Interrupt))
	if _ = leaving.Wait(); leaving.ProcessState.ExitCode() != 130 || !strings.HasSuffix(left.String(), " continues: amlfix runs stop "+runIDs(t, dir)[0]+" ends it\n") {
		t.Errorf("exit %d, %q", leaving.ProcessState.ExitCode(), left.String())
	}
	if r := amlfix(t, dir, "runs", "list"); !strings.Contains(r.out, "running") {
		t.Errorf("%+v", r)
	}
	if r := amlfix(t, dir, "runs", "stop"); r.code != 0 || !strings.Contains(r.err, "cancelled") {
		t.Errorf("%+v", r)
	}
	if _ = watching.Wait(); watching.ProcessState.ExitCode() != 143 || shown.String() != "started\n" || !strings.Contains(said.String(), "cancelled") {
		t.Errorf("exit %d, %q, %q", watching.ProcessState.ExitCode(), shown.String(), said.String())
	}
	if _ = cmd.Wait(); cmd.ProcessState.ExitCode() != 143 {
		t.Errorf("exit %d", cmd.ProcessState.ExitCode())
	}
}

// TestClean removes the remains of a run whose amlfix was killed before the job started.
func TestClean(t *testing.T) {
	dir := testkit.Folder(t, shellJobs)
	run, err := record.Create(record.Record{ID: runid.MustParse("20260101-000000-abcdef"), Project: dir, Kind: "local", Tracked: true})
	if err == nil {
		err = run.Enter(progress.Creating)
	}
	testkit.OK(t, err)
	run.Close()
	if r := amlfix(t, dir, "runs", "list"); !strings.Contains(r.out, "left while creating") {
		t.Errorf("%+v", r)
	}
	if r := amlfix(t, dir, "runs", "clean", "--dry-run"); r.code != 0 || !strings.Contains(r.err, "would remove what run") {
		t.Errorf("%+v", r)
	}
	if r := amlfix(t, dir, "runs", "clean"); r.code != 0 || !strings.Contains(r.err, "removed what run 20260101-000000-abcdef had left") {
		t.Errorf("%+v", r)
	}
	if r := amlfix(t, dir, "runs", "clean"); r.code != 0 || !strings.Contains(r.err, "nothing to remove") {
		t.Errorf("%+v", r)
	}
	if r := amlfix(t, dir, "runs", "list"); !strings.Contains(r.out, "not started") {
		t.Errorf("%+v", r)
	}
}

// TestRecordsOfAMovedProject checks that one line says for how many records the same is true, and that nothing more is
// said.
func TestRecordsOfAMovedProject(t *testing.T) {
	dir := testkit.Folder(t, measuringJobs)
	for range 2 {
		amlfix(t, dir, "run", "-c", "local", "measure.sh")
	}
	moved := filepath.Join(t.TempDir(), "moved")
	testkit.OK(t, os.Rename(dir, moved))
	r := amlfix(t, moved, "runs")
	if refused, rest, _ := strings.Cut(r.err, "\n"); !strings.HasPrefix(refused, "amlfix: ") || !strings.HasSuffix(refused, "; so with 1 other record") || rest != "" {
		t.Errorf("%+v", r)
	}
}

// TestSecretsInMetrics checks that a secret that a script logs is shown in neither format.
func TestSecretsInMetrics(t *testing.T) {
	const token = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
	dir := testkit.Folder(t, measuringJobs+`-- logs.sh --
echo '{"t": 1.0, "name": "login", "value": "`+token+`"}' >> "$AMLFIX_METRICS"
echo '{"t": 1.0, "name": "password", "value": "hunter2secret"}' >> "$AMLFIX_METRICS"
`)
	amlfix(t, dir, "run", "-c", "local", "logs.sh")
	for _, args := range [][]string{{"list"}, {"show"}, {"list", "--format", "json"}, {"show", "--format", "json"}, {"report"}} {
		r := amlfix(t, dir, append([]string{"runs"}, args...)...)
		if r.code != 0 || strings.Contains(r.out, "hunter2") || strings.Contains(r.out, token[:12]) || !strings.Contains(r.out, "***") {
			t.Errorf("%v: %d %s", args, r.code, r.out)
		}
	}
}

// TestRunsAbove checks that the runs of a v2 job are found from a folder below its project, without a repository.
func TestRunsAbove(t *testing.T) {
	dir := testkit.Folder(t, `
-- job.yml --
$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json
command: echo done
code: src
environment: azureml:e@latest
-- src/a/train.sh --
echo
`)
	testkit.OK(t, os.Mkdir(filepath.Join(dir, "empty"), 0o755))
	below := filepath.Join(dir, "src", "a")
	if r := amlfix(t, below, "run", "../../job.yml", "-t", "local"); r.code != 0 {
		t.Fatalf("%+v", r)
	}
	for _, at := range []string{below, filepath.Join(dir, "src"), dir, filepath.Join(dir, "empty")} {
		if r := amlfix(t, at, "runs"); !strings.Contains(r.out, "echo done") || r.err != "" {
			t.Errorf("%s: %+v", at, r)
		}
	}
	if r := amlfix(t, below, "runs", "clean", "--older", "0s"); r.code != 0 || !strings.Contains(r.err, "removed the record of run") {
		t.Errorf("%+v", r)
	}
}
