//go:build linux

package skypilot_test

import (
	"errors"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/fixers/migrate"
	"github.com/amlfix/amlfix/fixers/migrate/migratetest"
	"github.com/amlfix/amlfix/fixers/migrate/skypilot"
	"github.com/amlfix/amlfix/schema/judge"
	"github.com/amlfix/amlfix/schema/testkit"
	"github.com/amlfix/amlfix/schema/testkit/loaded"
)

// TestData checks that data is copied from where SkyPilot can copy it, and that the migration asks for the rest.
func TestData(t *testing.T) {
	t.Parallel()
	const store = "$schema: https://azuremlschemas.azureedge.net/latest/azureBlob.schema.json\nname: lake\ntype: azure_blob\naccount_name: acct123\ncontainer_name: cont\n"
	const at = "https://acct123.blob.core.windows.net/cont"
	for name, tt := range map[string]struct {
		path, kind, answer string
		want, setup        string
		open, refused      bool
	}{
		"a container":                        {path: at + "/x/", want: at + "/x"},
		"a file":                             {path: at + "/x.csv", kind: "uri_file", want: at + "/x.csv"},
		"wasbs":                              {path: "wasbs://cont@acct123.blob.core.windows.net/x", want: at + "/x"},
		"abfss":                              {path: "abfss://cont@acct123.dfs.core.windows.net/x/y", want: at + "/x/y"},
		"a bucket":                           {path: "s3://own/x", want: "s3://own/x"},
		"a datastore of a file":              {path: "azureml://datastores/lake/paths/x/y/", want: at + "/x/y"},
		"a datastore":                        {path: "azureml://datastores/other/paths/x", open: true},
		"a registered asset":                 {path: "azureml:mine:1", open: true},
		"a signed address":                   {path: at + "/x?sv=1", open: true},
		"a page":                             {path: "https://example.com/it's/x.csv", kind: "uri_file", setup: "https://example.com/it's/x.csv"},
		"a folder of pages":                  {path: "https://example.com/x/", open: true},
		"an answer":                          {path: "azureml:mine:1", answer: "gs://own", want: "gs://own"},
		"a local folder":                     {path: "azureml:mine:1", answer: "local/", want: "LOCAL"},
		"a folder elsewhere":                 {path: "azureml:mine:1", answer: "/usr/share/", want: "/usr/share"},
		"a folder of the user":               {path: "azureml:mine:1", answer: "~/", want: "HOME"},
		"an answer without a store":          {path: "azureml:mine:1", answer: "https://example.com/x", refused: true},
		"an answer with an Azure ML address": {path: "azureml:mine:1", answer: "azureml://datastores/x/paths/y", refused: true},
		"an answer with a token":             {path: "azureml:mine:1", answer: at + "/x?sig=abc", refused: true},
	} {
		kind, file := tt.kind, ""
		if kind == "" {
			kind = "uri_folder"
		} else {
			file = "/x.csv"
		}
		files := map[string]string{"job.yml": jobSchema + "command: cat ${{inputs.d}}\nenvironment: {image: \"example.com/own:1\"}\ninputs: {d: {type: " + kind + ", path: \"" + tt.path + "\"}}\n", "store.yml": store, "local/a": ""}
		dir := filepath.Join(t.TempDir(), "digits")
		for name, text := range files {
			testkit.Write(t, dir, name, text)
		}
		options := migrate.Options{}
		if tt.answer != "" {
			options.Answers = map[string]migrate.Answer{"folder-d": {Value: tt.answer, From: migrate.FromFlag}}
		}
		m, err := migrate.New(loaded.Project(t, dir), skypilot.Emitter{}, options)
		if _, ok := errors.AsType[*migrate.AnswerError](err); ok != tt.refused || err != nil && !tt.refused {
			t.Errorf("%s: %v", name, err)
		}
		if err != nil {
			continue
		}
		task := one(t, m)
		want := map[string]string{}
		switch {
		case tt.want == "LOCAL":
			want["~/data/d"] = task.Mounts["~/data/d"]
			if !strings.HasSuffix(want["~/data/d"], "/local") {
				t.Errorf("%s: %v", name, task.Mounts)
			}
		case tt.want == "HOME": // of the reader, which refuses folders that do not exist
			want["~/data/d"] = task.Mounts["~/data/d"]
		case tt.open:
			want["~/data/d"] = "DECIDE"
		case tt.want != "":
			want["~/data/d"+file] = tt.want
		}
		testkit.Same(t, want, task.Mounts, "%s", name)
		if len(m.Open()) > 0 != tt.open || !strings.Contains(task.Run, "cat \"${HOME}\"/data/d"+file+"\n") {
			t.Errorf("%s: open %v, %s", name, asked(m), task.Run)
		}
		if tt.setup != "" {
			host := rent(t, task, "")
			host.program(t, "curl", words)
			out, err := host.script(t, task.Setup)
			testkit.OK(t, err)
			testkit.Same(t, "<-fsSL>\n<-o>\n<"+host.home+"/data/d/x.csv>\n<"+tt.setup+">\n", out, "%s", name)
		}
	}
}

