package schema

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

// others are files of other programs that share keys with those of v2.
var others = map[string]string{
	"github.yml":     "name: train\non: push\njobs:\n  train:\n    runs-on: ubuntu-latest\n    environment: azureml:x\n    steps: [{run: az ml job create --file job.yml}]\n",
	"action.yml":     "name: a\ndescription: b\ninputs: {data: {type: string}}\nruns: {using: composite, steps: []}\n",
	"compose.yml":    "name: a\nservices:\n  train: {image: mcr.microsoft.com/azureml/base, command: python train.py, environment: {A: b}}\n",
	"service.yml":    "image: mcr.microsoft.com/azureml/base\ncommand: python train.py\nenvironment: {A: b}\n",
	"kubernetes.yml": "apiVersion: batch/v1\nkind: Job\nmetadata: {name: a}\nspec: {template: {spec: {containers: [{name: a, image: b, command: [c]}]}}}\n",
	"amljob.yml":     "apiVersion: amlarc.azureml.com/v1alpha1\nkind: AmlJob\ncommand: echo\nenvironment: azureml:a:1\n",
	"conda.yml":      "name: env\nchannels: [conda-forge]\ndependencies: [python=3.10, pip: [azure-ai-ml]]\n",
	"MLproject.yml":  "name: a\nconda_env: conda.yml\nentry_points: {main: {parameters: {data: path}, command: python train.py}}\n",
	"MLmodel.yml":    "artifact_path: model\nflavors: {sklearn: {}}\nmodel_uuid: a\n",
	"databricks.yml": "bundle: {name: a}\nresources: {jobs: {train: {name: a, tasks: []}}}\n",
	"pipelines.yml":  "trigger: [main]\npool: {vmImage: ubuntu-latest}\nvariables: {a: b}\njobs: [{job: a, steps: []}]\n",
	"template.yml":   "parameters: [{name: environment, type: string}]\njobs:\n- deployment: a\n  environment: prod\n",
	"gitlab.yml":     "image: python\nstages: [train]\ntrain: {stage: train, script: [python train.py], environment: {name: a}}\n",
	"helm.yml":       "name: a\nversion: 1.0.0\ndescription: b\ntype: application\n",
	"values.yml":     "name: a\nimage: {repository: b, tag: c}\nresources: {limits: {cpu: 1}}\n",
	"image.yml":      "name: a\nversion: 1\nimage: b\ndescription: c\n",
	"openapi.json":   `{"openapi": "3.0.0", "info": {"title": "a", "version": "1"}, "paths": {}}`,
	"package.json":   "{\n  \"name\": \"a\",\n  \"version\": \"1.0.0\",\n  \"type\": \"module\",\n  \"jobs\": {}\n}\n",
	"task.json":      "{\n  \"type\": \"command\",\n  \"command\": \"echo\",\n  \"environment\": {\"A\": \"b\"}\n}\n",
	"schema.json":    "{\n  \"$schema\": \"http://json-schema.org/draft-07/schema#\",\n  \"type\": \"object\"\n}\n",
	"inner.yml":      "text: |\n  $schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json\n",
	"mentions.yml":   "# like https://azuremlschemas.azureedge.net/latest/commandJob.schema.json\nname: a\n",
	"dvc.yml":        "stages: {train: {cmd: python train.py, deps: [data], outs: [model]}}\n",
	"snakemake.yml":  "command: snakemake\nenvironment: prod\njobs: 4\n",
	"supervisor.yml": "name: a\ncommand: python serve.py\nenvironment: A=b\n",
	"argo.yml":       "name: a\ntype: pipeline\njobs: [a, b]\n",
	"circle.yml":     "version: 2.1\njobs: {build: {docker: [{image: a}], steps: [checkout]}}\n",
	"config.yml":     "account_name: a\ntype: blob\nname: b\n",
	"metadata.json":  "{\"name\": \"a\", \"type\": \"custom\", \"path\": \"b\"}",
}

