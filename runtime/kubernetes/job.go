package kubernetes

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/runtime/runid"
	"github.com/amlfix/amlfix/schema/plain"
)

// Timings in the life of a job.
const (
	lookEvery  = 500 * time.Millisecond // between checks for whether a pod has started or ended
	sayAfter   = 5 * time.Second        // before saying why a pod has not begun
	removeTime = 90 * time.Second       // for a job to disappear; its pods get 30 seconds
	releaseFor = 30 * time.Second       // for a container to end when nothing keeps it running
)

// StartError reports that a job was not started.
type StartError struct{ Text string }

func (e *StartError) Error() string { return e.Text }

// Create creates a job, its secret and, if it has several pods, its Service.
func (c *Client) Create(ctx context.Context, s Spec) error {
	out, err := c.run(ctx, bytes.NewReader(toJSON(s.Manifest())), "create", "-f", "-", "-o", "jsonpath={.metadata.uid}")
	uid := strings.TrimSpace(string(out))
	if err == nil {
		err = c.createSecret(ctx, s, uid)
	}
	if err != nil || s.Pods() == 1 {
		return err
	}
	_, err = c.run(ctx, bytes.NewReader(toJSON(s.Service(uid))), "create", "-f", "-")
	return err
}

// Await waits until all pods of the job run, and reports what it waits for. The error is a *StartError if they will
// never run.
func (c *Client) Await(ctx context.Context, s Spec, say progress.Sink) ([]Pod, error) {
	said, since := "", time.Now()
	for {
		pods, why, err := c.begun(ctx, s)
		if err != nil && !Is(err, Unreachable) || why == "" && err == nil {
			return pods, err
		}
		if err != nil {
			why = err.Error()
		}
		if why != said && time.Since(since) > sayAfter {
			say.Notice("waiting for the %s: %s", s.noun(), why)
			said = why
		}
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-time.After(lookEvery):
		}
	}
}

// begun returns the job's running pods, ordered by index; why says why some are missing.
func (c *Client) begun(ctx context.Context, s Spec) (pods []Pod, why string, err error) {
	name := JobName(s.RunID)
	list, err := c.Pods(ctx, name)
	if err != nil {
		return nil, "", err
	}
	pods, running := make([]Pod, s.Pods()), 0
	for _, pod := range list {
		reason, err := c.waits(ctx, pod)
		if err != nil {
			return nil, "", err
		}
		i := pod.Index()
		switch {
		case i >= len(pods):
		case reason != "" && (why == "" || strings.HasSuffix(why, making)):
			why = reason
			if len(pods) > 1 {
				why = fmt.Sprintf("pod %d is waiting: %s", i, reason)
			}
		case reason == "":
			pods[i] = pod
			running++
		}
	}
	switch {
	case running == len(pods):
		return pods, "", nil
	case why == "":
		why = c.absent(ctx, name)
	}
	if len(pods) > 1 {
		why = fmt.Sprintf("%d of %d %s running; %s", running, len(pods), plain.Is(running), why)
	}
	return nil, why, nil
}

// waits returns why a pod is not running yet. The error is a *StartError if it will never run.
func (c *Client) waits(ctx context.Context, pod Pod) (why string, err error) {
	switch {
	case pod.State().Running != nil:
		return "", nil
	case pod.Ended():
		return "", &StartError{unstarted(pod.Why())}
	}
	why, final := pod.Waiting()
	if final && !unready(why) {
		if warning := c.Warning(ctx, pod.Metadata.Name); strings.Contains(why, "BackOff") && strings.Contains(warning, "ull image") {
			why = warning
		}
		return "", &StartError{unstarted(why)}
	}
	return cmp.Or(why, making), nil
}

// making is the reason why a pod is not running yet if nothing is wrong.
const making = "its container is being created"

