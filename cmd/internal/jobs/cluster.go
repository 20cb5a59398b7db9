package jobs

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/runtime"
	"github.com/amlfix/amlfix/runtime/kubernetes"
	"github.com/amlfix/amlfix/runtime/plan"
	"github.com/amlfix/amlfix/runtime/runid"
	target "github.com/amlfix/amlfix/runtime/target/kubernetes"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/plain"
)

// cluster is the target that no file describes: the cluster in the settings.
const cluster = target.Type

// onCluster returns a run configuration's job with the cluster as its target, and what its own target says about the
// image. image replaces the image and the environment; "" does not.
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

// clusterSettings returns the settings from the settings file and the command line, in this order.
func (c *Jobs) clusterSettings(k chosen, o RunOptions) (items []plan.Item, err error) {
	if len(o.Cluster) > 0 && o.Target != cluster {
		return nil, console.Usage("run", "--k8s is for jobs in a cluster: add -t k8s")
	}
	if o.Build && o.Target != cluster {
		return nil, console.Usage("run", "--build is for jobs in a cluster: add -t k8s")
	}
	for _, s := range k.root.Settings.Kubernetes {
		path, line, _ := k.root.Settings.Origin(s.Pointer)
		items = append(items, plan.Item{Name: s.Name, Value: s.Value, Origin: plan.Origin{Path: c.Rel(path), Line: line}})
	}
	for _, text := range o.Cluster {
		name, value, ok := strings.Cut(text, "=")
		if !ok || name == "" {
			return nil, console.Usage("run", "--k8s %s: write NAME=VALUE, such as namespace=team-a", text)
		}
		if name == "tolerations" {
			name = "toleration"
		}
		items = append(items, plan.Item{Name: name, Value: value, Origin: plan.CommandLine})
	}
	return items, nil
}

// inClusters lists what runs without a record here have left in the clusters that the project's settings name, or in
// which other runs were.
func (k *cleaning) inClusters(ctx context.Context, all runs, known []runid.ID) (list []runtime.Leftover, err error) {
	clusters, projects := k.clusters(all)
	var errs []error
	for _, c := range clusters {
		left, err := runtime.ClusterLeftovers(ctx, c, projects, known)
		list, errs = append(list, left...), append(errs, err)
	}
	return list, errors.Join(errs...)
}

// clusters returns the clusters, by name, that the project's settings name, or in which runs were, and the projects
// that have run there.
func (k *cleaning) clusters(all runs) (clusters []kubernetes.Cluster, projects []string) {
	for _, r := range all {
		if h := r.Handle; h.Context != "" {
			clusters = append(clusters, kubernetes.Cluster{Context: h.Context, Namespace: h.Namespace})
		}
		projects = append(projects, r.Project)
	}
	engine := *k.Engine
	engine.Trust.Isolated = false // runs are found whatever the settings say, but the settings say where the cluster is
	for _, root := range engine.Discover([]string{cmp.Or(k.dir, ".")}).Roots {
		var c kubernetes.Cluster
		for _, s := range root.Settings.Kubernetes {
			switch s.Name {
			case "context":
				c.Context = s.Value
			case "namespace":
				c.Namespace = s.Value
			}
		}
		if len(root.Settings.Kubernetes) > 0 {
			clusters = append(clusters, c)
		}
		projects = append(projects, root.Dir)
	}
	plain.SortFunc(clusters, func(a, b kubernetes.Cluster) int { return cmp.Compare(a.String(), b.String()) })
	return slices.Compact(clusters), projects
}

// claims removes the claims that amlfix has created in clusters for these runs, with the projects and environments on
// their volumes, if the user agrees. found reports whether there is a cluster.
func (k *cleaning) claims(ctx context.Context, of runs) (found bool, err error) {
	clusters, _ := k.clusters(of)
	var errs []error
	seen := map[string]bool{} // settings without a context and a run may name the same cluster
	for _, c := range clusters {
		list, err := runtime.ClusterClaims(ctx, c)
		errs = append(errs, err)
		for _, l := range list {
			if seen[l.What] {
				continue
			}
			seen[l.What] = true
			yes, err := k.sure(ctx, "Remove "+l.What+", with the projects and environments on it?")
			if errs = append(errs, err); !yes {
				k.kept++
				continue
			}
			k.remove(l.What, func() error { return l.Remove(ctx) })
		}
	}
	return len(clusters) > 0, errors.Join(errs...)
}
