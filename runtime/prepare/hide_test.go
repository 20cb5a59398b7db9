package prepare

import (
	"bytes"
	"os/exec"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/schema/testkit"
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

// TestHideScript checks what is masked in the notes of tools: a short secret only where it cannot be part of a word.
func TestHideScript(t *testing.T) {
	python := testkit.Program(t, "python3")
	dir := testkit.Lay(t, map[string]string{
		"secrets":              "0123456789\x00abc\x00",
		"p/direct_url.json":    `{"url": "https://me:abc@abc.org/abc/0123456789/x", "abc": "https://abc@x/t/abc/y"}`,
		"p/conda-meta/history": "# cmd: conda install abc 0123456789",
		"p/train.py":           "abc 0123456789 //abc@",
	})
	cmd := exec.Command(python, "-c", hideScript, "secrets", "***", "p")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for name, want := range map[string]string{
		"p/direct_url.json":    `{"url": "https://me:***@abc.org/abc/***/x", "abc": "https://***@x/t/***/y"}`,
		"p/conda-meta/history": "# cmd: conda install abc ***",
		"p/train.py":           "abc 0123456789 //abc@",
	} {
		testkit.Same(t, want, testkit.Read(t, dir, name), name)
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
