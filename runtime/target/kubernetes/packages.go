package kubernetes

import (
	"cmp"
	"slices"

	"github.com/amlfix/amlfix/runtime/kubernetes"
	"github.com/amlfix/amlfix/runtime/plan"
	container "github.com/amlfix/amlfix/runtime/target/docker"
)

// split separates the variables that are sent over the connection from the secret ones, from which the cluster creates
// a secret. If several have the same name, the last one counts.
func split(env []plan.Item) (open, secret []plan.Item) {
	for i, v := range env {
		later := func(o plan.Item) bool { return o.Name == v.Name }
		switch {
		case slices.ContainsFunc(env[i+1:], later):
		case v.Secret:
			secret = append(secret, v)
		default:
			open = append(open, v)
		}
	}
	return open, secret
}

// storage names the claim created for the storage settings.
func (part *Part) storage() {
	s := &part.Spec
	if s.Claim.Value != "" || !s.Storage.Made() {
		return
	}
	o := s.Storage.Class.Origin
	if s.Storage.Class.Value == "" {
		o = s.Storage.Size.Origin
	}
	o.Note = plan.Join("kubernetes.claim names another one", o.Note)
	s.Claim = plan.From(kubernetes.ClaimName, o)
}

// image plans where the job's image comes from, and what is installed on top of it.
func (part *Part) image(d *plan.Draft, c *container.Part) error {
	part.Spec.Image = c.Image
	switch {
	case d.Options.Build && part.Registry.Value == "":
		return &plan.Error{Usage: true, Text: "--build pushes an image, but no registry is set: name one that the cluster pulls from, with kubernetes.registry in .amlfix.yaml or --k8s registry=HOST/FOLDER"}
	case c.Build != nil && !d.Options.Build:
		return &plan.Error{Origin: cmp.Or(c.Image.Origin, d.Plan.Kind.Origin), Text: "the environment is built from a Dockerfile: add --build, which builds it here and pushes it to kubernetes.registry, or name an image that the cluster can pull with --image"}
	case d.Options.Build && c.Build == nil && c.Recipe.Empty():
		d.Plan.Notes = append(d.Plan.Notes, plan.From("--build has nothing to build: the job's image is used as it is", c.Image.Origin))
	case d.Options.Build:
		part.Build = c
		part.Spec.Image = plan.From(part.repository(), plan.Origin{Path: c.Image.Origin.Path, Line: c.Image.Origin.Line, Note: plan.Join(c.Image.Origin.Note, "built here and pushed when the job runs")})
	case !c.Recipe.Empty():
		part.Packages = *c
		if !c.Prepare.Value && part.Spec.Claim.Value == "" {
			return &plan.Error{Origin: c.Prepare.Origin, Text: part.unprepared()}
		}
	}
	return nil
}

// prepared returns where the environment is made.
func (part *Part) prepared() plan.Origin {
	o := part.Packages.Conda.Origin
	if claim := part.Spec.Claim.Value; claim != "" {
		o.Note = plan.Join(o.Note, "prepared once, on claim "+plan.Quote(claim))
	} else {
		o.Note = plan.Join(o.Note, "prepared in the pod for every run; kubernetes.claim or kubernetes.storage-class keeps it")
	}
	return o
}

// service returns the Service of a job with several pods.
func (part *Part) service() []kubernetes.Set {
	if part.Spec.Pods() == 1 {
		return nil
	}
	return part.Spec.Service("")
}
