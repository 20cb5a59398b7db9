package schema_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/testkit"
	"github.com/amlfix/amlfix/schema/testkit/loaded"
)

// stepsOf returns the names of the steps of a pipeline whose jobs are given, in the order in which they run.
func stepsOf(t *testing.T, jobs string, more map[string]string) (names []string, err error) {
	t.Helper()
	dir := t.TempDir()
	testkit.Write(t, dir, "p.yml", "$schema: https://azuremlschemas.azureedge.net/latest/pipelineJob.schema.json\ntype: pipeline\njobs:\n"+jobs)
	for name, text := range more {
		testkit.Write(t, dir, name, text)
	}
	p := loaded.Project(t, dir)
	f := p.FileAt("p.yml")
	steps, err := p.Steps(&schema.Pipeline{Of: p.PipelineIn(f, f.Root())})
	for _, s := range steps {
		names = append(names, s.Name)
	}
	return names, err
}

// step is a step that has outputs of others.
func step(name string, after ...string) string {
	text := "  " + name + ":\n    command: echo\n    inputs:\n      x: 1\n"
	for _, a := range after {
		text += "      " + a + ": ${{parent.jobs." + a + ".outputs.o}}\n"
	}
	return text
}

// TestSteps: a step comes after those whose outputs it has, and otherwise the steps are as they are written; what goes
// in circles has no order.
func TestSteps(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		jobs string
		more map[string]string
		want string
		at   string
	}{
		"as written":     {jobs: step("b") + step("a"), want: "b a"},
		"after":          {jobs: step("c", "a", "b") + step("b", "a") + step("a") + step("d"), want: "a b c d"},
		"the first next": {jobs: step("d", "z") + step("z") + step("a") + step("b", "d"), want: "z d a b"},
		"what is gone":   {jobs: step("a", "gone"), want: "a"},
		"twice":          {jobs: "  a: &a\n    command: echo\n  b: *a\n", want: "a b"},
		"a circle":       {jobs: step("x") + step("a", "b") + step("b", "a"), at: "step a needs outputs that come from itself, through b"},
		"itself":         {jobs: step("a", "a"), at: "step a needs outputs that come from itself, through a"},
		"before it":      {jobs: step("c", "x", "a") + step("x") + step("a", "x", "b") + step("b", "a"), at: "step a needs outputs that come from itself, through b"},
		"decides":        {jobs: "  a:\n    type: if_else\n    condition: x\n", want: "a"},
		"inside":         {jobs: "  c:\n    component: q.yml\n    inputs: {x: \"${{parent.jobs.a.outputs.o}}\"}\n" + step("a") + step("b", "c"), more: map[string]string{"q.yml": "type: pipeline\njobs:\n" + step("y", "x") + step("x")}, want: "a c.x c.y b"},
		"in itself":      {jobs: "  c:\n    type: pipeline\n    component: p.yml\n", at: "step c is the pipeline that it is in"},
	} {
		got, err := stepsOf(t, tt.jobs, tt.more)
		if bad, ok := errors.AsType[*schema.StepError](err); ok != (tt.at != "") || tt.at != "" && bad.Error() != tt.at {
			t.Errorf("%s: %v, want %q", name, err, tt.at)
		}
		testkit.Same(t, tt.want, strings.Join(got, " "), "%s", name)
	}
}

// TestManySteps: the order of a long chain, written from its end, is found at once.
func TestManySteps(t *testing.T) {
	t.Parallel()
	var jobs strings.Builder
	const n = 3000
	for i := n; i > 0; i-- {
		jobs.WriteString(step(fmt.Sprintf("s%d", i), fmt.Sprintf("s%d", i-1)))
	}
	start := time.Now()
	got, err := stepsOf(t, jobs.String(), nil)
	if testkit.OK(t, err); len(got) != n || got[0] != "s1" || got[n-1] != fmt.Sprintf("s%d", n) {
		t.Errorf("%d steps, from %s to %s", len(got), got[0], got[len(got)-1])
	}
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("it took %v", took)
	}
}
