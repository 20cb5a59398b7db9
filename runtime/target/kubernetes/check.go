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
	"github.com/amlfix/amlfix/schema/plain"
)

// Check checks whether the cluster would accept the job.
func (Target) Check(ctx context.Context, job *session.Job, _ project.Snapshot) []preflight.Result {
	_, results := check(ctx, job, false)
	return results
}

// check connects to the cluster and checks it; before a run, it reports only what could prevent the run from starting.
// The client is nil if there is no connection.
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
	if part.Spec.Pods() > 1 && tooOld(server) {
		return nil, []preflight.Result{{Topic: preflight.Connection, Status: preflight.Failed, Text: client.Context + " runs Kubernetes " + server + ", but a job with several pods needs 1.29 or later", Next: "name another context with --k8s context=NAME, or run the job on one machine"}}
	}
	results := []preflight.Result{{Topic: preflight.Connection, Status: preflight.OK, Text: fmt.Sprintf("kubectl %s reaches Kubernetes %s at %s", own, server, client.Cluster)}}
	asks := []func(context.Context, *kubernetes.Client, *Part) []preflight.Result{rights, namespace, gpus, quota, queue, storage, pullSecret, image,
		func(ctx context.Context, _ *kubernetes.Client, _ *Part) []preflight.Result { return builder(ctx, job) }}
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

// tooOld reports whether a cluster lacks the limit of failures for each pod of a job, available since Kubernetes 1.29.
// A cluster whose version is not understood is tried.
func tooOld(server string) bool {
	var major, minor int
	_, err := fmt.Sscanf(server, "v%d.%d", &major, &minor)
	return err == nil && major == 1 && minor < 29
}

// right is the permission to do something with a kind of object.
type right struct{ verb, what string }

// needed are the rights that every run needs.
var needed = []right{
	{"create", "jobs.batch"}, {"get", "jobs.batch"}, {"list", "jobs.batch"}, {"watch", "jobs.batch"}, {"delete", "jobs.batch"},
	{"get", "pods"}, {"list", "pods"}, {"create", "pods/exec"},
}

// needs returns the rights that this run needs.
func (part *Part) needs() []right {
	list := slices.Clone(needed)
	if len(part.Spec.Secrets) > 0 {
		list = append(list, right{"create", "secrets"}, right{"delete", "secrets"})
	}
	if part.Spec.Storage.Made() {
		list = append(list, right{"get", "persistentvolumeclaims"}, right{"create", "persistentvolumeclaims"})
	}
	if part.Spec.Pods() > 1 {
		list = append(list, right{"create", "services"}, right{"delete", "services"})
	}
	return list
}

func rights(ctx context.Context, c *kubernetes.Client, part *Part) []preflight.Result {
	needed := part.needs()
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
		return []preflight.Result{{Topic: Rights, Status: preflight.Failed, Text: fmt.Sprintf("this user lacks rights in %s that a run needs: %s", c.Cluster, strings.Join(lacking, ", ")),
			Next: "ask the cluster's administrator for these rights, or name another namespace with --k8s namespace=NAME"}}
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
	return nil // users may not be allowed to see it
}

func gpus(ctx context.Context, c *kubernetes.Client, part *Part) []preflight.Result {
	wanted := part.Spec.GPUs.Value
	nodes, err := c.Nodes(ctx, part.Spec)
	if wanted == 0 && (err != nil || len(nodes) > 0) {
		return nil
	}
	if kubernetes.Is(err, kubernetes.Forbidden) {
		return []preflight.Result{{Topic: preflight.GPUs, Status: preflight.Unknown, Text: "this user may not see the nodes, so their GPUs are unknown"}}
	}
	if err != nil {
		return []preflight.Result{target.FailedAs(preflight.GPUs, err)}
	}
	most, fitting, room, pods := 0, 0, 0, part.Spec.Pods()
	for _, n := range nodes {
		most = max(most, n.GPUs)
		room += n.GPUs / wanted
		if n.GPUs >= wanted {
			fitting++
		}
	}
	switch {
	case len(nodes) == 0:
		return []preflight.Result{{Topic: preflight.GPUs, Status: preflight.Failed, Text: "no node of the cluster accepts the job", Next: "check kubernetes.node-selector and kubernetes.tolerations"}}
	case most == 0:
		return []preflight.Result{{Topic: preflight.GPUs, Status: preflight.Failed, Text: "no node that accepts the job offers " + kubernetes.GPU,
			Next: "install NVIDIA's device plugin on a node with a GPU, tolerate its taint with kubernetes.tolerations, or run without one: --gpus none"}}
	case fitting > 0 && room < pods:
		return []preflight.Result{{Topic: preflight.GPUs, Status: preflight.Failed, Text: fmt.Sprintf("the job has %d pods with %s each, but the nodes that accept it have room for %d of them", pods, plain.Count(wanted, "GPU"), room), Next: "use fewer machines, or fewer GPUs on each with --gpus"}}
	case fitting == 0:
		return []preflight.Result{{Topic: preflight.GPUs, Status: preflight.Failed, Text: fmt.Sprintf("the job needs %d GPUs on one node, but no node that accepts it has more than %d", wanted, most), Next: fmt.Sprintf("ask for fewer: --gpus %d", most)}}
	}
	offer := "offer"
	if fitting == 1 {
		offer = "offers"
	}
	return []preflight.Result{{Topic: preflight.GPUs, Status: preflight.OK, Text: fmt.Sprintf("%s %s %d %s or more", plain.Count(fitting, "node"), offer, wanted, kubernetes.GPU)}}
}

