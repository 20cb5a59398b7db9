//go:build linux

package rules_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/judge"
	"github.com/amlfix/amlfix/schema/testkit"
)

// typed is a pipeline's child that declares one input and receives a value for it.
const typed = `  j%d:
    type: command
    component:
      type: command
      command: echo ${{inputs.a}}
      environment: azureml:e:1
      inputs: {a: %s}
    inputs: {a: %s}
`

// TestTypesAgree runs the Azure ML client on defaults and values of every type. One pipeline has all those without
// errors, and the client must accept it. Because each run takes half a second, only one of each kind of error is tried.
func TestTypesAgree(t *testing.T) {
	t.Parallel()
	const head = "type: pipeline\nsettings: {default_compute: azureml:c}\njobs:\n"
	var fine strings.Builder
	refused := map[string]string{} // by the advice in the message
	hold := func(declared, given string) {
		child := fmt.Sprintf(typed, fine.Len(), declared, given)
		for _, f := range rules.Check(load(t, "-- job.yml --\n"+head+child)) {
			if f.Severity == finding.Error {
				refused[f.Message[strings.LastIndex(f.Message, ": ")+1:]] = child
				return
			}
		}
		fine.WriteString(child)
	}
	for _, of := range []string{"integer", "number", "boolean", "string", "uri_folder", "mltable", "custom_model"} {
		for _, extra := range []string{"default: 3", "default: ten", `default: "1.0"`, "default: nan", "default: 1e-3", `default: "TRUE"`, "default: 2026-01-31", "min: 1", `enum: ["1"]`} {
			hold("{type: "+of+", "+extra+"}", "azureml:d:1")
		}
		for _, given := range []string{"3", "true", `"3"`, "1:30", "yes", "{value: 4}", "2026-01-31", "./a.csv", "{path: azureml:d:1}", "{type: mltable, path: azureml:d:1}"} {
			hold("{type: "+of+"}", given)
		}
	}
	if len(refused) < 5 {
		t.Errorf("errors of %d kinds only", len(refused))
	}
	name := filepath.Join(t.TempDir(), "job.yml")
	ask := func(jobs string) judge.Verdict {
		testkit.OK(t, os.WriteFile(name, []byte(head+jobs), 0o644))
		return judge.Ask(t, judge.Job, name)
	}
	if v := ask(fine.String()); !v.Accepted {
		t.Errorf("amlfix finds no error, but the client does: %s", v)
	}
	for cause, child := range refused {
		if v := ask(child); v.Accepted {
			t.Errorf("%s: the client accepts\n%s", cause, child)
		}
	}
}
