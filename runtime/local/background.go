package local

import (
	"io"
	"os"
	"os/exec"
)

// Background starts this program once more with the same arguments and folder, in a session of its own: it goes on when
// this process ends or the terminal is closed. env is added to its environment, "NAME=value". It has no standard input
// and output; what it writes to standard error comes from errs, which is closed by the caller.
func Background(env ...string) (cmd *exec.Cmd, errs io.ReadCloser, err error) {
	program, err := os.Executable()
	if err != nil {
		return nil, nil, err
	}
	cmd = exec.Command(program, os.Args[1:]...)
	cmd.Env = append(os.Environ(), env...)
	setSession(cmd)
	if errs, err = cmd.StderrPipe(); err != nil {
		return nil, nil, err
	}
	return cmd, errs, cmd.Start()
}