// TestOutputsAndSecrets checks that outputs are kept on the machine or in a bucket, and that secrets come from the
// shell that starts the task.
func TestOutputsAndSecrets(t *testing.T) {
	files := map[string]string{
		".azureml/train.runconfig": `script: train.py
arguments: [--data, $AZUREML_DATAREFERENCE_mnist, --out, DatasetOutputConfig:model]
target: cluster
environment:
  environmentVariables: {STORAGE_ACCOUNT_KEY: c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0, PLAIN: "1"}
  docker: {enabled: true, baseImage: example.com/own:1}
  python: {userManagedDependencies: true}
dataReferences:
  mnist: {dataStoreName: store, pathOnDataStore: mnist, mode: mount}
outputData:
  model: {outputLocation: {dataPath: {datastoreName: store, relativePath: model}}, mechanism: upload}
`,
		"train.py": "", "data/mnist/a": "",
	}
	answers := map[string]string{"folder-mnist": "data/mnist"}
	m := migrated(t, files, answers)
	task := one(t, m)
	testkit.Same(t, []string{"STORAGE_ACCOUNT_KEY"}, task.Secrets)
	testkit.Same(t, map[string]string{"PLAIN": "1"}, task.Envs)
	testkit.Same(t, 0, len(task.Buckets))
	host := rent(t, task, "")
	host.program(t, "python", words)
	out, err := host.script(t, task.Run)
	testkit.OK(t, err)
	testkit.Same(t, strings.ReplaceAll("<train.py>\n<--data>\n<H/data/mnist>\n<--out>\n<H/outputs/model>\n", "H", host.home), out)
	testkit.Same(t, []string{"sky launch -c train task-train.yaml --secret STORAGE_ACCOUNT_KEY",
		"# before `sky down train` releases the machine, copy what the job wrote: rsync -r train:outputs ."}, skypilot.Emitter{}.Next(m))
	for answer, want := range map[string]judge.Bucket{
		"s3://own": {Name: "own", Source: "s3://own", Mode: "MOUNT"}, "own-bucket": {Name: "own-bucket", Mode: "MOUNT"},
		"https://acct123.blob.core.windows.net/cont": {Name: "cont", Source: "https://acct123.blob.core.windows.net/cont", Mode: "MOUNT"},
	} {
		answers["outputs"] = answer
		testkit.Same(t, map[string]judge.Bucket{"~/outputs": want}, one(t, migrated(t, files, answers)).Buckets, "%s", answer)
	}
	dir := filepath.Join(t.TempDir(), "digits")
	for name, text := range files {
		testkit.Write(t, dir, name, text)
	}
	for _, answer := range []string{"s3://own/x", "https://acct123.blob.core.windows.net", "https://acct123.blob.core.windows.net/cont/x", "Own Bucket", "https://example.com/x"} {
		options := migrate.Options{Answers: map[string]migrate.Answer{"outputs": {Value: answer, From: migrate.FromFlag}}}
		if _, err := migrate.New(loaded.Project(t, dir), skypilot.Emitter{}, options); !errors.As(err, new(*migrate.AnswerError)) {
			t.Errorf("%s: %v", answer, err)
		}
	}
}

