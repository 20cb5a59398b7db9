package rules_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/fixers/edit"
	"github.com/amlfix/amlfix/fixers/proof"
	"github.com/amlfix/amlfix/fixers/text"
	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/testkit"
)

// condaOnly returns a project with only a conda file.
func condaOnly(conda string) *schema.Project {
	name := filepath.Join("aml_config", "conda_dependencies.yml")
	return schema.Load(schema.Root{Dir: "."}, schema.Options{}).With(map[string][]byte{name: []byte(conda)})
}

// repaired makes and proves the fix of one finding.
func repaired(p *schema.Project, f finding.Finding) (after []byte, err error) {
	file := p.File(f.Source.Path)
	edits, err := edit.New(file.Stream).Edits(f.Fix.Changes)
	if err != nil {
		return nil, err
	}
	if after, err = text.Apply(file.Source.Text, edits); err != nil {
		return nil, err
	}
	return after, proof.Check(proof.File{Path: file.Path, Old: file.Source.Text, New: after, Edits: edits, Changes: f.Fix.Changes})
}

// TestCondaFixes makes the fix of the first finding, and checks what it writes and that the finding is gone.
func TestCondaFixes(t *testing.T) {
	tests := map[string]struct {
		rule          string
		before, after string
	}{
		"equals keeps quotes and comments": {"conda/pip-equals",
			"dependencies:\r\n- pip:\r\n  - 'Pillow = 4.2.1' # c\r\n",
			"dependencies:\r\n- pip:\r\n  - 'Pillow == 4.2.1' # c\r\n"},
		"equals in a range": {"conda/pip-equals",
			"dependencies: [{pip: ['x>=1,=2']}]", "dependencies: [{pip: ['x>=1,==2']}]"},
		"colon with several items": {"conda/lost-colon",
			"dependencies:\n  - pip\n    - a==1\n    - b\nname: x\n", "dependencies:\n  - pip:\n    - a==1\n    - b\nname: x\n"},
		"colon with Windows line ends": {"conda/lost-colon",
			"dependencies:\r\n- pip  \r\n  - a", "dependencies:\r\n- pip:  \r\n  - a"},
		"empty item without a final newline": {"conda/empty-item",
			"dependencies:\n- pip:\n  - a\n  -", "dependencies:\n- pip:\n  - a"},
		"only item": {"conda/empty-item",
			"dependencies:\n- pip:\n  -\n", "dependencies:\n- pip: []\n"},
		"hash": {"conda/hash-in-spec",
			"dependencies:\n- pip:\n  - a==0.1.0a11#0.1.0a9 # old\n  - b\n", "dependencies:\n- pip:\n  - a==0.1.0a11  #0.1.0a9 # old\n  - b\n"},
		"hash in quotes": {"conda/hash-in-spec",
			"dependencies: [{pip: ['a==1#2', b]}]\n", "dependencies: [{pip: ['a==1  #2', b]}]\n"},
		"option": {"conda/split-option",
			"dependencies:\n- pip:\n  - --extra-index-url  # the index\n  - \"https://example.com/simple\"\n  - b\n",
			"dependencies:\n- pip:\n  - --extra-index-url https://example.com/simple  # the index\n  - b\n"},
		"second of two": {"conda/duplicate-package",
			"dependencies:\n- numpy\n- scipy\n- numpy # again\n", "dependencies:\n- numpy\n- scipy\n"},
		"CPU build": {"conda/duplicate-package",
			"dependencies:\n- tensorflow\n- tensorflow-gpu\n", "dependencies:\n- tensorflow-gpu\n"},
		"the less specific one": {"conda/duplicate-package",
			"dependencies:\n- numpy\n- scipy\n- numpy=1.16\n", "dependencies:\n- scipy\n- numpy=1.16\n"},
		"the pinned one first": {"conda/duplicate-package",
			"dependencies:\n- pip:\n  - numpy==1.16.0\n  - numpy>=1.10\n", "dependencies:\n- pip:\n  - numpy==1.16.0\n"},
		"joined items": {"conda/invalid-item",
			"dependencies:\r\n- pip:\r\n    - a==1\r\n      - b>2  # c\r\n", "dependencies:\r\n- pip:\r\n    - a==1\r\n    - b>2  # c\r\n"},
		"module": {"conda/stdlib-module", "dependencies:\n- numpy\n- json\n", "dependencies:\n- numpy\n"},
		"name": {"conda/misspelt-package",
			"dependencies:\n- pip:\n  - \"tensorflows[x] ==1.4; python_version>'3'\"\n",
			"dependencies:\n- pip:\n  - \"tensorflow[x] ==1.4; python_version>'3'\"\n"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			p := condaOnly(test.before)
			all := rules.Check(p)
			i := slices.IndexFunc(all, func(f finding.Finding) bool { return f.Rule == test.rule })
			if i < 0 || all[i].Fix == nil {
				t.Fatalf("no finding with a fix: %v", lines(p, all))
			}
			after, err := repaired(p, all[i])
			testkit.OK(t, err)
			testkit.Same(t, test.after, string(after))
			for _, f := range rules.Check(condaOnly(string(after))) {
				if f.Rule == test.rule || f.Severity == finding.Error {
					t.Errorf("afterwards: %s: %s", f.Rule, f.Message)
				}
			}
		})
	}
}

