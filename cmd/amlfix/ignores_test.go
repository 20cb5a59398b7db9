package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/cmd/internal/tooltest"
	"github.com/amlfix/amlfix/fixers"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/testkit"
)

// corpusCopy copies the real projects, because the tests change them.
func corpusCopy(t *testing.T) string {
	t.Helper()
	corpus := testkit.Corpus(t)
	dir := t.TempDir()
	testkit.Output(t, exec.Command("cp", "-R", "--no-preserve=mode", corpus+"/.", dir))
	return dir
}

// pythonValues returns what PyYAML reads from each file, as one JSON object; for a file that it rejects, the error
// message without positions.
func pythonValues(t *testing.T, dir string) map[string]any {
	t.Helper()
	const script = `
import datetime, json, os, sys, yaml
def plain(x):
    if isinstance(x, dict): return {repr(k): plain(v) for k, v in x.items()}
    if isinstance(x, list): return [plain(v) for v in x]
    return repr(x)
out = {}
for folder, _, names in os.walk(sys.argv[1]):
    for name in names:
        if not name.endswith((".compute", ".runconfig", ".yml", ".yaml")): continue
        path = os.path.join(folder, name)
        try:
            out[os.path.relpath(path, sys.argv[1])] = [plain(d) for d in yaml.safe_load_all(open(path, "rb"))]
        except Exception as e:
            out[os.path.relpath(path, sys.argv[1])] = type(e).__name__
json.dump(out, sys.stdout)`
	cmd := exec.Command(filepath.Join(tooltest.Python(t), "python"), "-c", script, dir)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, errs.String())
	}
	var values map[string]any
	testkit.OK(t, json.Unmarshal(out.Bytes(), &values))
	return values
}

// TestIgnoresOnRealProjects adds suppression comments for everything to real projects. PyYAML reads the same values as
// before; only what cannot have a comment is still reported; no comment is superfluous; and undo restores every byte.
//
//testkit:norace
func TestIgnoresOnRealProjects(t *testing.T) {
	t.Parallel()
	dir := corpusCopy(t)
	before, values := texts(t, dir), pythonValues(t, dir)
	r := amlfix(t, dir, "--add-ignores", "--reason", "it is what it is", "--format", "json", "--exit-zero")
	if r.code != console.OK || r.err != "" {
		t.Fatalf("exit %d: %s", r.code, r.err)
	}
	testkit.Same(t, values, pythonValues(t, dir), "PyYAML reads other values (-before +after)")
	var report struct {
		Findings []struct {
			Rule, Severity, Path string
			Line                 int
			Suppressed           any
		}
		Applied, Refused []struct {
			Path   string
			Reason string
		}
	}
	testkit.OK(t, json.Unmarshal([]byte(r.out), &report))
	refused, others := map[string]bool{}, 0
	for _, r := range report.Refused {
		refused[r.Path] = true
		if !strings.HasPrefix(r.Reason, "a JSON file cannot contain comments") && !strings.HasPrefix(r.Reason, "the file cannot be read") && !strings.HasPrefix(r.Reason, "comments count only in the YAML files") {
			others++
		}
	}
	left := 0
	for _, f := range report.Findings {
		switch {
		case f.Suppressed != nil || f.Severity == "info":
		case strings.HasPrefix(f.Rule, "amlfix/"):
			t.Errorf("%s:%d: a comment of its own: %s", f.Path, f.Line, f.Rule)
		case !refused[f.Path]:
			t.Errorf("%s:%d: %s is neither ignored nor refused", f.Path, f.Line, f.Rule)
		default:
			left++
		}
	}
	t.Logf("%d comments, %d refused, %d findings left", len(report.Applied), len(report.Refused), left)
	if others > 3 {
		t.Errorf("%d findings are where no comment can be", others)
	}
	if len(report.Applied) < 100 || left > len(report.Applied)/2 {
		t.Errorf("only %d comments, and %d findings are left", len(report.Applied), left)
	}
	if r := amlfix(t, dir, "undo"); r.code != console.OK {
		t.Errorf("undo: %+v", r)
	}
	testkit.Same(t, before, texts(t, dir), "not all is back")
}

