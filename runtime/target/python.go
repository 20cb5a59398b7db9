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
	"github.com/amlfix/amlfix/schema/plain"
)

// AskTime is how long a Python may take to list its packages, and nvidia-smi a machine's GPUs.
const AskTime = time.Minute

// AskLimit is how many bytes of the answer of a Python are kept: its list of packages is a thousandth of that.
const AskLimit = 16 << 20

// ErrSlow reports that a Python did not answer within AskTime.
var ErrSlow = errors.New("it has not answered within 1m0s")

// UnstartedError reports that a program was found but could not be started. Its text is the reason in plain words.
type UnstartedError string

func (e UnstartedError) Error() string { return "it cannot be started: " + string(e) }

// Asker has a program execute a script, passed on standard input. code is the program's exit code if it was started;
// err says what went wrong. out is whatever the program wrote, and is not trusted.
type Asker func(ctx context.Context, script string) (out []byte, code int, err error)

// CheckPython checks one of the user's own Pythons. Before a run, only what matters to the job is checked, and a
// program that does not answer is accepted unless it claims to be a Python: starting the job shows what it is.
func CheckPython(ctx context.Context, job *session.Job, program string, before bool, ask Asker) []preflight.Result {
	if job.Plan.Work != nil { // a shell: the command chooses its Python
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
		failure.Status, failure.Next = preflight.Doubtful, "the job is started anyway"
	case before && (errors.Is(err, preflight.ErrSilent) || errors.As(err, &unstarted) || !strings.Contains(strings.ToLower(path.Base(filepath.ToSlash(program))), "py")):
		return nil
	}
	failure.Err = nil // its text is complete
	return results
}

// lacking returns the frameworks that the conda file names and the user's own Python lacks.
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
	text := fmt.Sprintf("%s %s not installed in %s, which a %s target uses as it is", plain.List(names, "and"), plain.Is(len(names)), program, p.Kind.Value)
	return []preflight.Result{{Topic: preflight.Environment, Status: preflight.Doubtful, Text: text, Err: &plan.Error{Origin: o, Text: text},
		Next: "install there what the job imports, or set another Python in " + p.InterpreterKey}}
}

// LastWords returns an error that says how a program failed, with the last lines of its output.
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

// IsSpark reports whether the plan's program is spark-submit rather than a Python.
func IsSpark(p plan.Plan) bool {
	return strings.HasPrefix(path.Base(filepath.ToSlash(p.Interpreter.Value)), "spark-submit")
}

// Present reports that a program was found.
func Present(program string) preflight.Result {
	return preflight.Result{Topic: preflight.Program, Status: preflight.OK, Text: program + " is there"}
}
