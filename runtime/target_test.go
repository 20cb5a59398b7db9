package runtime

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/amlfix/amlfix/runtime/plan"
	"github.com/amlfix/amlfix/runtime/preflight"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/runtime/project"
	"github.com/amlfix/amlfix/runtime/record"
	"github.com/amlfix/amlfix/runtime/session"
	"github.com/amlfix/amlfix/runtime/target"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/testkit"
)

// echo is a target whose jobs print their arguments: the smallest possible one.
type echo struct{}

func (echo) About() target.About {
	return target.About{Kind: "echo", Types: []target.Type{{Name: "echo"}}, Where: "in the echo"}
}

func (echo) Plan(d *plan.Draft) error {
	d.Plan.Interpreter, d.Plan.Transport, d.Plan.Part = plan.From("echo", plan.Origin{}), "not needed", loudness(2)
	return nil
}

func (echo) Check(context.Context, *session.Job, project.Snapshot) []preflight.Result {
	return []preflight.Result{{Topic: preflight.Program, Status: preflight.OK, Text: "echo is there"}}
}

func (echo) Run(_ context.Context, s *session.Session, _ project.Snapshot) (process.Exit, error) {
	s.Say.Enter(progress.Starting, "")
	exit := process.Exit{Cause: process.Ended, Code: 127, Started: time.Now()}
	for range int(s.Plan.Part.(loudness)) {
		_, _ = io.WriteString(s.Streams.Stdout, strings.Join(s.Plan.Command(), " ")+"\n")
	}
	exit.Ended = time.Now()
	s.Exited(exit)
	return exit, nil
}

func (echo) Resume(_ context.Context, _ *session.Session, rec record.Record) (process.Exit, error) {
	return *rec.Exit, nil
}

func (echo) Fetch(context.Context, *session.Session, record.Record) error { return nil }

func (echo) Place(p plan.Plan, res preflight.Result) plan.Origin { return target.Place(p, res) }

// loudness is the part of a plan that only echo needs.
type loudness int

func (l loudness) Lines(plan.Plan) (surroundings, limits []plan.Line) {
	return nil, []plan.Line{{Name: "loudness", Value: strings.Repeat("!", int(l))}}
}

// TestKindsAreApart checks that a record and a .compute file each lead to one kind of target.
func TestKindsAreApart(t *testing.T) {
	kinds, types := map[plan.Kind]bool{}, map[string]bool{}
	for _, kind := range targets {
		about := kind.About()
		if kinds[about.Kind] || len(about.Types) == 0 || about.Where == "" {
			t.Errorf("%+v: the kind is taken, or something is missing", about)
		}
		kinds[about.Kind] = true
		for _, one := range about.Types {
			if types[one.Name] {
				t.Errorf("%s: the type %s is taken", about.Kind, one.Name)
			}
			types[one.Name] = true
		}
	}
}

// TestAddATarget checks that one package and one line add a kind of target that can be planned, checked, run and
// resumed.
func TestAddATarget(t *testing.T) {
	before := targets
	t.Cleanup(func() { targets = before })
	targets = append(targets[:len(targets):len(targets)], echo{})

	job, root := load(t, files{"aml_config/e.compute": "type: echo\n", "aml_config/e.runconfig": "Target: e\nFramework: Python\nArgumentVector: [train.py, hello]\n", "train.py": ""}, "e", schema.Options{})
	p, err := NewPlan(job, Options{Project: root})
	testkit.OK(t, err)
	var shown strings.Builder
	_, _ = p.WriteTo(&shown)
	testkit.Has(t, shown.String(), "runs         echo  (aml_config/e.compute:1)\n", "loudness     !!\n")
	checks, err := CheckRun(t.Context(), p, RunOptions{})
	testkit.OK(t, err)
	var said []string
	for _, c := range checks {
		said = append(said, string(c.Status)+" "+c.Text)
	}
	testkit.Same(t, []string{"ok 4 files and folders are sent with the job; its script train.py is among them", "ok echo is there"}, said)
	var out bytes.Buffer
	p.Tracked.Value = true
	res, err := Run(t.Context(), p, RunOptions{Stdout: &out})
	if err != nil || res.Outcome != Failed || res.Reason != "a program was not found in the echo, perhaps echo itself" {
		t.Errorf("%+v, %v", res, err)
	}
	testkit.Same(t, "train.py hello\ntrain.py hello\n", out.String())
	again, err := Attach(t.Context(), res.Record, RunOptions{})
	if err != nil || again.Code != 127 || again.Outcome != Failed {
		t.Errorf("%+v, %v", again, err)
	}
}
