package kubernetes

import (
	"fmt"
	"strings"

	"github.com/amlfix/amlfix/runtime/docker"
	"github.com/amlfix/amlfix/runtime/plan"
	container "github.com/amlfix/amlfix/runtime/target/docker"
	"github.com/amlfix/amlfix/schema"
)

// Plan plans the image and its limits as for a container of an engine, and everything else from the settings.
func (Target) Plan(d *plan.Draft) error {
	if d.Job.UsesSpark() {
		return &plan.Error{Origin: d.At(d.Job.Framework), Text: "target k8s does not run Spark jobs: run this one on a target of type cluster, or with Framework: Python"}
	}
	if d.NamesShare() {
		d.Note("nativeSharedDirectory is not available in a cluster", d.Compute.SharedDirectory)
	}
	compute := *d.Compute
	compute.SharedVolumes, compute.SharedDirectory = schema.Field{}, schema.Field{}
	d.Compute = &compute
	if err := (container.Target{}).Plan(d); err != nil {
		return err
	}
	for _, v := range d.Plan.Env {
		if why := plan.Unsettable(v.Name, v.Value, true); why != "" {
			return &plan.Error{Origin: v.Origin, Text: why}
		}
	}
	image, _ := container.PartOf(d.Plan)
	part := &Part{}
	d.Plan.Part, d.Plan.Transport = part, "copied into the pod, by kubectl exec"
	part.Spec.RunID, part.Spec.Project = d.Plan.RunID, docker.ProjectMark(d.Plan.Project)
	part.Plain, part.Spec.Secrets = split(d.Plan.Env)
	if err := part.settings(d.Options.Kubernetes); err != nil {
		return err
	}
	part.storage()
	if err := part.image(d, image); err != nil {
		return err
	}
	if err := part.container(d, image); err != nil {
		return err
	}
	return part.spread(d)
}

// container adopts what is planned for a container of an engine.
func (part *Part) container(d *plan.Draft, c *container.Part) error {
	s := &part.Spec
	s.Memory, s.CPUs, s.Shm = c.Memory, c.CPUs, c.Shm
	g := d.Plan.GPUs
	switch {
	case g.Value == plan.AllGPUs && g.Origin == plan.CommandLine:
		return &plan.Error{Usage: true, Text: "--gpus all: a pod needs a number of GPUs: write --gpus 1"}
	case g.Value == plan.AllGPUs:
		s.GPUs = plan.From(1, g.Origin)
		d.Plan.GPUs.Value = "1"
	case g.Value.Count() > 0:
		s.GPUs = plan.From(g.Value.Count(), g.Origin)
	}
	return nil
}

// settings reads the settings and the command line for the cluster; later ones win.
func (part *Part) settings(items []plan.Item) error {
	s := &part.Spec
	single := map[string]*plan.Field[string]{
		"context": &part.Context, "namespace": &part.Namespace, "claim": &s.Claim, "pull-secret": &s.PullSecret, "queue": &s.Queue,
		"storage-class": &s.Storage.Class, "storage": &s.Storage.Size, "registry": &part.Registry,
	}
	for _, i := range items {
		field, ok := single[i.Name]
		why := misformed(i)
		switch {
		case i.Value == "" || strings.HasPrefix(i.Value, "-") || strings.ContainsAny(i.Value, "\x00\n"):
			return wrong(i, "is not a valid value")
		case why != "":
			return wrong(i, why)
		case ok:
			*field = plan.From(i.Value, i.Origin)
		case i.Name == "node-selector":
			s.Selector = append(s.Selector, i)
		case i.Name == "toleration":
			s.Tolerated = append(s.Tolerated, i)
		default:
			if i.Origin != plan.CommandLine {
				return &plan.Error{Origin: i.Origin, Text: "kubernetes." + i.Name + " is not a setting: the settings are context, namespace, node-selector, tolerations, claim, storage-class, storage, pull-secret, registry and queue"}
			}
			return wrong(i, "is not a setting: the settings are context, namespace, node-selector, toleration, claim, storage-class, storage, pull-secret, registry and queue")
		}
	}
	return nil
}

func wrong(i plan.Item, why string) error {
	if i.Origin != plan.CommandLine {
		return &plan.Error{Origin: i.Origin, Text: fmt.Sprintf("kubernetes.%s: %s %s", i.Name, plan.Quote(i.Value), why)}
	}
	return &plan.Error{Origin: i.Origin, Usage: true, Text: fmt.Sprintf("--k8s %s=%s %s", i.Name, plan.Quote(i.Value), why)}
}
