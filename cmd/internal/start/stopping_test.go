package start

import (
	"context"
	"fmt"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/schema/testkit"
)

func TestFinishing(t *testing.T) {
	const text = "stopping when the projects in progress are finished: press Ctrl-C again to end at once"
	for name, tt := range map[string]struct {
		again time.Duration // after the first signal; 0: no second one
		want  []string
	}{
		"a large project":                    {0, []string{"1s: " + text}},
		"a large project, and impatience":    {3 * time.Second, []string{"1s: " + text, "3s: exit 130"}},
		"impatience before anything is said": {200 * time.Millisecond, []string{"200ms: exit 130"}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancelCause(t.Context())
				again := make(chan struct{})
				start := time.Now()
				var got []string
				note := func(what string, args ...any) {
					got = append(got, fmt.Sprintf("%v: %s", time.Since(start), fmt.Sprintf(what, args...)))
				}
				finishing(ctx, again, note, func(code int) { note("exit %d", code) })
				cancel(&process.Signalled{Signal: os.Interrupt})
				if tt.again > 0 {
					time.AfterFunc(tt.again, func() { close(again) })
				}
				time.Sleep(time.Minute)
				synctest.Wait()
				testkit.Same(t, fmt.Sprint(tt.want), fmt.Sprint(got))
				if tt.again == 0 {
					close(again)
				}
			})
		})
	}
}
