package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestPage checks how a page of the site differs from the document: links to other pages and to the repository,
// examples file by file, and indented lists.
func TestPage(t *testing.T) {
	top := testkit.Root(t)
	pages := map[string]string{"README.md": "index.md", "docs/run.md": "run.md", "docs/playground/README.md": "playground/README.md", "docs/rules/README.md": "rules/README.md", "docs/rules/gpu-nvidia-docker.md": "rules/gpu-nvidia-docker.md"}
	for about, tt := range map[string]struct{ from, to, text, want string }{
		"from the README": {"README.md", "other.md", "[a](docs/run.md#x) [b](docs/playground) ![c](docs/amlfix.svg)", "[a](run.md#x) [b](playground/README.md) ![c](amlfix.svg)"},
		"to the README":   {"docs/run.md", "run.md", "[a](../README.md#install)", "[a](index.md#install)"},
		"up and down":     {"docs/playground/README.md", "sub/x.md", "[a](../run.md) [b](#here) [c](https://example.com)", "[a](../run.md) [b](#here) [c](https://example.com)"},
		"the repository":  {"docs/run.md", "run.md", "[a](../action.yml) [b](../rules)", "[a](" + ui.Homepage + "/blob/main/action.yml) [b](" + ui.Homepage + "/tree/main/rules)"},
		"what is missing": {"docs/run.md", "run.md", "[a](nowhere.md)", "[a](nowhere.md)"},
		"code":            {"docs/run.md", "run.md", "```\n[a](../action.yml)\n```\n", "```\n[a](../action.yml)\n```\n"},
		"a list":          {"docs/run.md", "run.md", "1. one\n\n   ```go\n   x\n   ```\n   more\n\nend\n   code\n", "1. one\n\n    ```go\n    x\n    ```\n    more\n\nend\n   code\n"},
		"where it is from": {
			"docs/run.md", "run.md", "<!-- Written from x. -->\n# Rules\n", "# Rules\n",
		},
		"a rule": {
			"docs/rules/gpu-nvidia-docker.md", "rules/gpu-nvidia-docker.md", "**error.** X.\n\n```\n-- a.compute --\ntype: local\n-- b.py --\nprint()\n```\n",
			"---\ntitle: gpu/nvidia-docker\ndescription: \"A target has a GPU image but does not ask for GPUs.\"\nsearch:\n  boost: 4\n---\n<span class=\"severity error\">error</span> X.\n\n" +
				"```yaml title=\"a.compute\"\ntype: local\n```\n\n```python title=\"b.py\"\nprint()\n```\n",
		},
	} {
		got, err := page(top, tt.from, tt.to, tt.text, pages)
		testkit.OK(t, err)
		testkit.Same(t, tt.want, got, about)
	}
}

// TestCharts checks the lengths of bars, and that a chart that cannot be drawn is an error.
func TestCharts(t *testing.T) {
	const table = "| | a `x` | b |\n|---|---|---|\n| one | 1.5 s (1 to 2) | 750 ms |\n| <two> | | 1,500 ms |\n"
	got, err := charts("# T\n\n<!-- chart: a x; b: Time & more -->\n\n" + table + "\nend\n")
	testkit.OK(t, err)
	for _, want := range []string{
		"<figcaption>Time &amp; more<br><span class=\"key bar-0\"></span>a x<span class=\"key bar-1\"></span>b</figcaption>",
		`<rect class="bar-0" x="0" y="17.0" width="370.0"`, `<rect class="bar-1" x="0" y="33.0" width="185.0"`, `width="370.0"`, ">1.5 s</text>", "&lt;two&gt;", "</figure>\n\n" + table + "\nend\n",
	} {
		testkit.Has(t, got, want)
	}
	if figure, _, _ := strings.Cut(got[4:], "</figure>"); strings.Contains(figure, "\n\n") || strings.Count(figure, "<rect") != 3 {
		t.Errorf("an empty line, or not 3 bars:\n%s", figure)
	}
	got, err = charts("<!-- chart: right of reported: Findings -->\n| rule | right | reported |\n|---|---|---|\n| r | 1 | 2 |\n")
	testkit.OK(t, err)
	testkit.Has(t, got, `<rect class="rest" x="0" y="17.0" width="370.0"`, `<rect class="bar-0" x="0" y="17.0" width="185.0"`, ">1 of 2<", `<span class="key rest"></span>reported`)
	got, err = charts("<!-- chart: b beside 1: Ratio -->\n| x | b |\n|---|---|\n| r | 0.5 |\n")
	testkit.OK(t, err)
	if !strings.Contains(got, `<line class="one" x1="370`) || !strings.Contains(got, `width="185.0"`) {
		t.Error(got)
	}
	for text, want := range map[string]string{
		"<!-- chart: c: X -->\n" + table:                             `no column "c"`,
		"<!-- chart: a x: X -->\n\ntext\n":                           "no table below it",
		"<!-- chart: b: X -->\n| x | b |\n|---|---|\n| r | none |\n": "no numbers",
		"<!-- chart: b: X -->\n| x | b |\n|---|---|\n":               "no rows",
		"<!-- chart: b: X -->\n| x | b |\n|---|---|\n| r |\n":        `no column "b"`,
	} {
		if _, err := charts(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestReplaceable checks that only a site is replaced.
func TestReplaceable(t *testing.T) {
	dir := t.TempDir()
	testkit.OK(t, replaceable(filepath.Join(dir, "new")))
	testkit.OK(t, replaceable(dir))
	testkit.Write(t, dir, "a.txt", "")
	if err := build(testkit.Root(t), dir); err == nil || !strings.Contains(err.Error(), "name another folder") {
		t.Errorf("%v", err)
	}
	testkit.Write(t, dir, "search/search_index.json", "")
	testkit.OK(t, replaceable(dir))
}

// TestStrict checks that links and anchors that lead nowhere, and pages missing from the navigation, are errors.
//
//testkit:norace
func TestStrict(t *testing.T) {
	testkit.Program(t, "python3")
	if _, err := tools(); err != nil {
		testkit.Unavailable(t, err.Error())
	}
	for name, tt := range map[string]struct{ text, want string }{
		"right":  {"# A\n\n[to B](#b)\n\n## B\n", ""},
		"anchor": {"# A\n\n[to C](#c)\n", "no such anchor"},
		"link":   {"# A\n\n[to C](c.md)\n", "'c.md'"},
		"orphan": {"# A\n", "not included"},
	} {
		work := t.TempDir()
		testkit.Write(t, work, "docs/index.md", tt.text)
		testkit.Write(t, work, "docs/site.css", "")
		if name == "orphan" {
			testkit.Write(t, work, "docs/b.md", "# B\n")
		}
		testkit.OK(t, copyOwn("mkdocs.yml", filepath.Join(work, "mkdocs.yml"), "nav: [index.md]\n"))
		err := generate(work, filepath.Join(work, "site"))
		if tt.want == "" {
			testkit.OK(t, err)
			if _, err := os.Stat(filepath.Join(work, "site", "index.html")); err != nil {
				t.Error(err)
			}
		} else if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %s", name, err, tt.want)
		}
	}
}
