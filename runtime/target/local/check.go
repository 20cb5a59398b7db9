package local

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	supervise "github.com/amlfix/amlfix/runtime/local"
	"github.com/amlfix/amlfix/runtime/plan"
	"github.com/amlfix/amlfix/runtime/preflight"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/session"
	"github.com/amlfix/amlfix/runtime/target"
	"github.com/amlfix/amlfix/schema"
)

// checkProgram checks the program that starts the job. before is as in target.CheckPython.
func checkProgram(ctx context.Context, job *session.Job, before bool) []preflight.Result {
	found, err := supervise.FindProgram(job.Plan.Interpreter.Value, job.Plan.Project)
	if err != nil {
		return []preflight.Result{target.FailedAs(preflight.Program, place(job.Plan, err))}
	}
	if target.IsSpark(job.Plan) {
		return append([]preflight.Result{target.Present(found.Path)}, checkSpark(job.Plan)...)
	}
	variables := job.Plan.Variables()
	if !before && job.Plan.Work == nil { // whoever only checks a project of others runs nothing of theirs
		if inProject(job.Plan.Project, found.Path) {
			return []preflight.Result{{Topic: preflight.Program, Status: preflight.Unknown, Text: found.Path + " was not checked: it is in the project, and --check starts nothing from there"}}
		}
		variables = slices.DeleteFunc(variables, loads)
	}
	return target.CheckPython(ctx, job, found.Path, before, ask(job.Plan.Project, found.Path, variables))
}

// inProject reports whether a program is in a project, by its name or where links lead.
func inProject(project, program string) bool {
	return schema.Below(project, program) || schema.Below(schema.Identity(project), schema.Identity(program))
}

// loads reports whether a variable, NAME=VALUE, can make Python or a program that it starts load files of a project.
func loads(variable string) bool {
	name, _, _ := strings.Cut(strings.ToUpper(variable), "=")
	return name == "PATH" || slices.ContainsFunc([]string{"PYTHON", "LD_", "DYLD_"}, func(p string) bool { return strings.HasPrefix(name, p) })
}

// checkSpark checks for what spark-submit needs, without starting it, which takes seconds.
func checkSpark(p plan.Plan) (results []preflight.Result) {
	java := "java"
	if home := os.Getenv("JAVA_HOME"); home != "" {
		java = filepath.Join(home, "bin", "java")
	}
	for _, v := range p.Env {
		switch v.Name {
		case "JAVA_HOME":
			java = filepath.Join(v.Value, "bin", "java")
		case plan.SparkPython:
			if _, err := supervise.FindProgram(v.Value, p.Project); err != nil {
				results = append(results, target.FailedAs(preflight.Program, &plan.PlacedError{Origin: v.Origin, Err: err}))
			}
		}
	}
	if _, err := exec.LookPath(java); err != nil {
		results = append(results, preflight.Result{Topic: preflight.Program, Status: preflight.Doubtful, Text: "Spark needs Java, but there is no program " + java,
			Next: "install one (Debian and Ubuntu: default-jre-headless), or set JAVA_HOME to the folder of one"})
	}
	return results
}

// ask has a Python on this machine execute a script in the same way as the job: in the project, with its variables.
func ask(project, program string, variables []string) target.Asker {
	return func(ctx context.Context, script string) ([]byte, int, error) {
		ctx, cancel := context.WithTimeoutCause(ctx, target.AskTime, target.ErrSlow)
		defer cancel()
		cmd := exec.CommandContext(ctx, program, "-")
		out, errs := process.First{Limit: target.AskLimit}, process.First{Limit: target.AskLimit}
		cmd.Dir, cmd.Env, cmd.WaitDelay = project, append(target.OwnEnvironment(), variables...), time.Second
		cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(script), &out, &errs
		err := cmd.Run()
		var exit *exec.ExitError
		switch {
		case context.Cause(ctx) != nil:
			return nil, 0, context.Cause(ctx)
		case errors.As(err, &exit):
			return out.Bytes(), exit.ExitCode(), target.LastWords(exit.ExitCode(), errs.String())
		case errors.Is(err, fs.ErrNotExist):
			return nil, 0, target.UnstartedError("a program that it needs is missing")
		case errors.Is(err, fs.ErrPermission):
			return nil, 0, target.UnstartedError("this user may not do so")
		case err != nil && cmd.Process == nil:
			return nil, 0, target.UnstartedError("it is not a program for this machine")
		}
		return out.Bytes(), 0, nil
	}
}
