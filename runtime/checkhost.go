package runtime

import (
	"bytes"
	"context"
	"errors"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/runtime/preflight"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/remote"
	"github.com/amlfix/amlfix/runtime/ssh"
	"github.com/amlfix/amlfix/schema/escape"
	"github.com/amlfix/amlfix/schema/secret"
)

// checkHost looks at another machine, and at the program there that the job is started with, which it returns when there
// is one. before is as in checkPython.
func (r *runner) checkHost(ctx context.Context, before bool) (results []preflight.Result, program string) {
	line, err := r.dial(ctx)
	if err != nil {
		why := " was not looked at: there is no connection to " + secret.HideValue(r.plan.Host.Value)
		return []preflight.Result{failedAs(preflight.Connection, err), {Topic: preflight.Program, Status: preflight.Unknown, Text: r.plan.Interpreter.Value + why},
			{Topic: preflight.Disk, Status: preflight.Unknown, Text: "the disk there" + why}}, ""
	}
	results = []preflight.Result{r.connected()}
	type space struct {
		free  int64
		known bool
	}
	disk := make(chan space, 1)
	go func() {
		free, known := freeThere(ctx, line, `"$HOME"`)
		disk <- space{free, known}
	}()
	program, found := r.checkProgramThere(ctx, line, before)
	results = append(results, found...)
	if s := <-disk; s.known {
		results = append(results, r.space(s.free, "the home folder there", "where the copy of the project is made", "free some space there"))
	}
	return results, program
}

func (r *runner) checkProgramThere(ctx context.Context, line *ssh.Line, before bool) (program string, results []preflight.Result) {
	program, err := remote.Find(ctx, line, r.plan.Interpreter.Value)
	if err != nil {
		return "", []preflight.Result{failedAs(preflight.Program, r.placedThere(err))}
	}
	word := escape.Word(program)
	switch rest, home := strings.CutPrefix(program, "~/"); {
	case home:
		word = `"$HOME"/` + escape.Word(rest)
	case strings.Contains(program, "/") && program[0] != '/':
		return program, []preflight.Result{{Topic: preflight.Program, Status: preflight.Unknown, Text: program + " goes with the project, and is not there before the run"}}
	}
	if r.spark() {
		return program, append([]preflight.Result{there(program)}, r.checkYARN(ctx, line)...)
	}
	var unable *remote.StartError
	found := r.checkPython(ctx, program, before, func(ctx context.Context, script string) ([]byte, int, error) {
		ctx, cancel := context.WithTimeoutCause(ctx, askTime, errSlow)
		defer cancel()
		var out, errs bytes.Buffer
		err := line.Exec(ctx, "exec sh -c "+escape.Word(askThere)+" sh "+word, strings.NewReader(script), process.Streams{Stdout: &out, Stderr: &errs})
		var exit *ssh.ExitError
		switch {
		case context.Cause(ctx) != nil:
			return nil, 0, context.Cause(ctx)
		case errors.As(err, &exit) && exit.Code == absent:
			unable = &remote.StartError{Host: line.Name(), Code: 127, Text: "there is no program " + program + ": install it there, or name another one by its path", Err: err}
		case errors.As(err, &exit) && exit.Code == barred:
			unable = &remote.StartError{Host: line.Name(), Code: 126, Text: program + " cannot be run by this user: is it a program, and executable?", Err: err}
		case errors.As(err, &exit):
			return out.Bytes(), exit.Code, lastWords(exit.Code, errs.String())
		}
		return out.Bytes(), 0, err
	})
	if unable != nil {
		found = []preflight.Result{failedAs(preflight.Program, r.placedThere(unable))}
	}
	return program, found
}

// askThere has the program that is its argument execute what comes on standard input.
const askThere = `cd /
[ -e "$1" ] || exit 67
[ -f "$1" ] && [ -x "$1" ] || exit 66
exec "$1" -`

// Exit codes of askThere, for a program that is not there, or cannot be executed.
const (
	absent = 67
	barred = 66
)

// freeThere is how many bytes are free on another machine in a folder, a word of a shell script.
func freeThere(ctx context.Context, line *ssh.Line, word string) (free int64, ok bool) {
	out, err := line.Script(ctx, "df -Pk -- "+word+" 2>/dev/null || df -Pk /")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	fields := strings.Fields(lines[len(lines)-1])
	if err != nil || len(fields) < 6 || fields[1] == "0" { // some file systems tell nothing
		return 0, false
	}
	n, err := strconv.ParseInt(fields[3], 10, 64)
	return n << 10, err == nil
}
