package kubernetes

import (
	"os/exec"
	"runtime"
	"syscall"
)

func apart(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// onThread keeps the thread that starts a process alive: the end of that thread would be mistaken for the end of this
// program.
func onThread(do func() error) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	return do()
}