// absent returns why a job has no pod.
func (c *Client) absent(ctx context.Context, name string) string {
	job, ok, err := c.Job(ctx, name)
	switch {
	case err != nil || !ok:
		return "not created yet"
	case job.Spec.Suspend && job.Metadata.Labels[QueueLabel] != "":
		return "the job is suspended: queue " + job.Metadata.Labels[QueueLabel] + " has not admitted it yet"
	case job.Spec.Suspend:
		return "the job is suspended"
	}
	if warning := c.Warning(ctx, name); warning != "" {
		return warning
	}
	return "not created yet"
}

// NoShell is the message for an image that cannot run any job.
const NoShell = "the image has no shell (sh), which amlfix needs to start jobs: use an image with a shell, tar and the usual tools, or add them to this one"

// unstarted returns why a pod's container could not be started, and what to do.
func unstarted(why string) string {
	has := func(signs ...string) bool {
		return slices.ContainsFunc(signs, func(sign string) bool { return strings.Contains(why, sign) })
	}
	switch {
	case has("executable file not found", "no such file or directory"):
		return NoShell
	case has("ErrImageNeverPull", "not present with pull policy"):
		return "the image is not on the node, which may not pull it (" + why + "): push it to a registry that the nodes can reach"
	case has("unauthorized", "denied", "authentication required"):
		return "the image cannot be pulled (" + why + "): name a secret for its registry with kubernetes.pull-secret"
	case has("mage"):
		return "the image cannot be pulled (" + why + "): check its name, and whether the nodes can reach its registry"
	}
	return "the container could not be started: " + why
}

// Release ends the job's container with an exit code, waits until the cluster reports its end, and returns that report.
func (c *Client) Release(ctx context.Context, l *Line, id runid.ID, code int) (*Termination, error) {
	over := path.Join(runsDir, id.String()) + ".over"
	if _, err := l.Script(ctx, fmt.Sprintf("echo %d >%s.part && mv %s.part %s", code, over, over, over)); err != nil && !isGone(err) {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, releaseFor)
	defer cancel()
	for {
		pod, err := c.Pod(ctx, l.Pod)
		if t := pod.State().Terminated; t != nil {
			return t, nil
		}
		if err != nil && !Is(err, Unreachable) {
			return nil, err
		}
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-time.After(lookEvery / 2):
		}
	}
}

func isGone(err error) bool {
	_, ok := errors.AsType[*GoneError](err)
	return ok
}

// Remove deletes the run's job, its pods and, if several, its Service, and waits until they are gone. It succeeds if
// they do not exist.
func (c *Client) Remove(ctx context.Context, id runid.ID, several bool) error {
	_, err := c.runFor(ctx, removeTime, nil, "delete", "jobs", "--cascade=foreground", "-l", RunLabel+"="+id.String(), "--ignore-not-found", "--wait=true")
	if several && err == nil {
		_, err = c.run(ctx, nil, "delete", "service", JobName(id), "--ignore-not-found", "--wait=false")
	}
	if err != nil {
		return fmt.Errorf("job %s in %s cannot be removed: %w", JobName(id), c.Cluster, err)
	}
	return c.removeSecret(ctx, id)
}

// OOMs returns how often the kernel has killed a process of the job's container for lack of memory; 0 if not known.
func (l *Line) OOMs(ctx context.Context) int {
	out, err := l.Script(ctx, "cat /sys/fs/cgroup/memory.events /sys/fs/cgroup/memory/memory.oom_control 2>/dev/null | sed -n 's/^oom_kill //p'; true")
	if err != nil {
		return 0
	}
	n, _ := strconv.Atoi(strings.TrimSpace(out))
	return n
}

// HomeOf returns the home folder of the image's user, as a variable.
func (l *Line) HomeOf(ctx context.Context) (string, error) {
	out := process.First{Limit: 4096}
	err := l.Exec(ctx, `printf %s "$HOME"`, nil, process.Streams{Stdout: &out})
	return "HOME=" + out.String(), err
}
