package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/amlfix/amlfix/cmd/internal/check"
	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/fixers/transaction"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/testkit"
)

const gpuFaults = "-- aml_config/vm.compute --\ntype: remotedocker\naddress: a\nusername: b\nbaseDockerImage: microsoft/mmlspark:plus-0.9.9\nnvidiaDocker: true\n" +
	"-- aml_config/vm.runconfig --\nArgumentVector: [$file]\nFramework: PySpark\nTarget: vm\n-- aml_config/conda_dependencies.yml --\ndependencies: []\n"

func TestUndoNamesAnEditedFile(t *testing.T) {
	dir := testkit.Folder(t, gpuFaults)
	if r := amlfix(t, dir, "--apply"); r.code != 0 {
		t.Fatalf("%+v", r)
	}
	testkit.Write(t, dir, "aml_config/vm.runconfig", "Target: mine\n")
	r := amlfix(t, dir, "undo")
	if r.code != console.Failure || !strings.Contains(r.err, "aml_config/vm.runconfig: edited since it was repaired") {
		t.Errorf("%+v", r)
	}
	if got := testkit.Read(t, dir, "aml_config/vm.compute"); !strings.Contains(got, "plus-gpu") {
		t.Errorf("vm.compute was undone alone: %q", got)
	}
}

// TestRecovery prepares a project as a killed --apply leaves it: committed in the journal, with one file not renamed
// yet. The next command finishes the repair and says so. (Package transaction tests that real kills leave this state,
// and all others.)
func TestRecovery(t *testing.T) {
	dir := testkit.Folder(t, gpuFaults)
	old := testkit.Read(t, dir, "aml_config/vm.compute")
	if r := amlfix(t, dir, "--apply"); r.code != 0 {
		t.Fatalf("%+v", r)
	}
	store := newestStore(t)
	var journal struct{ Files []struct{ Name, Temp string } }
	if err := json.Unmarshal([]byte(testkit.Read(t, store, "undo.json")), &journal); err != nil || journal.Files[0].Name != "aml_config/vm.compute" {
		t.Fatal(journal, err)
	}
	testkit.OK(t, os.Rename(filepath.Join(store, "undo.json"), filepath.Join(store, "journal.json")))
	testkit.Write(t, dir, journal.Files[0].Temp, testkit.Read(t, dir, "aml_config/vm.compute"))
	testkit.Write(t, dir, "aml_config/vm.compute", old)

	r := amlfix(t, dir)
	if !strings.Contains(r.err, "an interrupted repair was finished: aml_config/vm.compute, aml_config/vm.runconfig") || r.out != "" {
		t.Errorf("%+v", r)
	}
	if got := testkit.Read(t, dir, "aml_config/vm.compute"); !strings.Contains(got, "plus-gpu") {
		t.Errorf("vm.compute: %q", got)
	}
	if r := amlfix(t, dir); r.err != "" {
		t.Errorf("reported twice: %+v", r)
	}
	if r := amlfix(t, dir, "undo"); r.code != 0 || testkit.Read(t, dir, "aml_config/vm.compute") != old {
		t.Errorf("undo after the recovery: %+v", r)
	}
}

// TestRecoveryFromPowerFailure prepares a project as a power failure leaves it that lost the commit mark and an old
// content. The next command names the file, undo says what to do, and that works.
func TestRecoveryFromPowerFailure(t *testing.T) {
	dir := testkit.Folder(t, gpuFaults)
	old := testkit.Read(t, dir, "aml_config/vm.compute")
	if r := amlfix(t, dir, "--apply"); r.code != 0 {
		t.Fatalf("%+v", r)
	}
	store := newestStore(t)
	testkit.OK(t, os.Rename(filepath.Join(store, "undo.json"), filepath.Join(store, "journal.json")))
	testkit.OK(t, os.Remove(filepath.Join(store, "commit")))
	testkit.OK(t, os.Truncate(filepath.Join(store, "old-0"), 0))
	if r := amlfix(t, dir, "--apply"); r.code != 0 || !strings.Contains(r.err, "finished: aml_config/vm.compute, aml_config/vm.runconfig; "+
		"the old content stored for undo is damaged, so compare with version control what cannot be undone: aml_config/vm.compute\n") {
		t.Errorf("%+v", r)
	}
	if r := amlfix(t, dir, "undo"); r.code != console.Failure || !strings.Contains(r.err, "amlfix: aml_config/vm.compute: its old content, stored for undo, is damaged; nothing was undone: restore") {
		t.Errorf("%+v", r)
	}
	testkit.Write(t, dir, "aml_config/vm.compute", old)
	if r := amlfix(t, dir, "undo"); r.code != 0 || !strings.Contains(testkit.Read(t, dir, "aml_config/vm.runconfig"), "PySpark") {
		t.Errorf("%+v", r)
	}
}

