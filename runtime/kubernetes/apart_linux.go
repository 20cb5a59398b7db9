package kubernetes

import (
	"os/exec"
	"runtime"
	"syscall"
)

func apart(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// onThread keeps the thread alive that starts a process: its end would be mistaken for
// that of this program.
func onThread(do func() error) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	return do()
}
