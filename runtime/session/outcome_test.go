package session

import (
	"testing"

	"github.com/amlfix/amlfix/runtime/plan"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/schema/testkit"
)

func TestFailure(t *testing.T) {
	script := Session{Job: Job{Plan: plan.Plan{Interpreter: plan.Field[string]{Value: "python"}}}, where: "in the image"}
	command := script
	command.Plan.Work = &plan.Work{}
	for _, tt := range []struct {
		of   *Session
		code int
		want string
	}{
		{&script, process.CodeNoProgram, "a program was not found in the image, perhaps python itself"},
		{&script, process.CodeCannotRun, "a program in the image could not be run, perhaps python itself"},
		{&command, process.CodeNoProgram, "a program was not found in the image: the end of its output names it"},
		{&command, process.CodeCannotRun, "a program in the image could not be run: the end of its output names it"},
		{&script, 1, ""},
	} {
		testkit.Same(t, tt.want, tt.of.failure(tt.code))
	}
}
