//go:build linux

package programtest_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/amlfix/amlfix/runtime/internal/sshtest"
	"github.com/amlfix/amlfix/runtime/record"
	"github.com/amlfix/amlfix/schema/testkit"
)

// showAll is a job that prints what it sees of its project, and then damages it.
const showAll = `
-- show.py --
import hashlib, os, sys, time
lines = []
for folder, folders, files in os.walk(b"data"):
    for name in files:
        path = os.path.join(folder, name)
        with open(path, "rb") as f:
            lines.append("%r %o %s" % (path, os.lstat(path).st_mode, hashlib.sha256(f.read()).hexdigest()))
print("\n".join(sorted(lines)), flush=True)
os.makedirs("outputs/deep", exist_ok=True)
open("outputs/deep/result", "w").write("result")
time.sleep(float(sys.argv[1]))
if "gently" in sys.argv:
    sys.exit()
open("data/0", "r+b").write(b"spoilt by the job")
os.remove("data/1")
os.rename("data/2", "data/9")
open("new", "w").write("new")
`

// seen returns what showAll prints about a project.
func seen(t *testing.T, dir string) string {
	t.Helper()
	var lines []string
	testkit.OK(t, filepath.WalkDir(filepath.Join(dir, "data"), func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		testkit.OK(t, err)
		text, err := os.ReadFile(name)
		testkit.OK(t, err)
		rel, _ := filepath.Rel(dir, name)
		quoted := strings.ReplaceAll(fmt.Sprintf("b%q", rel), `"`, "'")
		lines = append(lines, fmt.Sprintf("%s %o %x\n", quoted, 0o100000|info.Mode().Perm(), sha256.Sum256(text)))
		return nil
	}))
	slices.Sort(lines)
	return strings.Join(lines, "")
}

// user is a user with a project whose copies stay where its jobs run.
type user struct {
	t     *testing.T
	m     machine
	dir   string
	cache string
	args  []string
}

// copying creates a project with additional files of size bytes in total.
func copying(t *testing.T, m machine, target, image string, size int) *user {
	t.Helper()
	address := []string{"$IMAGE", image}
	if m.ssh == nil {
		address = append(address, "$ADDRESS", "vm")
	}
	u := &user{t: t, m: m, dir: project(t, m, jobs+showAll, address...), cache: t.TempDir(), args: []string{"run", "-c", target, "show.py"}}
	for i := range 5 {
		u.write(fmt.Sprint(i), bytes.Repeat([]byte{byte(i)}, size/5+1))
	}
	u.write("small", []byte("small"))
	return u
}

func (u *user) write(name string, text []byte) {
	u.t.Helper()
	testkit.Write(u.t, u.dir, "data/"+name, text)
}

func (u *user) command(args ...string) *exec.Cmd {
	cmd := command(u.t, u.m, u.dir, args...)
	cmd.Env = append(cmd.Env, "XDG_CACHE_HOME="+u.cache)
	return cmd
}

// run runs the job, which must see the project unchanged. how is what amlfix reports about what it sends.
func (u *user) run(how string) {
	u.t.Helper()
	got := finish(u.command(append(slices.Clone(u.args), "0")...))
	if got.code != 0 {
		u.t.Fatalf("%+v", got)
	}
	testkit.Same(u.t, seen(u.t, u.dir), got.out)
	if how == "" && strings.Contains(got.err, " sent (") || !strings.Contains(got.err, how) {
		u.t.Errorf("%q is not in %s", how, got.err)
	}
	if text, err := os.ReadFile(filepath.Join(u.dir, "outputs/deep/result")); string(text) != "result" {
		u.t.Errorf("%q, %v", text, err)
	}
	if !strings.Contains(got.err, "the job wrote ") {
		u.t.Errorf("nothing is reported about what the job wrote: %s", got.err)
	}
}

// volumes lists the volumes that keep projects.
func volumes(t *testing.T, m machine) string {
	return string(m.engine.Do(t, http.MethodGet, "/volumes?filters="+`%7B%22label%22%3A%5B%22io.amlfix.store%22%5D%7D`))
}

