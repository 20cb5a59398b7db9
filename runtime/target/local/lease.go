package local

import (
	"context"
	"errors"
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
	"github.com/amlfix/amlfix/schema/disk"
)

// leaseTime is how long another run may take from choosing its GPUs to starting
// its job.
const leaseTime = time.Minute

// leased chooses GPUs for the run alone and returns the variables that give it to
// the job. done is to be called when the job has started, or does not start; until
// then other runs of this user wait. Without a number of GPUs there is nothing to do,
// and on a machine without GPUs a number that only the job's file has does not count.
func leased(ctx context.Context, s *session.Session) (env []string, done func(), err error) {
	n := s.Plan.GPUs.Value.Count()
	if n == 0 {
		return nil, func() {}, nil
	}
	list, ok := session.SMIHere(ctx, "--query-gpu=index", "--format=csv,noheader")
	total := len(strings.Fields(list))
	if (!ok || total == 0) && s.Plan.GPUs.Origin != plan.CommandLine {
		s.Say.Notice("%s: the job is for %s, and nvidia-smi lists none on this machine", s.Plan.GPUs.Origin, countGPUs(n))
		return nil, func() {}, nil
	}
	if !ok || total == 0 {
		return nil, nil, &plan.PlacedError{Origin: s.Plan.GPUs.Origin, Err: errors.New("nvidia-smi does not list the GPUs of this machine: install NVIDIA's driver, or leave --gpus out")}
	}
	done, err = lockGPUs()
	if err != nil {
		return nil, nil, err
	}
	gpus, err := lease.Choose(n, total, supervise.Leases())
	if err != nil {
		done()
		return nil, nil, err
	}
	numbers := lease.Numbers(gpus)
	s.Say.Notice("GPU %s of %d, for this run alone", strings.ReplaceAll(numbers, ",", ", "), total)
	return []string{lease.Variable + "=" + numbers, plan.VisibleDevices + "=" + numbers, "CUDA_DEVICE_ORDER=PCI_BUS_ID", "NVIDIA_VISIBLE_DEVICES=" + numbers}, done, nil
}

func countGPUs(n int) string {
	if n == 1 {
		return "a GPU"
	}
	return fmt.Sprintf("%d GPUs", n)
}

// lockGPUs keeps other runs of this user from choosing GPUs.
func lockGPUs() (unlock func(), err error) {
	name := "amlfix-gpus-" + strconv.Itoa(os.Getuid())
	dir, err := disk.TempNamed(name)
	if err != nil {
		dir, err = disk.OpenTemp(filepath.Join(os.TempDir(), name))
	}
	if err != nil {
		return nil, fmt.Errorf("GPUs cannot be chosen: %w", err)
	}
	lock, err := dir.Lock("lock", leaseTime)
	if err != nil {
		dir.Close()
		return nil, fmt.Errorf("GPUs cannot be chosen, because another run of amlfix is choosing: %w", err)
	}
	return sync.OnceFunc(func() {
		lock.Close()
		dir.Close()
	}), nil
}
