//go:build linux

package programtest_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
	"gopkg.in/yaml.v3"

	"github.com/amlfix/amlfix/runtime/internal/enginetest"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/testkit"
)

// condaWithPip stands in for conda: the environment that it makes is the image's Python with its packages, whatever the
// file requests. pip's part is real if the file requests the image's Python version: pip resolves packages and installs
// them from there and from a folder.
const condaWithPip = `#!/bin/sh
echo "` + enginetest.StandInMark + ` conda $*"
[ $# = 6 ] && [ "$1 $2 $3 $5" = "env create -p -f" ] || { echo "the stand-in does not know this call" >&2; exit 2; }
python3 -m venv --system-site-packages --without-pip "$4" || exit 1
if grep -q "python=$(python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])')" "$6"; then
  sed -n '/^ *- pip:/,$s/^ \{6\}- //p' "$6" > /tmp/list.txt
  echo "pip installs:" && cat /tmp/list.txt
  "$4/bin/python" -m pip install --no-index --find-links /wheels -r /tmp/list.txt || exit 1
else
  "$4/bin/python" -m pip install --no-index --find-links /wheels amlfix-sample || exit 1
fi
`

// TestMigratedJobsRun runs each sample of testdata/migrated twice in a real engine: the run configuration, and the v2
// job to which it is migrated. Both must produce the sample's expected outputs and print the same.
func TestMigratedJobsRun(t *testing.T) {
	if os.Getenv("AMLFIX_TEST_FULL") == "" {
		t.Skip("part of the set test/full: set AMLFIX_TEST_FULL=1 to run it")
	}
	m := machine{engine: enginetest.Start(t)}
	made, err := testkit.Cached("v2image", "sh build.sh", os.DirFS("testdata/v2image"), "build.sh", "requirements.txt")
	testkit.OK(t, err)
	archive := []byte(testkit.Read(t, made, "image.tar"))
	m.engine.Import(t, ownImage, archive)
	wheel := testkit.Read(t, testkit.Index(t, "amlfix_sample-0.1-py3-none-any.whl"), "amlfix_sample-0.1-py3-none-any.whl")
	for _, name := range []string{"microsoft/mmlspark:plus-0.9.9", "mcr.microsoft.com/azureml/base:0.2.4", catalog.MigrationDefault("azure-cpu-image").Value + ":latest"} {
		m.engine.Derive(t, name, ownImage, map[string]string{"/opt/miniconda3/bin/conda": condaWithPip, "/wheels/amlfix_sample-0.1-py3-none-any.whl": wheel})
	}
	samples := testkit.Glob(t, "testdata/migrated/*.txtar")
	for _, sample := range samples {
		t.Run(strings.TrimSuffix(filepath.Base(sample), ".txtar"), func(t *testing.T) { runMigrated(t, m, sample) })
	}
	if len(samples) < 6 {
		t.Error("are all samples there?")
	}
}

// runMigrated runs one sample.
func runMigrated(t *testing.T, m machine, sample string) {
	archive := testkit.Archive(t, sample)
	want, asked := map[string]string{}, map[string][]string{}
	var files []txtar.File
	for _, f := range archive.Files {
		if name, ok := strings.CutPrefix(f.Name, "want/"); ok {
			want[name] = strings.TrimSuffix(string(f.Data), "\n")
		} else if f.Name == "ask" {
			for line := range strings.Lines(string(f.Data)) {
				what, args, _ := strings.Cut(strings.TrimSpace(line), ":")
				asked[what] = strings.Fields(args)
			}
		} else {
			files = append(files, f)
		}
	}
	dir := testkit.Unpack(t, files)
	var before ended
	if asked["original"] != nil {
		before = do(t, m, dir, append([]string{"run"}, asked["original"]...)...)
		compareOutputs(t, dir, "the run configuration", want, before)
	}

	r := do(t, m, dir, append([]string{"migrate", "--to", "v2"}, asked["migrate"]...)...)
	if r.code != 0 {
		t.Fatalf("migrate: %d\n%s%s", r.code, r.out, r.err)
	}
	job := filepath.Join("azureml", asked["job"][0])
	if asked["trial"] != nil {
		job = trialOf(t, dir, job, asked["trial"])
	}
	after := do(t, m, dir, "run", job)
	compareOutputs(t, dir, "the migrated job", want, after)
	testkit.Same(t, before.out, after.out, "the job says something else")
	if all := after.out + after.err; !strings.Contains(all, enginetest.StandInMark) || !strings.Contains(all, "pip installs:") {
		t.Errorf("its environment was not made:\n%s", all)
	}
}

// trialOf writes one trial of a sweep as a command job, with a value for each parameter of the search space, and
// returns its file: amlfix does not run sweeps.
func trialOf(t *testing.T, dir, sweep string, values []string) (job string) {
	t.Helper()
	var file struct {
		Trial map[string]any `yaml:"trial"`
		Space map[string]any `yaml:"search_space"`
	}
	text := strings.ReplaceAll(testkit.Read(t, dir, sweep), "${{search_space.", "${{inputs.")
	testkit.OK(t, yaml.Unmarshal([]byte(text), &file))
	inputs := map[string]any{}
	for _, v := range values {
		name, value, _ := strings.Cut(v, "=")
		inputs[name] = value
		if file.Space[name] == nil {
			t.Errorf("the search space has no %s: %v", name, file.Space)
		}
	}
	file.Trial["type"], file.Trial["inputs"] = "command", inputs
	out, err := yaml.Marshal(file.Trial)
	testkit.OK(t, err)
	job = filepath.Join(filepath.Dir(sweep), "trial.yml")
	testkit.Write(t, dir, job, out)
	return job
}

// compareOutputs compares a run's outputs with the expected ones, and removes them.
func compareOutputs(t *testing.T, dir, what string, want map[string]string, r ended) {
	t.Helper()
	if r.code != 0 {
		t.Fatalf("%s: %d\n%s%s", what, r.code, r.out, r.err)
	}
	got := map[string]string{}
	out, err := exec.Command("find", filepath.Join(dir, "outputs"), "-type", "f", "-printf", "%P\n").Output()
	testkit.OK(t, err)
	for name := range strings.Lines(string(out)) {
		name = strings.TrimSpace(name)
		text := bytes.ReplaceAll([]byte(testkit.Read(t, dir, "outputs", name)), []byte("\r\n"), []byte("\n"))
		got[name] = strings.TrimSuffix(string(text), "\n")
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s: outputs (-want +got):\n%s%s", what, diff, r.err)
	}
	testkit.OK(t, os.RemoveAll(filepath.Join(dir, "outputs")))
}
