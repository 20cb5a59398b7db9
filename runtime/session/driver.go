package session

import (
	"context"
	"os/exec"
	"strings"
	"time"

	"github.com/amlfix/amlfix/runtime/evidence"
)

// driverScript says on Linux that there is no NVIDIA driver. All that proves one
// is tried: its own files, those of Windows' subsystem for Linux, and nvidia-smi,
// as --check does.
const driverScript = `[ "$(uname)" != Linux ] || [ -e /proc/driver/nvidia/version ] || [ -e /dev/nvidiactl ] || [ -e /dev/dxg ] ||
nvidia-smi -L >/dev/null 2>&1 || echo ` + noDriver

const noDriver = "AMLFIX-NO-DRIVER"

// driverTime is how long the machine of the job is asked, when the job has ended.
const driverTime = 10 * time.Second

// Shell runs a script on the machine that a job has run on and returns its output.
type Shell func(ctx context.Context, script string) (string, error)

// Here is the Shell of this machine.
func Here(ctx context.Context, script string) (string, error) {
	out, err := exec.CommandContext(ctx, "sh", "-c", script).Output()
	return string(out), err
}

// LookForDriver finds out whether the machine of the job has an NVIDIA driver, where
// the log names a GPU and nothing else proves one: such a log is not trusted
// without. It is called when the job has ended, also after Ctrl-C, and not where
// it is not known which machine did the work.
func (s *Session) LookForDriver(ctx context.Context, there Shell) {
	s.sampled()
	if v := s.scanner.Verdict().With(s.peak); !v.NeedsDriver() {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), driverTime)
	defer cancel()
	s.driverless = driverless(ctx, there)
}

func driverless(ctx context.Context, there Shell) bool {
	out, err := there(ctx, driverScript)
	return err == nil && strings.Contains(out, noDriver)
}

// verdict says what is known of the GPU.
func (s *Session) verdict() evidence.Verdict {
	if s.pods != nil {
		return s.pods.verdict()
	}
	v := s.scanner.Verdict().With(s.peak)
	if s.driverless {
		return v.WithoutDriver()
	}
	return v
}
