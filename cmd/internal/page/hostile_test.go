package page

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/runtime/project"
	"github.com/amlfix/amlfix/runtime/record"
	"github.com/amlfix/amlfix/runtime/runid"
	"github.com/amlfix/amlfix/schema/testkit"
)

// hostile are texts that try to break out of their context, to act, or to hide.
var hostile = []string{
	`<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `</title></style></script><script>`, `javascript:alert(1)`, `<a href="javascript:alert(1)">x</a>`,
	`</p></section></main><iframe src=//evil>`, `--><svg onload=alert(1)>`, `]]>`, `{{.Styles}}`, "\x1b]8;;http://evil\x07link\x1b]8;;\x07", "\x1b[2J\x1b[31mred\x1b[0m", "\u202egnp.exe", "a\u200bb\u2066c",
	"\x00\x01\x7f\u0085\u009b31m", "\xff\xfe\xc3", `' onmouseover='alert(1)`, "`${alert(1)}`", `<meta http-equiv=refresh content=0;url=//evil>`, `&lt;b&gt;&#x3c;`, "-----BEGIN " + "RSA PRIVATE KEY-----", "\u2028\u2029\ufeff",
}

// everywhere returns a run with a text in every place that a record has for one.
func everywhere(t testing.TB, text string) Run {
	r := record.Record{
		ID: runid.MustParse("20261122-093000-3f2a7c"), Name: text, Target: text, Kind: text, Project: text, Created: began, Script: text, Arguments: []string{text, "--" + text, text, text}, GPUs: text, Program: text,
		Git: &record.Commit{ID: text, Branch: text}, Image: &record.Image{Name: text, Digest: text, ID: text}, Environment: &record.Environment{File: text, Way: text, Base: record.Image{Name: text, ID: text}, Packages: []string{text}},
		Checks: []record.Check{{Topic: text, Status: text, Text: text}}, State: progress.State(text), States: []record.Step{{State: progress.State(text), At: began}}, Handle: record.Handle{Host: text},
		Outcome: text, Reason: text, Exit: &process.Exit{Code: -1}, GPU: &record.GPU{Sentence: text, Short: text, Names: []string{text}, Way: text, Line: 1 << 40, Driver: text, Peak: &record.Peak{Samples: -1}},
		Outputs: &record.Outputs{Files: []project.File{{Path: text, Bytes: -1}}, Error: text, At: text}, Warnings: []string{text}, MLflow: &record.MLflow{Server: text, Run: text, Error: text}, Plan: []record.Line{{Name: text, Value: text, From: text}, {Name: "note", Value: text, From: text}},
	}
	looks := record.Look{At: began, GPUs: []record.Card{{Name: text, Utilisation: 1 << 30, Used: math.MaxInt64, Total: math.MinInt64}}}
	run := Run{Entry: kept(t, r, []printed{{text + "\n" + text, false}, {text + "\r" + text, true}}, looks, looks), Job: text, State: text, Sentence: text + text, Took: text, Next: text, Version: text, Now: began}
	for _, values := range [][]float64{nil, {1}, {1, 2}} {
		run.Metrics = append(run.Metrics, Metric{Name: text, Text: text, Values: values})
	}
	return run
}

// TestHostile checks that whatever a record contains stays text, everywhere on the page.
func TestHostile(t *testing.T) {
	plain := strings.Count(written(t, everywhere(t, "plain")), "<")
	for _, text := range append(hostile, strings.Join(hostile, " ")) {
		got := written(t, everywhere(t, text))
		inert(t, got)
		if n := strings.Count(got, "<"); n > plain+20 { // one more line if a text contains a line end
			t.Errorf("%q adds elements: %d, not %d", text, n, plain)
		}
	}
}

// TestSecrets checks that a recognizable secret never appears on a page, even if the page truncates the text that
// contains it.
func TestSecrets(t *testing.T) {
	key := "c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmU=" //nolint:gosec // none
	for name, text := range map[string]string{
		"key": "AccountKey=" + key, "address": "https://ada:" + key[:20] + "@example.org/x", "option": "--password=" + key, "at the cut": strings.Repeat("x ", lineBytes/2-20) + "AccountKey=" + key, "in colours": "Account\x1b[1mKey=\x1b[0m" + key,
		"private key": "key: -----BEGIN RSA PRIVATE KEY-----\n" + key + "\n" + key + "\n-----END RSA PRIVATE KEY-----",
	} {
		page := written(t, everywhere(t, text))
		if i := strings.Index(page, key[:20]); i >= 0 {
			t.Errorf("%s is shown: …%q…", name, page[max(0, i-80):i+20])
		}
	}
	lines := shown([]logLine{{raw: []byte(key)}, {raw: []byte(key)}, {raw: []byte("-----END RSA PRIVATE KEY-----")}, {raw: []byte(key)}})
	if lines[0].Text != "***" || lines[1].Text != "***" || lines[3].Text == "***" {
		t.Errorf("the end of a key: %+v", lines)
	}
}

