package remote

import (
	_ "embed"
	"regexp"
	"strings"

	"github.com/amlfix/amlfix/schema/escape"
	"github.com/amlfix/amlfix/schema/plain"
)

//go:embed job.sh
var jobText string

//go:embed wrapper.sh
var wrapperText string

// The scripts that amlfix runs on the machine, without their comments: functions for everything that happens to a run,
// and the shell that waits for the job.
var (
	functions = plain.Once[string]{Make: func() string { return code(jobText) }}
	wrapper   = plain.Once[string]{Make: func() string { return code(wrapperText) }}
)

func code(script string) string {
	return regexp.MustCompile("(?m)^ *#.*\n").ReplaceAllString(script, "")
}

// script returns a shell script that may call the functions of job.sh.
func (j *Job) script(calls string) string {
	return "amlfix_run=" + escape.Word(j.dir) + "\namlfix_mark=" + escape.Word(mark(j.runID)) + "\n" + functions.Get() + calls
}

// stopScript returns a script with the commands to run before the job is asked to stop, and before it is killed.
func (j *Job) stopScript(onStop, onKill, calls string) string {
	return j.script("amlfix_stop=" + escape.Word(onStop) + "\namlfix_kill=" + escape.Word(onKill) + "\n" + calls)
}

// call returns a line of a script, with words quoted literally.
func call(words ...string) string {
	var b strings.Builder
	for i, w := range words {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(escape.Word(w))
	}
	return b.String() + "\n"
}
