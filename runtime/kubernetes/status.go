package kubernetes

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/amlfix/amlfix/runtime/plan"
	"github.com/amlfix/amlfix/schema/plain"
)

// Metadata holds the fields that all objects have.
type Metadata struct {
	Name              string
	Labels            map[string]string
	Annotations       map[string]string
	DeletionTimestamp *time.Time
}

// Pod holds the fields of a pod that amlfix reads.
type Pod struct {
	Metadata Metadata
	Status   struct {
		Phase, Reason, Message string
		Conditions             []struct{ Type, Status, Reason, Message string }
		ContainerStatuses      []containerStatus
	}
}

type containerStatus struct {
	Name    string
	ImageID string
	State   State
}

// State is the state of a container; one of the fields is set.
type State struct {
	Waiting    *struct{ Reason, Message string }
	Running    *struct{}
	Terminated *Termination
}

// Termination describes how a container ended.
type Termination struct {
	ExitCode              int
	Reason, Message       string
	StartedAt, FinishedAt time.Time
}

// Code returns the job's exit code, which differs from the container's if no amlfix process followed a run in several
// pods to its end.
func (t *Termination) Code() int {
	code, err := strconv.Atoi(strings.TrimSpace(t.Message))
	if t.ExitCode != alone || err != nil {
		return t.ExitCode
	}
	return code
}

// Job holds the fields of a job that amlfix reads.
type Job struct {
	Metadata Metadata
	Spec     struct {
		Suspend     bool
		Completions int
	}
}

// container returns what the cluster says about the job's container.
func (p Pod) container() (s containerStatus) {
	for _, c := range p.Status.ContainerStatuses {
		if c.Name == Container {
			s = c
		}
	}
	return s
}

// ImageID returns the ID of the image of the job's container; empty if the cluster does not say.
func (p Pod) ImageID() string { return p.container().ImageID }

// State returns the state of the job's container.
func (p Pod) State() State { return p.container().State }

// Ended reports whether the job's container has ended for good: amlfix's pods never restart one.
func (p Pod) Ended() bool { return p.State().Terminated != nil || p.Over() }

// Over reports whether the pod has reached its final state.
func (p Pod) Over() bool { return p.Status.Phase == "Failed" || p.Status.Phase == "Succeeded" }

// Why returns why a pod has ended.
func (p Pod) Why() string {
	t := p.State().Terminated
	switch {
	case p.Status.Reason != "":
		return strings.TrimRight(plan.Join(p.Status.Reason, p.Status.Message), ". ")
	case p.Disrupted() != "":
		return "evicted: " + p.Disrupted()
	case t != nil && t.Code() != t.ExitCode:
		return fmt.Sprintf("exit code %d", t.Code())
	case t != nil && t.Reason != "":
		return plan.Join(fmt.Sprintf("%s, exit code %d", t.Reason, t.ExitCode), t.Message)
	case t != nil:
		return fmt.Sprintf("exit code %d", t.ExitCode)
	}
	return "phase " + p.Status.Phase
}

// Disrupted returns why the cluster ends a pod that did nothing wrong, because it is evicted or preempted; empty: it
// does not.
func (p Pod) Disrupted() string {
	for _, c := range p.Status.Conditions {
		if c.Type == "DisruptionTarget" && c.Status == "True" {
			return plan.Join(c.Reason, c.Message)
		}
	}
	return ""
}

// hopeless lists the waiting reasons that only a change of the image or of the pod's own fields can resolve.
var hopeless = []string{"ImagePullBackOff", "ErrImageNeverPull", "InvalidImageName", "CreateContainerConfigError", "CreateContainerError", "RunContainerError", "CrashLoopBackOff"}

// Waiting returns why a pod is not running yet, and whether this will not change by itself.
func (p Pod) Waiting() (why string, final bool) {
	if w := p.State().Waiting; w != nil && w.Reason != "ContainerCreating" && w.Reason != "PodInitializing" {
		return plan.Join(w.Reason, w.Message), slices.Contains(hopeless, w.Reason)
	}
	for _, c := range p.Status.Conditions {
		if c.Type == "PodScheduled" && c.Status == "False" {
			return plan.Join(c.Reason, c.Message), false
		}
	}
	return "", false
}

// Pod returns a pod by name.
func (c *Client) Pod(ctx context.Context, name string) (p Pod, err error) {
	err = c.get(ctx, &p, "pod", name)
	return p, err
}

// Pods returns the pods of a job.
func (c *Client) Pods(ctx context.Context, job string) ([]Pod, error) {
	var list struct{ Items []Pod }
	err := c.get(ctx, &list, "pods", "-l", "job-name="+job)
	plain.SortFunc(list.Items, func(a, b Pod) int { return cmp.Compare(a.Metadata.Name, b.Metadata.Name) })
	return list.Items, err
}

// Job returns a job by name; ok is false if there is none.
func (c *Client) Job(ctx context.Context, name string) (j Job, ok bool, err error) {
	err = c.get(ctx, &j, "--ignore-not-found", "job", name)
	return j, j.Metadata.Name != "", err
}

// Jobs returns all amlfix jobs in the namespace.
func (c *Client) Jobs(ctx context.Context) ([]Job, error) {
	var list struct{ Items []Job }
	err := c.get(ctx, &list, "jobs", "-l", Managed)
	return list.Items, err
}

// Event is what the cluster reports about an object.
type Event struct {
	Reason, Message string
	LastTimestamp   time.Time
}

func (e Event) String() string { return e.Reason + ": " + strings.Join(strings.Fields(e.Message), " ") }

// Warning returns the latest warning about an object; empty: there is none, or the user may not see it.
func (c *Client) Warning(ctx context.Context, object string) string {
	var list struct{ Items []Event }
	if err := c.get(ctx, &list, "events", "--field-selector", "type=Warning,involvedObject.name="+object); err != nil || len(list.Items) == 0 {
		return ""
	}
	plain.SortFunc(list.Items, func(a, b Event) int { return a.LastTimestamp.Compare(b.LastTimestamp) })
	return list.Items[len(list.Items)-1].String()
}
