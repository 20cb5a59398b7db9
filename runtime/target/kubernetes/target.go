// Package kubernetes runs jobs in pods of a Kubernetes cluster.
package kubernetes

import (
	"github.com/amlfix/amlfix/runtime/kubernetes"
	"github.com/amlfix/amlfix/runtime/plan"
	"github.com/amlfix/amlfix/runtime/preflight"
	"github.com/amlfix/amlfix/runtime/session"
	"github.com/amlfix/amlfix/runtime/target"
	container "github.com/amlfix/amlfix/runtime/target/docker"
)

// Target runs jobs in pods. A job can access a copy of the project and the contents of its image; it gets no rights in
// the cluster. Whether a pod can reach more depends on the cluster.
type Target struct{}

// Part holds the parts of a plan that are specific to a pod.
type Part struct {
	Context, Namespace plan.Field[string] // empty: the current ones
	Spec               kubernetes.Spec
	Spread             Spread      // for a job with several pods
	Plain              []plan.Item // variables that are sent over the connection
	// Registry is the registry to which Build's image is pushed, with the repository there.
	Registry plan.Field[string]
	// Build is what a custom image is built from with the local engine; nil: there is none.
	Build *container.Part
	// Packages describes what is installed in the pod before the job runs; Recipe is empty if nothing is.
	Packages container.Part
}

// About describes the target.
func (Target) About() target.About {
	return target.About{Kind: "k8s", Types: []target.Type{{Name: Type}}, Where: session.InImage}
}

// Type is the type of the target. It has no .compute file: it is selected by this name.
const Type = "k8s"

// partOf returns the Part of a plan for a pod.
func partOf(p plan.Plan) *Part {
	if part, ok := p.Part.(*Part); ok {
		return part
	}
	return &Part{}
}

// Lines returns the cluster, and the manifest with the origin of every field.
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
	if packages := part.Packages; !packages.Recipe.Empty() {
		add("environment", plan.Quote(packages.Conda.Value), part.prepared())
		if !packages.Prepare.Value {
			add("note", "the environment must already be prepared: PrepareEnvironment is false", packages.Prepare.Origin)
		}
	}
	if part.Spec.Pods() > 1 {
		for _, v := range part.environment(0) {
			add("pod 0", v, part.Spec.Nodes.Origin)
		}
	}
	for _, object := range []struct {
		name string
		sets []kubernetes.Set
	}{{"service", part.service()}, {"manifest", part.Spec.Manifest()}, {"secret", part.Spec.SecretManifest("")}, {"claim", part.Spec.ClaimManifest()}} {
		for _, set := range object.sets {
			add(object.name, set.String(), set.Origin)
		}
	}
	return surroundings, limits
}

// Place also knows the line about the image.
func (Target) Place(p plan.Plan, res preflight.Result) plan.Origin {
	part := partOf(p)
	switch res.Topic {
	case preflight.Image:
		return part.Spec.Image.Origin
	case PullSecret:
		return part.Spec.PullSecret.Origin
	case preflight.Environment:
		return part.Packages.Conda.Origin
	case Storage:
		return part.Spec.Claim.Origin
	case preflight.Connection:
		return part.Context.Origin
	case preflight.GPUs:
		return part.Spec.GPUs.Origin
	default:
	}
	return target.Place(p, res)
}
