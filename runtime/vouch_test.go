//go:build linux

package runtime

import (
	"encoding/json"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/amlfix/amlfix/runtime/internal/sshtest"
	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/runtime/record"
	"github.com/amlfix/amlfix/runtime/runid"
	"github.com/amlfix/amlfix/runtime/ssh"
	"github.com/amlfix/amlfix/schema/testkit"
)

var forgedID = runid.MustParse("20261122-101112-f0f0f0")

// forgery creates a project with the record of a run that seems to be running.
func forgery(t *testing.T, content files, rec record.Record) (project, dir string) {
	t.Helper()
	project = t.TempDir()
	for name, text := range content {
		testkit.OK(t, os.MkdirAll(filepath.Dir(filepath.Join(project, name)), 0o755))
		testkit.OK(t, os.WriteFile(filepath.Join(project, name), []byte(text), 0o600))
	}
	rec.Version, rec.ID, rec.Project, rec.State, rec.Tracked = record.Version, forgedID, project, progress.Running, true
	for _, s := range []progress.State{progress.Creating, progress.Uploading, progress.Starting, progress.Running} {
		rec.States = append(rec.States, record.Step{State: s, At: time.Now()})
	}
	text, err := json.Marshal(rec)
	testkit.OK(t, err)
	dir = record.Dir(project, forgedID)
	testkit.OK(t, os.MkdirAll(dir, 0o700))
	testkit.OK(t, os.WriteFile(record.Path(dir), text, 0o600))
	return project, dir
}

// notAttached fails the test unless a record is refused before anything is done.
func notAttached(t *testing.T, dir string, opts RunOptions) {
	t.Helper()
	before := testkit.Read(t, record.Path(dir))
	res, err := Attach(t.Context(), dir, opts)
	if _, ok := errors.AsType[*record.RefusedError](err); !ok || !res.RunID.IsZero() {
		t.Errorf("it is believed: %+v, %v", res, err)
	}
	if after, err := os.ReadFile(record.Path(dir)); err != nil || string(after) != before {
		t.Errorf("the record was changed: %s, %v", after, err)
	}
}

// TestForgedFolder checks that a record of a run on this machine cannot make amlfix fetch outputs from, or remove, an
// arbitrary folder.
func TestForgedFolder(t *testing.T) {
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	victim := filepath.Join(tmp, "victim")
	own := filepath.Join(tmp, "amlfix-"+forgedID.String())
	for _, dir := range []string{filepath.Join(victim, "outputs"), filepath.Join(own, "other", "outputs")} {
		testkit.OK(t, os.MkdirAll(dir, 0o755))
		testkit.OK(t, os.WriteFile(filepath.Join(dir, "secret"), []byte("x"), 0o600))
	}
	testkit.OK(t, os.Symlink(victim, filepath.Join(tmp, "link")))
	for _, kind := range []string{"local", "docker"} {
		for _, folder := range []string{
			victim, "/", "/etc", ".", "..", "relative/amlfix-" + forgedID.String() + "/x", filepath.Join(own, "other"), own, own + "/../victim", filepath.Join(tmp, "link"),
			"/etc/amlfix-20261122-101112-000000/x", `\\host\share\amlfix-` + forgedID.String() + `\x`, "PROJECT", "PROJECT/in/amlfix-" + forgedID.String() + "/BASE", "OPEN", "LINK", "LINKED",
		} {
			rec := record.Record{Kind: kind, Handle: record.Handle{Folder: folder, Mounted: kind == "docker", Container: "amlfix-" + forgedID.String()}}
			project, dir := forgery(t, files{"in/amlfix-" + forgedID.String() + "/x/y": "z"}, rec)
			base := filepath.Base(project)
			aside := filepath.Join(t.TempDir(), "amlfix-"+forgedID.String())
			switch folder {
			case "OPEN": // others may write to it
				testkit.OK(t, errors.Join(os.Mkdir(aside, 0o755), os.Mkdir(filepath.Join(aside, base), 0o755), os.Chmod(aside, 0o777)))
				folder = filepath.Join(aside, base)
			case "LINK":
				testkit.OK(t, os.Symlink(victim, aside))
				folder = filepath.Join(aside, base)
			case "LINKED":
				testkit.OK(t, errors.Join(os.Mkdir(aside, 0o700), os.Symlink(victim, filepath.Join(aside, base))))
				folder = filepath.Join(aside, base)
			}
			rec.Handle.Folder = strings.NewReplacer("PROJECT", project, "BASE", base).Replace(folder)
			rewrite(t, dir, rec.Handle)
			notAttached(t, dir, RunOptions{})
			if _, err := os.Stat(filepath.Join(project, "outputs")); err == nil {
				t.Errorf("%s: outputs were fetched", folder)
			}
		}
	}
	for _, dir := range []string{victim, own} {
		if _, err := os.Stat(dir); err != nil {
			t.Errorf("it was removed: %v", err)
		}
	}
}

// rewrite replaces the handle in a record on disk.
func rewrite(t *testing.T, dir string, h record.Handle) {
	t.Helper()
	var rec record.Record
	testkit.OK(t, json.Unmarshal([]byte(testkit.Read(t, record.Path(dir))), &rec))
	rec.Handle = h
	text, err := json.Marshal(rec)
	testkit.OK(t, err)
	testkit.OK(t, os.WriteFile(record.Path(dir), text, 0o600))
}

