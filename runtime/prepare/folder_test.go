//go:build linux

package prepare

import (
	"archive/tar"
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/amlfix/amlfix/schema/testkit"
)

// tool stands in for conda: it counts its calls and makes an environment with a program that prints a variable. It
// fails, or takes some time or long, if its file says so.
const tool = `#!/bin/sh
echo called >>"$COUNT"
case $(cat "$6") in
*fail*) mkdir -p "$4"; exit 7 ;;
*slow*) mkdir -p "$4"; exec sleep 60 ;;
*together*) sleep 0.3 ;;
esac
mkdir -p "$4/bin" "$4/etc/conda/activate.d" "$4/conda-meta"
cp "$6" "$4/conda-meta/history"
printf 'export CUDA_HOME="$CONDA_PREFIX/cuda"\n' >"$4/etc/conda/activate.d/a.sh"
printf '#!/bin/sh\necho "$CUDA_HOME" "$*"\n' >"$4/bin/show"
chmod +x "$4/bin/show"
`

// machine is a folder that represents a machine with a volume.
type machine struct {
	t           *testing.T
	dir, volume string
}

func newMachine(t *testing.T) *machine {
	t.Helper()
	dir := t.TempDir()
	testkit.OK(t, os.WriteFile(filepath.Join(dir, "conda"), []byte(tool), 0o700))
	return &machine{t, dir, filepath.Join(dir, "volume")}
}

func (m *machine) folder(text string) Folder {
	r := Recipe{Text: []byte(text), Conda: []string{"x"}}
	return Folder{Spec: Spec{Recipe: r}, Tools: Tools{Conda: filepath.Join(m.dir, "conda")}, Dir: filepath.Join(m.volume, r.Key("image"))}
}

// command returns the command that makes an environment, and prepares its input.
func (m *machine) command(f Folder) *exec.Cmd {
	m.t.Helper()
	work := m.t.TempDir()
	var sent bytes.Buffer
	testkit.OK(m.t, f.Upload(&sent, "job"))
	for files := tar.NewReader(&sent); ; {
		h, err := files.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		testkit.OK(m.t, err)
		if h.Typeflag == tar.TypeDir {
			testkit.OK(m.t, os.MkdirAll(filepath.Join(work, h.Name), 0o755))
			continue
		}
		text, err := io.ReadAll(files)
		testkit.OK(m.t, err)
		testkit.Write(m.t, work, h.Name, text)
	}
	argv := f.Argv(filepath.Join(m.dir, "runs/alive"))
	testkit.OK(m.t, os.MkdirAll(filepath.Join(m.dir, "runs"), 0o755))
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir, cmd.Env = filepath.Join(work, "job"), append(os.Environ(), "COUNT="+filepath.Join(m.dir, "count"))
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return cmd
}

func (m *machine) calls() int {
	text, _ := os.ReadFile(filepath.Join(m.dir, "count"))
	return strings.Count(string(text), "called")
}

func (m *machine) sh(script string) string {
	m.t.Helper()
	out, err := exec.Command("sh", "-c", script).CombinedOutput()
	if err != nil {
		m.t.Fatalf("%s: %v\n%s", script, err, out)
	}
	return strings.TrimSpace(string(out))
}

// TestFolder checks that several processes that need an environment at once make it once, and that programs in it see
// what its activation sets.
func TestFolder(t *testing.T) {
	m := newMachine(t)
	f := m.folder("dependencies: [x] # together\n")
	testkit.Same(t, "", m.sh(f.Find()), "it is there")
	var wait sync.WaitGroup
	for range 4 {
		cmd := m.command(f)
		wait.Go(func() {
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
	wait.Wait()
	if n := m.calls(); n != 1 {
		t.Errorf("made %d times", n)
	}
	testkit.Same(t, "conda", m.sh(f.Find()))
	if _, err := os.Stat(filepath.Join(m.dir, "runs/alive")); err == nil {
		t.Error("it is still said to be made")
	}
	argv := append(f.Start(ByConda), "show", "a b", "c")
	out, err := exec.Command(argv[0], argv[1:]...).CombinedOutput()
	testkit.OK(t, err)
	testkit.Same(t, f.Dir+"/env/cuda a b c\n", string(out))
}

// TestFolderKilled checks that nothing is used of an environment that was killed or failed while it was made.
func TestFolderKilled(t *testing.T) {
	m := newMachine(t)
	f := m.folder("# slow\n")
	cmd := m.command(f)
	testkit.OK(t, cmd.Start())
	testkit.Until(t, "the call", func() bool { return m.calls() == 1 })
	testkit.OK(t, syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL))
	_ = cmd.Wait()
	testkit.Same(t, "", m.sh(f.Find()), "it is there")
	again := f
	again.Spec.Recipe.Text = []byte("dependencies: [x]\n") // in the same folder, and fast
	if out, err := m.command(again).CombinedOutput(); err != nil || m.calls() != 2 {
		t.Errorf("%v, %d calls\n%s", err, m.calls(), out)
	}
	testkit.Same(t, "conda", m.sh(f.Find()))

	bad := m.folder("# fail\n")
	out, err := m.command(bad).CombinedOutput()
	exit, ok := errors.AsType[*exec.ExitError](err)
	if !ok || exit.ExitCode() != 7 {
		t.Errorf("%v\n%s", err, out)
	}
	if _, err := os.Stat(bad.Dir); err == nil {
		t.Error("a part of it is left")
	}
}

// TestFolderSwept checks that environments unused for a month and the remains of killed ones are removed, and that
// those in use or in the making are not.
func TestFolderSwept(t *testing.T) {
	m := newMachine(t)
	old, fresh, left, making := m.folder("a"), m.folder("b"), m.folder("c"), m.folder("d")
	for _, f := range []Folder{old, fresh} {
		testkit.Output(t, m.command(f))
	}
	month := time.Now().Add(-32 * 24 * time.Hour)
	testkit.OK(t, os.Chtimes(filepath.Join(old.Dir, mark), month, month))
	for _, f := range []Folder{left, making} {
		testkit.Write(t, f.Dir, "half", "")
		testkit.Write(t, m.volume, filepath.Base(f.Dir)+".lock", "")
	}
	held, err := os.Open(making.Dir + ".lock")
	testkit.OK(t, err)
	defer func() { _ = held.Close() }()
	testkit.OK(t, syscall.Flock(int(held.Fd()), syscall.LOCK_EX))
	m.sh(fresh.Sweep())
	testkit.Until(t, "the sweep", func() bool {
		_, err1 := os.Stat(old.Dir)
		_, err2 := os.Stat(left.Dir)
		return err1 != nil && err2 != nil
	})
	for _, f := range []Folder{fresh, making} {
		if _, err := os.Stat(f.Dir); err != nil {
			t.Error(err)
		}
	}
}

// TestFolderHides checks that a secret in the conda file is sent only for the tools and not left in the environment.
func TestFolderHides(t *testing.T) {
	m := newMachine(t)
	const signature = "sig=abcdefghijklmnopqrstuvwxyz0123456789%2Babcdefg%3D"
	f := m.folder("dependencies: [{pip: ['https://x.blob.core.windows.net/a/b-1-py3-none-any.whl?" + signature + "']}]\n")
	testkit.Output(t, m.command(f))
	for _, file := range []string{condaFile, secretsFile, "env/conda-meta/history"} {
		if text := testkit.Read(t, f.Dir, file); strings.Contains(text, "abcdefghijklmnop") || !strings.Contains(text, "***") {
			t.Errorf("%s: %s", file, text)
		}
	}
}
