package record

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	goruntime "runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/runtime/runid"
	"github.com/amlfix/amlfix/schema/testkit"
)

var forged = runid.MustParse("20261122-101112-f0f0f0")

// forge writes the record of a run into a project.
func forge(t *testing.T, project, inside string) string {
	t.Helper()
	dir := Dir(project, forged)
	testkit.OK(t, os.MkdirAll(dir, 0o700))
	cut(t, dir, recordName, `{"version":1,"id":"`+forged.String()+`","project":"`+inside+`","state":"running"}`)
	return dir
}

// refused fails the test unless a record is not trusted, nothing but reading was done, and the reason is given.
func refused(t *testing.T, project, dir, why string) {
	t.Helper()
	_, one := ReadDir(dir)
	run, two := Open(dir)
	list, three := List(project)
	if run != nil || len(list) > 0 {
		t.Errorf("it is believed: %v, %v", run, list)
	}
	for _, err := range []error{one, two, three} {
		if _, ok := errors.AsType[*RefusedError](err); !ok || !strings.Contains(err.Error(), why) {
			t.Errorf("%v", err)
		}
	}
}

// TestTracked checks that a record that git tracks counts as part of the repository, however its folder is spelled.
func TestTracked(t *testing.T) {
	for _, below := range []string{".", "projects/digits"} {
		root := t.TempDir()
		testkit.Git(t, root, "init", "-q")
		project := filepath.Join(root, below)
		dir := forge(t, project, project)
		if list, err := List(project); err != nil || len(list) != 1 {
			t.Fatalf("%v, %v", list, err)
		}
		testkit.Git(t, root, "add", "-f", "--all")
		refused(t, project, dir, "git tracks this record")
		t.Setenv("GIT_DIR", t.TempDir()) // must not affect which repository is asked
		refused(t, project, dir, "git tracks this record")
		testkit.OK(t, os.Unsetenv("GIT_DIR"))
		// A record of the user's own beside it is still trusted.
		mine, err := Create(Record{ID: runid.MustParse("20261122-101112-000001"), Project: project})
		testkit.OK(t, err)
		mine.Close()
		if list, err := List(project); len(list) != 1 || err == nil || list[0].ID != mine.Record().ID {
			t.Errorf("%v, %v", list, err)
		}
	}
}

// TestTrackedByAnother checks that a folder of the repository that looks like a bare repository does not answer for it.
func TestTrackedByAnother(t *testing.T) {
	root := t.TempDir()
	testkit.Git(t, root, "init", "-q")
	project := filepath.Join(root, "digits")
	testkit.Git(t, root, "init", "-q", "--bare", project)
	testkit.Git(t, project, "config", "core.bare", "false")
	testkit.Git(t, project, "config", "core.worktree", ".")
	dir := forge(t, project, project)
	testkit.Git(t, root, "add", "-f", "--all")
	refused(t, project, dir, "git does not say")
}

// TestGitIsNotWaitedFor checks that a git that is a script, whose program does not end with it, has a time limit.
func TestGitIsNotWaitedFor(t *testing.T) {
	bin := t.TempDir()
	testkit.OK(t, os.WriteFile(filepath.Join(bin, "git"), []byte("#!/bin/sh\nsleep 30\n"), 0o755)) //nolint:gosec // a program
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	began := time.Now()
	if out, err := Git(ctx, t.TempDir(), "status").Output(); err == nil || time.Since(began) > 20*time.Second {
		t.Errorf("%q, %v after %v", out, err, time.Since(began))
	}
}

