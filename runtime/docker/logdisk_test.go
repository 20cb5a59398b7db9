//go:build linux

package docker

import (
	"strings"
	"testing"

	"github.com/amlfix/amlfix/runtime/internal/enginetest"
	"github.com/amlfix/amlfix/runtime/process"
)

// TestLogFillsTheDisk runs jobs that print more than the engine's disk holds, or print when it is full. Output that the
// engine cannot keep is still shown.
func TestLogFillsTheDisk(t *testing.T) {
	e := enginetest.StartSmall(t, smallDisk)
	eng, image := connect(t, e), e.Job(t)
	for name, tt := range map[string]struct {
		steps []string
		size  int
	}{
		"by what is printed": {[]string{"bulk:40", "out:end\n"}, 40_000_004},
		"before":             {[]string{"fillup:outputs/big", "bulk:2", "out:end\n"}, 2_000_004},
	} {
		t.Run(name, func(t *testing.T) {
			j := launch(t.Context(), t, eng, image, process.Control{}, nil, tt.steps...)
			j.wait(t)
			if out := j.out.String(); j.failure != nil || j.result.Code != 0 || j.result.Cause != process.Ended || len(out) != tt.size || !strings.HasSuffix(out, "\nend\n") {
				t.Errorf("%+v, %v, %d bytes, said %s %s", j.result, j.failure, len(out), j.err, j.said)
			}
			e.NothingLeft(t, runID(t))
		})
	}
}
