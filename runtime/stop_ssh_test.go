//go:build linux

package runtime

import (
	"context"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/amlfix/amlfix/runtime/internal/sshtest"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/ssh"
)

// TestStopThere runs `amlfix runs stop` for runs on another machine whose amlfix was killed: the ctx of such a run is
// cancelled from the start, and the machine is still contacted.
func TestStopThere(t *testing.T) {
	t.Parallel()
	e := engineHere(t)
	s := sshtest.Start(t, sshtest.Options{Env: map[string]string{"DOCKER_HOST": e.Host}})
	const program = "import time\nprint('up', flush=True)\ntime.sleep(600)\n"
	for name, plan := range map[string]Plan{
		"remote":       onHost(t, s, program, "pythonLocation: python3\n"),
		"remotedocker": onEngineThere(t, s, sshtest.Root, program, e.Python(t), ""),
	} {
		t.Run(name, func(t *testing.T) {
			cmd := spawn(t, plan, "")
			cmd.Env = append(cmd.Env, "HOME="+s.Home)
			killedAfter(t, cmd, "up")
			ctx, cancel := context.WithCancelCause(t.Context())
			cancel(&process.Signalled{Signal: syscall.SIGTERM})
			res, err := Attach(ctx, filepath.Join(plan.Project, ".amlfix", "runs", plan.RunID.String()), RunOptions{SSH: ssh.Options{Home: s.Home}})
			if err != nil || res.Outcome != Cancelled || res.Code != 143 || res.JobCode != 143 {
				t.Errorf("%+v, %v", res, err)
			}
			emptyThere(t, s)
			e.NothingLeft(t, plan.RunID.String())
		})
	}
}
