//go:build linux

// Package programtest_test runs the amlfix program itself, as its users do, against private engines and other machines,
// and checks how a run ends: by signals, by readers that leave, and by what the program prints and leaves behind.
package programtest_test

import (
	"bytes"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/amlfix/amlfix/runtime/internal/enginetest"
	"github.com/amlfix/amlfix/runtime/internal/sshtest"
	"github.com/amlfix/amlfix/runtime/record"
	"github.com/amlfix/amlfix/runtime/runid"
	"github.com/amlfix/amlfix/schema/testkit"
)

func TestMain(m *testing.M) {
	if signal.Ignored(syscall.SIGHUP) { // by nohup; what is caught here is not ignored by the programs that tests start
		signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP)
	}
	code := enginetest.Main(m)
	if folder != "" {
		_ = os.RemoveAll(folder)
	}
	os.Exit(code)
}

// folder holds the program once it is built.
var folder string

// program builds amlfix as its users get it.
var program = sync.OnceValues(func() (string, error) {
	var err error
	if folder, err = os.MkdirTemp("", "amlfix-program-"); err != nil {
		return "", err
	}
	path := filepath.Join(folder, "amlfix")
	return path, testkit.Build(path)
})

// machine is where amlfix runs its jobs: an engine, another machine, or both.
type machine struct {
	engine *enginetest.Engine
	ssh    *sshtest.Server
}

// project writes the files of an archive to a new folder, replacing $ADDRESS and, for each pair in more, the first with
// the second.
func project(t *testing.T, m machine, archive string, more ...string) string {
	t.Helper()
	if m.ssh != nil {
		more = append(more, "$ADDRESS", m.ssh.Address())
	}
	return testkit.Folder(t, strings.NewReplacer(more...).Replace(archive))
}

// command returns a command that runs amlfix in a project's folder, with the test's own home, temporary and cache
// folders.
func command(t *testing.T, m machine, dir string, args ...string) *exec.Cmd {
	t.Helper()
	path, err := program()
	testkit.OK(t, err)
	temp := t.TempDir()
	cmd := exec.Command(path, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "HOME="+temp, "TMPDIR="+temp, "XDG_CACHE_HOME="+temp, "DOCKER_CONFIG="+temp, "MLFLOW_TRACKING_URI=")
	if m.engine != nil {
		cmd.Env = append(cmd.Env, "DOCKER_HOST="+m.engine.Host)
	}
	if m.ssh != nil {
		cmd.Env = append(cmd.Env, "HOME="+m.ssh.Home)
	}
	return cmd
}

// ended describes how an amlfix process ended.
type ended struct {
	code     int
	out, err string
}

// do runs amlfix until it ends.
func do(t *testing.T, m machine, dir string, args ...string) ended {
	t.Helper()
	return finish(command(t, m, dir, args...))
}

func finish(cmd *exec.Cmd) ended {
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	_ = cmd.Run() // the caller checks how it ended
	return ended{cmd.ProcessState.ExitCode(), out.String(), errs.String()}
}

// last returns the last line that amlfix printed.
func (e ended) last() string {
	lines := strings.Split(strings.TrimSuffix(e.err, "\n"), "\n")
	return lines[len(lines)-1]
}

// recorded returns the record of a project's only run.
func recorded(t *testing.T, dir string) record.Entry {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(record.Dir(dir, runid.MustParse("20261122-101112-abcdef"))))
	if err != nil || len(entries) != 1 {
		t.Fatalf("%v, %v", entries, err)
	}
	e, err := record.ReadDir(record.Dir(dir, runid.MustParse(entries[0].Name())))
	testkit.OK(t, err)
	return e
}

// nothingLeft fails the test if a run has left a container, or a folder or process on another machine.
func nothingLeft(t *testing.T, m machine, id string) {
	t.Helper()
	if m.engine != nil {
		m.engine.NothingLeft(t, id)
	}
	if m.ssh == nil {
		return
	}
	for _, user := range []string{sshtest.Root, sshtest.Worker} {
		if _, err := os.Stat(filepath.Join(m.ssh.HomeOf(user), ".amlfix", "runs", id)); err == nil {
			t.Errorf("the folder of %s is left on the machine", user)
		}
	}
	if out, err := exec.Command("sh", "-c", `grep -lsxz "AMLFIX_RUN_ID=`+id+`" /proc/[0-9]*/environ`).Output(); err == nil {
		t.Errorf("processes were left behind: %s", out)
	}
}
