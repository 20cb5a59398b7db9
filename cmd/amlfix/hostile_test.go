package main

import (
	"fmt"
	"maps"
	"os"
	"path"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/schema/testkit"
)

// hostileContents returns contents that have tripped up some reader of YAML, requirements, paths or Go.
func hostileContents() map[string]string {
	texts := map[string]string{}
	for name, text := range badInputs() {
		if len(text) < 1<<16 {
			texts[name] = string(text)
		}
	}
	for i, text := range []string{
		"", "\n", "\r", "\ufeff", "\ufeff\ufeff", "\x00", "---", "---\n---\n---\n", "...", "%YAML 9.9\n---\na: b\n", "%TAG ! tag:x,2000:\n--- !a\nb: c\n",
		"null", "~", "true", "[]", "{}", "[", "{", "}", "- - - -", "? ?", ": :", "a: : b", "a:\n- b\n c: d\n", "&a", "*a", "a: *b", "a: &a *a", "<<: *x", "<<: [*a, {<<: 1}]",
		"a: &x {b: *x}", "<<: &x\n  <<: *x\n", "a: !!binary ===\n", "a: !!int x\n", "a: !!python/object/apply:os.system [id]\n", "a: !<tag:yaml.org,2002:null> {b: c}\n", "!!set {a, b}\n", "!!omap [a: b, a: c]\n",
		"a: 1e999999999\n", "a: .nan\nb: -.inf\n", "a: 99999999999999999999999999\n", "a: 0x\nb: 0o9\nc: 1_\n", "a: 2018-99-99T99:99:99Z\n", "a: 1:99:99:99\n",
		"a: |9\n b\n", "a: >-+\n b\n", "a: |\n\tb\n", "a: 'b\n\n  c''d\n", "a: \"\\xZZ\"\n", "a: \"\\ud800\"\n", "a: \"\\U00110000\"\n", "\"a\\0b\": c\n", "a: \"\u2028\u2029\u0085\"\n",
		"a: b\n\tc: d\n", "\ta: b\n", "a:\tb\n", "a: b # c\n# d\n  # e\n", "a: b\r\r\nc: d\r\r\n", "a: b\rc: d\r", "a\u00a0: b\n", "a: [b, c,, d]\n", "a: {b: c,, d}\n", "{a: b}}\n", "[a]]\n", "{\"a\": 1,}\n",
		"{\"type\": \"local\", \"type\": \"docker\", \"nvidiaDocker\": tru}\n", "type: [local]\n", "type: {local: docker}\n", "type: !!null local\n", "type: *unknown\n", "type: &t docker\nbaseDockerImage: *t\nnvidiaDocker: *t\n",
		"type: localdocker\nbaseDockerImage: microsoft/mmlspark:plus-0.9.9\nnvidiaDocker: &n [true]\n", "type: localdocker\nbaseDockerImage: ''\n", "type: docker\nbaseDockerImage: \"a b:c@d/e:::\"\nnvidiaDocker:true\n",
		"type: remotedocker\naddress: \"$(touch x)\"\nusername: \"; touch x\"\npassword: \"`touch x`\"\n", "type: remotedocker\naddress: -oProxyCommand=x\nusername: -x\n", "type: cluster\naddress: ../../x-ssh\n",
		"ArgumentVector: x\nTarget: [a]\n", "ArgumentVector: [[a], {b: c}, null, 1e3]\nTarget: x\n", "Target: ../x\nArgumentVector: [$file, \"$(id)\"]\nFramework: \"\"\n", "Target: x\nCondaDependenciesFile: /etc/passwd\n",
		"Target: x\nCondaDependenciesFile: ../../../../../../etc/passwd\n", "Target: x\nCondaDependenciesFile: .\n", "Target: x\nCondaDependenciesFile: \"a\\0b\"\n", "Target: x\nCondaDependenciesFile: /dev/zero\nSparkDependenciesFile: /dev/stdin\n",
		"Target: x\nEnvironmentVariables: {\"A B\": c, \"\": d, \"=\": e, [f]: g, LD_PRELOAD: /x}\n", "Target: x\nEnvironmentVariables: [a, b]\n", "script: ../../x\ntarget: y\nenvironment: {docker: {baseImage: [a]}, python: {condaDependencies: {dependencies: [[a], {pip: {b: c}}]}}}\n",
		"script: a\nenvironment: &e {python: *e}\n", "environment: {environmentVariables: {a: &a [*a]}}\nscript: x\n", "script: a\nnodeCount: -1\nmpi: {processCountPerNode: 1e9}\nhistory: []\n",
		"dependencies: x\n", "dependencies: [null, {}, [], {pip: null}, {pip: x}, {pip: [null, {}, []]}, 1, 1.5, true]\n", "dependencies:\n- pip:\n  - \n  -\n  - ''\n", "dependencies: [\"python=\", \"=1\", \"a==\", \"a>=<1\", \"a::b::c\", \"a[b\", \"a]\", \"@\"]\n",
		"dependencies: [{pip: [\"-r /etc/passwd\", \"-e .\", \"--index-url https://a:b@c\", \"git+https://x@y#egg=\", \"file:///etc\", \"./..\", \"-\", \"--\", \"#\", \";\", \"a; b\"]}]\n",
		"dependencies: [tensorflow-gpu==, tensorflow==99999999999999999999.1, \"cntk==2.0; python_version\", {pip: [https://cntk.ai/PythonWheel/CPU-Only/cntk-.whl]}]\n",
		"name: \"\\e[31m\"\ndependencies: [\"\\e]0;x\\a\", \"a\\nb\", \"a\\u202eb\"]\n", "packages: [{group: [a], artifact: {b: c}, version: }]\nrepositories: {a: b}\nconfiguration: [c]\n", "configuration: {spark.a: &x [*x]}\n",
		"$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json\ncommand: \"${{inputs.x}}${{\"\nenvironment: {conda_file: ., build: {path: ../..}}\ncompute: [a]\n",
		"$schema: https://azuremlschemas.azureedge.net/latest/pipelineJob.schema.json\ntype: pipeline\njobs: {a: {component: ./self.yml}, b: &b {jobs: {c: *b}}}\n",
		"exclude: [\"[\", \"**\", \"\\\\\"]\nrules: {a: b, gpu/base-image: [x]}\nfail-on: {}\n", "# amlfix: ignore\n# amlfix: ignore[\n# amlfix: ignore-file x\na: b # amlfix: ignore a/b, ,\n",
		strings.Repeat("a: b\n", 300), strings.Repeat("- a\n", 2000), strings.Repeat("\"\":\n ", 50), strings.Repeat("a:\n", 200), strings.Repeat(" ", 5000) + "a: b", strings.Repeat("#", 5000), strings.Repeat("'", 999), strings.Repeat("{a: ", 150),
		"a: " + strings.Repeat("[", 9000), "dependencies:\n" + strings.Repeat("- tensorflow==1.4.0\n", 300), strings.Repeat("<<<<<<< x\n", 99), strings.Repeat("? ", 400), "a: " + strings.Repeat("\\", 5000), "&" + strings.Repeat("a", 5000) + " b",
	} {
		texts[fmt.Sprintf("%03d %.40q", i, text)] = text
	}
	return texts
}