// TestOthersAreLeftAlone discovers files of other programs and finds none.
func TestOthersAreLeftAlone(t *testing.T) {
	dir := t.TempDir()
	for name, text := range others {
		testkit.OK(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	roots, err := Discover([]string{dir})
	testkit.OK(t, err)
	for _, root := range roots {
		t.Errorf("taken for files of Azure ML: %v", root.Files.All())
	}
}

// TestPublicFilesAreLeftAlone looks at every YAML and JSON file of the Go modules and Python packages that this
// computer has: none is one of v2 without saying so, or one of SDK v1.
func TestPublicFilesAreLeftAlone(t *testing.T) {
	t.Parallel()
	const enough = 2000
	seen := 0
	for _, top := range publicFolders(t) {
		err := filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || d.Type()&fs.ModeSymlink != 0 {
				return nil // what cannot be listed is not checked
			}
			switch ext := strings.ToLower(filepath.Ext(path)); ext {
			case ".yml", ".yaml", ".json":
				seen++
				if what, err := saysOf(path); what != foreign || err != nil {
					text, _ := os.ReadFile(path)
					if v2Address(text) == "" && !strings.Contains(filepath.ToSlash(path), "/azureml/") { // Azure ML's own templates
						t.Errorf("%s is taken for a file of v2 or SDK v1 (%v)", path, err)
					}
				}
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
	t.Logf("%d files", seen)
	if seen < enough {
		t.Skipf("SKIPPED, SO NOT WHOLLY TESTED: only %d public YAML and JSON files here, and %d are enough", seen, enough)
	}
}

func publicFolders(t *testing.T) (folders []string) {
	t.Helper()
	if out, err := exec.Command("go", "env", "GOMODCACHE").Output(); err == nil {
		folders = append(folders, strings.TrimSpace(string(out)))
	}
	if cache, err := os.UserCacheDir(); err == nil {
		folders = append(folders, filepath.Join(cache, "amlfix-test"))
	}
	return folders
}

// TestLikelyRulesNothingOut holds the look at a file's beginning against its keys: what those know to be of v2, that
// must let through.
func TestLikelyRulesNothingOut(t *testing.T) {
	texts := map[string]string{
		"pipeline": "type: pipeline # of jobs\njobs: {a: {component: azureml:a:1}}\n", "quoted": "\"type\": 'AmlCompute'\nname: a\n", "preview": "type: pipeline_job\njobs: {a: {}}\n",
		"json":     "{\n  \"type\": \"pipeline\",\n  \"jobs\": {\"a\": {}}\n}\n",
		"indented": "# a\n---\n  type: pipeline\n  jobs: {a: {}}\n",
		"schedule": "name: a\ntrigger: {type: cron}\ncreate_job: azureml:a\n", "attached": "name: a\nresource_id: /a/virtualMachines/b\n",
		"one line": `{"name": "a", "min_instances": 0, "type":"amlcompute"}`, "compact": `{"name":"a","resources":{},"type":"amlcompute"}`,
		"registry": "name: a\nreplication_locations:\n- location: b\n", "workspace": "name: a\nmanaged_network:\n  isolation_mode: disabled\n",
		"connection": "name: a\ntype: git\ntarget: b\ncredentials:\n  type: pat\n", "inference": "name: a\nimage: a.io/b\ninference_config: {}\n",
	}
	if dir := filepath.Join("..", "..", "shared", "corpus-v2"); exists(dir) {
		err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
			if ext := strings.ToLower(filepath.Ext(path)); err == nil && (ext == ".yml" || ext == ".yaml") {
				text, _ := os.ReadFile(path)
				texts[path] = string(text)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	} else {
		t.Log("SKIPPED, SO NOT TESTED: the real files of v2, which are not here")
	}
	known := 0
	for name, text := range texts {
		f := parseFile(name, []string{name}, []byte(text), nil)
		if f.Stream.Repaired && v2Address(f.Source.Text) != "" {
			continue // a key that has slipped is looked for only below a schema
		}
		if kind := v2ByKeys(f.Root()); kind != "" {
			if known++; !v2Likely([]byte(text[:min(len(text), v2Head)]), len(text) > v2Head) {
				t.Errorf("%s is of the kind %s, but does not look like it", name, kind)
			}
		}
	}
	if known < 12 {
		t.Errorf("only %d files known by their keys", known)
	}
}

// TestLikelyRulesOut shows that files of other programs are ruled out by their beginnings: a repository may have
// thousands of them, which need not be parsed.
func TestLikelyRulesOut(t *testing.T) {
	for _, text := range []string{"", "name: a\n", "on: push\njobs:\n  a:\n    steps: []\n", "name: a\ntype: library\nversion: 1\n",
		"apiVersion: v1\nmetadata:\n  name: a\n", "name: a\nimage: nginx\n", "command: a\n", `{"name": "a", "type": "module", "scripts": {}}`} {
		if v2Likely([]byte(text), false) {
			t.Errorf("%q counts as likely of v2", text)
		}
	}
}

// TestTelling finds a key of v2Pairs that v2Likely does not look for, so that it panics.
func TestTelling(t *testing.T) {
	for _, pair := range v2Pairs {
		for _, key := range pair {
			if key != "" && !slices.Contains(v2Telling, key) {
				t.Errorf("%q is not in v2Telling", key)
			}
		}
	}
}