// TestPipeline checks that the steps of a linear pipeline are written to one file, with a bucket for what they pass on,
// and that the migration asks about everything that is not in the bucket.
func TestPipeline(t *testing.T) {
	m := migrated(t, migratetest.Pipeline(), nil)
	testkit.Same(t, []string{"bucket", "file-raw", "folder-left", "folder-tuned", "step-tune"}, asked(m))
	m = migrated(t, migratetest.Pipeline(), map[string]string{"bucket": "s3://own", "file-raw": "s3://own/iris.csv", "folder-left": "src", "folder-tuned": "s3://own/best", "step-tune": "drop"})
	if open := asked(m); len(open) > 0 {
		t.Fatalf("open: %v", open)
	}
	tasks := read(t, m)["pipeline-pipeline.yaml"]
	var names []string
	for _, task := range tasks {
		names = append(names, task.Name)
		testkit.Same(t, map[string]judge.Bucket{"~/steps": {Name: "own", Source: "s3://own", Mode: "MOUNT"}}, task.Buckets, "%s", task.Name)
	}
	testkit.Same(t, []string{"prep", "fit-train", "fit-score", "report"}, names)
	testkit.Same(t, []string{"sky jobs launch pipeline-pipeline.yaml"}, skypilot.Emitter{}.Next(m))

	// A folder replaces the bucket: each step finds there what earlier ones have written.
	bucket := t.TempDir()
	for _, task := range tasks {
		host := rent(t, task, "")
		testkit.Output(t, exec.Command("ln", "-s", bucket, filepath.Join(host.home, "steps")))
		for place, text := range map[string]string{"data/tuned/x": "tuned", "data/raw/iris.csv": "raw"} {
			testkit.Write(t, host.home, place, text)
		}
		testkit.Write(t, host.home, "data/left/x", "left\n")
		host.program(t, "python", `case $1 in prep.py) cat "$2" > "$4/rows";; train.py) cp "$2/rows" "$4/$3";; esac`+"\n")
		host.program(t, "cat", `for f in "$@"; do if [ -d "$f" ]; then /bin/cat "$f/x"; else /bin/cat "$f"; fi; done`+"\n")
		if out, err := host.script(t, task.Run); err != nil {
			t.Fatalf("%s: %v\n%s\n%s", task.Name, err, out, task.Run)
		}
		if task.Name == "report" {
			testkit.Same(t, "0.5\nleft\ntuned", testkit.Read(t, filepath.Join(host.home, "sky_workdir"), "report.txt"))
		}
	}
}

// TestStepsThatFork checks that each step becomes a task if the steps are not a chain, and that they are listed in an
// order that works.
func TestStepsThatFork(t *testing.T) {
	const step = "{type: command, environment: {image: \"example.com/own:1\"}, command: "
	m := migrated(t, map[string]string{"p.yml": "$schema: https://azuremlschemas.azureedge.net/latest/pipelineJob.schema.json\ntype: pipeline\njobs:\n" +
		"  join: " + step + "\"cat ${{inputs.a}} ${{inputs.b}}\", environment_variables: {API_KEY: c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0}, inputs: {a: \"${{parent.jobs.a.outputs.o}}\", b: \"${{parent.jobs.b.outputs.o}}\"}}\n" +
		"  a: " + step + "\"date > ${{outputs.o}}\", outputs: {o: {type: uri_file}}}\n  b: " + step + "\"date > ${{outputs.o}}\", outputs: {o: {type: uri_file}}}\n"},
		map[string]string{"bucket": "own-bucket"})
	files := read(t, m)
	testkit.Same(t, []string{"task-p-a.yaml", "task-p-b.yaml", "task-p-join.yaml"}, slices.Sorted(maps.Keys(files)))
	testkit.Same(t, []string{"# the steps of p, each after those that it waits for have succeeded", "sky jobs launch task-p-a.yaml", "sky jobs launch task-p-b.yaml", "sky jobs launch task-p-join.yaml --secret API_KEY"}, skypilot.Emitter{}.Next(m))
	for _, f := range m.Files {
		if f.Path == "task-p-join.yaml" && !strings.Contains(string(f.Text), "\n# A step of the pipeline p, after a, b.\n") {
			t.Errorf("for what does it wait?\n%s", f.Text)
		}
	}
	testkit.Same(t, "mkdir -p outputs # which Azure ML made\ncat \"${HOME}\"/steps/outputs/p/a/o/o \"${HOME}\"/steps/outputs/p/b/o/o\n", files["task-p-join.yaml"][0].Run, "run")
}

