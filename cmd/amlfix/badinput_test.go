package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/schema/testkit"
)

// bomb returns aliases that expand to 2^60 values.
func bomb() []byte {
	var b strings.Builder
	b.WriteString("a0: &a0 [x, x]\n")
	for i := 1; i < 60; i++ {
		b.WriteString("a" + string(rune('0'+i%10)) + strings.Repeat("_", i) + ": &b" + strings.Repeat("_", i) + " [*" + previous(i) + ", *" + previous(i) + "]\n")
	}
	return []byte(b.String())
}

func previous(i int) string {
	if i == 1 {
		return "a0"
	}
	return "b" + strings.Repeat("_", i-1)
}

func utf16LE(text string) []byte {
	out := []byte{0xff, 0xfe}
	for _, u := range utf16.Encode([]rune(text)) {
		out = append(out, byte(u), byte(u>>8))
	}
	return out
}

// badInputs returns unusable contents of a compute target.
func badInputs() map[string][]byte {
	return map[string][]byte{
		"binary":           {0x7f, 'E', 'L', 'F', 2, 1, 1, 0, 0xfe, 0xff, 0x80},
		"NUL bytes":        []byte("type: local\x00docker\n"),
		"invalid UTF-8":    []byte("type: loc\xffal\n"),
		"UTF-16":           utf16LE("type: local\n"),
		"over a megabyte":  bytes.Repeat([]byte("# nothing\n"), 120_000),
		"a very long line": append([]byte("type: [local, "), bytes.Repeat([]byte("x"), 900_000)...),
		"deeply nested":    bytes.Repeat([]byte("["), 100_000),
		"deeply indented":  []byte("a:\n" + strings.Repeat(" ", 500) + "- b\n" + strings.Repeat("- ", 20_000) + "c\n"),
		"alias bomb":       bomb(),
		"a cycle":          []byte("type: &a [*a]\n"),
		"escape sequences": []byte("type: \"\x1b]0;owned\x07\x1b[31m\"\n"),
		"tab indentation":  []byte("a:\n\tb: c\n"),
		"no mapping":       []byte("- a\n- b\n"),
		"just a word":      []byte("hello\n"),
		"unclosed quote":   []byte("type: \"local\n"),
		"merge markers":    []byte("<<<<<<< HEAD\ntype: local\n=======\ntype: docker\n>>>>>>> b\n"),
		"two documents":    []byte("type: local\n---\ntype: local\n"),
	}
}

// TestBadInput checks that any content leads only to findings with a position.
//
//testkit:norace
func TestBadInput(t *testing.T) {
	for name, text := range badInputs() {
		for _, file := range []string{"aml_config/x.compute", "aml_config/x.runconfig", "aml_config/conda_dependencies.yml", "aml_config/spark_dependencies.yml"} {
			if len(text) > 1<<16 && file != "aml_config/x.compute" {
				continue // size is checked first; one kind is enough, and faster
			}
			t.Run(name+", "+filepath.Base(file), func(t *testing.T) {
				dir := t.TempDir()
				testkit.Write(t, dir, "aml_config/ok.compute", "type: local\n")
				testkit.Write(t, dir, file, text)
				begin := time.Now()
				r := amlfix(t, dir, "--format", "json", "--fail-on", "info")
				if took := time.Since(begin); took > testkit.Patience {
					t.Errorf("took %v", took)
				}
				if r.code != console.Findings || r.err != "" {
					t.Errorf("exit %d, stderr %q; want a finding, and exit 1", r.code, r.err)
				}
				var out struct {
					Findings []struct {
						Path         string
						Line, Column int
					}
				}
				testkit.OK(t, json.Unmarshal([]byte(r.out), &out))
				for _, f := range out.Findings {
					if f.Path != file || f.Line < 1 || f.Column < 1 {
						t.Errorf("a finding without a good place: %+v", f)
					}
				}
				for _, args := range [][]string{{"--verbose"}, {"--diff"}, {"targets"}, {"--apply"}} {
					if r := amlfix(t, dir, args...); strings.ContainsAny(r.out+r.err, "\x00\x07\x1b\u202e") {
						t.Errorf("amlfix %s sends control characters to the terminal", args)
					} else if r.code > console.Findings {
						t.Errorf("amlfix %s: exit %d, %s", args, r.code, r.err)
					} else if len(r.out) > 20_000 && args[0] != "--diff" {
						t.Errorf("amlfix %s prints %d bytes", args, len(r.out))
					}
				}
			})
		}
	}
}

// TestUnreadable checks that what cannot be opened is a finding if amlfix came across it, and exit code 3 if it was
// named.
func TestUnreadable(t *testing.T) {
	dir := t.TempDir()
	testkit.Write(t, dir, "p/aml_config/ok.compute", "type: local\n")
	testkit.OK(t, os.Symlink("nowhere", filepath.Join(dir, "p/aml_config/dangling.compute")))
	testkit.OK(t, os.Symlink("loop.compute", filepath.Join(dir, "p/aml_config/loop.compute")))
	testkit.OK(t, os.Mkdir(filepath.Join(dir, "p/aml_config/folder.compute"), 0o755))
	r := amlfix(t, dir, "p")
	t.Log(r.out)
	if r.code > console.Findings || r.err != "" {
		t.Errorf("%+v", r)
	}
	if r := amlfix(t, dir, "p/aml_config/dangling.compute"); r.code != console.Failure || !strings.Contains(r.err, "dangling.compute") {
		t.Errorf("a dangling link by name: %+v", r)
	}
	if r := amlfix(t, dir, "nowhere", "p"); r.code != console.Failure || !strings.Contains(r.err, "nowhere: no such file or folder") {
		t.Errorf("a missing path: %+v", r)
	}
}

// TestStrangeNames checks that file names are made visible as well.
func TestStrangeNames(t *testing.T) {
	dir := t.TempDir()
	testkit.Write(t, dir, "p\x1b[31m\u202e/aml_config/a\nb.compute", "type: loal\n")
	for _, args := range [][]string{nil, {"targets"}, {"--diff"}, {"no\x1bsuch"}} {
		r := amlfix(t, dir, args...)
		if strings.ContainsAny(r.out+r.err, "\x1b\u202e") {
			t.Errorf("amlfix %q: %q %q", args, r.out, r.err)
		}
	}
	if r := amlfix(t, dir); !strings.Contains(r.out, `p\x1b[31m\u202e/aml_config/a\x0ab.compute:1:7: error:`) {
		t.Errorf("%q", r.out)
	}
}

// TestUTF16 checks that a v2 file that PowerShell wrote is found, although Azure ML cannot read it.
func TestUTF16(t *testing.T) {
	dir := t.TempDir()
	text := "\xff\xfe"
	for _, c := range "$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json\r\ncommand: a\r\n" {
		text += string(c) + "\x00"
	}
	testkit.Write(t, dir, "job.yml", text)
	if r := amlfix(t, dir); r.code != console.Findings || !strings.HasPrefix(r.out, "job.yml:1:1: error: the file is UTF-16, and only UTF-8 is read: save it as UTF-8") {
		t.Errorf("%+v", r)
	}
}

func TestEmptyFiles(t *testing.T) {
	dir := testkit.Folder(t, "-- aml_config/x.compute --\n-- aml_config/x.runconfig --\n-- aml_config/conda_dependencies.yml --\n# nothing\n")
	r := amlfix(t, dir, "--verbose")
	t.Log(r.out)
	if r.code > console.Findings || r.err != "" {
		t.Errorf("%+v", r)
	}
}
