package kubernetes

import (
	"bytes"
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
)

// Times of the life of a job.
const (
	lookEvery  = 500 * time.Millisecond // whether a pod has begun, or ended
	sayAfter   = 5 * time.Second        // why a pod has not begun is said
	removeTime = 90 * time.Second       // for a job to be gone; its pods get 30 seconds
	releaseFor = 30 * time.Second       // for a container to end that nothing keeps
)

// StartError says that a job was not started.
type StartError struct{ Text string }

func (e *StartError) Error() string { return e.Text }

// Create makes a job.
func (c *Client) Create(ctx context.Context, s Spec) error {
	_, err := c.run(ctx, bytes.NewReader(JSON(s.Manifest())), "create", "-f", "-")
	return err
}

// Await waits until a pod of the job runs, and says what it waits for. The error is a
// *StartError when it never will.
func (c *Client) Await(ctx context.Context, id runid.ID, say progress.Sink) (Pod, error) {
	name, said, since := JobName(id), "", time.Now()
	for {
		pod, why, err := c.begun(ctx, name)
		if err != nil && !Is(err, Unreachable) || why == "" && err == nil {
			return pod, err
		}
		if err != nil {
			why = err.Error()
		}
		if why != said && time.Since(since) > sayAfter {
			say.Notice("waiting for the pod: %s", why)
			said = why
		}
		select {
		case <-ctx.Done():
			return pod, context.Cause(ctx)
		case <-time.After(lookEvery):
		}
	}
}

// begun looks for a pod of the job that runs; why says why there is none yet.
func (c *Client) begun(ctx context.Context, name string) (pod Pod, why string, err error) {
	pods, err := c.Pods(ctx, name)
	if err != nil {
		return pod, "", err
	}
	if len(pods) == 0 {
		return pod, c.absent(ctx, name), nil
	}
	pod = pods[0]
	switch {
	case pod.State().Running != nil:
		return pod, "", nil
	case pod.Ended():
		return pod, "", &StartError{unstarted(pod.Why())}
	}
	why, final := pod.Waiting()
	if final {
		if warning := c.Warning(ctx, pod.Metadata.Name); strings.Contains(why, "BackOff") && strings.Contains(warning, "ull image") {
			why = warning
		}
		return pod, "", &StartError{unstarted(why)}
	}
	if why == "" {
		why = "its container is being made"
	}
	return pod, why, nil
}

// absent says why a job has no pod.
func (c *Client) absent(ctx context.Context, name string) string {
	job, ok, err := c.Job(ctx, name)
	switch {
	case err != nil || !ok:
		return "there is none yet"
	case job.Spec.Suspend:
		return "the job is suspended: its queue has not admitted it yet"
	}
	if warning := c.Warning(ctx, name); warning != "" {
		return warning
	}
	return "there is none yet"
}

// unstarted says why the container of a pod could not be started, and what to do.
func unstarted(why string) string {
	has := func(signs ...string) bool {
		return slices.ContainsFunc(signs, func(sign string) bool { return strings.Contains(why, sign) })
	}
	switch {
	case has("executable file not found", "no such file or directory"):
		return "the image has no shell (sh), which amlfix starts jobs with: take an image with a shell, tar and the usual tools, or add them to this one"
	case has("ErrImageNeverPull", "not present with pull policy"):
		return "the image is not on the node, which may not pull it (" + why + "): push it to a registry that the nodes reach"
	case has("unauthorized", "denied", "authentication required"):
		return "the image cannot be pulled (" + why + "): name a secret for its registry with kubernetes.pull-secret"
	case has("mage"):
		return "the image cannot be pulled (" + why + "): check its name, and whether the nodes reach its registry"
	}
	return "the container could not be started: " + why
}

// Release has the job's container end with a code, and waits until the cluster says
// that it has. It returns what the cluster says.
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
	var gone *GoneError
	return errors.As(err, &gone)
}

// Remove deletes the run's job and its pods, and waits until they are gone. It is no
// error when there are none.
func (c *Client) Remove(ctx context.Context, id runid.ID) error {
	ctx, cancel := context.WithTimeout(ctx, removeTime)
	defer cancel()
	_, err := c.kubectl(ctx, nil, append(c.args(), "delete", "jobs", "-l", RunLabel+"="+id.String(), "--cascade=foreground", "--ignore-not-found", "--wait=true")...)
	var said *saidError
	if errors.As(err, &said) {
		err = explain(c.Cluster, said)
	}
	if err != nil {
		return fmt.Errorf("job %s in %s cannot be removed: %w", JobName(id), c.Cluster, err)
	}
	return nil
}

// OOMs is how often the kernel has ended a process of the job's container because its
// memory ran out; 0 when that is not known.
func (l *Line) OOMs(ctx context.Context) int {
	out, err := l.Script(ctx, "cat /sys/fs/cgroup/memory.events /sys/fs/cgroup/memory/memory.oom_control 2>/dev/null | sed -n 's/^oom_kill //p'; true")
	if err != nil {
		return 0
	}
	n, _ := strconv.Atoi(string(bytes.TrimSpace([]byte(out))))
	return n
}

// HomeOf is the home folder of the image's user, as a variable.
func (l *Line) HomeOf(ctx context.Context) (string, error) {
	var out bytes.Buffer
	err := l.Exec(ctx, `printf %s "$HOME"`, nil, process.Streams{Stdout: &out})
	return "HOME=" + out.String(), err
}