// TestApplyWithoutHome checks that --apply needs a folder for the journal only where there is something to repair.
func TestApplyWithoutHome(t *testing.T) {
	dir := testkit.Folder(t, "-- right/job.yml --\ntype: command\ncommand: echo\nenvironment: azureml:x:1\ncompute: azureml:y\n"+
		"-- wrong/aml_config/x.compute --\ntype: local\n-- wrong/aml_config/x.runconfig --\nArgumentVector: [a.py]\nFramework: python\nTarget: x\n-- wrong/a.py --\n")
	for _, name := range []string{"HOME", "XDG_CACHE_HOME", "LocalAppData"} {
		t.Setenv(name, "")
	}
	if r := amlfix(t, dir, "--apply", "right"); r.code != 0 || strings.Contains(r.err, "cache") {
		t.Errorf("%+v", r)
	}
	for _, home := range []string{"", "relative"} {
		t.Setenv("HOME", home)
		t.Setenv("LocalAppData", home)
		if r := amlfix(t, dir, "--apply", "wrong"); r.code != console.Failure || !strings.Contains(r.err, "no cache folder for the journal") ||
			!strings.Contains(testkit.Read(t, dir, "wrong/aml_config/x.runconfig"), "python") {
			t.Errorf("%q: %+v", home, r)
		}
	}
}

// newestStore returns the folder of the most recent journal.
func newestStore(t *testing.T) (newest string) {
	t.Helper()
	folder, err := transaction.Folder()
	testkit.OK(t, err)
	names := testkit.Glob(t, folder, "*", "*", "undo.json")
	var last os.FileInfo
	for _, name := range names {
		info, err := os.Stat(name)
		testkit.OK(t, err)
		if last == nil || info.ModTime().After(last.ModTime()) {
			last, newest = info, filepath.Dir(name)
		}
	}
	return newest
}

// TestUndoTwice undoes two --apply one after the other, after listing them.
func TestUndoTwice(t *testing.T) {
	dir := testkit.Folder(t, gpuFaults)
	const more = "type: remotedocker\naddress: b\nusername: b\nbaseDockerImage: microsoft/mmlspark:plus-gpu-0.9.9\nnvidiaDocker:true\n"
	files := func() [2]string {
		return [2]string{testkit.Read(t, dir, "aml_config/vm.compute"), testkit.Read(t, dir, "aml_config/vm2.compute")}
	}
	var states [][2]string
	for range 2 {
		if len(states) == 0 {
			testkit.Write(t, dir, "aml_config/vm2.compute", "type: localdocker\nbaseDockerImage: microsoft/mmlspark:plus-0.9.9\n")
		} else {
			testkit.Write(t, dir, "aml_config/vm2.compute", more)
		}
		states = append(states, files())
		if r := amlfix(t, dir, "--apply"); r.code > 1 {
			t.Fatalf("%+v", r)
		}
	}
	r := amlfix(t, dir, "undo", "--list", ".")
	if lines := strings.Split(strings.TrimSpace(r.out), "\n"); r.code != 0 || len(lines) != 5 || !strings.HasSuffix(lines[0], "1 file, kept until "+time.Now().Add(30*24*time.Hour).Format(check.Day)) ||
		lines[1] != "  aml_config/vm2.compute" || lines[3] != "  aml_config/vm.compute" {
		t.Errorf("%+v", r)
	}
	if r := amlfix(t, t.TempDir(), "undo", "--list", dir); !strings.Contains(r.out, "\n  "+filepath.ToSlash(schema.Identity(dir))+"/aml_config/vm2.compute\n") {
		t.Errorf("the list of another folder: %+v", r)
	}
	newer := testkit.Folder(t, gpuFaults)
	amlfix(t, newer, "--apply")
	first := filepath.ToSlash(schema.Identity(newer))
	for from, in := range map[string]string{dir: " .  ", newer: " .  ", t.TempDir(): "  " + first + "  "} {
		if head, _, _ := strings.Cut(amlfix(t, from, "undo", "--list").out, "\n"); !strings.Contains(head, in) {
			t.Errorf("%s: the list begins with %q", from, head)
		}
	}
	if r := amlfix(t, newer, "undo"); r.code != 0 {
		t.Errorf("%+v", r)
	}
	states[0][1] = more
	for n := range 2 {
		if r := amlfix(t, dir, "undo"); r.code != 0 || files() != states[1-n] {
			t.Errorf("%+v; the files hold %q", r, files())
		}
	}
	if r := amlfix(t, dir, "undo", "--list", "."); r.code != 0 || r.out != "" || r.err != "amlfix: nothing to undo is on record\n" {
		t.Errorf("%+v", r)
	}
}

