package kubernetes

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/amlfix/amlfix/runtime/kubernetes"
	"github.com/amlfix/amlfix/runtime/preflight"
	"github.com/amlfix/amlfix/runtime/project"
	"github.com/amlfix/amlfix/runtime/session"
	"github.com/amlfix/amlfix/runtime/target"
)

// Check asks the cluster whether it would take the job.
func (Target) Check(ctx context.Context, job *session.Job, _ project.Snapshot) []preflight.Result {
	_, results := check(ctx, job, false)
	return results
}

// check connects, and asks what there is; before a run only what could keep it from
// starting is said. The client is nil when there is none.
func check(ctx context.Context, job *session.Job, before bool) (*kubernetes.Client, []preflight.Result) {
	part := partOf(job.Plan)
	client, err := kubernetes.Connect(ctx, kubernetes.Cluster{Context: part.Context.Value, Namespace: part.Namespace.Value}, target.OwnEnvironment())
	if err != nil {
		return nil, []preflight.Result{target.FailedAs(preflight.Connection, err)}
	}
	own, server, err := client.Version(ctx)
	if err != nil {
		return nil, []preflight.Result{target.FailedAs(preflight.Connection, err)}
	}
	results := []preflight.Result{{Topic: preflight.Connection, Status: preflight.OK, Text: fmt.Sprintf("kubectl %s reaches Kubernetes %s at %s", own, server, client.Cluster)}}
	asks := []func(context.Context, *kubernetes.Client, *Part) []preflight.Result{rights, namespace, gpus, quota, named, image}
	found := make([][]preflight.Result, len(asks))
	var wait sync.WaitGroup
	for i, ask := range asks {
		wait.Go(func() { found[i] = ask(ctx, client, part) })
	}
	wait.Wait()
	results = append(results, slices.Concat(found...)...)
	if before {
		results = slices.DeleteFunc(results, func(r preflight.Result) bool { return r.Status == preflight.Unknown })
	}
	return client, results
}

// needed are the rights that a run needs.
var needed = []struct{ verb, what string }{
	{"create", "jobs.batch"}, {"get", "jobs.batch"}, {"delete", "jobs.batch"}, {"list", "pods"}, {"get", "pods"}, {"create", "pods/exec"},
}

func rights(ctx context.Context, c *kubernetes.Client, _ *Part) []preflight.Result {
	type answer struct {
		may bool
		err error
	}
	answers := make([]answer, len(needed))
	var wait sync.WaitGroup
	for i, n := range needed {
		wait.Go(func() { answers[i].may, answers[i].err = c.May(ctx, n.verb, n.what) })
	}
	wait.Wait()
	var lacking []string
	for i, a := range answers {
		if a.err != nil {
			return []preflight.Result{target.FailedAs(Rights, a.err)}
		}
		if !a.may {
			lacking = append(lacking, needed[i].verb+" "+needed[i].what)
		}
	}
	if len(lacking) > 0 {
		return []preflight.Result{{Topic: Rights, Status: preflight.Failed, Text: fmt.Sprintf("this user may not do in %s what a run needs: %s", c.Cluster, strings.Join(lacking, ", ")),
			Next: "ask whoever runs the cluster for these rights, or name another namespace with --k8s namespace=NAME"}}
	}
	return []preflight.Result{{Topic: Rights, Status: preflight.OK, Text: "this user may run jobs in " + c.String()}}
}

// Rights is the topic of what the user may do.
const Rights preflight.Topic = "rights"

func namespace(ctx context.Context, c *kubernetes.Client, _ *Part) []preflight.Result {
	there, err := c.Has(ctx, "namespace", c.Namespace)
	if err == nil && !there {
		return []preflight.Result{{Topic: Rights, Status: preflight.Failed, Text: fmt.Sprintf("there is no namespace %s in %s", c.Namespace, c.Context),
			Next: "name another one with --k8s namespace=NAME; `kubectl get namespaces` lists them"}}
	}
	return nil // users need not be allowed to see it
}

