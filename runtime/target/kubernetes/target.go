// Package kubernetes runs jobs in pods of a Kubernetes cluster.
package kubernetes

import (
	"github.com/amlfix/amlfix/runtime/kubernetes"
	"github.com/amlfix/amlfix/runtime/plan"
	"github.com/amlfix/amlfix/runtime/preflight"
	"github.com/amlfix/amlfix/runtime/target"
)

// Target is the target of pods. A job sees a copy of the project and what its image
// has; it gets no rights in the cluster. What a pod can do beyond that is the
// cluster's affair.
type Target struct{}

// Part is what a run in a pod needs to know.
type Part struct {
	Context, Namespace plan.Field[string] // empty: those in force
	Spec               kubernetes.Spec
}

// About describes the target.
func (Target) About() target.About {
	return target.About{Kind: "k8s", Types: []target.Type{{Name: Type}}, Where: "in the image"}
}

// Type is the type of the target, for which there is no .compute file: it is chosen
// by this name.
const Type = "k8s"

// PartOf is the part of a plan for a pod.
func partOf(p plan.Plan) *Part {
	if part, ok := p.Part.(*Part); ok {
		return part
	}
	return &Part{}
}

// Lines are the cluster, and the manifest with the origin of every field.
func (part *Part) Lines(plan.Plan) (surroundings, limits []plan.Line) {
	add := func(name, value string, o plan.Origin) {
		surroundings = append(surroundings, plan.Line{Name: name, Value: value, Origin: o})
	}
	for _, f := range []struct {
		name  string
		field plan.Field[string]
	}{{"context", part.Context}, {"namespace", part.Namespace}} {
		if f.field.Value == "" {
			add(f.name, "the current one", plan.Origin{Note: "default"})
		} else {
			add(f.name, plan.Quote(f.field.Value), f.field.Origin)
		}
	}
	for _, set := range part.Spec.Manifest() {
		add("manifest", set.String(), set.Origin)
	}
	return surroundings, limits
}

// Place knows the line about the image, too.
func (Target) Place(p plan.Plan, res preflight.Result) plan.Origin {
	part := partOf(p)
	switch res.Topic {
	case preflight.Image:
		return part.Spec.Image.Origin
	case preflight.Connection:
		return part.Context.Origin
	case preflight.GPUs:
		return part.Spec.GPUs.Origin
	default:
	}
	return target.Place(p, res)
}
