package local

import (
	"io"
	"os"
	"os/exec"
)

// Background starts this program again with the same arguments and working directory, in a new session: it continues
// when this process ends or the terminal is closed. env is added to its environment, "NAME=value". It has no standard
// input and output; its standard error can be read from errs, which the caller closes.
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
