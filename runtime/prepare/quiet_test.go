package prepare

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/schema/testkit"
)

func TestUntilStopped(t *testing.T) {
	for _, tt := range []struct{ before, want string }{
		{"", ""},
		{"Collecting x\n", "Collecting x\n"},
		{"a\n  Downloading 10%", "a\n  Downloading 10%\n"},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		var out bytes.Buffer
		var said Said
		quiet, finish := said.Hide(ctx, process.Streams{Stdout: &out, Stderr: &out}, Recipe{})
		_, _ = fmt.Fprint(quiet.Stdout, tt.before)
		finish()
		testkit.Same(t, tt.before, out.String())
		cancel()
		_, _ = fmt.Fprintln(quiet.Stderr, "Traceback (most recent call last):")
		finish()
		testkit.Same(t, tt.want, out.String())
	}
}
