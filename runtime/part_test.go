package runtime

import (
	"testing"

	"github.com/amlfix/amlfix/runtime/plan"
	"github.com/amlfix/amlfix/runtime/target/cluster"
	"github.com/amlfix/amlfix/runtime/target/docker"
)

// Types that the tests use to write down plans.
type (
	field[T any] = plan.Field[T]
	item         = plan.Item
)

func from[T any](value T, o Origin) field[T] { return plan.From(value, o) }

const allGPUs = plan.AllGPUs

// part returns what a plan says about its container.
func part(t *testing.T, p Plan) *docker.Part {
	t.Helper()
	part, ok := docker.PartOf(p)
	if !ok {
		t.Fatalf("the plan is not for a container: %+v", p)
	}
	return part
}

// sentPlan is a plan for another process to carry out.
type sentPlan struct {
	Plan      Plan
	Container *docker.Part
	Cluster   *cluster.Part
}

func send(p Plan) (s sentPlan) {
	s.Container, _ = docker.PartOf(p)
	s.Cluster, _ = p.Part.(*cluster.Part)
	s.Plan, s.Plan.Part = p, nil
	return s
}

func (s sentPlan) plan() Plan {
	switch {
	case s.Container != nil:
		s.Plan.Part = s.Container
	case s.Cluster != nil:
		s.Plan.Part = s.Cluster
	}
	return s.Plan
}
