//go:build linux

package kubetest

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/runtime/record"
	"github.com/amlfix/amlfix/runtime/runid"
	"github.com/amlfix/amlfix/schema/testkit"
)

func TestMain(m *testing.M) { os.Exit(Main(m)) }

// jobs has a job in each dialect; all run the same script.
const jobs = `
-- .amlfix.yaml --
kubernetes: {context: node, namespace: $NAMESPACE}
-- job.yml --
type: command
command: python main.py ${{inputs.args}}
code: src
inputs: {args: none}
environment: {image: $IMAGE}
environment_variables: {API_TOKEN: abcdefghijklmnop1234}
-- src/main.py --
import os, signal, sys, time
def say(text):
    sys.stdout.write(text); sys.stdout.flush()
args = " ".join(sys.argv[1:]).split()
os.makedirs("outputs", exist_ok=True)
if "deaf" in args:
    for s in signal.SIGINT, signal.SIGTERM:
        signal.signal(s, lambda s, f: say("ignored %d\n" % s))
if "bytes" in args:
    for i in range(300):
        os.write(1, b"out %d \x1e\x00\xff" % i + b"x" * 1000 + b"\r\n")
        os.write(2, b"err %d \x1eamlfix 0\x1e\n" % i)
        if i % 100 == 0: time.sleep(0.3)
    os.write(1, b"no newline"); os.write(2, b"none either")
if "tick" in args:
    for i in range(60):
        say("tick %d\n" % i); sys.stderr.write("tock %d\n" % i); sys.stderr.flush(); time.sleep(0.5)
if "memory" in args:
    time.sleep(2); x = bytearray(1 << 30)
if "wait" in args:
    say("waiting\n")
    try:
        for i in range(1200): time.sleep(0.1)
    except KeyboardInterrupt:
        say("interrupted\n"); open("outputs/saved", "w").write("x"); sys.exit(4)
open("outputs/file", "w").write("content of %s" % os.environ.get("API_TOKEN", "none")[:3])
if not os.path.islink("outputs/link"): os.symlink("file", "outputs/link")
sys.exit(3 if "fail" in args else 0)
-- main.py --
import runpy; runpy.run_path("src/main.py", run_name="__main__")
-- aml_config/workbench.compute --
type: localdocker
baseDockerImage: $IMAGE
-- aml_config/workbench.runconfig --
Target: workbench
Framework: Python
CondaDependenciesFile: aml_config/conda.yml
-- aml_config/conda.yml --
dependencies: []
-- .azureml/sdk.runconfig --
script: main.py
framework: Python
target: local
environment:
  docker: {enabled: true, baseImage: $IMAGE}
  python: {userManagedDependencies: true, interpreterPath: python}
`

// scene is a project whose jobs run in their own namespace.
type scene struct {
	*Node
	t              *testing.T
	dir, namespace string
}

func newScene(t *testing.T, more ...string) *scene {
	t.Helper()
	return newProject(t, jobs, more...)
}

// newProject returns a scene with these files, in which it replaces each first word of more with the second.
func newProject(t *testing.T, files string, more ...string) *scene {
	t.Helper()
	n := Start(t)
	s := &scene{Node: n, t: t, namespace: n.Namespace(t)}
	text := strings.NewReplacer(append(more, "$NAMESPACE", s.namespace, "$IMAGE", Image)...).Replace(files)
	s.dir = testkit.Folder(t, text)
	return s
}

// following is a running amlfix process.
type following struct {
	*exec.Cmd
	out, err bytes.Buffer
}

func (s *scene) begin(cmd *exec.Cmd) *following {
	s.t.Helper()
	f := &following{Cmd: cmd}
	cmd.Stdout, cmd.Stderr = &f.out, &f.err
	testkit.OK(s.t, cmd.Start())
	return f
}

// ended waits for the process to end.
func (f *following) ended() ended {
	_ = f.Wait() // the caller checks how it ended
	return ended{f.ProcessState.ExitCode(), f.out.String(), f.err.String()}
}

// killed sends SIGKILL to the process and waits for its end.
func (f *following) killed() {
	_ = f.Process.Kill()
	_ = f.Wait()
}

// ended describes how an amlfix process ended.
type ended struct {
	code     int
	out, err string
}

func (e ended) last() string {
	lines := strings.Split(strings.TrimSuffix(e.err, "\n"), "\n")
	return lines[len(lines)-1]
}

// job runs job.yml with words as its script, and with flags.
func (s *scene) job(words string, flags ...string) *exec.Cmd {
	return s.Command(s.t, s.dir, append([]string{"run", "job.yml", "-t", "k8s", "--input", "args=" + words}, flags...)...)
}

func finish(cmd *exec.Cmd) ended {
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	_ = cmd.Run() // the caller checks how it ended
	return ended{cmd.ProcessState.ExitCode(), out.String(), errs.String()}
}

// record returns the record of the project's only run.
func (s *scene) record() record.Entry {
	s.t.Helper()
	entries, err := os.ReadDir(filepath.Dir(record.Dir(s.dir, runid.MustParse("20261122-101112-abcdef"))))
	if err != nil || len(entries) != 1 {
		s.t.Fatalf("%v, %v", entries, err)
	}
	e, err := record.ReadDir(record.Dir(s.dir, runid.MustParse(entries[0].Name())))
	testkit.OK(s.t, err)
	return e
}

// log returns the recorded output of the only run.
func (s *scene) log() (out, errs string) {
	var o, e bytes.Buffer
	cmd := s.Command(s.t, s.dir, "runs", "logs", s.record().ID.String())
	cmd.Stdout, cmd.Stderr = &o, &e
	testkit.OK(s.t, cmd.Run())
	return o.String(), e.String()
}

// in waits until the only run is in a state and its job has printed something.
func (s *scene) in(state progress.State, said string) {
	s.t.Helper()
	eventually(s.t, string(state), func() bool {
		entries, _ := os.ReadDir(filepath.Dir(record.Dir(s.dir, runid.MustParse("20261122-101112-abcdef"))))
		if len(entries) != 1 {
			return false
		}
		dir := record.Dir(s.dir, runid.MustParse(entries[0].Name()))
		e, err := record.ReadDir(dir)
		if err != nil || e.Entered(state).IsZero() {
			return false
		}
		if said == "" {
			return true
		}
		out, _ := s.log()
		return strings.Contains(out, said)
	})
}

// content returns the content of a project file; empty: there is no such file.
func (s *scene) content(name string) string {
	text, _ := os.ReadFile(filepath.Join(s.dir, name))
	return string(text)
}
