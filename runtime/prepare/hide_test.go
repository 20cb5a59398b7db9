package prepare

import (
	"bytes"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/runtime/process"
)

func TestHider(t *testing.T) {
	secrets := []string{"abcdef", "abc", "xyz"}
	for text, want := range map[string]string{
		"":                       "",
		"nothing here":           "nothing here",
		"abc":                    "***",
		"<abcdef> abcde xyz xy":  "<***> ***de *** xy",
		"aabcabc":                "a******",
		"in the end, ab":         "in the end, ab",
		"progress 10%\rabcxyz\n": "progress 10%\r******\n",
	} {
		for _, size := range []int{1, 2, 3, 100} {
			var out bytes.Buffer
			streams, flush := hideFrom(process.Streams{Stdout: &out}, secrets)
			for rest := text; rest != ""; {
				n := min(size, len(rest))
				_, _ = streams.Stdout.Write([]byte(rest[:n]))
				rest = rest[n:]
			}
			flush()
			if out.String() != want {
				t.Errorf("%q by %d: %q, want %q", text, size, out.String(), want)
			}
		}
	}
	var out bytes.Buffer
	streams, _ := hideFrom(process.Streams{Stdout: &out}, secrets)
	if _, _ = streams.Stdout.Write([]byte("10%\rab")); out.String() != "10%\r" {
		t.Errorf("an unfinished line is held back: %q", out.String())
	}
}

func FuzzHider(f *testing.F) {
	f.Add("xxabcxx", 3)
	f.Fuzz(func(t *testing.T, text string, at int) {
		secrets := []string{"abcdef", "abc"}
		var out bytes.Buffer
		streams, flush := hideFrom(process.Streams{Stdout: &out}, secrets)
		at = max(0, min(at, len(text)))
		_, _ = streams.Stdout.Write([]byte(text[:at]))
		_, _ = streams.Stdout.Write([]byte(text[at:]))
		flush()
		shows := func(text string) bool { return strings.Contains(text, "abc") }
		if shows(out.String()) || !shows(text) && out.String() != text {
			t.Fatalf("%q at %d: %q", text, at, out.String())
		}
	})
}
