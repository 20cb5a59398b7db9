package setup_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/amlfix/amlfix/cmd/internal/setup"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/format"
	"github.com/amlfix/amlfix/schema/source"
	"github.com/amlfix/amlfix/schema/testkit"
)

const ours = "repo: https://github.com/amlfix/amlfix\n"

func TestPreCommit(t *testing.T) {
	for _, c := range []struct{ name, before, after string }{
		{"nothing", "", "repos:\n- " + ours + "  rev: v1\n  hooks:\n    - id: amlfix\n"},
		{"only other keys", "# mine\nfail_fast: true", "# mine\nfail_fast: true\nrepos:\n- " + ours + "  rev: v1\n  hooks:\n    - id: amlfix"},
		{"two spaces", "repos:\n  - repo: a\n    rev: b\n    hooks:\n      - id: c # why\n        args: [x]  # end\n# after\nci: {}\n",
			"repos:\n  - repo: a\n    rev: b\n    hooks:\n      - id: c # why\n        args: [x]  # end\n  - " + ours + "    rev: v1\n    hooks:\n      - id: amlfix\n# after\nci: {}\n"},
		{"pre-commit's own way", "repos:\n-   repo: a\n    rev: b\n    hooks:\n    -   id: c\n",
			"repos:\n-   repo: a\n    rev: b\n    hooks:\n    -   id: c\n-   " + ours + "    rev: v1\n    hooks:\n    -   id: amlfix\n"},
		{"hooks in brackets", "repos:\n- repo: a\n  hooks: [{id: c}]", "repos:\n- repo: a\n  hooks: [{id: c}]\n- " + ours + "  rev: v1\n  hooks:\n    - id: amlfix"},
		{"a literal text at the end", "repos:\n- repo: a\n  hooks:\n  - id: c\n    entry: |\n      x\n\nci: {}\n",
			"repos:\n- repo: a\n  hooks:\n  - id: c\n    entry: |\n      x\n- " + ours + "  rev: v1\n  hooks:\n  - id: amlfix\n\nci: {}\n"},
		{"in brackets", "repos: [{repo: a}]\n", "!"},
		{"an entry in braces", "repos:\n- {repo: a}\n", "!"},
		{"empty brackets", "repos: []\n", "!"},
		{"shared through an alias", "x: &a\n- repo: b\nrepos: *a\n", "!"},
		{"faulty", "repos: [\n", "!"},
		{"a list", "- a\n", "!"},
		{"there by address", "repos:\n- repo: git@github.com:amlfix/amlfix.git\n", "present"},
		{"there by hook", "repos:\n- repo: local\n  hooks:\n  - id: amlfix-apply\n", "present"},
	} {
		for ending, save := range map[string]func(string) string{
			"LF":   func(s string) string { return s },
			"CRLF": func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") },
		} {
			if c.before == "" && ending == "CRLF" {
				continue
			}
			t.Run(c.name+", "+ending, func(t *testing.T) {
				got, err := setup.PreCommit([]byte(save(c.before)), "v1")
				switch {
				case c.after == "present":
					if !errors.Is(err, setup.ErrPresent) {
						t.Errorf("%q, %v", got, err)
					}
				case c.after == "!":
					if err == nil || errors.Is(err, setup.ErrPresent) {
						t.Errorf("%q, %v", got, err)
					}
				case err != nil:
					t.Error(err)
				default:
					testkit.Same(t, save(c.after), string(got))
					if _, err := setup.PreCommit(got, "v1"); !errors.Is(err, setup.ErrPresent) {
						t.Errorf("added twice: %v", err)
					}
				}
			})
		}
	}
}

// TestFiles checks that what is written can be read, and sets nothing yet.
func TestFiles(t *testing.T) {
	src := source.New(".amlfix.yaml", setup.Settings())
	stream := document.Parse(src)
	if faults := format.Validate(format.Settings, src, stream.Root()); len(faults)+len(stream.Problems)+len(stream.Documents) > 0 {
		t.Errorf("%v %v", faults, stream.Problems)
	}
	// the file is also valid without the "#" before settings
	var lines []string
	for line := range strings.Lines(string(setup.Settings())) {
		if rest, ok := strings.CutPrefix(line, "# "); ok && len(lines) > 0 {
			line = rest
		}
		if line == "\n" {
			lines = append(lines[:0], "# the head\n")
		}
		lines = append(lines, line)
	}
	src = source.New(".amlfix.yaml", []byte(strings.Join(lines, "")))
	stream = document.Parse(src)
	if faults := format.Validate(format.Settings, src, stream.Root()); len(faults)+len(stream.Problems) > 0 || stream.Root().Get("fail-on").Text() != "warning" {
		t.Errorf("%s\n%v %v", src.Text, faults, stream.Problems)
	}
	var workflow map[string]any
	if err := yaml.Unmarshal(setup.Workflow("v1", "trunk"), &workflow); err != nil || workflow["name"] != "amlfix" {
		t.Errorf("%v, %v", workflow, err)
	}
	for branch, want := range map[string]string{"trunk": "[trunk]", "2.10": `["2.10"]`, "yes": `["yes"]`, "v2/x": "[v2/x]", "release/ü, 1]": `['release/ü, 1\]']`, "it's+1": `['it''s\+1']`} {
		testkit.Has(t, string(setup.Workflow("v1", branch)), "branches: "+want)
	}
}

// FuzzPreCommit adds an entry to arbitrary text: bytes are only added, and a second call changes nothing.
func FuzzPreCommit(f *testing.F) {
	for _, seed := range []string{
		"", "repos:\n- repo: a\n", "repos:\n  -   repo: a\n      hooks:\n      - {id: b}\n  # c\n", "repos: &a\n- repo: b\nx: *a\n", "---\nrepos:\n- repo: a\n...\n", "repos:\n-\n  repo: a\n",
		"? repos\n: - repo: a\n", "repos:\n- repo: a\n  x: >-\n    y\n\n\n", "\ufeffrepos:\r\n- repo: a", "a: 1\n---\nb: 2\n", "repos:\n- <<: {repo: a}\n", "repos:\n- repo: a\rb: c\r",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		out, err := setup.PreCommit(text, "v1")
		if err != nil {
			return
		}
		i := 0
		for i < len(text) && out[i] == text[i] {
			i++
		}
		if !bytes.HasSuffix(out, text[i:]) || len(out) <= len(text) {
			t.Errorf("%q becomes %q", text, out)
		}
		if _, err := setup.PreCommit(out, "v1"); !errors.Is(err, setup.ErrPresent) {
			t.Errorf("%q: a second time %v", out, err)
		}
	})
}
