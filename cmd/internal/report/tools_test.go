package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/cmd/internal/tooltest"
	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/testkit"
)

// hostile returns findings with everything that could break a format; for SARIF, some are suppressed.
func hostile(format Format) (list []Finding) {
	texts := []string{
		`plain`, `"quotes" 'and' <tags> & ]]> --> </failure>`, "ctrl \x00 \x1b[31m \u202e bytes \xff\xfe end", "größer 😀 \ufeff",
		`100%: a, b; %0A ::error::x | **bold** [a](b) <!-- {0} $(x)`, "two\nlines\r\nand a tab\t.",
	}
	names := []string{"a/aml_config/vm.compute", "a/b c#?%41/größer.runconfig", "c:d.runconfig", "e/\x1b[31m,:\xff.yml"}
	rule := []string{"gpu/base-image", "yaml/syntax"}
	for i, name := range names {
		for j, text := range texts {
			f := Finding{
				Place: Place{Path: name, Region: Region{Line: j + 1, Column: 3, EndLine: j + 1 + j%2, EndColumn: 9}}, Rule: rule[j%2],
				Severity: finding.Severity(j%3 + 1), Message: text, Fingerprint: fmt.Sprintf("%032x", 10*i+j),
				Related: []Note{{Place{Path: names[0], Region: Region{Line: 2, Column: 1, EndLine: 2, EndColumn: 1}}, text}},
				Fix:     &Fix{Title: "write " + text, Applicability: finding.Safe},
			}
			if j%2 == 0 {
				f.Fix.Edits = []Edit{
					{Path: name, Region: Region{2, 1, 2, 1}, Text: text}, {Path: name, Region: Region{3, 1, 4, 1}}, {Path: names[0], Region: Region{1, 1, 1, 2}, Text: "x"},
				}
			}
			if format == SARIF && j%3 == 0 {
				f.Suppression = &finding.Suppression{Kind: finding.InSource, Justification: text}
			}
			list = append(list, f)
		}
	}
	return list
}

// report writes findings in a format.
func report(format Format, list []Finding, problems ...string) []byte {
	var out bytes.Buffer
	w := New(format, &out, Options{Version: func() string { return "1.2.3" }, Rules: rules.All()})
	sum := Summary{Projects: 1, Files: 4, Problems: problems, Exit: 1}
	for _, f := range list {
		sum.Count(f)
		w.Finding(f)
	}
	w.Close(sum)
	return out.Bytes()
}

func save(t *testing.T, name string, text []byte) string {
	t.Helper()
	name = filepath.Join(t.TempDir(), name)
	testkit.OK(t, os.WriteFile(name, text, 0o600))
	return name
}

// call runs a tool and returns its standard output.
func call(t *testing.T, stdin []byte, dir, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Stdin = dir, bytes.NewReader(stdin)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %q: %v\n%s%s", name, args, err, out, stderr.Bytes())
	}
	return string(out)
}

// TestSARIFAgainstTools validates SARIF with the published schema, and with the validator of SARIF's authors, which
// checks more than the schema.
func TestSARIFAgainstTools(t *testing.T) {
	t.Parallel()
	bin, modules := tooltest.Python(t), tooltest.Node(t)
	schema := filepath.Join(modules, "@microsoft", "sarif-multitool-linux", "sarif-2.1.0.json")
	for name, text := range map[string][]byte{
		"hostile": report(SARIF, hostile(SARIF), "x: no \"such\" file"), "empty": report(SARIF, nil),
	} {
		file := save(t, name+".sarif", text)
		call(t, nil, "", filepath.Join(bin, "check-jsonschema"), "--schemafile", schema, file)
		verdict := filepath.Join(t.TempDir(), "verdict.json")
		call(t, nil, "", filepath.Join(modules, "@microsoft", "sarif-multitool-linux", "Sarif.Multitool"), "validate", file, "--output", verdict,
			"--config", "testdata/sarif-multitool.xml", "--rule-kind", "Sarif;Ghas", "--level", "Error;Warning")
		var log struct {
			Runs []struct {
				Results []struct {
					RuleID, Level string
					Message       struct {
						ID        string
						Arguments []string
					}
				}
			}
		}
		if err := json.Unmarshal([]byte(testkit.Read(t, verdict)), &log); err != nil || len(log.Runs) != 1 {
			t.Fatalf("%d runs, %v", len(log.Runs), err)
		}
		for _, r := range log.Runs[0].Results {
			t.Errorf("%s: %s %s: %s %q", name, r.Level, r.RuleID, r.Message.ID, r.Message.Arguments)
		}
	}
}

