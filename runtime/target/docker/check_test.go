package docker

import (
	"testing"

	engine "github.com/amlfix/amlfix/runtime/docker"
	"github.com/amlfix/amlfix/runtime/plan"
	"github.com/amlfix/amlfix/runtime/preflight"
	"github.com/amlfix/amlfix/runtime/session"
	"github.com/amlfix/amlfix/schema/testkit"
)

func TestCheckWords(t *testing.T) {
	p := plan.Plan{Argv: []plan.Item{{Value: "train.py"}, {Value: "größe"}, {Value: "gr\xf6\xdfe"}}}
	got := checkWords(p)
	if len(got) != 1 || got[0].Status != preflight.Failed {
		t.Fatalf("%+v", got)
	}
	testkit.Same(t, "argument 3 is not valid UTF-8, and a container engine would change it: rename the file that it names, or run the job on a target without a container", got[0].String())
}

func TestCheckUngiven(t *testing.T) {
	own := plan.Plan{Env: []plan.Item{{Name: engine.VisibleDevices, Value: "0"}}}
	for _, tt := range []struct {
		plan    plan.Plan
		require bool
		want    int
	}{{plan.Plan{}, true, 1}, {plan.Plan{}, false, 0}, {plan.Plan{GPUs: plan.Field[plan.GPURequest]{Value: "1"}}, true, 0}, {own, true, 0}} {
		c := &container{job: session.NewJob(tt.plan, session.Options{RequireGPU: tt.require})}
		testkit.Same(t, tt.want, len(c.checkUngiven()), tt)
	}
}
