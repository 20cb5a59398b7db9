package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/fixers/transaction"
)

const gpuFaults = "-- aml_config/vm.compute --\ntype: remotedocker\naddress: a\nusername: b\nbaseDockerImage: microsoft/mmlspark:plus-0.9.9\nnvidiaDocker: true\n" +
	"-- aml_config/vm.runconfig --\nArgumentVector: [$file]\nFramework: PySpark\nTarget: vm\n-- aml_config/conda_dependencies.yml --\ndependencies: []\n"

func TestUndoNamesAnEditedFile(t *testing.T) {
	dir := unpack(t, gpuFaults)
	if r := amlfix(t, dir, "--apply"); r.code != 0 {
		t.Fatalf("%+v", r)
	}
	writeFile(t, dir, "aml_config/vm.runconfig", []byte("Target: mine\n"))
	r := amlfix(t, dir, "undo")
	if r.code != statusFailure || !strings.Contains(r.err, "aml_config/vm.runconfig: edited since it was repaired") {
		t.Errorf("%+v", r)
	}
	if got := readFile(t, dir, "aml_config/vm.compute"); !strings.Contains(got, "plus-gpu") {
		t.Errorf("vm.compute was undone alone: %q", got)
	}
}

// TestRecovery makes a project look as a killed --apply leaves it: committed in
// the journal, with one file not renamed yet. The next command finishes the
// repair and says so. (That real kills leave this state, and all others, is
// tested in package transaction.)
func TestRecovery(t *testing.T) {
	dir := unpack(t, gpuFaults)
	old := readFile(t, dir, "aml_config/vm.compute")
	if r := amlfix(t, dir, "--apply"); r.code != 0 {
		t.Fatalf("%+v", r)
	}
	store := newestStore(t)
	writeFile(t, store, "journal.json", []byte(readFile(t, store, "undo.json")))
	writeFile(t, store, "commit", nil)
	writeFile(t, dir, "aml_config/vm.compute", []byte(old))

	r := amlfix(t, dir)
	if !strings.Contains(r.err, "an interrupted repair was finished: aml_config/vm.compute, aml_config/vm.runconfig") || r.out != "" {
		t.Errorf("%+v", r)
	}
	if got := readFile(t, dir, "aml_config/vm.compute"); !strings.Contains(got, "plus-gpu") {
		t.Errorf("vm.compute: %q", got)
	}
	if r := amlfix(t, dir); r.err != "" {
		t.Errorf("told twice: %+v", r)
	}
	if r := amlfix(t, dir, "undo"); r.code != 0 || readFile(t, dir, "aml_config/vm.compute") != old {
		t.Errorf("undo after the recovery: %+v", r)
	}
}

// newestStore returns the folder of the journal written last.
func newestStore(t *testing.T) (newest string) {
	t.Helper()
	folder, err := transaction.Folder()
	if err != nil {
		t.Fatal(err)
	}
	names, err := filepath.Glob(filepath.Join(folder, "*", "undo.json"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no undo data: %v", err)
	}
	var last os.FileInfo
	for _, name := range names {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		if last == nil || info.ModTime().After(last.ModTime()) {
			last, newest = info, filepath.Dir(name)
		}
	}
	return newest
}