// Sizes above which projects are kept.
const large, largeHere = 5_000_000, 80_000_000

// stores are the targets that keep projects between runs, each with where it is and a size that is kept there.
func stores(here, there machine) []store {
	return []store{{"container", here, largeHere}, {"remotedocker", there, large}, {"remote", there, large}}
}

type store struct {
	target string
	on     machine
	size   int
}

// TestOnlyChangesAreSent checks that a job gets the project byte for byte, and that only the changes since the last run
// are sent.
func TestOnlyChangesAreSent(t *testing.T) {
	t.Parallel()
	here, there, image := machines(t)
	for _, tt := range stores(here, there) {
		t.Run(tt.target, func(t *testing.T) {
			t.Parallel()
			u := copying(t, tt.on, tt.target, image, tt.size)
			u.run("")
			u.run("3 of 18 files are sent") // those that the job damaged
			u.write("small", []byte("other"))
			testkit.OK(t, os.Rename(filepath.Join(u.dir, "data/4"), filepath.Join(u.dir, "data/moved to")))
			testkit.OK(t, os.Chmod(filepath.Join(u.dir, "data/3"), 0o755))
			u.run("4 of 18 files are sent")
			testkit.OK(t, os.Remove(filepath.Join(u.dir, "data/3")))
			testkit.OK(t, os.Mkdir(filepath.Join(u.dir, "data/3"), 0o755))
			u.write("3/new\nline", []byte("x"))
			u.write("\xff", []byte("y"))
			testkit.OK(t, os.RemoveAll(filepath.Join(u.dir, "data/4")))
			u.run("files are sent")
			for _, how := range []string{" files are sent (", "no files are sent: all 19 are already there\n"} {
				got := finish(u.command(append(slices.Clone(u.args), "0", "gently")...))
				if got.code != 0 || got.out != seen(t, u.dir) || !strings.Contains(got.err, how) {
					t.Errorf("%q is not in %+v", how, got)
				}
			}
			if got := finish(u.command("runs", "clean", "--copies", "--dry-run")); !strings.Contains(got.err, "would remove the copy of "+u.dir+" (") {
				t.Errorf("%+v", got)
			}
			if got := finish(u.command("runs", "clean", "--copies")); got.code != 0 || !strings.Contains(got.err, "removed the copy of ") {
				t.Errorf("%+v", got)
			}
			if tt.target == "container" && strings.Contains(volumes(t, tt.on), u.dir) {
				t.Error(volumes(t, tt.on))
			}
			u.run("")
		})
	}
}

// TestRunsAtOnceHaveCopiesOfTheirOwn checks that, of several concurrent runs, only one gets the copy of the last run.
func TestRunsAtOnceHaveCopiesOfTheirOwn(t *testing.T) {
	t.Parallel()
	_, there, image := machines(t)
	for _, target := range []string{"remotedocker", "remote"} {
		t.Run(target, func(t *testing.T) {
			t.Parallel()
			u := copying(t, there, target, image, large)
			u.run("")
			want := seen(t, u.dir)
			var all sync.WaitGroup
			for range 3 {
				all.Go(func() {
					if got := finish(u.command(append(slices.Clone(u.args), "1")...)); got.code != 0 || got.out != want {
						t.Errorf("%+v", got)
					}
				})
			}
			all.Wait()
			u.run("3 of 18 files are sent")
			if known, err := filepath.Glob(filepath.Join(u.cache, "amlfix/store/*.tree")); err != nil || len(known) != 2 {
				t.Errorf("%v, %v", known, err)
			}
			if target == "remote" {
				if trees, _ := filepath.Glob(filepath.Join(there.ssh.HomeOf(sshtest.Worker), ".amlfix/store/*/*")); len(trees) != 2 {
					t.Errorf("%v", trees)
				}
			}
		})
	}
}

