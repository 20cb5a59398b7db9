package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/amlfix/amlfix/cmd/internal/playground"
	"github.com/amlfix/amlfix/cmd/internal/tooltest"
	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestPage checks that the page does no more than its policy allows, and loads nothing. TestBrowser checks its content.
func TestPage(t *testing.T) {
	text, err := page([]byte("code"), "// start\n")
	testkit.OK(t, err)
	for _, want := range []string{"style-src " + hash(style) + ";", "script-src " + hash("\n// start\n"+script) + " 'wasm-unsafe-eval'", "default-src 'none'"} {
		if !bytes.Contains(text, []byte(want)) {
			t.Errorf("no %q", want)
		}
	}
	if left := regexp.MustCompile(`\{\{[a-z-]+\}\}|\b(src|srcset|poster|action)=|@import|\burl\(|\bfetch\(|innerHTML|\seval\(`).FindAll(text, -1); len(left) > 0 {
		t.Errorf("%q", left)
	}
	for _, start := range []string{"</SCRIPT>", "<!--"} {
		if _, err := page(nil, start); err == nil {
			t.Errorf("%q in a script is taken", start)
		}
	}
	noise := make([]byte, limit)
	for i, n := 0, uint32(1); i < len(noise); i++ {
		n = n*1664525 + 1013904223
		noise[i] = byte(n >> 24)
	}
	if _, err := page(noise, ""); err == nil || !strings.Contains(err.Error(), "more than") {
		t.Errorf("a page that is too large is taken: %v", err)
	}
}

// state is what a person reads on the page.
type state struct {
	Tabs, Findings    []string
	Tab, Status, Text string
}

// TestBrowser builds the page and uses it in a real browser, from its file and without a network. AMLFIX_TEST_BROWSER
// names a folder in which to keep screenshots and the page.
func TestBrowser(t *testing.T) {
	folder := tooltest.Pictures(t, "playground")
	testkit.OK(t, write(folder))
	requests := examples()
	list, err := json.Marshal(requests)
	testkit.OK(t, err)
	asked := filepath.Join(t.TempDir(), "requests.json")
	testkit.OK(t, os.WriteFile(asked, list, 0o600))
	var seen struct {
		Looks []struct {
			Name, Scheme, FirstFocus, Background, Where string
			Contrast                                    float64
			Unnamed                                     int
			Errors, Requests, Out, Broken               []string
		}
		Steps map[string]json.RawMessage
	}
	tooltest.Browse(t, &seen, "use.mjs", folder, filepath.Join(folder, "index.html"), asked)
	backgrounds := map[string]bool{}
	for _, l := range seen.Looks {
		backgrounds[l.Background] = true
		if len(l.Errors)+len(l.Requests)+len(l.Out)+len(l.Broken)+l.Unnamed > 0 || l.Contrast < 4.5 || l.FirstFocus != "Skip to the findings" {
			t.Errorf("%s %s: console %q, requests %q, wider than the screen %q, broken words %q, %d without a name, contrast %.1f of %s, first focus %q",
				l.Name, l.Scheme, l.Errors, l.Requests, l.Out, l.Broken, l.Unnamed, l.Contrast, l.Where, l.FirstFocus)
		}
	}
	if len(seen.Looks) != 4 || len(backgrounds) != 2 {
		t.Errorf("%d looks, backgrounds %v", len(seen.Looks), backgrounds)
	}
	checkUse(t, seen.Steps)
	var got []playground.Response
	testkit.OK(t, json.Unmarshal(seen.Steps["answers"], &got))
	if len(got) < 80 || len(got) != len(requests) {
		t.Fatalf("%d answers to %d requests", len(got), len(requests))
	}
	for i, r := range requests {
		text, err := json.Marshal(r)
		testkit.OK(t, err)
		var want playground.Response
		testkit.OK(t, json.Unmarshal(playground.Answer(text), &want))
		testkit.Same(t, want, got[i], r.Files)
	}
}

// examples returns requests about those examples of rules that consist only of Workbench files, and for their safe
// repairs.
func examples() (list []playground.Request) {
	for _, rule := range rules.All() {
		files, workbench := map[string]string{}, true
		for _, f := range txtar.Parse([]byte(rule.Bad)).Files {
			files[f.Name] = string(f.Data)
			workbench = workbench && strings.HasPrefix(f.Name, "aml_config/")
		}
		if workbench {
			list = append(list, playground.Request{Files: files}, playground.Request{Files: files, Safe: true})
		}
	}
	return list
}

// checkUse checks what the page showed while it was used.
func checkUse(t *testing.T, steps map[string]json.RawMessage) {
	at := func(name string) (s state) {
		t.Helper()
		testkit.OK(t, json.Unmarshal(steps[name], &s))
		return s
	}
	opened := at("opened")
	testkit.Same(t, state{
		Tabs: []string{"Target gpuvm.compute", "Run configuration gpuvm.runconfig", "Conda file conda_dependencies.yml"},
		Tab:  "Target", Text: target, Status: opened.Status, Findings: opened.Findings,
	}, opened)
	faults := []string{
		"error conda_dependencies.yml:5 gpu/cpu-package", "error conda_dependencies.yml:7 gpu/cpu-wheel", "error conda_dependencies.yml:7 wheel/platform",
		"error gpuvm.compute:3 gpu/base-image", "error gpuvm.runconfig:5 gpu/framework",
	}
	testkit.Same(t, faults, errorsOf(opened))
	for _, f := range sample {
		s := at("tab " + f.Tab)
		testkit.Same(t, []string{f.Tab, f.Text}, []string{s.Tab, s.Text})
	}
	testkit.Same(t, "Conda file", at("arrow").Tab) // around the end
	testkit.Same(t, `"Framework: PySpark"`, string(steps["selected"]))

	fixed := at("fixed")
	testkit.Same(t, faults[:4], errorsOf(fixed))
	testkit.Same(t, strings.Replace(job, "PySpark", `Python`, 1), fixed.Text)
	if fixed.Tab != "Run configuration" || !strings.HasPrefix(fixed.Status, "Repaired: Set Framework to Python. 4 errors") {
		t.Errorf("%s: %s", fixed.Tab, fixed.Status)
	}
	testkit.Same(t, []any{faults, job}, []any{errorsOf(at("undone")), at("undone").Text})

	safe := at("safe")
	testkit.Same(t, []string(nil), errorsOf(safe))
	for tab, want := range map[string]string{
		"Target":            strings.Replace(target, "plus-0.9.9", "plus-gpu-0.9.9", 1),
		"Run configuration": strings.Replace(job, "PySpark", "Python", 1),
		"Conda file":        strings.NewReplacer("tensorflow==", "tensorflow-gpu==", "CPU-Only/cntk-2.1-cp35-cp35m-win_amd64", "GPU/cntk-2.1-cp35-cp35m-linux_x86_64").Replace(conda),
	} {
		testkit.Same(t, want, at("safe "+tab).Text, tab)
	}
	if hostile := at("hostile"); !slices.ContainsFunc(hostile.Findings, func(f string) bool { return strings.HasPrefix(f, "error gpuvm.runconfig:2 ") }) || string(steps["elements"]) != "0" {
		t.Errorf("%q, %s elements", hostile.Findings, steps["elements"])
	}
	testkit.Same(t, []any{faults, opened}, []any{errorsOf(at("reset")), at("reset")})
}

// errorsOf returns the findings that are errors.
func errorsOf(s state) (list []string) {
	for _, f := range s.Findings {
		if strings.HasPrefix(f, "error ") {
			list = append(list, f)
		}
	}
	return list
}