// TestReviewdogReads reads SARIF and Checkstyle with another program's parsers and compares the result.
func TestReviewdogReads(t *testing.T) {
	download := exec.Command("go", "mod", "download")
	download.Dir = "testdata/reviewdog"
	if out, err := download.CombinedOutput(); err != nil {
		testkit.Unavailable(t, fmt.Sprintf("reviewdog's parsers cannot be had: %v: %s", err, out))
	}
	for format, argument := range map[Format]string{SARIF: "sarif", Checkstyle: "checkstyle"} {
		list := hostile(format)[:6] // with a plain name: reviewdog does not decode URIs
		got := call(t, report(format, list), "testdata/reviewdog", "go", "run", ".", argument)
		want := ""
		for _, f := range list {
			severity, rule, message := strings.ToUpper(f.Severity.String()), f.Rule, string([]rune(f.Message))
			if format == Checkstyle {
				rule, message = "amlfix."+rule, ui.Printable(f.Message)
			}
			want += fmt.Sprintf("%s:%d:%d %s %s %q\n", f.Path, f.Line, f.Column, severity, rule, message)
		}
		testkit.Same(t, want, got, format)
	}
}

// TestJUnitAgainstTools validates JUnit with Jenkins' schema and reads it with another program.
func TestJUnitAgainstTools(t *testing.T) {
	bin := tooltest.Python(t)
	schema := filepath.Join(bin, "..", "..", "xsd", "junit.xsd")
	for name, want := range map[string]string{"hostile": "24 16 8 0", "empty": "1 0 0 0"} {
		var list []Finding
		if name == "hostile" {
			list = hostile(JUnit)
		}
		got := call(t, nil, "", filepath.Join(bin, "python"), "testdata/junit.py", schema, save(t, "junit.xml", report(JUnit, list)))
		lines := strings.Split(strings.TrimSpace(got), "\n")
		testkit.Same(t, want, lines[len(lines)-1], "%s: tests, failures, skipped, errors", name)
		if name == "hostile" && !strings.Contains(got, `a/aml_config/vm.compute yaml/syntax 2:3 Failure warning "quotes" 'and' <tags> & ]]> --> </failure>`) {
			t.Errorf("the quotes did not arrive:\n%s", got)
		}
	}
}

// TestGitLabSchema checks a code quality report against GitLab's documentation, and that its fingerprints are unique.
func TestGitLabSchema(t *testing.T) {
	t.Parallel()
	bin := tooltest.Python(t)
	for _, list := range [][]Finding{hostile(GitLab), nil} {
		text := report(GitLab, list)
		call(t, nil, "", filepath.Join(bin, "check-jsonschema"), "--schemafile", "testdata/gitlab.schema.json", save(t, "report.json", text))
		var issues []gitLabIssue
		testkit.OK(t, json.Unmarshal(text, &issues))
		seen := map[string]bool{}
		for _, i := range issues {
			seen[i.Fingerprint] = true
		}
		if len(seen) != len(list) {
			t.Errorf("%d fingerprints for %d findings", len(seen), len(list))
		}
	}
}

// TestGitHubToolkit compares the escaping with that of GitHub's own toolkit.
func TestGitHubToolkit(t *testing.T) {
	t.Parallel()
	modules := tooltest.Node(t)
	var calls []any
	var want []Finding
	for _, f := range hostile(GitHub) {
		f.Message = strings.ReplaceAll(strings.ToValidUTF8(f.Message, ""), "\r", "")
		if strings.ContainsAny(f.Message, "\x00\t\ufeff") || strings.Contains(f.Path, "\xff") {
			continue // we make these visible, and the toolkit does not
		}
		f.Related, f.Fix = nil, nil
		want = append(want, f)
		word := map[finding.Severity]string{finding.Error: "error", finding.Warning: "warning", finding.Info: "notice"}[f.Severity]
		at := map[string]any{"file": f.Path, "startLine": f.Line, "endLine": f.EndLine, "title": f.Rule}
		if f.Line == f.EndLine {
			at["startColumn"], at["endColumn"] = f.Column, f.EndColumn
		}
		calls = append(calls, []any{word, f.Message, at})
	}
	input, err := json.Marshal(calls)
	testkit.OK(t, err)
	theirs := call(t, input, "", "node", "testdata/annotate.mjs", modules)
	if d := cmp.Diff(annotations(theirs), annotations(string(report(GitHub, want)))); d != "" || len(want) < 5 {
		t.Errorf("%d compared (-toolkit +amlfix):\n%s", len(want), d)
	}
}

// annotations parses commands as the runner does, except for unescaping: the order of properties does not matter.
func annotations(text string) (list []map[string]string) {
	for line := range strings.Lines(text) {
		head, message, _ := strings.Cut(strings.TrimPrefix(strings.TrimSuffix(line, "\n"), "::"), "::")
		word, rest, _ := strings.Cut(head, " ")
		a := map[string]string{"": message, "word": word}
		for p := range strings.SplitSeq(rest, ",") {
			key, value, _ := strings.Cut(p, "=")
			a[key] = value
		}
		list = append(list, a)
	}
	return list
}