func gpus(ctx context.Context, c *kubernetes.Client, part *Part) []preflight.Result {
	wanted := part.Spec.GPUs.Value
	if wanted == 0 {
		return nil
	}
	nodes, err := c.Nodes(ctx, part.Spec)
	if kubernetes.Is(err, kubernetes.Forbidden) {
		return []preflight.Result{{Topic: preflight.GPUs, Status: preflight.Unknown, Text: "this user may not see the nodes, so that their GPUs are not known"}}
	}
	if err != nil {
		return []preflight.Result{target.FailedAs(preflight.GPUs, err)}
	}
	most, fitting := 0, 0
	for _, n := range nodes {
		most = max(most, n.GPUs)
		if n.GPUs >= wanted {
			fitting++
		}
	}
	switch {
	case len(nodes) == 0:
		return []preflight.Result{{Topic: preflight.GPUs, Status: preflight.Failed, Text: "no node of the cluster takes the job", Next: "check kubernetes.node-selector and kubernetes.tolerations"}}
	case most == 0:
		return []preflight.Result{{Topic: preflight.GPUs, Status: preflight.Failed, Text: fmt.Sprintf("none of the %d node(s) that take the job offers %s", len(nodes), kubernetes.GPU),
			Next: "install NVIDIA's device plugin on a node with a GPU, tolerate its taint with kubernetes.tolerations, or run without one: --gpus none"}}
	case fitting == 0:
		return []preflight.Result{{Topic: preflight.GPUs, Status: preflight.Failed, Text: fmt.Sprintf("the job is for %d GPUs of one node, and no node that takes it has more than %d", wanted, most), Next: fmt.Sprintf("ask for fewer: --gpus %d", most)}}
	}
	return []preflight.Result{{Topic: preflight.GPUs, Status: preflight.OK, Text: fmt.Sprintf("%d node(s) offer %d %s or more", fitting, wanted, kubernetes.GPU)}}
}

func quota(ctx context.Context, c *kubernetes.Client, part *Part) (results []preflight.Result) {
	exceeded, err := c.Exceeded(ctx, part.Spec)
	if err != nil {
		return nil // users need not be allowed to see it; making the job says the rest
	}
	for _, text := range exceeded {
		results = append(results, preflight.Result{Topic: Quota, Status: preflight.Failed, Text: text, Next: "wait for other jobs to end, or name another namespace with --k8s namespace=NAME"})
	}
	return results
}

// Quota is the topic of what a namespace may use.
const Quota preflight.Topic = "quota"

// named looks for the claim and the secret that the settings name.
func named(ctx context.Context, c *kubernetes.Client, part *Part) (results []preflight.Result) {
	for _, n := range []struct {
		topic            preflight.Topic
		kind, name, next string
	}{
		{preflight.Folder, "persistentvolumeclaim", part.Spec.Claim.Value, "make it, or name another one with kubernetes.claim; `kubectl get pvc` lists them"},
		{preflight.Image, "secret", part.Spec.PullSecret.Value, "make it with `kubectl create secret docker-registry`, or name another one with kubernetes.pull-secret"},
	} {
		if n.name == "" {
			continue
		}
		if there, err := c.Has(ctx, n.kind, n.name); err == nil && !there {
			results = append(results, preflight.Result{Topic: n.topic, Status: preflight.Failed, Text: fmt.Sprintf("there is no %s %s in %s", n.kind, n.name, c.Cluster), Next: n.next})
		}
	}
	return results
}

// image says where the image is already: whether the cluster can pull it shows when
// the job is started.
func image(ctx context.Context, c *kubernetes.Client, part *Part) []preflight.Result {
	nodes, err := c.Nodes(ctx, part.Spec)
	if err == nil && slices.ContainsFunc(nodes, func(n kubernetes.Node) bool { return n.Has(part.Spec.Image.Value) }) {
		return []preflight.Result{{Topic: preflight.Image, Status: preflight.OK, Text: part.Spec.Image.Value + " is on a node"}}
	}
	return []preflight.Result{{Topic: preflight.Image, Status: preflight.Unknown, Text: "whether the cluster can pull " + part.Spec.Image.Value + " shows when the job is started"}}
}
