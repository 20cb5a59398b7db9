package runtime

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/amlfix/amlfix/runtime/preflight"
	"github.com/amlfix/amlfix/runtime/ssh"
)

// askTime is how long a Python may take to say what it has.
const askTime = time.Minute

// errSlow tells that a Python has not said anything in that time.
var errSlow = fmt.Errorf("it has not answered within %v", askTime)

// errUnstarted tells that a program was found, and could not be started.
type errUnstarted string

func (e errUnstarted) Error() string { return "it cannot be started: " + string(e) }

// asker has a program execute a script, given as its standard input. The code is that of a program that was started; err
// says what went wrong.
type asker func(ctx context.Context, script string) (out []byte, code int, err error)

// checkPython looks at a Python of the user's own. Before a run only what matters to the job is looked at, and a program
// that does not answer is left alone unless it calls itself a Python: starting the job shows what it is.
func (r *runner) checkPython(ctx context.Context, program string, before bool, ask asker) []preflight.Result {
	p := preflight.Python{Program: program, Key: r.plan.InterpreterKey, GPU: r.wantsGPU(), Quick: before && !r.wantsGPU()}
	results, has := p.Check(ctx, func(ctx context.Context) ([]byte, int, error) { return ask(ctx, p.Script()) })
	if has != nil {
		return append(results, r.lacking(program, has)...)
	}
	failure := &results[0]
	var unstarted errUnstarted
	var line *ssh.Error
	switch err := failure.Err; {
	case errors.As(err, &line):
		return []preflight.Result{failedAs(preflight.Connection, err)}
	case before && errors.Is(err, errSlow):
		failure.Status, failure.Next = preflight.Doubtful, "the job is started all the same"
	case before && (errors.Is(err, preflight.ErrSilent) || errors.As(err, &unstarted) || !strings.Contains(strings.ToLower(path.Base(filepath.ToSlash(program))), "py")):
		return nil
	}
	failure.Err = nil // its text says it all
	return results
}

// lacking tells of frameworks that the conda file names and a Python of the user's own does not have.
func (r *runner) lacking(program string, has func(framework string) bool) (results []preflight.Result) {
	var names []string
	var o Origin
	for _, f := range r.plan.Frameworks {
		name, _ := preflight.Framework(f.Value)
		if has(name) {
			continue
		}
		if names = append(names, f.Value); len(names) == 1 {
			o = f.Origin
		}
	}
	if len(names) == 0 {
		return nil
	}
	verb := "is"
	if len(names) > 1 {
		verb = "are"
	}
	text := fmt.Sprintf("%s %s not installed in %s, which a %s target uses as it is", strings.Join(names, ", "), verb, program, r.plan.Kind.Value)
	return []preflight.Result{{Topic: preflight.Environment, Status: preflight.Doubtful, Text: text, Err: &PlanError{Origin: o, Text: text},
		Next: "install there what the job imports, or name another Python in " + r.plan.InterpreterKey}}
}

// askLocal has a Python of this machine execute a script, as the job would be: in the project, with its variables.
func (r *runner) askLocal(program string) asker {
	return func(ctx context.Context, script string) ([]byte, int, error) {
		ctx, cancel := context.WithTimeoutCause(ctx, askTime, errSlow)
		defer cancel()
		cmd := exec.CommandContext(ctx, program, "-")
		var out, errs bytes.Buffer
		cmd.Dir, cmd.Env, cmd.WaitDelay = r.plan.Project, append(ownEnvironment(), r.environment()...), time.Second
		cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(script), &out, &errs
		err := cmd.Run()
		var exit *exec.ExitError
		switch {
		case context.Cause(ctx) != nil:
			return nil, 0, context.Cause(ctx)
		case errors.As(err, &exit):
			return out.Bytes(), exit.ExitCode(), lastWords(exit.ExitCode(), errs.String())
		case errors.Is(err, fs.ErrNotExist):
			return nil, 0, errUnstarted("a program that it needs is not there")
		case errors.Is(err, fs.ErrPermission):
			return nil, 0, errUnstarted("this user may not do so")
		case err != nil && cmd.Process == nil:
			return nil, 0, errUnstarted("it is no program for this machine")
		}
		return out.Bytes(), 0, nil
	}
}

// lastWords says how a program has failed, with what it said of that.
func lastWords(code int, said string) error {
	text := fmt.Sprintf("it ends with exit code %d", code)
	if code < 0 {
		text = "a signal ends it"
	}
	last := ""
	for line := range strings.Lines(said) {
		if line = strings.TrimSpace(line); line != "" && (strings.Contains(line, "rror") || !strings.Contains(last, "rror")) {
			last = line
		}
	}
	if last == "" {
		return errors.New(text)
	}
	return errors.New(text + ", and says: " + last)
}

// spark reports whether the program is spark-submit rather than a Python.
func (r *runner) spark() bool {
	return strings.HasPrefix(path.Base(filepath.ToSlash(r.plan.Interpreter.Value)), "spark-submit")
}
