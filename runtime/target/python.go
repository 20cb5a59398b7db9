package target

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/amlfix/amlfix/runtime/plan"
	"github.com/amlfix/amlfix/runtime/preflight"
	"github.com/amlfix/amlfix/runtime/session"
	"github.com/amlfix/amlfix/runtime/ssh"
)

// AskTime is how long a Python may take to say what it has.
const AskTime = time.Minute

// ErrSlow says that a Python has not said anything in that time.
var ErrSlow = fmt.Errorf("it has not answered within %v", AskTime)

// UnstartedError says that a program was found, and could not be started.
type UnstartedError string

func (e UnstartedError) Error() string { return "it cannot be started: " + string(e) }

// Asker has a program execute a script, given as its standard input. The code
// is that of a program that was started; err says what went wrong.
type Asker func(ctx context.Context, script string) (out []byte, code int, err error)

// CheckPython checks a Python of the user's own. Before a run only what matters
// to the job is looked at, and a program that does not answer is left alone
// unless it calls itself a Python: starting the job shows what it is.
func CheckPython(ctx context.Context, job *session.Job, program string, before bool, ask Asker) []preflight.Result {
	if job.Plan.Work != nil { // a shell: the command says which Python it wants
		return []preflight.Result{Present(program)}
	}
	p := preflight.Python{Program: program, Key: job.Plan.InterpreterKey, GPU: job.WantsGPU(), Quick: before && !job.WantsGPU()}
	results, has := p.Check(ctx, func(ctx context.Context) ([]byte, int, error) { return ask(ctx, p.Script()) })
	if has != nil {
		return append(results, lacking(job.Plan, program, has)...)
	}
	failure := &results[0]
	var unstarted UnstartedError
	var line *ssh.Error
	switch err := failure.Err; {
	case errors.As(err, &line):
		return []preflight.Result{FailedAs(preflight.Connection, err)}
	case before && errors.Is(err, ErrSlow):
		failure.Status, failure.Next = preflight.Doubtful, "the job is started all the same"
	case before && (errors.Is(err, preflight.ErrSilent) || errors.As(err, &unstarted) || !strings.Contains(strings.ToLower(path.Base(filepath.ToSlash(program))), "py")):
		return nil
	}
	failure.Err = nil // its text says it all
	return results
}

// lacking names frameworks that the conda file names and a Python of the user's
// own does not have.
func lacking(p plan.Plan, program string, has func(framework string) bool) (results []preflight.Result) {
	var names []string
	var o plan.Origin
	for _, f := range p.Frameworks {
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
	text := fmt.Sprintf("%s %s not installed in %s, which a %s target uses as it is", strings.Join(names, ", "), verb, program, p.Kind.Value)
	return []preflight.Result{{Topic: preflight.Environment, Status: preflight.Doubtful, Text: text, Err: &plan.Error{Origin: o, Text: text},
		Next: "install there what the job imports, or name another Python in " + p.InterpreterKey}}
}

// LastWords says how a program has failed, with what it said of that.
func LastWords(code int, said string) error {
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

// IsSpark reports whether the plan's program is spark-submit rather than a
// Python.
func IsSpark(p plan.Plan) bool {
	return strings.HasPrefix(path.Base(filepath.ToSlash(p.Interpreter.Value)), "spark-submit")
}

// Present says that a program is there.
func Present(program string) preflight.Result {
	return preflight.Result{Topic: preflight.Program, Status: preflight.OK, Text: program + " is there"}
}