// TestLongLog checks that the page shows a long log's beginning, end and proof, with line numbers, and says what it
// omits.
func TestLongLog(t *testing.T) {
	const n = 200_000
	log := []printed{{strings.Repeat("line "+strings.Repeat(".", 100)+"\n", n), false}}
	r := failed(t)
	r.GPU.Line = n / 2
	r.Entry = kept(t, r.Record, log)
	got := written(t, r)
	inert(t, got)
	if len(got) > 2<<20 {
		t.Errorf("%d bytes", len(got))
	}
	for _, want := range []string{`<p id="L1"><a href="#L1">1</a><span>line .`, `<p id="L200000"><a href="#L200000">200000</a><span>line .`, `<a href="#L100000">Line 100000 of the log</a>`, `<p id="L99997">`, `<p id="L100003">`,
		"5007 lines shown of 200000; `amlfix runs logs 20261122-093000-aa00bb` prints all of them.", "… 98996 lines are left out here (10.5 MB) …", "… 95997 lines are left out here (10.2 MB) …"} {
		if strings.Count(got, want) != 1 {
			t.Errorf("not once: %s", want)
		}
	}
	if strings.Contains(got, `<p id="L99996">`) || strings.Contains(got, `<p id="L100004">`) {
		t.Error("more lines than were wanted")
	}
}

// TestLogLines checks what is shown of each line of a log.
func TestLogLines(t *testing.T) {
	long := strings.Repeat("é", lineBytes)
	for name, tt := range map[string]struct {
		log  []printed
		want []string
	}{
		"two streams, by their lines": {[]printed{{"ou", false}, {"err\n", true}, {"t\n", false}}, []string{"!err", "out"}},
		"no newline at the end":       {[]printed{{"a\nb", false}, {"c", true}}, []string{"a", "b", "!c"}},
		"Windows line endings":        {[]printed{{"a\r\nb\r", false}, {"\nc\r\r\n\n", false}}, []string{"a", "b", "c", ""}},
		"a progress bar":              {[]printed{{"\r 1%", true}, {"\r 50%\r", true}, {"\r100%\r\nx\n", true}}, []string{"!100%", "!x"}},
		"colours, tabs, controls":     {[]printed{{"\x1b[31mred\x1b[0m\tx\x08\xff\n", false}}, []string{"red\tx\\x08\\xff"}},
		"a long line":                 {[]printed{{long + "\n", false}}, []string{strings.Repeat("é", lineBytes/2) + " … and 4.1 kB more of this line"}},
		"nothing":                     {nil, nil},
	} {
		e := kept(t, failed(t).Record, tt.log)
		parts, n, err := readLog(e.Dir, 0)
		testkit.OK(t, err)
		var got []string
		for _, p := range parts {
			for _, l := range p.Lines {
				got = append(got, map[bool]string{true: "!"}[l.Error]+l.Text)
			}
		}
		if d := cmp.Diff(tt.want, got); d != "" || n != len(tt.want) {
			t.Errorf("%s: %d lines\n%s", name, n, d)
		}
	}
}

// TestMany checks that the page's length is limited, whatever the record contains, and that it says what it omits.
func TestMany(t *testing.T) {
	r := failed(t)
	for i := range 10_000 {
		r.Metrics = append(r.Metrics, Metric{Name: fmt.Sprint("m", i), Values: []float64{1, 2}[:1+i%2]})
		r.Plan = append(r.Plan, record.Line{Name: "x", Value: strings.Repeat("y", 100)})
		r.Warnings = append(r.Warnings, "w")
	}
	r.Outputs = &record.Outputs{Bytes: 10_000}
	for i := range 10_000 {
		r.Outputs.Files = append(r.Outputs.Files, project.File{Path: fmt.Sprint(i), Bytes: 1})
	}
	r.Arguments = []string{"train.py", strings.Repeat("z", 1<<20)}
	got := written(t, r)
	if len(got) > 3<<20 {
		t.Errorf("%d bytes", len(got))
	}
	testkit.Has(t, got, "9690 metrics are of 10000 left out here: amlfix runs show lists all.", "8000 files are left out here.", "10000 files, 10.0 kB")
}
