package local

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/amlfix/amlfix/runtime/lease"
	supervise "github.com/amlfix/amlfix/runtime/local"
	"github.com/amlfix/amlfix/runtime/plan"
	"github.com/amlfix/amlfix/runtime/session"
	"github.com/amlfix/amlfix/runtime/target"
	"github.com/amlfix/amlfix/schema/disk"
)

// leaseTime is how long another run may take between choosing its GPUs and starting its job.
const leaseTime = time.Minute

// leased reserves GPUs for the run and returns the variables that pass them to the job. Other runs of this user wait
// until done is called, which must happen when the job has started or will not start. If the plan has no number of
// GPUs, it does nothing.
func leased(ctx context.Context, s *session.Session) (env []string, done func(), err error) {
	n, total, err := target.OwnGPUs(ctx, s, session.SMIHere, "on this machine")
	if err != nil || n == 0 {
		return nil, func() {}, err
	}
	done, err = lockGPUs(ctx)
	if err != nil {
		return nil, nil, err
	}
	gpus, err := lease.Choose(n, total, supervise.Leases())
	if err != nil {
		done()
		return nil, nil, err
	}
	numbers := lease.Numbers(gpus)
	s.Say.Notice("GPU %s of %d, for this run only", strings.ReplaceAll(numbers, ",", ", "), total)
	return []string{lease.Variable + "=" + numbers, plan.VisibleDevices + "=" + numbers, "CUDA_DEVICE_ORDER=PCI_BUS_ID", "NVIDIA_VISIBLE_DEVICES=" + numbers}, done, nil
}

// lockGPUs prevents other runs of this user from choosing GPUs. It waits up to leaseTime for one that does so now, or
// until ctx ends.
func lockGPUs(ctx context.Context) (unlock func(), err error) {
	name := "amlfix-gpus-" + strconv.Itoa(os.Getuid())
	dir, err := disk.TempNamed(name)
	if err != nil {
		dir, err = disk.OpenTemp(filepath.Join(os.TempDir(), name))
	}
	if err != nil {
		return nil, fmt.Errorf("GPUs cannot be reserved: %w", err)
	}
	lock, err := dir.LockContext(ctx, "lock", leaseTime)
	if err != nil {
		dir.Close()
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		return nil, fmt.Errorf("GPUs cannot be reserved, because another amlfix run is reserving GPUs: %w", err)
	}
	return sync.OnceFunc(func() {
		lock.Close()
		dir.Close()
	}), nil
}