// TestSaveDuringApply saves a file like an editor while amlfix is repairing it: the saved text is never lost, and
// amlfix reports that it stopped.
//
//testkit:norace
func TestSaveDuringApply(t *testing.T) {
	t.Parallel()
	stopped := 0
	for n := range 60 {
		dir := testkit.Folder(t, gpuFaults)
		name := filepath.Join(dir, "aml_config", "vm.compute")
		old := testkit.Read(t, dir, "aml_config/vm.compute")
		cmd := spawn(t, dir, "--apply")
		var stderr strings.Builder
		cmd.Stderr = &stderr
		testkit.OK(t, cmd.Start())
		time.Sleep(time.Duration(n) * time.Millisecond)
		mine := old + "# mine\n"
		raced := testkit.Read(t, dir, "aml_config/vm.compute") == old
		testkit.Write(t, dir, "aml_config/vm.compute", mine)
		err := cmd.Wait()
		got := testkit.Read(t, dir, "aml_config/vm.compute")
		if !strings.HasSuffix(got, "# mine\n") {
			t.Errorf("after %d ms: the save is lost: %v, %q", n, err, got)
		}
		if raced && cmd.ProcessState.ExitCode() == int(console.Failure) {
			stopped++
			if !strings.Contains(stderr.String(), "aml_config/vm.compute: changed on disk since it was read, so nothing was written") || got != mine {
				t.Errorf("%q, %q", stderr.String(), got)
			}
			if r := testkit.Read(t, dir, "aml_config/vm.runconfig"); !strings.Contains(r, "Framework: PySpark") {
				t.Errorf("%s is stopped, and its other file is changed: %q", name, r)
			}
		}
	}
	t.Logf("%d of 60 were stopped", stopped)
}

// TestUndoOfAMovedProject checks that amlfix says where the repairs of a project that was moved are recorded.
func TestUndoOfAMovedProject(t *testing.T) {
	dir := testkit.Folder(t, strings.ReplaceAll(gpuFaults, "-- aml", "-- before/aml")+"-- else/aml_config/x.compute --\ntype: local\n")
	before := filepath.Join(dir, "before")
	if r := amlfix(t, before, "--apply"); r.code != 0 {
		t.Fatalf("%+v", r)
	}
	testkit.OK(t, os.Rename(before, filepath.Join(dir, "after")))
	if r := amlfix(t, filepath.Join(dir, "after"), "undo"); r.code != console.Findings || !strings.Contains(r.err, "; this project seems to have been moved from ../before, where its repairs are on record: move it back") {
		t.Errorf("%+v", r)
	}
	if r := amlfix(t, filepath.Join(dir, "else"), "undo"); r.code != console.Findings || !strings.Contains(r.err, "; amlfix undo --list shows") {
		t.Errorf("%+v", r)
	}
	testkit.OK(t, os.Rename(filepath.Join(dir, "after"), before))
	if r := amlfix(t, before, "undo"); r.code != console.OK || !strings.Contains(testkit.Read(t, before, "aml_config/vm.compute"), ":plus-0.9.9") {
		t.Errorf("%+v", r)
	}
}

// TestUndoWithoutProject removes the file that made the folder of a repaired one a project.
func TestUndoWithoutProject(t *testing.T) {
	const conda = "channels: [conda-forge]\ndependencies:\n- python=3.12\n- pip=24\n- pip:\n  - numpy=1.26\n"
	dir := testkit.Folder(t, "-- e.yml --\n$schema: https://azuremlschemas.azureedge.net/latest/environment.schema.json\n"+
		"name: e\nimage: mcr.microsoft.com/azureml/openmpi5.0-ubuntu24.04:20260101.v1\nconda_file: c.yml\n-- c.yml --\n"+conda)
	amlfix(t, dir, "--apply")
	if got := testkit.Read(t, dir, "c.yml"); got == conda {
		t.Fatalf("c.yml is not repaired: %q", got)
	}
	testkit.OK(t, os.Remove(filepath.Join(dir, "e.yml")))
	if r := amlfix(t, dir, "undo"); r.code != 0 || r.out != "c.yml: restored\n" {
		t.Errorf("%+v", r)
	}
	if got := testkit.Read(t, dir, "c.yml"); got != conda {
		t.Errorf("c.yml: %q", got)
	}
}

// TestRepairsKeepFilesKnown repairs a file that only a misspelt key lets count as one of v2.
func TestRepairsKeepFilesKnown(t *testing.T) {
	dir := testkit.Folder(t, "-- a.yml --\nnevironment:\n  tags: {a: b}\ndistribution: {type_: mpi}\ncommand: python train.py\nexperiment_name: x\ncompute: azureml:cpu\n")
	if r := amlfix(t, dir, "--apply"); r.code != console.Findings || !strings.Contains(r.out, "nothing else identifies this as an Azure ML v2 file") {
		t.Errorf("%+v", r)
	}
	if got := testkit.Read(t, dir, "a.yml"); !strings.Contains(got, "type: mpi") || !strings.Contains(got, "nevironment") {
		t.Errorf("a.yml: %q", got)
	}
}
