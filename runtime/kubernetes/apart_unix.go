//go:build unix && !linux

package kubernetes

import (
	"os/exec"
	"syscall"
)

func apart(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func onThread(do func() error) error { return do() }