func quota(ctx context.Context, c *kubernetes.Client, part *Part) (results []preflight.Result) {
	exceeded, err := c.Exceeded(ctx, part.Spec)
	if err != nil {
		return nil // users may not be allowed to see it; creating the job shows the rest
	}
	for _, e := range exceeded {
		next := "wait for other jobs to end"
		if e.Never {
			next = "ask for less"
		}
		results = append(results, preflight.Result{Topic: Quota, Status: preflight.Failed, Text: e.Text, Next: next + ", or name another namespace with --k8s namespace=NAME"})
	}
	if text, flags, err := c.Unlimited(ctx, part.Spec); err == nil && text != "" {
		results = append(results, preflight.Result{Topic: Quota, Status: preflight.Failed, Text: text, Next: "add " + flags})
	}
	return results
}

// Quota is the topic of what a namespace may use.
const Quota preflight.Topic = "quota"

// queue checks that the queue that admits the job exists: without it the job would wait forever.
func queue(ctx context.Context, c *kubernetes.Client, part *Part) []preflight.Result {
	name := part.Spec.Queue.Value
	if name == "" {
		return nil
	}
	failed := preflight.Result{Topic: Quota, Status: preflight.Failed, Text: fmt.Sprintf("there is no queue %s in %s", name, c.Cluster), Next: "name another one with --k8s queue=NAME; `kubectl get localqueues` lists them"}
	there, err := c.Has(ctx, "localqueues.kueue.x-k8s.io", name)
	switch {
	case kubernetes.Missing(err):
		failed.Text, failed.Next = c.Context+" has no Kueue, which queue "+name+" needs", "install it (https://kueue.sigs.k8s.io), or remove kubernetes.queue"
		return []preflight.Result{failed}
	case err != nil: // users may not be allowed to see it
		return []preflight.Result{{Topic: Quota, Status: preflight.Unknown, Text: "this user may not see queues, so whether queue " + name + " exists is unknown"}}
	case !there:
		return []preflight.Result{failed}
	}
	return []preflight.Result{{Topic: Quota, Status: preflight.OK, Text: "queue " + name + " exists"}}
}

// PullSecret is the topic of checks of the login with which nodes pull the image.
const PullSecret preflight.Topic = "pull secret"

// pullSecret checks for the secret that the settings name.
func pullSecret(ctx context.Context, c *kubernetes.Client, part *Part) []preflight.Result {
	name := part.Spec.PullSecret.Value
	if name == "" {
		return nil
	}
	const next = "create it with `kubectl create secret docker-registry`, or name another one with kubernetes.pull-secret"
	kind, err := c.SecretType(ctx, name)
	switch {
	case kubernetes.Is(err, kubernetes.NotFound):
		return []preflight.Result{{Topic: PullSecret, Status: preflight.Failed, Text: fmt.Sprintf("there is no secret %s in %s", name, c.Cluster), Next: next}}
	case err != nil: // users need not be allowed to see it
		return []preflight.Result{{Topic: PullSecret, Status: preflight.Unknown, Text: "this user may not see secrets, so whether secret " + name + " exists is unknown"}}
	case kind != "kubernetes.io/dockerconfigjson" && kind != "kubernetes.io/dockercfg":
		return []preflight.Result{{Topic: PullSecret, Status: preflight.Failed, Text: fmt.Sprintf("secret %s of %s is not a login for a registry: its type is %s", name, c.Cluster, kind), Next: next}}
	}
	return []preflight.Result{{Topic: PullSecret, Status: preflight.OK, Text: "secret " + name + ", with the login for the image's registry, exists"}}
}
