package start

import (
	"io"
	"os"

	"github.com/amlfix/amlfix/cmd/internal/check"
	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/cmd/internal/version"
	"github.com/amlfix/amlfix/schema"
)

// Caller is who calls amlfix: the streams, the environment and the working directory; "" is the process's own.
type Caller struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Env            func(string) string
	Dir            string
}

// ownCaller returns the caller of this process.
func ownCaller() Caller { return Caller{os.Stdin, os.Stdout, os.Stderr, os.Getenv, ""} }

// Open returns the terminal and the engine for a call.
func (c Caller) Open() (*console.Terminal, *check.Engine) {
	t := &console.Terminal{
		Stdin: c.Stdin, Stdout: c.Stdout, Stderr: c.Stderr, Out: ui.NewOutput(c.Stdout), Err: ui.NewOutput(c.Stderr),
		Env: c.Env, Version: version.Get,
	}
	e := &check.Engine{Dir: schema.Identity(c.dir())}
	e.Notice = func(message string) { t.Say("%s", message) }
	return t, e
}

// dir returns the working directory.
func (c Caller) dir() string {
	if c.Dir != "" {
		return c.Dir
	}
	dir, err := os.Getwd()
	if err != nil {
		return "."
	}
	return dir
}
