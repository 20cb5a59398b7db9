//go:build linux

package docker

import (
	"fmt"
	"strings"
	"syscall"
	"testing"

	"github.com/amlfix/amlfix/runtime/internal/enginetest"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestLogIsTurnedOver uses an engine configured to keep only the last few kilobytes of every log. What was printed
// before a run is resumed is still there, because its container has its own log settings. A log without them is
// incomplete, and this is reported.
func TestLogIsTurnedOver(t *testing.T) {
	t.Parallel()
	e := enginetest.StartOwn(t, "turned-over")
	var all [2]string
	for i := range 4000 {
		all[i%2] += fmt.Sprintln("line", i)
	}
	for _, tt := range []struct {
		name   string
		config map[string]any
		exact  bool
	}{
		{"json-file", map[string]any{"log-driver": "json-file", "log-opts": map[string]string{"max-size": "10k", "max-file": "2"}}, true},
		{"local", map[string]any{"log-driver": "local", "log-opts": map[string]string{"max-size": "10k", "max-file": "2", "mode": "non-blocking"}}, true},
		{"local, with a buffer", map[string]any{"log-driver": "local", "log-opts": map[string]string{"max-size": "10k", "max-file": "2", "mode": "non-blocking", "max-buffer-size": "4k"}}, true},
		{"none", map[string]any{"log-driver": "none"}, true},
		{"not exact", map[string]any{"log-driver": "json-file", "log-opts": map[string]string{"max-size": "10k", "max-file": "2"}}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			testkit.OK(t, e.Crash(syscall.SIGTERM))
			testkit.OK(t, e.Launch(tt.config))
			eng := connect(t, e)
			c := Container{Name: ContainerName(runID(t)), RunID: runID(t), Image: e.Job(t), Argv: []string{"/testjob", "count:4000"}, ExactLog: tt.exact}
			id, err := eng.Create(t.Context(), c)
			if err == nil {
				err = eng.Start(t.Context(), id)
			}
			testkit.OK(t, err)
			out, errs, said := new(testkit.Buffer), new(testkit.Buffer), new(testkit.Buffer)
			seen := Seen{1000, 2000}
			if _, err := Reopen(t.Context(), eng, Spec{RunID: runID(t)}, seen, process.Streams{Stdout: out, Stderr: errs}, process.Control{}, progress.Lines(said)); err != nil {
				t.Fatal(err)
			}
			same := out.String() == all[0][seen.Stdout:] && errs.String() == all[1][seen.Stderr:]
			warned := strings.Contains(said.String(), "the engine stores the output with its log driver json-file, which may drop the beginning")
			if same != tt.exact || warned == tt.exact {
				t.Errorf("%d and %d bytes of %d and %d, said %q", len(out.String()), len(errs.String()), len(all[0])-int(seen.Stdout), len(all[1])-int(seen.Stderr), said)
			}
			e.NothingLeft(t, runID(t))
		})
	}
}
