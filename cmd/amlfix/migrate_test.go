package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestWhatMigrateWritesLintsClean migrates the real projects and checks the result with all rules. The only allowed
// findings, shown with --verbose, are that Azure's own images are named without a tag, as in Azure's examples, and
// packages without a version, as in the source.
//
//testkit:norace
func TestWhatMigrateWritesLintsClean(t *testing.T) {
	t.Parallel()
	corpus := testkit.Corpus(t, "projects")
	// a copy, because repairs of a killed amlfix would otherwise be finished in place
	dir := filepath.Join(t.TempDir(), "projects")
	testkit.OK(t, os.CopyFS(dir, os.DirFS(corpus)))
	roots, err := schema.Discover([]string{dir})
	testkit.OK(t, err)
	done := 0
	for i, root := range roots {
		out := filepath.Join(t.TempDir(), strconv.Itoa(i))
		if r := amlfix(t, dir, "migrate", "--to", "v2", "--out", out, root.Dir); r.code > console.Findings {
			if len(schema.Load(root, schema.Options{}).Jobs) > 0 {
				t.Errorf("%s: exit status %d\n%s", root.Dir, r.code, r.err)
			}
			continue
		}
		done++
		// The last CNTK version has no successor and needs a Python that is no longer supported; the real files include
		// no scripts, and the number of nodes is a question. The user's own images keep their names.
		if r := amlfix(t, out, "--ignore", "pip/gone,python/end-of-support,ref/script,job/nodes,image/unpinned", "."); r.code != console.OK || r.out+r.err != "" {
			t.Errorf("%s: findings in what was written (exit status %d):\n%s%s", root.Dir, r.code, r.out, r.err)
		}
		// Azure's GPU default has CUDA 11.8 and no new builds; sizes that retire years from now stay.
		r := amlfix(t, out, "--verbose", "--ignore", "pip/gone,python/end-of-support,image/unpinned,conda/unpinned,image/removed,gpu/retired-hardware", ".")
		for line := range strings.Lines(r.out) {
			if strings.Contains(line, ": info: ") {
				t.Errorf("%s: %s", root.Dir, line)
			}
		}
	}
	if t.Logf("%d projects", done); done < 80 {
		t.Errorf("only %d projects were migrated", done)
	}
}

// TestMigrateElsewhere checks that errors name a folder outside the working directory as the user did.
func TestMigrateElsewhere(t *testing.T) {
	dir, other := testkit.Folder(t, "-- a.py --\n-- .azureml/job.runconfig --\nscript: a.py\n"), testkit.Folder(t, "-- file --\n")
	for _, args := range [][]string{nil, {"--dry-run"}} {
		r := amlfix(t, dir, append([]string{"migrate", "--to", "v2", "--out", other}, args...)...)
		if !strings.Contains("\n"+r.err, "\namlfix: "+other+": already exists") {
			t.Errorf("%v: %+v", args, r)
		}
	}
}

// TestMigrateListsAbsolutePaths checks that what is written into a folder that was given by its absolute path is listed
// by such paths, too.
func TestMigrateListsAbsolutePaths(t *testing.T) {
	dir, out := testkit.Folder(t, "-- a.py --\n-- .azureml/job.runconfig --\nscript: a.py\n"), filepath.Join(t.TempDir(), "new")
	for _, args := range [][]string{{"--dry-run"}, nil, nil} {
		r := amlfix(t, dir, append([]string{"migrate", "--to", "v2", "--out", out}, args...)...)
		listed, _, _ := strings.Cut(r.out, "\n\n")
		if !strings.Contains(listed, out) || !strings.Contains(r.out, out+"/MIGRATION.md") || strings.Contains(listed, "..") {
			t.Errorf("%v: %s", args, r.out)
		}
	}
}

// TestMigrateOnATerminal checks that what migrate says fits into a narrow terminal, except for answers to copy.
func TestMigrateOnATerminal(t *testing.T) {
	dir := testkit.Folder(t, "-- a.py --\nprint(1)\n-- b.py --\nprint(1)\n-- .azureml/job.runconfig --\nscript: gone.py\ntarget: cpu\nenvironment: {docker: {baseImage: '<REGISTRY>.azurecr.io/image'}}\n")
	const columns = 60
	cmd := exec.Command(testkit.Program(t, "script"), "-qec", fmt.Sprintf("stty cols %d; %s/amlfix migrate --to v2", columns, program(t)), "/dev/null")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "TERM=xterm")
	out, _ := cmd.CombinedOutput()
	if !strings.Contains(string(out), "--answer image=") {
		t.Fatalf("nothing is asked:\n%s", out)
	}
	for line := range strings.Lines(string(out)) {
		if line = strings.TrimSpace(line); len(line) > columns && !strings.HasPrefix(line, "--") {
			t.Errorf("more than %d columns: %s", columns, line)
		}
	}
}

// TestMigrateSeveral checks that the message about several projects shows what to type.
func TestMigrateSeveral(t *testing.T) {
	dir := testkit.Folder(t, "-- a b/.azureml/job.runconfig --\nscript: train.py\ntarget: cpu\n-- c/.azureml/job.runconfig --\nscript: train.py\ntarget: cpu\n")
	const want = "there are several projects, a b, c: name one, as in amlfix migrate --to v2 'a b'"
	if r := amlfix(t, dir, "migrate", "--to", "v2"); !strings.Contains(r.err, want) {
		t.Errorf("%s\nwant %s", r.err, want)
	}
}

// TestMigrateBroken migrates jobs whose files cannot be parsed to their end: no status says that all is well.
func TestMigrateBroken(t *testing.T) {
	const workbench, sdk = "-- aml_config/job.runconfig --\nArgumentVector: [train.py]\nFramework: Python\n", "-- .azureml/job.runconfig --\nscript: train.py\nframework: Python\n"
	for name, files := range map[string]string{
		".azureml/job.runconfig:4":    sdk + "environment:\n  docker: {enabled: true\n",
		"aml_config/gpu.compute:2":    workbench + "Target: gpu\n-- aml_config/gpu.compute --\ntype: remotedocker\naddress: {\n",
		"aml_config/spark.yml:1":      workbench + "Target: local\nSparkDependenciesFile: aml_config/spark.yml\n-- aml_config/spark.yml --\nconfiguration: {a: b\n",
		".azureml/environment.json:1": sdk + "environment: .azureml/environment.json\n-- .azureml/environment.json --\n{\"name\": \"x\", \"docker\": {\n",
		"":                            sdk,
	} {
		for _, to := range []string{"v2", "compose", "k8s", "skypilot"} {
			dir := testkit.Folder(t, "-- train.py --\nprint(1)\n"+files)
			r := amlfix(t, dir, "migrate", "--to", to)
			audit := testkit.Read(t, testkit.Glob(t, dir, "*", "MIGRATION.md")[0])
			if strings.Contains(audit, "\n- "+name+"\n") != (name != "") {
				t.Errorf("%s: MIGRATION.md:\n%s", name, audit)
			}
			if strings.Contains(r.err, "cannot be parsed from here on") != (name != "") || !strings.Contains(r.err, name) || name != "" && r.code != console.Findings {
				t.Errorf("%s: %s: status %d\n%s%s", name, to, r.code, r.out, r.err)
			}
		}
	}
}
