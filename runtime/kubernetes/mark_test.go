package kubernetes

import (
	"bytes"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

// TestMark checks that a command's output, in whatever pieces it arrives, is passed on completely except for the mark,
// and that a command without a mark has not ended.
func TestMark(t *testing.T) {
	const mark = "\x1eword 7\x1e\n"
	tests := map[string]struct {
		sent, passed string
		seen         bool
		code         int
	}{
		"all":                {"line\n" + mark, "line\n", true, 7},
		"only the mark":      {mark, "", true, 7},
		"no newline":         {"line" + mark, "line", true, 7},
		"another's mark":     {"\x1eother 0\x1e\n" + mark, "\x1eother 0\x1e\n", true, 7},
		"half a mark":        {"\x1ewo\x1ewor" + mark, "\x1ewo\x1ewor", true, 7},
		"cut off":            {"line\n", "line\n", false, 0},
		"cut off in it":      {"line\n\x1eword", "line\n", false, 0},
		"cut off in code":    {"line\n\x1eword 7", "line\n", false, 0},
		"zeros":              {"\x00\x00\x1e\x00" + mark, "\x00\x00\x1e\x00", true, 7},
		"what follows it":    {"line\n" + mark + "kubectl: noise", "line\n", true, 7},
		"begins like a mark": {"\x1eword\n" + mark, "\x1eword\n", true, 7},
	}
	for name, test := range tests {
		for size := 1; size <= len(test.sent); size++ {
			var out bytes.Buffer
			m := &marked{w: &out, word: "word"}
			for rest := []byte(test.sent); len(rest) > 0; {
				n := min(size, len(rest))
				if took, err := m.Write(rest[:n]); took != n || err != nil {
					t.Fatal(took, err)
				}
				rest = rest[n:]
			}
			got := []any{out.String(), m.seen, m.code}
			testkit.Same(t, []any{test.passed, test.seen, test.code}, got, "%s, in pieces of %d", name, size)
		}
	}
}