// TestForgedMachine checks that a record cannot choose the container, the engine or the machine.
func TestForgedMachine(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	testkit.OK(t, err)
	defer func() { _ = listener.Close() }()
	go func() {
		if conn, err := listener.Accept(); err == nil {
			_ = conn.Close()
			t.Errorf("somebody was connected to")
		}
	}()
	there := listener.Addr().String()
	t.Setenv("DOCKER_HOST", "unix:///nonexistent/docker.sock")
	target := files{"aml_config/vm.compute": "type: remote\naddress: gpu.example.com\nusername: me\n", "aml_config/vm.runconfig": "Target: vm\n",
		"aml_config/d.compute": "type: remotedocker\naddress: gpu.example.com\nusername: me\nbaseDockerImage: a/b:1\n", "aml_config/d.runconfig": "Target: d\n"}
	mine := "amlfix-" + forgedID.String()
	for _, rec := range []record.Record{
		{Kind: "docker", Handle: record.Handle{Container: "somebody-elses"}},
		{Kind: "docker", Handle: record.Handle{Container: mine + "/../x"}},
		{Kind: "docker", Handle: record.Handle{Container: mine, Engine: "tcp://" + there}},
		{Kind: "docker", Handle: record.Handle{Container: mine, Engine: "ssh://me@" + there}},
		{Kind: "docker", Handle: record.Handle{Container: mine, Engine: "unix:///var/run/docker.sock"}},
		{Kind: "docker", Target: "d", Handle: record.Handle{Container: mine, Host: there, User: "me"}},
		{Kind: "docker", Target: "vm", Handle: record.Handle{Container: mine, Host: "gpu.example.com", User: "me"}},
		{Kind: "remote", Target: "vm", Handle: record.Handle{Host: there, User: "me"}},
		{Kind: "remote", Target: "vm", Handle: record.Handle{Host: "gpu.example.com", User: "root"}},
		{Kind: "remote", Target: "other", Handle: record.Handle{Host: "gpu.example.com", User: "me"}},
		{Kind: "remote", Target: "d", Handle: record.Handle{Host: "gpu.example.com", User: "me"}},
		{Kind: "remote", Target: "vm", Handle: record.Handle{}},
		{Kind: "cluster", Target: "vm", Handle: record.Handle{Host: there}},
		{Kind: "local", Target: "vm", Handle: record.Handle{Host: there}},
		{Kind: "", Target: "vm"}, {Kind: "shell", Target: "vm"},
	} {
		_, dir := forgery(t, target, rec)
		notAttached(t, dir, RunOptions{})
	}
	for _, good := range []record.Record{{Kind: "remote", Target: "vm", Handle: record.Handle{Host: "gpu.example.com", User: "me"}},
		{Kind: "docker", Target: "d", Handle: record.Handle{Host: "gpu.example.com", User: "me", Container: mine, Engine: "ssh://me@gpu.example.com:22"}},
		{Kind: "docker", Handle: record.Handle{Container: mine, Engine: "unix:///nonexistent/docker.sock"}}} {
		_, dir := forgery(t, target, good)
		entry, err := record.ReadDir(dir)
		if err == nil {
			err = vouch(entry.Record)
		}
		if err != nil {
			t.Errorf("an honest record is refused: %v", err)
		}
	}
}

// TestForgedIDThere checks that an ID, which becomes part of scripts on another machine, cannot run anything there.
func TestForgedIDThere(t *testing.T) {
	t.Parallel()
	s := sshtest.Start(t, sshtest.Options{})
	id := `20261121-000000-"; cd; touch X; : "`
	project, dir := forgery(t, files{"aml_config/vm.compute": "type: remote\naddress: " + s.Address() + "\nusername: worker\n", "aml_config/vm.runconfig": "Target: vm\n"},
		record.Record{Kind: "remote", Target: "vm", Handle: record.Handle{Host: s.Address(), User: "worker"}})
	text := testkit.Read(t, record.Path(dir))
	evil := filepath.Join(filepath.Dir(dir), id)
	quoted, _ := json.Marshal(id)
	testkit.OK(t, errors.Join(os.Mkdir(evil, 0o700), os.WriteFile(record.Path(evil), []byte(strings.Replace(text, `"`+forgedID.String()+`"`, string(quoted), 1)), 0o600)))
	if _, err := Attach(t.Context(), evil, RunOptions{SSH: ssh.Options{Home: s.Home}}); err == nil || !strings.Contains(err.Error(), "is not a run id") {
		t.Errorf("%v", err)
	}
	if list, err := record.List(project); len(list) != 1 || err == nil {
		t.Errorf("%v, %v", list, err)
	}
	// The other record names the target's machine and a run that the machine does not have: nothing is done there
	// either.
	if res, err := Attach(t.Context(), dir, RunOptions{SSH: ssh.Options{Home: s.Home}}); err != nil && res.RunID.IsZero() {
		t.Errorf("%+v, %v", res, err)
	}
	if left, _ := filepath.Glob(filepath.Join(s.HomeOf(sshtest.Worker), "X*")); len(left) > 0 {
		t.Errorf("a command was run there: %v", left)
	}
}
