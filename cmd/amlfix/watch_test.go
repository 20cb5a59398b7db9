//go:build unix

package main

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestWatch changes files under a watching amlfix and interrupts it: it ends with the status of the last check.
func TestWatch(t *testing.T) {
	dir := testkit.Folder(t, "-- aml_config/x.compute --\ntype: loal\n-- aml_config/x.runconfig --\nTarget: x\nArgumentVector: [a.py]\nFramework: Python\nPrepareEnvironment: false\n")
	cmd := spawn(t, dir, "--watch", "--format", "concise")
	out, err := cmd.StdoutPipe()
	testkit.OK(t, err)
	said, err := cmd.StderrPipe()
	testkit.OK(t, err)
	testkit.OK(t, cmd.Start())
	timer := time.AfterFunc(testkit.Patience, func() { _ = cmd.Process.Kill() })
	defer timer.Stop()
	reports, lines := bufio.NewReader(out), bufio.NewReader(said)
	next := func(want string) {
		t.Helper()
		for want != "" {
			line, err := reports.ReadString('\n')
			if err != nil {
				t.Fatalf("no %q: %v", want, err)
			}
			if strings.Contains(line, want) {
				break
			}
		}
		if line, err := lines.ReadString('\n'); err != nil || !strings.HasSuffix(line, ": checked; waiting for changes, press Ctrl-C to end\n") {
			t.Fatalf("%q, %v", line, err)
		}
	}
	next("aml_config/x.compute:1:7: error schema/value")
	testkit.Write(t, dir, "aml_config/.x.compute.tmp", "type: local\n")
	testkit.OK(t, os.Rename(filepath.Join(dir, "aml_config", ".x.compute.tmp"), filepath.Join(dir, "aml_config", "x.compute")))
	next("")
	testkit.Write(t, dir, "aml_config/y.compute", "type: clustr\n") // a new file
	next("aml_config/y.compute:1:7: error schema/value")
	testkit.Write(t, dir, ".amlfix.yaml", "severity: {schema/value: warning}\n")
	next("aml_config/y.compute:1:7: warning schema/value")
	testkit.Write(t, dir, ".amlfix.yaml", "\n")
	next("aml_config/y.compute:1:7: error schema/value")
	testkit.OK(t, cmd.Process.Signal(os.Interrupt))
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != console.Findings {
		t.Errorf("exit %d", code)
	}
}

// TestSaysThatAllIsWell checks that a terminal shows what was checked, and a pipe does not.
func TestSaysThatAllIsWell(t *testing.T) {
	dir := testkit.Folder(t, "-- aml_config/x.compute --\ntype: local\n")
	env := []string{"TERM=xterm", "NO_COLOR="}
	testkit.Same(t, "amlfix: 1 file checked, nothing found\r\n", onTerminal(t, dir, env))
	for _, args := range [][]string{{"--format", "json"}, {"--diff"}, {"nowhere"}} {
		if out := onTerminal(t, dir, env, args...); strings.Contains(out, "nothing found") {
			t.Errorf("%q: %q", args, out)
		}
	}
	if r := amlfix(t, dir); r.out+r.err != "" {
		t.Errorf("%+v", r)
	}
}

// TestLinksOnATerminal checks that links are written to terminals that support them, or if the user forces them.
func TestLinksOnATerminal(t *testing.T) {
	dir := t.TempDir()
	faulty(t, dir, 1)
	link := "\x1b]8;;https://github.com/amlfix/amlfix/blob/main/docs/rules/schema-value.md\x1b\\"
	clear := []string{"VTE_VERSION=", "TERM_PROGRAM=", "TMUX=", "WT_SESSION=", "KONSOLE_VERSION=", "DOMTERM=", "FORCE_HYPERLINK="}
	for env, want := range map[string]bool{"TERM=xterm-kitty": true, "TERM=xterm": false, "FORCE_HYPERLINK=0": false} {
		out := onTerminal(t, dir, append(clear, "TERM=xterm-kitty", env))
		if got := strings.Contains(out, link); got != want || !strings.Contains(out, "schema/value") {
			t.Errorf("%s: linked = %v: %q", env, got, out)
		}
	}
	for _, tt := range []struct {
		env  map[string]string
		args []string
		want bool
	}{
		{map[string]string{"TERM": "xterm-kitty"}, nil, false}, // not a terminal
		{map[string]string{"FORCE_HYPERLINK": "1"}, nil, true},
		{map[string]string{"FORCE_HYPERLINK": "1"}, []string{"--no-color"}, false},
		{map[string]string{"FORCE_HYPERLINK": "1"}, []string{"--format", "json"}, false},
	} {
		if r := amlfixWith(t.Context(), dir, tt.env, tt.args...); strings.Contains(r.out, "\x1b]8") != tt.want {
			t.Errorf("%v %q: %q", tt.env, tt.args, r.out)
		}
	}
	r := amlfixWith(t.Context(), dir, map[string]string{"FORCE_HYPERLINK": "1", "FORCE_COLOR": "1"}, "--format", "text=report.txt")
	if text := testkit.Read(t, dir, "report.txt"); r.out != "" || strings.Contains(text, "\x1b") || !strings.Contains(text, "schema/value") {
		t.Errorf("%+v %q", r, text)
	}
	if r := amlfixWith(t.Context(), dir, map[string]string{"FORCE_COLOR": "1"}); !strings.Contains(r.out, "\x1b[1;31merror:") {
		t.Errorf("FORCE_COLOR: %q", r.out)
	}
}
