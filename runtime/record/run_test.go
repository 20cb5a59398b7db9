package record

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/runtime/runid"
	"github.com/amlfix/amlfix/schema/testkit"
)

func TestCreateOpenList(t *testing.T) {
	r := create(t)
	project := r.Record().Project
	if _, err := Open(r.Dir()); !errors.Is(err, ErrBusy) {
		t.Errorf("a second program may have it too: %v", err)
	}
	if _, err := Create(r.Record()); err == nil {
		t.Error("two records of one id")
	}
	testkit.OK(t, r.Enter(progress.Starting))
	testkit.OK(t, r.Update(func(rec *Record) { rec.Handle.Container = "amlfix-1" }))
	list, err := List(project)
	if err != nil || len(list) != 1 || !list[0].Live || list[0].State != progress.Starting || list[0].Handle.Container != "amlfix-1" || !list[0].MayRun() {
		t.Errorf("%+v, %v", list, err)
	}
	r.Close()
	if list, _ = List(project); list[0].Live {
		t.Error("live, though nobody has it")
	}
	again, err := Open(r.Dir())
	testkit.OK(t, err)
	testkit.Same(t, list[0].Record, again.Record())
	testkit.OK(t, again.Remove())
	if left, _ := os.ReadDir(project); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestOwnerOnly checks that only the owner can read a record: what a job prints may be confidential.
func TestOwnerOnly(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no such permissions")
	}
	r := create(t)
	testkit.OK(t, r.AddMetrics([]byte("{}\n")))
	err := filepath.WalkDir(filepath.Join(r.Record().Project, Folder), func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if info, err := d.Info(); err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: %v, %v", p, info.Mode(), err)
		}
		return nil
	})
	testkit.OK(t, err)
	if text := testkit.Read(t, filepath.Join(r.Record().Project, Folder), ".gitignore"); !strings.HasSuffix(text, "\n*\n") {
		t.Errorf("%q", text)
	}
}

func TestNoRecordCanBeKept(t *testing.T) {
	project := t.TempDir()
	testkit.OK(t, os.WriteFile(filepath.Join(project, Folder), nil, 0o600))
	if _, err := Create(Record{ID: runid.New(time.Now()), Project: project}); err == nil || !strings.Contains(err.Error(), "no record of the run can be kept") {
		t.Errorf("%v", err)
	}
}

// TestReadOnlyProject checks that the reason is given once, without the path again, and what to do where that helps.
func TestReadOnlyProject(t *testing.T) {
	const copied = ": run the job from a copy of the project in a folder that you may write to"
	for why, want := range map[syscall.Errno]string{syscall.EROFS: syscall.EROFS.Error() + copied, syscall.EACCES: "no permission there" + copied, syscall.ENOSPC: syscall.ENOSPC.Error()} {
		err := notKept("/p/.amlfix", refusal("/p/.amlfix", fmt.Errorf("/p/.amlfix: %w", why)))
		testkit.Same(t, "/p/.amlfix: no record of the run can be kept: "+want, err.Error())
	}
}

func TestFaultyRecords(t *testing.T) {
	project := t.TempDir()
	const good, other = "20261122-101112-00600d", "20261122-101112-0000aa"
	for id, text := range map[string]string{
		"20261122-101112-0000e0": "", other: `{"version":1,"id":"` + good + `","project":"` + project + `"}`, "20261122-101112-00001a": `{"version":2,"id":"20261122-101112-00001a"}`,
		"20261122-101112-000115": `[]`, good: `{"version":1,"id":"` + good + `","project":"` + project + `"}`, "x": `{"version":1,"id":"x"}`, "20261122-101112-0000bb": `{"version":1}`,
		"20261122-101112-0000cc": `{"version":1,"id":"../../20261122-101112-0000cc"}`,
	} {
		dir := filepath.Join(project, Folder, runsName, id)
		testkit.OK(t, os.MkdirAll(dir, 0o700))
		cut(t, dir, recordName, text)
	}
	list, err := List(project)
	if len(list) != 1 || list[0].ID.String() != good || err == nil {
		t.Fatalf("%v, %v", list, err)
	}
	testkit.Has(t, err.Error(), "0000e0", other, "00001a", "000115", "the record of another run, "+good, "version 2", `"x" is not a run id`, "a record without an id", `"../../2026`)
	if list, err := List(t.TempDir()); list != nil || err != nil {
		t.Errorf("%v, %v", list, err)
	}
}

func TestStopRequest(t *testing.T) {
	r := create(t)
	for _, want := range [][2]bool{{false, false}, {true, false}, {true, true}} {
		stop, kill := r.StopRequested()
		testkit.Same(t, want, [2]bool{stop, kill})
		testkit.OK(t, RequestStop(r.Dir()))
	}
}

func TestKeepOutput(t *testing.T) {
	r := create(t)
	project := r.Record().Project
	testkit.OK(t, os.MkdirAll(filepath.Join(project, "outputs", "a"), 0o755))
	cut(t, project, "outputs/a/model", "weights")
	for range 2 {
		testkit.OK(t, r.KeepOutput(project, "a/model"))
	}
	testkit.OK(t, os.Remove(filepath.Join(project, "outputs/a/model")))
	testkit.Same(t, "weights", testkit.Read(t, r.Dir(), "outputs/a/model"))
	if err := r.KeepOutput(project, "a/gone"); err == nil {
		t.Error("kept what is not there")
	}
}

// FuzzDecode reads arbitrary text as a record.
func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"version":1,"id":"20261122-101112-abcdef","states":[{"state":"done","at":"2026-11-20T00:00:00Z"}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := decode(text)
		if err != nil {
			return
		}
		if again, err := runid.Parse(r.ID.String()); err != nil || again != r.ID || r.Version != Version {
			t.Errorf("%+v", r)
		}
	})
}
