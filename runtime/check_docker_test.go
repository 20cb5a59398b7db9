//go:build linux

package runtime

import (
	"bytes"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"github.com/amlfix/amlfix/runtime/docker"
	"github.com/amlfix/amlfix/runtime/internal/enginetest"
	"github.com/amlfix/amlfix/runtime/preflight"
	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/runtime/runid"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/testkit"
)

// noted abbreviates checks to topic, status and place.
func noted(checks []Check) (list []string) {
	for _, c := range checks {
		list = append(list, strings.TrimSpace(string(c.Topic)+" "+string(c.Status)+" "+c.Origin.Path))
	}
	return list
}

func TestCheckRunLocal(t *testing.T) {
	t.Parallel()
	plan := planned(t, "print(1)\n", nil, Options{})
	checks, err := CheckRun(t.Context(), plan, RunOptions{})
	if err != nil || len(checks) < 3 {
		t.Fatalf("%v, %v", checks, err)
	}
	testkit.Same(t, []string{"project ok", "program ok", "driver ok aml_config/local.compute"}[:2], noted(checks)[:2])
	if left, err := os.ReadDir(plan.Project + "/.amlfix"); err == nil {
		t.Errorf("something was left behind: %v", left)
	}
	plan.Interpreter.Value, plan.Interpreter.Origin = "nosuchpython", Origin{Path: "aml_config/local.compute", Line: 2}
	checks, err = CheckRun(t.Context(), plan, RunOptions{})
	last := checks[1]
	if err != nil || last.Status != preflight.Failed || last.Origin.Path != "aml_config/local.compute" || last.Text != "nosuchpython: no such program: install it, or give the path of another one" {
		t.Errorf("%+v, %v", last, err)
	}
}

// TestCheckRunDocker checks a job whose image has CUDA 8 on a machine with a (stand-in) T4, then runs it.
func TestCheckRunDocker(t *testing.T) {
	t.Parallel()
	e := enginetest.StartHookGPU(t)
	image := "amlfix-test/oldcuda:1"
	e.Derive(t, image, e.Python(t), map[string]string{"/usr/bin/nvidia-smi": "#!/bin/sh\necho '" + enginetest.StandInMark + " Tesla T4, 535.129.03, 7.5'\n"}, "ENV CUDA_VERSION=8.0.61")
	plan := inContainer(t, e.Engine, "print('ran')\n", image, "nvidiaDocker: true\n", Options{})
	eng := onEngine(t, e.Engine)
	checks, err := CheckRun(t.Context(), plan, RunOptions{Engine: eng})
	testkit.OK(t, err)
	const compute = " aml_config/docker.compute"
	want := []string{"project ok", "engine ok", "image ok" + compute, "disk ok", "gpus ok" + compute, "driver ok" + compute, "cuda doubtful" + compute}
	got := noted(checks)
	for i := range got {
		got[i] = strings.Replace(got[i], "disk doubtful", "disk ok", 1) // a small disk is not a failure here
	}
	testkit.Same(t, want, got)
	e.NothingLeft(t, plan.RunID.String())

	var out, said bytes.Buffer
	res, err := Run(t.Context(), plan, RunOptions{Stdout: &out, Progress: progress.Lines(&said), Engine: eng})
	if err != nil || res.Outcome != Succeeded || out.String() != "ran\n" || !strings.Contains(said.String(), "aml_config/docker.compute:2: "+enginetest.StandInMark+" Tesla T4 (compute capability 7.5) needs CUDA 9.0 or later") {
		t.Errorf("%+v, %v, %s%s", res, err, out.String(), said.String())
	}
	out.Reset()
	plan.RunID = runid.ID{}
	plan = inContainer(t, e.Engine, "print('ran')\n", image, "nvidiaDocker: true\n", Options{})
	res, err = Run(t.Context(), plan, RunOptions{Stdout: &out, RequireGPU: true, Engine: eng})
	if err == nil || res.Outcome != NotStarted || res.Code != 125 || out.Len() > 0 || !strings.HasPrefix(Explain(err), "aml_config/docker.compute:2: ") {
		t.Errorf("%+v, %v, %s", res, err, out.String())
	}
	e.NothingLeft(t, plan.RunID.String())
}

func TestCheckRunFindsWhatIsMissing(t *testing.T) {
	e := engineHere(t)
	gone := inContainer(t, e, "", "microsoft/mmlspark:plus-0.9.9", "", Options{})
	checks, err := CheckRun(t.Context(), gone, RunOptions{})
	if c := checks[2]; err != nil || c.Status != preflight.Failed || c.Origin.Line != 2 || strings.Contains(c.Text, "was removed") || !strings.HasPrefix(c.Next, "microsoft/mmlspark was removed from its registry in 2021") {
		t.Errorf("%+v, %v", c, err)
	}
	plan := inContainer(t, e, "", "microsoft/mmlspark:plus-0.9.9", "", Options{})
	_, err = Run(t.Context(), plan, RunOptions{})
	if want := "aml_config/docker.compute:2: image microsoft/mmlspark:plus-0.9.9 is not on the engine, and cannot be pulled: microsoft/mmlspark was removed from its registry in 2021: create or find a copy"; err == nil || !strings.HasPrefix(Explain(err), want) {
		t.Errorf("%v", err)
	}
	if _, ok := errors.AsType[*docker.Error](err); !ok {
		t.Errorf("what the engine said is lost: %v", err)
	}
	t.Setenv("DOCKER_HOST", "unix:///nonexistent/docker.sock")
	checks, err = CheckRun(t.Context(), plan, RunOptions{})
	if d := cmp.Diff([]string{"project ok", "engine failed", "image unknown aml_config/docker.compute", "disk unknown"}, noted(checks)); d != "" || err != nil {
		t.Errorf("%v %s", err, d)
	}
	if c := checks[2]; c.Text != "image microsoft/mmlspark:plus-0.9.9 was not checked: the Docker engine cannot be asked" || !strings.HasPrefix(c.Next, "microsoft/mmlspark was removed from its registry") {
		t.Errorf("%+v", c)
	}
	if !checks[1].Stops(false) || checks[0].Stops(true) {
		t.Error("Stops is wrong")
	}
	job, root := load(t, files{"aml_config/docker.compute": "type: localdocker\nbaseDockerImage: a\n", "aml_config/docker.runconfig": "Target: docker\nFramework: Python\n"}, "docker", schema.Options{})
	plan, err = NewPlan(job, Options{Project: root, Script: "nosuch.py"})
	testkit.OK(t, err)
	checks, _ = CheckRun(t.Context(), plan, RunOptions{})
	if c := checks[0]; c.Status != preflight.Failed || !strings.HasPrefix(c.Text, "there is no script nosuch.py in the project folder") {
		t.Errorf("%+v", c)
	}
}

