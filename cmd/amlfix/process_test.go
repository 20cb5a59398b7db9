//go:build unix

package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/schema/testkit"
)

// faulty writes n projects with a problem that --apply repairs.
func faulty(t *testing.T, dir string, n int) {
	t.Helper()
	for i := range n {
		testkit.Write(t, dir, fmt.Sprintf("p%04d/aml_config/x.runconfig", i), "ArgumentVector: [a.py]\nFramework: python\nTarget: x\n")
		testkit.Write(t, dir, fmt.Sprintf("p%04d/aml_config/x.compute", i), "type: local\n")
	}
}

// TestReaderLeaves runs `amlfix | head -1`: amlfix does not complain, and finishes a repair.
func TestReaderLeaves(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{}, {"--format", "json"}, {"--apply"}} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			dir := t.TempDir()
			faulty(t, dir, 400)
			cmd := spawn(t, dir, args...)
			cmd.Env = append(cmd.Env, "XDG_CACHE_HOME="+t.TempDir()) // undo data of 400 projects, which each later undo would list
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			out, err := cmd.StdoutPipe()
			testkit.OK(t, err)
			testkit.OK(t, cmd.Start())
			if _, err := io.ReadFull(out, make([]byte, 10)); err != nil {
				t.Fatal(err)
			}
			testkit.OK(t, out.Close())
			_ = cmd.Wait()
			if code := cmd.ProcessState.ExitCode(); code != console.OK && code != console.Findings || stderr.Len() > 0 {
				t.Errorf("exit %d, stderr %q", code, stderr.String())
			}
			if len(args) > 0 && args[0] == "--apply" {
				if r := amlfix(t, dir); r.code != 0 || r.out != "" {
					t.Errorf("the repair was left half way: %d, %.200s", r.code, r.out)
				}
			}
		})
	}
}

// TestLibrariesSayNothing lets an engine answer at the wrong moment, which net/http writes to the log of the process:
// what a server sends must not get to the screen like that.
func TestLibrariesSayNothing(t *testing.T) {
	t.Parallel()
	engine, err := net.Listen("tcp", "127.0.0.1:0")
	testkit.OK(t, err)
	defer func() { _ = engine.Close() }()
	go func() {
		for {
			conn, err := engine.Accept()
			if err != nil {
				return
			}
			go func() {
				defer func() { _ = conn.Close() }()
				for in := bufio.NewReader(conn); ; {
					if _, err := http.ReadRequest(in); err != nil {
						return
					}
					_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nApi-Version: 1.41\r\nContent-Length: 2\r\n\r\nOK") // the answer to HEAD has no body
				}
			}()
		}
	}()
	dir := testkit.Lay(t, map[string]string{"job.yml": "$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json\ntype: command\ncommand: ls\nenvironment: {image: python:3.12}\ncompute: azureml:cpu\n"})
	cmd := spawn(t, dir, "run", "--check", "job.yml")
	cmd.Env = append(cmd.Env, "DOCKER_HOST=tcp://"+engine.Addr().String())
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	_ = cmd.Run()
	testkit.Same(t, "amlfix: job job.yml cannot be started on target docker: 1 obstacle; what is marked unknown could not be checked\n", stderr.String())
}

// TestFilesThatMayNotBeRead checks that a job file that this user may not read is reported: as a finding if it is
// named, and otherwise in one line, with folders, unless settings exclude it.
func TestFilesThatMayNotBeRead(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"job.yml", "x.runconfig", "of/others.json", "of/others.yaml"} {
		testkit.Write(t, dir, name, "command: a\n")
		testkit.OK(t, os.Chmod(filepath.Join(dir, name), 0))
	}
	testkit.Write(t, dir, "out/of/.amlfix.yaml", "exclude: [\"a/**\", b.yml]\n")
	for _, name := range []string{"out/of/a/x/job.yml", "out/of/b.yml", "out/of/c/job.yml"} {
		testkit.Write(t, dir, name, "command: a\n")
		testkit.OK(t, os.Chmod(filepath.Join(dir, "out", "of", strings.Split(name, "/")[2]), 0))
	}
	t.Cleanup(func() {
		for _, name := range []string{"a", "c"} {
			testkit.OK(t, os.Chmod(filepath.Join(dir, "out/of", name), 0o755)) // to be removed
		}
	})
	const finding = ":1:1: error: the file cannot be read: no permission to read it [yaml/syntax]"
	for args, want := range map[string][2]string{
		"job.yml":              {"job.yml" + finding, ""},
		"":                     {"x.runconfig" + finding, "amlfix: job.yml, of/others.yaml, out/of/c: no permission to read them, so not checked\n"},
		"out --isolated":       {"", "amlfix: out/of/a, out/of/b.yml, out/of/c: no permission to read them, so not checked\n"},
		"of":                   {"", "amlfix: of/others.yaml: no permission to read it, so not checked\n"},
		"run job.yml":          {"", "amlfix: job.yml: no permission to read it\n"},
		"run -c ./x.runconfig": {"", "amlfix: ./x.runconfig: no permission to read it\n"},
	} {
		cmd := spawn(t, dir, strings.Fields(args)...)
		if os.Getuid() == 0 && os.Getenv(otherProgram) == "" {
			testkit.OK(t, os.Chmod(filepath.Join(dir, "of"), 0o755))
			for up := filepath.Join(dir, "out/of"); up != os.TempDir(); up = filepath.Dir(up) {
				testkit.OK(t, os.Chmod(up, 0o755))
			}
			cmd.Path = "/proc/self/exe" // the folder of the test binary is root's alone
			cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		}
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, _ := cmd.Output()
		if first, _, _ := strings.Cut(string(out), "\n"); first != want[0] || !strings.HasPrefix(stderr.String(), want[1]) || want[1] == "" && stderr.Len() > 0 {
			t.Errorf("%s: %q, %q", args, out, stderr.String())
		}
	}
}

