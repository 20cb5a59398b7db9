//go:build linux

package spark

import (
	"archive/tar"
	"bytes"
	"errors"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/runtime/internal/sparktest"
	"github.com/amlfix/amlfix/schema/testkit"
)

// node is a node of the cluster: YARN gives a container links into a cache.
type node struct {
	dir string
	env []string
}

func newNode(t *testing.T, job Job, content map[string]string) node {
	t.Helper()
	n := node{dir: t.TempDir()}
	cache := filepath.Join(n.dir, "cache")
	text, err := job.Encode()
	testkit.OK(t, err)
	all := maps.Clone(content)
	all[JobFile], all["../driver.py"] = string(text), string(DriverScript)
	for name, text := range all {
		path := filepath.Join(cache, filepath.FromSlash(name))
		testkit.OK(t, os.MkdirAll(filepath.Dir(path), 0o755))
		testkit.OK(t, os.WriteFile(path, []byte(text), 0o444))
	}
	entries, err := os.ReadDir(cache)
	testkit.OK(t, err)
	for _, d := range []string{"work", "hdfs/" + job.Store} {
		testkit.OK(t, os.MkdirAll(filepath.Join(n.dir, d), 0o755))
	}
	for _, e := range entries {
		testkit.OK(t, os.Symlink(filepath.Join(cache, e.Name()), filepath.Join(n.dir, "work", e.Name())))
	}
	n.env = append(os.Environ(), "LC_ALL=C", "PYTHONUTF8=0", "HOME="+n.dir, "PYTHONPATH="+sparktest.StandIn(t, "NONE")["AMLFIX_STANDIN"], "CONTAINER_ID=container_e17_1512_0007_01_000001")
	return n
}

func (n node) run(t *testing.T, python string) (code int, out, errs string) {
	t.Helper()
	cmd := exec.Command(python, filepath.Join(n.dir, "driver.py"))
	var o, e bytes.Buffer
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = filepath.Join(n.dir, "work"), n.env, &o, &e
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), o.String(), e.String()
}

// kept returns what the driver has left in the cluster's file system; nil: nothing.
func (n node) kept(t *testing.T, store string) map[string]string {
	t.Helper()
	f, err := os.Open(filepath.Join(n.dir, "hdfs", store, "result.tar"))
	if err != nil {
		return nil
	}
	defer func() { _ = f.Close() }()
	got := map[string]string{}
	for r := tar.NewReader(f); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return got
		}
		testkit.OK(t, err)
		text, err := io.ReadAll(r)
		testkit.OK(t, err)
		if h.Typeflag == tar.TypeReg {
			got[h.Name] = string(text)
		}
	}
}

// pythons returns python3 and the interpreters listed in AMLFIX_TEST_PYTHONS.
func pythons(t *testing.T) []string {
	t.Helper()
	list := append([]string{"python3"}, filepath.SplitList(os.Getenv("AMLFIX_TEST_PYTHONS"))...)
	testkit.Program(t, "python3")
	return list
}

const script = `import os, signal, sys
from data import module
sys.stderr.write("to stderr\n")
write = getattr(sys.stdout, "buffer", sys.stdout).write
write(b"\x00\xff\r\n")
write("|".join([os.environ["WORD"]] + sys.argv[1:] + [open("a.csv").read()] + os.listdir("outputs")).encode("utf-8", "surrogateescape") if sys.version_info[0] > 2 else "|".join([os.environ["WORD"]] + sys.argv[1:] + [open("a.csv").read()]))
open("a.csv", "w").write("changed")
open("data/new", "w").write("x")
open("outputs/model", "w").write("weights")
sys.stdout.flush()
if "kill" in sys.argv: os.kill(os.getpid(), signal.SIGKILL)
sys.exit(int(sys.argv[-1]))
`