// TestBaselineOnRealProjects accepts everything: afterwards nothing is reported, wherever lines move.
func TestBaselineOnRealProjects(t *testing.T) {
	t.Parallel()
	dir := corpusCopy(t)
	if r := amlfix(t, dir, "baseline"); r.code != console.OK || r.err != "" {
		t.Fatalf("%+v", r)
	}
	if r := amlfix(t, dir, "--fail-on", "warning"); r.code != console.OK || r.out != "" {
		t.Errorf("exit %d: %s", r.code, r.out)
	}
	written := testkit.Read(t, dir, ".amlfix-baseline.yaml")
	if r := amlfix(t, dir, "baseline"); !strings.Contains(r.out, "unchanged") || testkit.Read(t, dir, ".amlfix-baseline.yaml") != written {
		t.Errorf("a second time: %s", r.out)
	}
	for name, text := range texts(t, dir) {
		json := strings.Contains("\n"+text, "\n{") || strings.HasPrefix(text, "\xef\xbb\xbf")
		if ext := filepath.Ext(name); (ext == ".compute" || ext == ".runconfig") && !json {
			testkit.Write(t, dir, name, "# moved\n\n"+text)
		}
	}
	if r := amlfix(t, dir, "--fail-on", "warning"); r.code != console.OK || r.out != "" {
		t.Errorf("after lines have moved, exit %d: %s", r.code, r.out)
	}
}

// TestBaselineExpires checks a baseline before and after its expiry date.
func TestBaselineExpires(t *testing.T) {
	dir := testkit.Folder(t, "-- aml_config/vm.compute --\ntype: loal\n")
	on := func(day string, args ...string) result {
		var out, errs bytes.Buffer
		now, err := time.Parse("2006-01-02", day)
		testkit.OK(t, err)
		c := Command{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Dir: dir, Env: func(string) string { return "" }, Now: func() time.Time { return now }}
		code := c.Run(context.Background(), args)
		return result{out.String(), errs.String(), code}
	}
	on("2026-01-01", "baseline", "--expires", "2026-02-01")
	if r := on("2026-02-01"); r.code != console.OK || r.out != "" {
		t.Errorf("on its last day: %+v", r)
	}
	if r := on("2026-02-02"); r.code != console.Findings || !strings.Contains(r.out, "(the baseline accepted this until 2026-02-01)") {
		t.Errorf("afterwards: %+v", r)
	}
	if r := on("2026-02-02", "baseline"); !strings.Contains(r.err, "1 known finding in .amlfix-baseline.yaml expired") {
		t.Errorf("%+v", r)
	}
	on("2026-02-02", "baseline", "--expires", "2026-03-01")
	if r := on("2026-02-03"); r.code != console.OK {
		t.Errorf("with a new day: %+v", r)
	}
}

// TestIgnoresAndRepairs checks that --apply reports the same repairs with --add-ignores as without, including those
// that another repair has made superfluous.
func TestIgnoresAndRepairs(t *testing.T) {
	var reports []string
	for _, flags := range [][]string{nil, {"--add-ignores"}} {
		dir := t.TempDir()
		for name, text := range map[string]string{
			"vm.compute":   "type: remotedocker\naddress: vm.example.com\nusername: me\nbaseDockerImage: python:3.6\n",
			"vm.runconfig": "Target: vm\nFramework: Python\nArgumentVector: [$file]\nCondaDependenciesFile: aml_config/conda.yml\n",
			"conda.yml":    "dependencies:\n  - python=3.5.2\n  - requests==2.20.0\n  - pip:\n    - flask==1.0\n    - flask=1.0\n",
		} {
			testkit.Write(t, dir, "aml_config/"+name, []byte(text))
		}
		var repaired []string
		for line := range strings.Lines(amlfix(t, dir, append([]string{"--apply", "--unsafe"}, flags...)...).out) {
			if strings.Contains(line, "repaired: ") {
				repaired = append(repaired, line)
			}
		}
		reports = append(reports, strings.Join(repaired, ""))
	}
	testkit.Same(t, reports[0], reports[1])
	if !strings.Contains(reports[0], fixers.Vanished) {
		t.Errorf("no repair has made another superfluous:\n%s", reports[0])
	}
}

// TestIgnoresInOtherTexts checks why a Dockerfile gets no comment.
func TestIgnoresInOtherTexts(t *testing.T) {
	dir := testkit.Folder(t, "-- env.yml --\n$schema: https://azuremlschemas.azureedge.net/latest/environment.schema.json\nname: e\nbuild: {path: .}\n"+
		"-- Dockerfile --\nFROM mcr.microsoft.com/azureml/openmpi4.1.0-ubuntu20.04:20240101.v1\n")
	if r := amlfix(t, dir, "--add-ignores"); !strings.Contains(r.out, "Dockerfile:1: not ignored: image/removed: comments count only in the YAML files of jobs: ") {
		t.Errorf("%+v", r)
	}
}

// TestIgnoresInALargeFile says that there is too much to be proved, not that the file cannot be read.
func TestIgnoresInALargeFile(t *testing.T) {
	dir := testkit.Folder(t, "-- job.yml --\n$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json\ncommand: echo\nenvironment: {image: x:1}\n"+strings.Repeat("k: 1\n", finding.MaxPerFile+1))
	if r := amlfix(t, dir, "--add-ignores"); !strings.Contains(r.out, "findings of yaml/duplicate-key or more, and fixes in files of this size cannot be proved") {
		t.Errorf("%.500s", r.out)
	}
}