// TestFullDisk checks that amlfix fails if a report cannot be written, and says it if the output of a job cannot.
func TestFullDisk(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Logf("no /dev/full here: %v", err)
		return
	}
	defer full.Close()
	dir := testkit.Folder(t, "-- job.yml --\n$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json\ncommand: echo done; exit 7\nenvironment: {image: a:1}\n")
	faulty(t, filepath.Join(dir, "other"), 1)
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"other"}, console.Failure, "the output could not be written"},
		{[]string{"run", "-t", "local", "job.yml"}, 7, "the job's output could not be written: no space left on device"},
	} {
		cmd := spawn(t, dir, c.args...)
		var stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = full, &stderr
		_ = cmd.Run()
		if cmd.ProcessState.ExitCode() != c.code || !strings.Contains(stderr.String(), c.want) {
			t.Errorf("%q: exit %d, %q", c.args, cmd.ProcessState.ExitCode(), stderr.String())
		}
	}
}

// TestColourOnATerminal runs amlfix on a pseudo-terminal.
func TestColourOnATerminal(t *testing.T) {
	dir := t.TempDir()
	faulty(t, dir, 1)
	tests := []struct {
		name string
		env  []string
		args []string
		want bool
	}{
		{"as it is", []string{"TERM=xterm", "NO_COLOR="}, nil, true},
		{"NO_COLOR", []string{"TERM=xterm", "NO_COLOR=1"}, nil, false},
		{"a dumb terminal", []string{"TERM=dumb", "NO_COLOR="}, nil, false},
		{"--no-color", []string{"TERM=xterm", "NO_COLOR="}, []string{"--no-color"}, false},
		{"--color never", []string{"TERM=xterm", "NO_COLOR="}, []string{"--color", "never"}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			out := onTerminal(t, dir, tt.env, tt.args...)
			if !strings.Contains(out, "error:") {
				t.Fatalf("no report: %q", out)
			}
			if got := strings.Contains(out, "\x1b["); got != tt.want {
				t.Errorf("coloured = %v, want %v: %q", got, tt.want, out)
			}
		})
	}
	cmd := spawn(t, dir)
	cmd.Env = append(cmd.Env, "TERM=xterm", "NO_COLOR=")
	if out, _ := cmd.Output(); bytes.Contains(out, []byte("\x1b[")) {
		t.Errorf("coloured in a pipe: %q", out)
	}
	if r := amlfix(t, dir, "--color", "always"); !strings.Contains(r.out, "\x1b[") {
		t.Errorf("--color always: %q", r.out)
	}
}

// TestServerOnATerminal checks that amlfix lsp says what it waits for if a person starts it.
func TestServerOnATerminal(t *testing.T) {
	const want = "amlfix: waiting for messages of an editor"
	if out := onTerminal(t, t.TempDir(), nil, "lsp"); !strings.HasPrefix(out, want) {
		t.Errorf("%q", out)
	}
	if r := amlfix(t, t.TempDir(), "lsp"); r.err != "" {
		t.Errorf("said to an editor: %q", r.err)
	}
}

// onTerminal returns what amlfix writes when its output is a terminal, provided by the program script.
func onTerminal(t *testing.T, dir string, env []string, args ...string) string {
	t.Helper()
	path := testkit.Program(t, "script")
	command := strings.Join(append([]string{program(t) + "/amlfix"}, args...), " ")
	cmd := exec.Command(path, "-qec", command, "/dev/null")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	out, _ := cmd.CombinedOutput()
	return string(out)
}
