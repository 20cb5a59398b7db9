package session

import (
	"context"
	"os"
	"testing"

	"github.com/amlfix/amlfix/runtime/plan"
	"github.com/amlfix/amlfix/runtime/prepare"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/schema/testkit"
)

func TestFailure(t *testing.T) {
	script := Session{Job: Job{Plan: plan.Plan{Interpreter: plan.Field[string]{Value: "python"}}}, where: "in the image"}
	command := script
	command.Plan.Work = &plan.Work{}
	named := command
	named.Plan.Work = &plan.Work{Shown: "python train.py"}
	for _, tt := range []struct {
		of   *Session
		code int
		want string
	}{
		{&script, process.CodeNoProgram, "a program was not found in the image, perhaps python itself"},
		{&script, process.CodeCannotRun, "a program in the image could not be run, perhaps python itself"},
		{&command, process.CodeNoProgram, "a program was not found in the image: the end of its output names it"},
		{&named, process.CodeNoProgram, "a program was not found in the image: the end of its output names it; if it is python, write python3 in the command: many systems have no other"},
		{&command, process.CodeCannotRun, "a program in the image could not be run: the end of its output names it"},
		{&script, 1, ""},
		{&command, 132, "it ended with an illegal instruction (SIGILL): one of its programs may be built for a newer processor"},
	} {
		testkit.Same(t, tt.want, tt.of.failure(tt.code))
	}
}

// TestStoppedBeforeTheJob checks what a run says that is cancelled while its environment is built.
func TestStoppedBeforeTheJob(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	why := &process.Signalled{Signal: os.Interrupt}
	cancel(why)
	for left, want := range map[string]string{"": "nothing", "a folder": "a folder"} {
		var s Session
		s.settle(ctx, process.Exit{}, &prepare.StoppedError{File: "conda.yml", Left: left, Err: why})
		testkit.Same(t, "before the job was started: the environment of conda.yml was being built, and "+want+" is left of it", s.Result.Reason)
		testkit.Same(t, 130, s.Result.Code)
	}
}
