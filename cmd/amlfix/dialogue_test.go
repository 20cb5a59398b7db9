package main

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/amlfix/amlfix/schema/testkit"
)

// TestDialogue talks to amlfix on a pseudo-terminal: the answers decide what is written, and nothing is written without
// the final "y".
func TestDialogue(t *testing.T) {
	t.Parallel()
	archive := testkit.Archive(t, "testdata/choices.txtar")
	files := archive.Files[:len(archive.Files)-1]
	tests := map[string]struct {
		args  []string
		typed string
		shown []string          // in this order
		files map[string]string // part of the content of these files afterwards; "" means that the file does not exist
	}{
		"choose and write": {[]string{"--gpu", "docker"}, "2\n1\ny\n",
			[]string{`1  make "cpu" a GPU target`, `2  keep "cpu" a CPU target`, "Which one?", "1  use \"mxnet-cu80\", since the image has that CUDA", "Write these changes?", "5 repaired"},
			map[string]string{"aml_config/conda_dependencies_gpu.yml": "mxnet-cu80==1.2.0", "aml_config/conda_dependencies_cpu.yml": "tensorflow==1.4.1", "aml_config/docker.compute": "nvidiaDocker: true"}},
		"leave it all": {[]string{"--gpu", "docker"}, "\n\nn\n",
			[]string{"Which one?", "Which one?", "Write these changes?", "4 errors, 1 warning left"},
			map[string]string{"aml_config/conda_dependencies_gpu.yml": "", "aml_config/docker.compute": "microsoft/mmlspark:plus-0.9.9"}},
		"nonsense is asked again": {nil, "7\nx\n1\n2\n1\ny\n",
			[]string{"Which one?", "Which one?", "Which one?", "Write these changes?"},
			map[string]string{"aml_config/cpu.compute": "plus-gpu-0.9.9"}},
		"stop": {[]string{"--gpu", "docker"}, "q\n",
			[]string{"Which one?", "nothing more was written", "4 errors, 1 warning left"},
			map[string]string{"aml_config/docker.compute": "microsoft/mmlspark:plus-0.9.9"}},
		"the terminal is closed": {[]string{"--gpu", "docker"}, "",
			[]string{"Which one?", "nothing more was written"},
			map[string]string{"aml_config/docker.compute": "microsoft/mmlspark:plus-0.9.9"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			dir := testkit.Unpack(t, files)
			out := typed(t, dir, test.typed, append([]string{"--apply", "-i", "--no-color"}, test.args...)...)
			rest := out
			for _, want := range test.shown {
				_, after, ok := strings.Cut(rest, want)
				if !ok {
					t.Fatalf("%q is missing, or not in its place:\n%s", want, out)
				}
				rest = after
			}
			for name, want := range test.files {
				text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
				if (err == nil) != (want != "") || !strings.Contains(string(text), want) {
					t.Errorf("%s: %q, %v; want %q", name, text, err, want)
				}
			}
		})
	}
}

// TestDialogueUnsafe checks that amlfix asks before a repair that may change what the job does.
func TestDialogueUnsafe(t *testing.T) {
	t.Parallel()
	const project = `
-- aml_config/vm.compute --
type: remotedocker
address: vm.example.com
username: me
password: hunter2-and-more
-- aml_config/vm.runconfig --
ArgumentVector: [train.py]
Target: vm
Framework: Python
-- aml_config/conda_dependencies.yml --
dependencies: []
`
	for answer, want := range map[string]bool{"n\n": false, "y\ny\n": true} {
		dir := testkit.Folder(t, project)
		out := typed(t, dir, answer, "--apply", "-i", "--no-color")
		if strings.Contains(out, "hunter2") || !strings.Contains(out, "(your decision)\r\nThis may change what the job does") {
			t.Errorf("%q: %s", answer, out)
		}
		if gone := !strings.Contains(testkit.Read(t, dir, "aml_config/vm.compute"), "hunter2"); gone != want {
			t.Errorf("%q: the password is gone: %v, want %v\n%s", answer, gone, want, out)
		}
	}
}

