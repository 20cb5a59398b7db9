package docker

import (
	"bytes"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestLogAfterALoss passes output on, and then the engine's log, in pieces, from its first byte. Nothing that the log
// has is dropped because the engine lost something else.
func TestLogAfterALoss(t *testing.T) {
	long := strings.Repeat("0123456789\n", 30_000)
	for name, tt := range map[string]struct {
		shown   string
		inexact bool
		logs    [][]string // one after the other
		want    string
	}{
		"nothing was lost":         {"a\nb", false, [][]string{{"a\nb", "c\n"}, {"a\nbc\nd\n"}}, "a\nbc\nd\n"},
		"all":                      {"up\n", false, [][]string{{"bye\n"}, {"bye\nend\n"}}, "up\nbye\nend\n"},
		"a line":                   {"tick 1\ntick 12\n", false, [][]string{{"tick 1\ntick 13\n"}, {"tick 1\ntick 13\n", "tick 14\n"}}, "tick 1\ntick 12\ntick 13\ntick 14\n"},
		"a line, in small pieces":  {"tick 1\ntick 12\n", false, [][]string{{"ti", "ck 1\ntick 1", "3", "\n"}}, "tick 1\ntick 12\ntick 13\n"},
		"the beginning of a line":  {"a\n50 %\r", false, [][]string{{"a\n", "done\n"}}, "a\n50 %\rdone\n"},
		"of a log that is changed": {"\xff\n", true, [][]string{{"?\nb\n"}}, "\xff\nb\n"},
		"after much":               {long + "x\n", false, [][]string{{long[:100], long[100:], "y\n"}}, long + "x\ny\n"},
		"much":                     {"a\n" + long, false, [][]string{{"a\n", long[:11], "z\n"}}, "a\n" + long},
		"long ago, and never seen": {long, false, [][]string{{long, "z\n"}, {long + "z\n", "y\n"}}, long + "z\ny\n"},
	} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			f := newFollowed(process.Streams{Stdout: &out}, 0, 0)
			pass := func(text string) {
				_, err := f.current().Stdout.Write([]byte(text))
				testkit.OK(t, err)
			}
			for piece := range strings.Lines(tt.shown) {
				pass(piece)
			}
			for _, log := range tt.logs {
				f.rewind(!tt.inexact)
				for _, piece := range log {
					pass(piece)
				}
			}
			if out.String() != tt.want {
				testkit.Same(t, tt.want[max(0, len(tt.want)-100):], out.String()[max(0, out.Len()-100):])
				t.Errorf("%d bytes, not %d", out.Len(), len(tt.want))
			}
		})
	}
}