// TestHostileFiles runs every command that reads or writes over each hostile text, as two or three kinds of file (as
// all seven with AMLFIX_THOROUGH). No command may panic, send control characters to the terminal, write outside the
// project or use much memory.
//
//testkit:norace
func TestHostileFiles(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir()) // undo reads the records of all repairs
	texts := hostileContents()
	if len(texts) < 130 {
		t.Fatalf("only %d texts", len(texts))
	}
	kinds := []string{"aml_config/x.compute", "aml_config/x.runconfig", ".azureml/sdk.runconfig", "aml_config/conda_dependencies.yml", "aml_config/spark_dependencies.yml", "azureml/self.yml", ".amlfix.yaml"}
	commands := []string{"--format json --fail-on info", "--diff --unsafe --choose cuda=9.0", "migrate --to v2", "migrate --to compose --out out", "config", "targets", "--apply --unsafe --gpu x", "undo", "--cpu x --verbose"}
	for n, name := range slices.Sorted(maps.Keys(texts)) {
		text := texts[name]
		for i, kind := range kinds {
			if (n+i)%3 > 0 && os.Getenv("AMLFIX_THOROUGH") == "" {
				continue
			}
			dir := t.TempDir()
			for file, good := range map[string]string{
				"aml_config/x.compute": "type: localdocker\nbaseDockerImage: microsoft/mmlspark:plus-0.9.9\n", "aml_config/x.runconfig": "Target: x\nArgumentVector: [train.py]\nFramework: Python\n",
				"aml_config/conda_dependencies.yml": "dependencies: [python=3.5.2, {pip: [tensorflow==1.4.0]}]\n", "train.py": "import tensorflow\n", kind: text,
			} {
				testkit.Write(t, dir, "p/"+file, good)
			}
			before := runtime.MemStats{}
			runtime.ReadMemStats(&before)
			for j, command := range commands {
				if j > 1 && (i/3+j+n/3)%3 > 0 {
					continue // each command gets each kind and each text, but not every combination
				}
				r := amlfix(t, dir+"/p", strings.Fields(command)...)
				raw := "\x00\x07\x1b\r\u202e\u009b"
				if strings.HasPrefix(command, "--diff") {
					raw = strings.ReplaceAll(raw, "\r", "") // a diff may contain line endings
				}
				if r.code > console.Failure || strings.Contains(r.err, "bug in amlfix") || strings.ContainsAny(r.out+r.err, raw) {
					t.Errorf("%s as %s: amlfix %s: exit %d\n%.500q\n%.500s", name, kind, command, r.code, r.out, r.err)
				}
			}
			after := runtime.MemStats{}
			if runtime.ReadMemStats(&after); after.TotalAlloc-before.TotalAlloc > 1<<30 {
				t.Errorf("%s as %s: %d MB were allocated", name, kind, (after.TotalAlloc-before.TotalAlloc)>>20)
			}
			for file := range testkit.Contents(t, dir) {
				if first, _, _ := strings.Cut(file, "/"); first != "p" || path.Base(file) == "x" && !slices.Contains(kinds, file) {
					t.Errorf("%s as %s: %s was written", name, kind, file)
				}
			}
		}
	}
	t.Logf("%d texts as %d kinds", len(texts), len(kinds))
}
