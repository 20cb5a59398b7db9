package docker

import (
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/amlfix/amlfix/runtime/lease"
)

// GPULabel marks a container with the numbers of the GPUs reserved for it, such as "0,2". This is the lease: it
// disappears with the container, however amlfix ends.
const GPULabel = "io.amlfix.gpus"

// How often GPUs are chosen again after another run took them at the same moment, and the longest pause in between.
const (
	leaseTries = 20
	leasePause = 200 * time.Millisecond
)

// taken returns the GPUs in use, with their users: containers of amlfix that have not ended, and processes. sure is
// false if one of these may still give way because it has not started.
func (r *run) taken(ctx context.Context) (taken map[int]string, sure bool, err error) {
	list, err := r.eng.Containers(ctx)
	taken, sure = map[int]string{}, true
	for _, c := range list {
		if c.RunID == r.spec.RunID || c.Ended {
			continue
		}
		for _, n := range lease.Parse(c.GPUs) {
			taken[n] = c.RunID
			sure = sure && c.Running
		}
	}
	if r.spec.Leases != nil {
		maps.Copy(taken, r.spec.Leases())
	}
	return taken, sure, err
}

// lease makes a container with reserved GPUs. If two runs choose the same GPUs at the same moment, each sees the
// other's container once its own exists. A run that sees another gives way and chooses again, so no GPU is assigned
// twice.
func (r *run) lease(ctx context.Context, c Container) error {
	for try := 1; ; try++ {
		taken, sure, err := r.taken(ctx)
		if err != nil {
			return err
		}
		gpus, err := lease.Choose(r.spec.GPUCount, r.spec.GPUTotal, taken)
		if err == nil {
			var alone bool
			if alone, err = r.leaseThese(ctx, c, gpus); alone || err != nil {
				return err
			}
			err = errors.New("other runs are taking the GPUs at the same moment: try again")
		}
		var none *lease.Error
		if try == leaseTries || errors.As(err, &none) && (sure || none.Wanted > none.Total) {
			return err
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(time.Duration(rand.Int64N(int64(leasePause)))): //nolint:gosec // need not be unpredictable
		}
	}
}

// leaseThese makes the container with these GPUs, and removes it again if another container has one of them.
func (r *run) leaseThese(ctx context.Context, c Container, gpus []int) (alone bool, err error) {
	numbers := lease.Numbers(gpus)
	c.Devices, c.Env = gpus, append(slices.Clone(c.Env), lease.Variable+"="+numbers)
	if r.id, err = create(ctx, r.eng, c, r.control.Kill); err != nil {
		return false, err
	}
	taken, _, err := r.taken(ctx)
	if err != nil {
		return false, err
	}
	for _, n := range gpus {
		if _, ok := taken[n]; ok {
			return false, r.eng.Remove(ctx, r.id)
		}
	}
	r.say.Notice("GPU %s of %d, for this run only", strings.ReplaceAll(numbers, ",", ", "), r.spec.GPUTotal)
	return true, nil
}