// TestDuplicatesKeepThePin repairs all findings, and checks that the most exact of several items for one package is
// kept, wherever it is.
func TestDuplicatesKeepThePin(t *testing.T) {
	for before, after := range map[string]string{
		"- numpy\n- numpy>=1.1\n- numpy=1.14.2\n":                     "- numpy=1.14.2\n",
		"- numpy>=1.1\n- numpy=1.14.2\n- numpy\n":                     "- numpy=1.14.2\n",
		"- numpy=1.14.2\n- numpy\n- numpy>=1.1\n":                     "- numpy=1.14.2\n",
		"- numpy>=1.1\n- numpy=1.14.2=py36_0\n- pip:\n  - numpy==1\n": "- numpy=1.14.2=py36_0\n- pip: []\n",
	} {
		text := "dependencies:\n" + before
		for range 4 {
			p := condaOnly(text)
			all := slices.DeleteFunc(rules.Check(p), func(f finding.Finding) bool { return f.Rule != "conda/duplicate-package" })
			if len(all) == 0 {
				break
			}
			out, err := repaired(p, all[0])
			testkit.OK(t, err)
			text = string(out)
		}
		testkit.Same(t, "dependencies:\n"+after, text, "%q", before)
	}
}

// TestEmptyItemIsSaidOnce checks that the schemas do not report an empty item again.
func TestEmptyItemIsSaidOnce(t *testing.T) {
	for _, conda := range []string{"dependencies:\n-\n", "dependencies:\n- pip:\n  - null\n", "dependencies: [~]\n", `{"dependencies": [null]}`} {
		p := condaOnly(conda)
		if all := rules.Check(p); len(all) != 1 || all[0].Rule != "conda/empty-item" {
			t.Errorf("%q: %v", conda, lines(p, all))
		}
	}
}

// FuzzConda checks that no conda file makes a rule panic, and that a fix that can be made and proved resolves its
// finding.
func FuzzConda(f *testing.F) {
	for _, seed := range []string{
		"dependencies:\n- pip\n  - a\n- pip:\n  - a=1\n  -\n  - b==1#2\n  - -f\n  - https://example.com/\n  - sklearn\n- json\n- a\n- a\n",
		"dependencies: [pip - a, {pip: [&x 'a=1', *x, ~, 'b#1']}]",
		"dependencies:\r\n- python=3.5\r\n- pip:\r\n  - x-1-cp36-cp36m-win_amd64.whl\r\n  - \"a==1#2\"",
		"dependencies: &d\n- pip: *d\n",
		"dependencies:\n- pyton 0\n", "dependencies: \n- pYthon 30",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, conda string) {
		p := condaOnly(conda)
		all := rules.Check(p)
		for _, f := range all {
			if f.Fix == nil || !strings.HasPrefix(f.Rule, "conda/") {
				continue
			}
			after, err := repaired(p, f)
			if err != nil {
				continue
			}
			if left := rules.Check(condaOnly(string(after))); count(left, f.Rule) >= count(all, f.Rule) {
				t.Errorf("%s is not repaired\nbefore:\n%s\nafter:\n%s", f.Rule, conda, after)
			}
		}
	})
}

func count(list []finding.Finding, rule string) (n int) {
	for _, f := range list {
		if f.Rule == rule {
			n++
		}
	}
	return n
}

// TestFullFile checks that a file with as many findings as are reported does not hide those in other files.
func TestFullFile(t *testing.T) {
	const pipeline = "$schema: https://azuremlschemas.azureedge.net/latest/pipelineJob.schema.json\ntype: pipeline\njobs:\n  a:\n    component: azureml:a:1\n    inputs:\n"
	var inputs strings.Builder
	for i := range finding.MaxPerFile + 1 {
		fmt.Fprintf(&inputs, "      x%d: ${{parent.jobs.gone.outputs.x}}\n", i)
	}
	p := load(t, "-- a.yml --\n"+pipeline+inputs.String()+"-- b.yml --\n"+pipeline+"      x: ${{parent.jobs.gone.outputs.x}}\n  settings: {}\n")
	if got := count(rules.Check(p), "ref/job"); got != finding.MaxPerFile+1 {
		t.Errorf("%d findings", got)
	}
}

// TestManyFaults runs the rules over files that consist of faults: the time must not grow with the square of their
// number.
//
//testkit:norace
func TestManyFaults(t *testing.T) {
	for item, rule := range map[string]string{
		"- a\n":                   "conda/duplicate-package",
		"-\n":                     "conda/empty-item",
		"- json\n":                "conda/stdlib-module",
		"- sklearn\n":             "conda/misspelt-package",
		"- pip - a\n":             "conda/lost-colon",
		"- pip:\n  - a=1\n":       "conda/pip-equals",
		"- pip:\n  - a==1#2\n":    "conda/hash-in-spec",
		"- pip: [-f, ./wheels]\n": "conda/split-option",
	} {
		n := 1 << 17 / len(item)
		want := min(n-1, finding.MaxPerFile) // the limit of one rule in one file
		if got := count(rules.Check(condaOnly("dependencies:\n"+strings.Repeat(item, n))), rule); got < want {
			t.Errorf("%q: %d times %s, want %d", item, got, rule, want)
		}
	}
}