func TestDriver(t *testing.T) {
	content := map[string]string{"train.py": script, "data/module.py": "", "data/__init__.py": "", "a.csv": "1", RestDir + "/größe.csv": "x", ".amlfix/python/azureml/__init__.py": ""}
	job := Job{Store: ".amlfix/1", Argv: []string{"train.py", "größe", "$HOME \"q'", "3"}, Entries: []string{"train.py", "data", "a.csv", "größe.csv"}, Env: map[string]string{"WORD": "schön"}}
	const printed = "\x00\xff\r\nschön|größe|$HOME \"q'|3|1"
	for _, python := range pythons(t) {
		t.Run(filepath.Base(filepath.Dir(filepath.Dir(python)))+filepath.Base(python), func(t *testing.T) {
			n := newNode(t, job, content)
			code, out, errs := n.run(t, python)
			if code != 3 || out != printed || errs != "to stderr\n" {
				t.Errorf("%d, %q, %s", code, out, errs)
			}
			want := map[string]string{".amlfix/stdout": printed, ".amlfix/stderr": "to stderr\n", ".amlfix/exit": "3\n", "outputs/model": "weights"}
			testkit.Same(t, want, n.kept(t, job.Store))
			if text, err := os.ReadFile(filepath.Join(n.dir, "cache", "a.csv")); err != nil || string(text) != "1" {
				t.Errorf("what other containers read was changed: %q, %v", text, err)
			}
			if _, err := os.Stat(filepath.Join(n.dir, "hdfs", job.Store, "application_1512_0007")); err != nil {
				t.Error(err)
			}
			if _, err := os.Stat(filepath.Join(n.dir, "work", filepath.FromSlash(JobFile))); err == nil {
				t.Error("the description of the job, with its secrets, is still there")
			}
		})
	}
}

// TestDriverEnds checks the exits that a script does not choose itself.
func TestDriverEnds(t *testing.T) {
	content := map[string]string{"train.py": script, "data/module.py": "", "a.csv": "1"}
	for _, tt := range []struct {
		name, word string
		spoil      func(n *node) error
		code       int
		said       string
		kept       []string
	}{
		{"killed", "kill", nil, 137, "to stderr\n", []string{".amlfix/exit", ".amlfix/stderr", ".amlfix/stdout", "outputs/model"}},
		{"stopped before the start", "", func(n *node) error {
			return os.WriteFile(filepath.Join(n.dir, "hdfs", ".amlfix", "1", "stop"), nil, 0o644)
		}, 130, "", []string{".amlfix/exit"}},
		{"no file system", "", func(n *node) error {
			n.env = append(n.env, "PYTHONPATH=")
			return nil
		}, 0, "amlfix: the cluster's file system cannot be reached: No module named 'pyspark'\nto stderr\n", nil},
		{"a file system that keeps nothing", "", func(n *node) error {
			store := filepath.Join(n.dir, "hdfs", ".amlfix", "1")
			return errors.Join(os.Remove(store), os.WriteFile(store, nil, 0o644))
		}, 0, "amlfix: what the script printed and its outputs/ cannot be kept: ", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			n := newNode(t, Job{Store: ".amlfix/1", Argv: []string{"train.py", tt.word, "0"}, Entries: []string{"train.py", "data", "a.csv"}, Env: map[string]string{"WORD": "w"}}, content)
			if tt.spoil != nil {
				testkit.OK(t, tt.spoil(&n))
			}
			code, _, errs := n.run(t, pythons(t)[0])
			if code != tt.code || !strings.Contains(errs, tt.said) {
				t.Errorf("%d, %s", code, errs)
			}
			testkit.Same(t, tt.kept, slices.Sorted(maps.Keys(n.kept(t, ".amlfix/1"))))
		})
	}
}

// TestDriverOnAFullDisk checks that a script does not wait for a full disk. /dev/full behaves like a full disk.
func TestDriverOnAFullDisk(t *testing.T) {
	for _, python := range pythons(t) {
		cmd := exec.Command(python, "-c", `import driver, subprocess, sys
child = subprocess.Popen([sys.executable, "-c", "print('x' * 300000)"], stdout=subprocess.PIPE)
driver.pump(child.stdout, 1, "/dev/full")
sys.exit(child.wait())`)
		cmd.Dir = t.TempDir()
		testkit.OK(t, os.WriteFile(filepath.Join(cmd.Dir, "driver.py"), DriverScript, 0o600))
		var out, errs bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &errs
		if err := cmd.Run(); err != nil || out.Len() != 300001 || strings.Count(errs.String(), "what the script prints is not kept any more") != 1 {
			t.Errorf("%s: %v, %d bytes, %s", python, err, out.Len(), errs.String())
		}
	}
}
