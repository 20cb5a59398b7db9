package remote

import (
	"context"
	"errors"
	"strings"

	"github.com/amlfix/amlfix/runtime/preflight"
	"github.com/amlfix/amlfix/runtime/process"
	sshjob "github.com/amlfix/amlfix/runtime/remote"
	"github.com/amlfix/amlfix/runtime/session"
	"github.com/amlfix/amlfix/runtime/ssh"
	"github.com/amlfix/amlfix/runtime/target"
	"github.com/amlfix/amlfix/schema/escape"
	"github.com/amlfix/amlfix/schema/secret"
)

// Check logs in, and checks the machine and the program there that starts the job.
func Check(ctx context.Context, job *session.Job, extra Extra) []preflight.Result {
	line, err := target.Dial(ctx, job)
	if err != nil {
		why := " was not checked: there is no connection to " + secret.HideValue(job.Plan.Host.Address.Value)
		return []preflight.Result{target.FailedAs(preflight.Connection, err), {Topic: preflight.Program, Status: preflight.Unknown, Text: job.Plan.Interpreter.Value + why},
			{Topic: preflight.Disk, Status: preflight.Unknown, Text: "the disk there" + why}}
	}
	defer func() { _ = line.Close() }()
	results, _ := checkHost(ctx, job, line, false, extra)
	return results
}

// checkHost checks the machine at the end of a connection, and returns the program's name there. before is as in
// target.CheckPython.
func checkHost(ctx context.Context, job *session.Job, line *ssh.Line, before bool, extra Extra) (results []preflight.Result, program string) {
	results = []preflight.Result{target.Connected(line)}
	disk, shell := make(chan []preflight.Result, 1), make(chan error, 1)
	go func() {
		_, err := line.Script(ctx, sshjob.Writable)
		shell <- err
		disk <- checkDisk(ctx, job, line, err)
	}()
	program, found := checkProgram(ctx, job, line, before, extra)
	if err := <-shell; ssh.Is(err, ssh.NoShell) { // whatever else is wrong follows from that
		return []preflight.Result{target.FailedAs(preflight.Connection, target.PlaceHost(job.Plan, err))}, ""
	}
	return append(append(results, found...), <-disk...), program
}

// checkDisk checks whether the run's folder can be created there, as err says, and has room for the project.
func checkDisk(ctx context.Context, job *session.Job, line *ssh.Line, err error) []preflight.Result {
	free, known := target.FreeThere(ctx, line, `"$HOME"`)
	if _, ok := errors.AsType[*ssh.ExitError](err); ok {
		return []preflight.Result{{Topic: preflight.Disk, Status: preflight.Failed, Text: "this user may not create a folder for the run in the home folder there", Next: "make that folder, and .amlfix in it, writable for the user"}}
	}
	if !known {
		return nil
	}
	return []preflight.Result{target.Space(job.Size, free, "the home folder there", "free some space there")}
}

func checkProgram(ctx context.Context, job *session.Job, line *ssh.Line, before bool, extra Extra) (program string, results []preflight.Result) {
	program, err := sshjob.Find(ctx, line, job.Plan.Interpreter.Value)
	if err != nil {
		return "", []preflight.Result{target.FailedAs(preflight.Program, place(job.Plan, err))}
	}
	if _, home := strings.CutPrefix(program, "~/"); !home && strings.Contains(program, "/") && program[0] != '/' {
		return program, []preflight.Result{{Topic: preflight.Program, Status: preflight.Unknown, Text: program + " goes with the project, and does not exist there before the run"}}
	}
	if target.IsSpark(job.Plan) {
		results = []preflight.Result{target.Present(program)}
		if extra.Check != nil {
			results = append(results, extra.Check(ctx, job.Plan, line)...)
		}
		return program, results
	}
	var unable *sshjob.StartError
	found := target.CheckPython(ctx, job, program, before, func(ctx context.Context, script string) (out []byte, code int, err error) {
		out, code, unable, err = ask(ctx, line, program, script)
		return out, code, err
	})
	if unable != nil {
		found = []preflight.Result{target.FailedAs(preflight.Program, place(job.Plan, unable))}
	}
	return program, found
}

// ask has a program on the machine execute a script. unable means that the program does not exist or cannot be
// executed.
func ask(ctx context.Context, line *ssh.Line, program, script string) (out []byte, code int, unable *sshjob.StartError, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, target.AskTime, target.ErrSlow)
	defer cancel()
	stdout, stderr := process.First{Limit: target.AskLimit}, process.First{Limit: target.AskLimit}
	err = line.Exec(ctx, "exec sh -c "+escape.Word(askThere)+" sh "+sshjob.PathWord(program), strings.NewReader(script), process.Streams{Stdout: &stdout, Stderr: &stderr})
	var exit *ssh.ExitError
	switch {
	case context.Cause(ctx) != nil:
		return nil, 0, nil, context.Cause(ctx)
	case errors.As(err, &exit) && exit.Code == absent:
		unable = &sshjob.StartError{Host: line.Name(), Code: process.CodeNoProgram, Text: "there is no program " + program + ": install it there, or give the path of another one", Err: err}
	case errors.As(err, &exit) && exit.Code == barred:
		unable = &sshjob.StartError{Host: line.Name(), Code: process.CodeCannotRun, Text: program + " cannot be run by this user: check that it is a program and executable", Err: err}
	case errors.As(err, &exit):
		return stdout.Bytes(), exit.Code, nil, target.LastWords(exit.Code, stderr.String())
	}
	return stdout.Bytes(), 0, unable, err
}

// askThere runs the program given as its argument with its standard input.
const askThere = `cd /
[ -e "$1" ] || exit 67
[ -f "$1" ] && [ -x "$1" ] || exit 66
exec "$1" -`

// Exit codes of askThere for a program that does not exist or cannot be executed.
const (
	absent = 67
	barred = 66
)