// TestKilledAmlfixSpoilsNoCopy kills amlfix at any moment; the next job still sees the project.
func TestKilledAmlfixSpoilsNoCopy(t *testing.T) {
	t.Parallel()
	_, there, image := machines(t)
	rounds := 4
	if os.Getenv("AMLFIX_TEST_FULL") != "" {
		rounds = 40
	}
	for _, target := range []string{"remotedocker", "remote"} {
		t.Run(target, func(t *testing.T) {
			t.Parallel()
			u := copying(t, there, target, image, large)
			began := time.Now()
			u.run("")
			took := time.Since(began)
			for i := range rounds {
				u.write("small", fmt.Append(nil, i))
				cmd := u.command(append(slices.Clone(u.args), "0")...)
				testkit.OK(t, cmd.Start())
				time.Sleep(time.Duration(rand.Int64N(int64(took))))
				_ = cmd.Process.Signal(syscall.SIGKILL)
				_ = cmd.Wait()
				u.write("small", fmt.Append(nil, "after", i))
				u.run("succeeded")
			}
			list, err := record.List(u.dir)
			testkit.OK(t, err)
			for _, r := range list { // what was begun is ended, and only copies are left
				_ = finish(u.command("runs", "attach", r.ID.String()))
			}
			_ = finish(u.command("runs", "clean"))
			u.run("3 of 18 files are sent")
		})
	}
}

// TestCopyThatIsGone checks that a copy that was removed or damaged costs only time.
func TestCopyThatIsGone(t *testing.T) {
	t.Parallel()
	_, there, image := machines(t)
	u := copying(t, there, "remote", image, large)
	trees := func() []string {
		list, err := filepath.Glob(filepath.Join(there.ssh.HomeOf(sshtest.Worker), ".amlfix/store/*/*"))
		testkit.OK(t, err)
		return list
	}
	u.run("")
	for _, tree := range trees() {
		testkit.OK(t, os.RemoveAll(tree))
	}
	u.run("the whole project is sent, because the copy stored on worker@" + there.ssh.Address() + " cannot be used: ")
	for _, tree := range trees() {
		testkit.OK(t, os.WriteFile(filepath.Join(tree, "data/4"), []byte("damaged"), 0o644))
	}
	u.run("4 of 18 files are sent")
	known, err := filepath.Glob(filepath.Join(u.cache, "amlfix/store/*.tree"))
	testkit.OK(t, err)
	for _, file := range known {
		text := testkit.Read(t, file)
		testkit.OK(t, os.WriteFile(file, []byte(text[:len(text)-100]), 0o600))
	}
	u.run("")
}

// TestNothingStays checks that no copy is kept if it could not be compared or would fill the disk, and that jobs still
// run.
func TestNothingStays(t *testing.T) {
	t.Parallel()
	testkit.Program(t, "python3")
	s := sshtest.Start(t, sshtest.Options{SmallHome: 8_000_000})
	u := copying(t, machine{ssh: s}, "remote", "none", large)
	for range 2 {
		u.run("")
	}
	here, _, image := machines(t)
	u = copying(t, here, "container", image, largeHere)
	for range 2 {
		cmd := u.command(append(slices.Clone(u.args), "0")...)
		cmd.Env = append(cmd.Env, "AMLFIX_STORE_GB=0.01")
		if got := finish(cmd); got.code != 0 || got.out != seen(t, u.dir) || strings.Contains(got.err, "are sent") {
			t.Errorf("%+v", got)
		}
	}
}

// TestCacheIsFull checks that jobs run if the list of what stays on a machine cannot be written.
func TestCacheIsFull(t *testing.T) {
	t.Parallel()
	here, there, image := machines(t)
	for _, tt := range stores(here, there) {
		t.Run(tt.target, func(t *testing.T) {
			t.Parallel()
			u := copying(t, tt.on, tt.target, image, tt.size)
			if err := syscall.Mount("tmpfs", u.cache, "tmpfs", 0, "size=4k"); err != nil {
				testkit.Unavailable(t, "a small disk cannot be mounted: "+err.Error())
			}
			t.Cleanup(func() { testkit.OK(t, syscall.Unmount(u.cache, 0)) })
			_ = os.WriteFile(filepath.Join(u.cache, "full"), make([]byte, 8<<10), 0o600)
			for range 2 {
				u.run("")
			}
		})
	}
}