// typed returns amlfix's output on a terminal at which text is typed and which is then closed.
func typed(t *testing.T, dir, text string, args ...string) string {
	t.Helper()
	path := testkit.Program(t, "script")
	cmd := exec.Command(path, "-qec", strings.Join(append([]string{program(t) + "/amlfix"}, args...), " "), "/dev/null")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "TERM=xterm")
	cmd.Stdin = strings.NewReader(text)
	out, _ := cmd.CombinedOutput()
	return string(out)
}

// TestCtrlCAtAQuestion checks that the first Ctrl-C ends amlfix when it waits for a person or for standard input.
func TestCtrlCAtAQuestion(t *testing.T) {
	dir := testkit.Folder(t, "-- aml_config/vm.compute --\ntype: remotedocker\naddress: vm.example.com\nusername: me\nbaseDockerImage: microsoft/mmlspark:plus-0.9.9\nnvidiaDocker: true\n")
	before := testkit.Read(t, dir, "aml_config/vm.compute")
	path := testkit.Program(t, "script")
	asked := exec.Command(path, "-qec", program(t)+"/amlfix --apply -i --no-color", "/dev/null")
	asked.Dir, asked.Env = dir, append(os.Environ(), "TERM=xterm")
	reading := spawn(t, dir, "--stdin-filename", "aml_config/vm.compute", "-")
	for name, tt := range map[string]struct {
		cmd   *exec.Cmd
		until string // shown before it waits
		press func(*exec.Cmd, io.Writer) error
	}{
		"a question": {asked, "[y/N/q]", func(_ *exec.Cmd, in io.Writer) error {
			_, err := in.Write([]byte("\x03"))
			return err
		}},
		"standard input": {reading, "", func(cmd *exec.Cmd, in io.Writer) error {
			_, err := in.Write(make([]byte, 1<<17)) // twice a pipe's capacity: once written, amlfix is reading
			return errors.Join(err, cmd.Process.Signal(os.Interrupt))
		}},
	} {
		t.Run(name, func(t *testing.T) {
			in, err := tt.cmd.StdinPipe()
			testkit.OK(t, err)
			defer in.Close()
			out, err := tt.cmd.StdoutPipe()
			testkit.OK(t, err)
			testkit.OK(t, tt.cmd.Start())
			alarm := time.AfterFunc(testkit.Patience, func() { _ = tt.cmd.Process.Kill() })
			defer alarm.Stop()
			var shown strings.Builder
			for buffer := make([]byte, 4096); !strings.Contains(shown.String(), tt.until); {
				n, err := out.Read(buffer)
				if shown.Write(buffer[:n]); err != nil {
					t.Fatalf("%v\n%s", err, shown.String())
				}
			}
			testkit.OK(t, tt.press(tt.cmd, in))
			rest, _ := io.ReadAll(out)
			_ = tt.cmd.Wait()
			if code := tt.cmd.ProcessState.ExitCode(); code != 130 {
				t.Errorf("exit %d\n%s%s", code, shown.String(), rest)
			}
		})
	}
	if got := testkit.Read(t, dir, "aml_config/vm.compute"); got != before {
		t.Errorf("written: %q", got)
	}
}

// TestAttachOffers answers whether to write missing files.
func TestAttachOffers(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string]int{"y\n": 4, "\n": 2, "q\n": 2} {
		dir := t.TempDir()
		out := typed(t, dir, answer, "attach", "localdocker", "-n", "docker")
		if got := listFiles(t, dir); len(got) != want || !strings.Contains(out, "Create them?") || !strings.Contains(out, "next: amlfix run -c docker --check") {
			t.Errorf("%q: %q\n%s", answer, got, out)
		}
	}
}

// TestAttachInAFolderOfAProject checks that the files are written to the enclosing project.
func TestAttachInAFolderOfAProject(t *testing.T) {
	dir := testkit.Folder(t, "-- aml_config/x.compute --\ntype: local\n-- src/train.py --\n")
	if r := amlfix(t, filepath.Join(dir, "src"), "attach", "localdocker", "-n", "docker"); r.code != 0 || !strings.HasPrefix(r.out, "../aml_config/docker.compute: written\n") {
		t.Errorf("%+v", r)
	}
}