// TestPackagesForCondaAlone checks that an image without conda is reported with the line of the first package that
// needs conda.
func TestPackagesForCondaAlone(t *testing.T) {
	t.Parallel()
	e := engineHere(t)
	job, root := load(t, files{"aml_config/docker.compute": "type: localdocker\nbaseDockerImage: " + e.Python(t) + "\n", "aml_config/docker.runconfig": "Target: docker\nFramework: Python\n",
		"aml_config/conda_dependencies.yml": "dependencies:\n- python=3.5\n- pip\n- pip:\n  - six\n- scipy\n", "train.py": ""}, "docker", schema.Options{})
	plan := newPlan(t, job, Options{Project: root, Script: "train.py"})
	const want = "aml_config/conda_dependencies.yml:6: the environment cannot be built on image " + enginetest.PythonImage + ": it has Python 3."
	checks, err := CheckRun(t.Context(), plan, RunOptions{})
	i := slices.IndexFunc(checks, func(c Check) bool { return c.Topic == preflight.Environment })
	if err != nil || i < 0 || !strings.HasPrefix(checks[i].Text, want) || checks[i].Origin.Path != "" || !checks[i].Stops(false) {
		t.Errorf("%+v, %v", checks, err)
	}
	if _, err := Run(t.Context(), plan, RunOptions{}); err == nil || !strings.HasPrefix(Explain(err), want) {
		t.Errorf("%v", err)
	}
}

// TestShareThatIsNotThere checks that the pair of settings in Workbench's template is harmless until a script asks for
// the folder.
func TestShareThatIsNotThere(t *testing.T) {
	t.Parallel()
	e := engineHere(t)
	image := e.Python(t)
	const template = "sharedVolumes: false\nnativeSharedDirectory: ~/.azureml/share/\n"
	for program, want := range map[string]string{
		"print('ran')\n": "",
		"import os\nprint('ran', os.environ.get('AZUREML_NATIVE_SHARE_DIRECTORY'))\n": "aml_config/docker.compute:4: train.py reads AZUREML_NATIVE_SHARE_DIRECTORY, which is not set: a container gets nativeSharedDirectory only with sharedVolumes: write sharedVolumes: true",
	} {
		plan := inContainer(t, e, program, image, template, Options{})
		var out, said bytes.Buffer
		res, err := Run(t.Context(), plan, RunOptions{Stdout: &out, Progress: progress.Lines(&said)})
		if err != nil || res.Outcome != Succeeded || !strings.HasPrefix(out.String(), "ran") || !strings.Contains(said.String(), want) || want == "" && strings.Contains(said.String(), "sharedVolumes") {
			t.Errorf("%+v, %v\n%s%s", res, err, out.String(), said.String())
		}
		checks, err := CheckRun(t.Context(), plan, RunOptions{})
		if err != nil || (checks[1].Topic == preflight.Folder) != (want != "") {
			t.Errorf("%+v, %v", checks, err)
		}
	}
}

// TestFolderToReadFrom checks that a read-only shared folder does not prevent a job from running, and that a read-only
// folder for the copy does.
func TestFolderToReadFrom(t *testing.T) {
	plan, dir := planned(t, "print('ran')\n", nil, Options{}), t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", unix.MS_RDONLY, ""); err != nil {
		testkit.Unavailable(t, "no file system can be mounted: "+err.Error())
	}
	defer func() { _ = unix.Unmount(dir, unix.MNT_DETACH) }()
	plan.ShareDir = from(dir, Origin{Path: "aml_config/local.compute", Line: 2})
	var said bytes.Buffer
	res, err := Run(t.Context(), plan, RunOptions{Progress: progress.Lines(&said)})
	if err != nil || res.Outcome != Succeeded || !strings.Contains(said.String(), "aml_config/local.compute:2: this user may only read the shared folder "+dir+": change its permissions if the job writes there\n") {
		t.Errorf("%+v, %v\n%s", res, err, said.String())
	}
	if free, ok := preflight.FreeSpace("/proc"); ok {
		t.Errorf("/proc has %d bytes free", free)
	}
	t.Setenv("TMPDIR", dir)
	checks, err := CheckRun(t.Context(), plan, RunOptions{})
	if i := slices.IndexFunc(checks, func(c Check) bool { return c.Topic == preflight.Disk }); err != nil || i < 0 || checks[i].Status != preflight.Failed || !strings.HasPrefix(checks[i].Text, "this user may not create the copy of the project in "+dir) {
		t.Errorf("%+v, %v", checks, err)
	}
}
