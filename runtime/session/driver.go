package session

import (
	"context"
	"os/exec"
	"strings"
	"time"

	"github.com/amlfix/amlfix/runtime/evidence"
)

// driverScript reports, on Linux, that there is no NVIDIA driver. It tries everything that indicates one: the driver's
// own files, those of the Windows Subsystem for Linux, and nvidia-smi, as --check does.
const driverScript = `[ "$(uname)" != Linux ] || [ -e /proc/driver/nvidia/version ] || [ -e /dev/nvidiactl ] || [ -e /dev/dxg ] ||
nvidia-smi -L >/dev/null 2>&1 || echo ` + noDriver

const noDriver = "AMLFIX-NO-DRIVER"

// driverTime is how long the query of the job's machine may take after the job has ended.
const driverTime = 10 * time.Second

// Shell runs a script on the machine on which a job has run, and returns its output.
type Shell func(ctx context.Context, script string) (string, error)

// Here is the Shell of this machine.
func Here(ctx context.Context, script string) (string, error) {
	out, err := exec.CommandContext(ctx, "sh", "-c", script).Output()
	return string(out), err
}

// proof is what is known about a machine's GPU.
type proof struct {
	scanner    *evidence.Scanner
	peak       evidence.Peak
	driverless bool // see LookForDriver
}

// LookForDriver checks whether the job's machine has an NVIDIA driver, if the log names a GPU and nothing else proves
// its use: such a log is not trusted without a driver. It is called when the job has ended, even after Ctrl-C, but not
// if it is not known which machine did the work.
func (s *Session) LookForDriver(ctx context.Context, there Shell) {
	s.sampled()
	s.lookForDriver(ctx, there)
}

func (p *proof) lookForDriver(ctx context.Context, there Shell) {
	if !p.verdict().NeedsDriver() {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), driverTime)
	defer cancel()
	out, err := there(ctx, driverScript)
	p.driverless = err == nil && strings.Contains(out, noDriver)
}

func (p *proof) verdict() evidence.Verdict {
	v := p.scanner.Verdict().With(p.peak)
	if p.driverless {
		return v.WithoutDriver()
	}
	return v
}

// verdict returns what is known about the GPU.
func (s *Session) verdict() evidence.Verdict {
	if s.pods != nil {
		return s.pods.verdict()
	}
	return s.proof.verdict()
}
