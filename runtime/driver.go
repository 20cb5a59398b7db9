package runtime

import (
	"context"
	"os/exec"
	"strings"
	"time"

	"github.com/amlfix/amlfix/runtime/evidence"
)

// driverScript says on Linux that there is no NVIDIA driver. All that proves one is tried: its own files, those of
// Windows' subsystem for Linux, and nvidia-smi, as --check does.
const driverScript = `[ "$(uname)" != Linux ] || [ -e /proc/driver/nvidia/version ] || [ -e /dev/nvidiactl ] || [ -e /dev/dxg ] ||
nvidia-smi -L >/dev/null 2>&1 || echo ` + noDriver

const noDriver = "AMLFIX-NO-DRIVER"

// driverTime is how long the machine of the job is asked, when the job has ended.
const driverTime = 10 * time.Second

// verdict says what is known of the GPU. A log that names one is not believed where the job cannot have had one.
func (r *runner) verdict(ctx context.Context) evidence.Verdict {
	v := r.scanner.Verdict().With(r.peak)
	if v.Level < evidence.Visible || v.StandIn || r.peak.Samples > 0 || !r.driverless(ctx) {
		return v
	}
	return v.WithoutDriver()
}

// driverless reports whether the machine of the job is known to have no driver. It is not known of a cluster, whose
// nodes do the work, nor of an engine that was reached without SSH.
func (r *runner) driverless(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), driverTime) // also after Ctrl-C
	defer cancel()
	switch {
	case r.plan.Kind.Value == Cluster:
		return false
	case r.plan.Host.Value != "":
		if r.line == nil {
			return false
		}
		out, err := r.line.Script(ctx, driverScript)
		return err == nil && strings.Contains(out, noDriver)
	case r.plan.Kind.Value == Docker && !strings.HasPrefix(r.rec.run.Record().Handle.Engine, "unix://"):
		return false
	}
	return driverlessHere(ctx)
}

// driverlessHere reports whether this machine is known to have no driver.
func driverlessHere(ctx context.Context) bool {
	out, err := exec.CommandContext(ctx, "sh", "-c", driverScript).Output()
	return err == nil && strings.Contains(string(out), noDriver)
}
