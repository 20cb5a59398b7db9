package jobs

import (
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/cli"
	"github.com/amlfix/amlfix/runtime/plan"
	"github.com/amlfix/amlfix/runtime/target/kubernetes"
	"github.com/amlfix/amlfix/schema"
)

// cluster is the target that no file describes: the cluster of the settings.
const cluster = kubernetes.Type

// onCluster is a run configuration's job with the cluster as its target, and what its
// own target says of the image. image takes the image's and the environment's place;
// "" does not.
func onCluster(j *schema.Job, image string) *schema.Job {
	job := *j
	t := schema.Target{Name: cluster, File: j.File}
	if j.Target != nil {
		t = *j.Target
	}
	t.Name, t.Type, t.Docker.Bool = cluster, schema.Field{Text: cluster}, true
	if image != "" {
		t.Image = schema.Field{Text: image}
		job.Environment, job.CondaPath = nil, schema.Field{}
	}
	job.Target, job.TargetName = &t, schema.Field{Text: cluster}
	return &job
}

// clusterSettings are those of the settings and the command line, in this order.
func (c *Jobs) clusterSettings(k chosen, o RunOptions) (items []plan.Item, err error) {
	if len(o.Cluster) > 0 && o.Target != cluster {
		return nil, cli.Usage("run", "--k8s is for jobs in a cluster: add -t k8s")
	}
	for _, s := range k.root.Settings.Kubernetes {
		path, line, _ := k.root.Settings.Origin(s.Pointer)
		items = append(items, plan.Item{Name: s.Name, Value: s.Value, Origin: plan.Origin{Path: c.Rel(path), Line: line}})
	}
	for _, text := range o.Cluster {
		name, value, ok := strings.Cut(text, "=")
		if !ok || name == "" {
			return nil, cli.Usage("run", "--k8s %s: write KEY=VALUE, such as namespace=team-a", text)
		}
		if name == "tolerations" {
			name = "toleration"
		}
		items = append(items, plan.Item{Name: name, Value: value, Origin: plan.CommandLine})
	}
	return items, nil
}
