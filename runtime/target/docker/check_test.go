package docker

import (
	"testing"

	"github.com/amlfix/amlfix/runtime/plan"
	"github.com/amlfix/amlfix/runtime/preflight"
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