func TestTrackedNames(t *testing.T) {
	for name, want := range map[string]tracked{
		".amlfix.yaml": {}, ".amlfix/.gitignore": {}, ".amlfixrc/runs/x/record.json": {}, "": {},
		".amlfix": {all: true}, ".AMLFIX": {all: true}, ".amlfix/runs": {all: true}, ".amlfix/RUNS": {all: true},
		".amlfix/runs/ID/record.json": {ids: []string{"id"}}, ".Amlfix/Runs/Id/log": {ids: []string{"id"}}, "AMLFIX~1/runs/id/log": {ids: []string{"id"}}, ".amlfix./runs./id /log": {ids: []string{"id"}},
		".amlfix/runs/id": {ids: []string{"id"}},
	} {
		if d := cmp.Diff(want, trackedIn([]byte(name+"\x00train.py\x00")), cmp.AllowUnexported(tracked{})); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

// TestGitCannotTell checks that a record is not trusted if git fails.
func TestGitCannotTell(t *testing.T) {
	project := t.TempDir()
	testkit.Git(t, project, "init", "-q")
	dir := forge(t, project, project)
	testkit.OK(t, os.WriteFile(filepath.Join(project, ".git", "index"), []byte("no index"), 0o600))
	refused(t, project, dir, "git does not say")
	t.Setenv("PATH", t.TempDir())
	refused(t, project, dir, "install git")
}

// TestLinks checks that no part of a record may be a link, and that nothing is written through one.
func TestLinks(t *testing.T) {
	for _, part := range []string{Folder, Folder + "/runs", Folder + "/runs/" + forged.String(), "record.json", "log", "log.index", "log.shown", "metrics.jsonl", "lock", "stop", "stop-now", "record.json.new", "outputs"} {
		t.Run(strings.ReplaceAll(part, "/", " "), func(t *testing.T) {
			project, elsewhere := t.TempDir(), filepath.Join(t.TempDir(), "elsewhere")
			dir := forge(t, project, project)
			at := filepath.Join(project, filepath.FromSlash(part))
			if !strings.HasPrefix(part, Folder) {
				at = filepath.Join(dir, part)
			}
			if _, err := os.Lstat(at); err != nil {
				testkit.OK(t, os.WriteFile(at, []byte("secret"), 0o600))
			}
			testkit.OK(t, os.Rename(at, elsewhere))
			if err := os.Symlink(elsewhere, at); err != nil {
				t.Skipf("this system makes no links: %v", err)
			}
			before := snapshot(t, elsewhere)
			refused(t, project, dir, "is a link")
			if strings.HasPrefix(part, Folder) && part != Folder+"/runs/"+forged.String() {
				_, err := Create(Record{ID: runid.MustParse("20261122-101112-000001"), Project: project})
				if no := (*RefusedError)(nil); !errors.As(err, &no) || !strings.Contains(err.Error(), "is a link") {
					t.Errorf("a record is written through it: %v", err)
				}
			}
			testkit.Same(t, before, snapshot(t, elsewhere))
		})
	}
}

// snapshot returns everything below a path.
func snapshot(t *testing.T, path string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.Walk(path, func(name string, info os.FileInfo, err error) error {
		if err != nil || info.IsDir() {
			all[name] = "folder"
			return err
		}
		text, err := os.ReadFile(name)
		all[name] = string(text)
		return err
	})
	testkit.OK(t, err)
	return all
}

func TestOtherUser(t *testing.T) {
	if goruntime.GOOS == "windows" || os.Getuid() != 0 {
		t.Skip("SKIPPED: only root can give files to another user: run the tests as root")
	}
	for _, part := range []string{Folder, Folder + "/runs", Folder + "/runs/" + forged.String(), Folder + "/runs/" + forged.String() + "/record.json"} {
		project := t.TempDir()
		dir := forge(t, project, project)
		testkit.OK(t, os.Lchown(filepath.Join(project, part), 61234, 61234))
		refused(t, project, dir, "belongs to another user")
	}
}

// TestAnotherProject checks that a record that names another project as the destination of outputs is not trusted.
func TestAnotherProject(t *testing.T) {
	for _, other := range []string{"", "/", "/etc", "relative", "..", t.TempDir()} {
		project := t.TempDir()
		refused(t, project, forge(t, project, other), "in another folder")
	}
	moved := t.TempDir()
	for _, id := range []string{"20261120-101112-000001", "20261120-101112-000002", "20261120-101112-000003"} {
		run, err := Create(Record{ID: runid.MustParse(id), Project: moved})
		testkit.OK(t, err)
		run.Close()
	}
	now := moved + ".now"
	testkit.OK(t, os.Rename(moved, now))
	if _, err := List(now); err == nil || strings.Count(err.Error(), "\n") != 0 || !strings.Contains(err.Error(), "move the project back; so with 2 other records") {
		t.Errorf("of a project that has moved: %v", err)
	}
	project := t.TempDir()
	sym := filepath.Join(t.TempDir(), "sym")
	if err := os.Symlink(project, sym); err != nil {
		t.Skipf("this system makes no links: %v", err)
	}
	latin := filepath.Join(t.TempDir(), "caf\xe9")
	if err := os.Mkdir(latin, 0o755); err != nil {
		latin = t.TempDir() // this file system has only names in UTF-8
	}
	for _, name := range []string{sym, latin} {
		run, err := Create(Record{ID: forged, Project: name})
		testkit.OK(t, err)
		run.Close()
	}
	for _, name := range []string{project, sym, latin} {
		if list, err := List(name); err != nil || len(list) != 1 {
			t.Errorf("%s: %v, %v", name, list, err)
		}
	}
}

// TestKeptOutput checks that the record's own name for an output is never created from, or through, something
// elsewhere.
func TestKeptOutput(t *testing.T) {
	r := create(t)
	project := r.Record().Project
	secret := filepath.Join(t.TempDir(), "secret")
	testkit.OK(t, os.WriteFile(secret, []byte("x"), 0o600))
	testkit.OK(t, os.MkdirAll(filepath.Join(project, "outputs"), 0o700))
	if err := os.Symlink(filepath.Dir(secret), filepath.Join(project, "outputs", "away")); err != nil {
		t.Skipf("this system makes no links: %v", err)
	}
	for _, name := range []string{"away/secret", "../../secret", "/etc/passwd", "../train.py/../../x"} {
		if err := r.KeepOutput(project, name); err == nil {
			t.Errorf("%s is kept", name)
		}
	}
}