// TestImages checks that an image that may be used outside Azure is kept, and that the migration asks for one that has
// to be built or that only a workspace has.
func TestImages(t *testing.T) {
	job := func(environment string) map[string]string {
		return map[string]string{"job.yml": jobSchema + "command: python train.py\nenvironment: " + environment + "\n", "train.py": "", "docker/Dockerfile": "FROM python:3.12\n",
			"conda.yml": "dependencies: [python=3.11, {pip: [numpy==1.26.4]}]\n"}
	}
	for environment, tt := range map[string]struct {
		answers     map[string]string
		image, next string
		open        []string
	}{
		"{image: \"example.com/own:1\"}": {image: "example.com/own:1"},
		"{build: {path: docker}}":        {image: "decide", open: []string{"registry"}},
		"{build: {path: ./docker}}":      {answers: map[string]string{"registry": "example.com/team/"}, image: "example.com/team/digits-docker-dockerfile:1"},
		"azureml:mine:1":                 {image: "decide", open: []string{"image"}},
		"azureml:mine:2":                 {answers: map[string]string{"image": "example.com/own:2"}, image: "example.com/own:2"},
		"{image: \"mcr.microsoft.com/azureml/openmpi4.1.0-ubuntu22.04:latest\", conda_file: conda.yml}": {image: "condaforge/miniforge3:24.11.3-0"},
	} {
		m := migrated(t, job(environment), tt.answers)
		task := one(t, m)
		testkit.Same(t, tt.image, task.Image, "%s", environment)
		if got := asked(m); !slices.Equal(tt.open, got) {
			t.Errorf("%s: open: %v, want %v", environment, got, tt.open)
		}
		if conda := strings.Contains(environment, "conda"); strings.Contains(task.Setup, "conda env create") != conda {
			t.Errorf("%s: setup: %s", environment, task.Setup)
		}
	}
}

// TestFormsOfText checks that the text form of a run configuration does not matter.
func TestFormsOfText(t *testing.T) {
	const text = "ArgumentVector:\n- train.py\n- a b\nTarget: docker\nFramework: Python\n"
	want := ""
	for _, form := range []string{text, strings.ReplaceAll(text, "\n", "\r\n"), "\ufeff" + text, `{"ArgumentVector": ["train.py", "a b"], "Target": "docker", "Framework": "Python"}`} {
		m := migrated(t, map[string]string{"aml_config/docker.compute": "type: localdocker\nbaseDockerImage: example.com/own:1\n", "aml_config/docker.runconfig": form, "train.py": ""}, nil)
		for _, f := range m.Files {
			if f.Path == "task-docker.yaml" {
				if want == "" {
					want = string(f.Text)
				}
				testkit.Same(t, want, string(f.Text), "%q", form)
			}
		}
	}
	testkit.Same(t, `# Written by amlfix from aml_config/docker.runconfig and aml_config/docker.compute.
# Paths start at the folder of this file: run sky there.
name: docker
resources:
  image_id: docker:example.com/own:1
workdir: ..
run: |
  mkdir -p outputs # which Azure ML made
  python train.py 'a b'
`, want)
}
