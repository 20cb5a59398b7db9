//go:build linux

package solve_test

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/fixers/migrate/solve"
	"github.com/amlfix/amlfix/schema/judge"
	"github.com/amlfix/amlfix/schema/requirement"
	"github.com/amlfix/amlfix/schema/testkit"
)

// offline returns a resolver that runs uv with a folder instead of PyPI.
func offline(t *testing.T, index string) solve.Resolver {
	t.Helper()
	python := judge.Python(t)
	uv := filepath.Join(filepath.Dir(python), "uv")
	return func(r solve.Request) (bool, string, error) {
		// With --python, uv does not start every Python of the machine to find that version.
		cmd := exec.CommandContext(t.Context(), uv, append(r.Arguments(), "--python", python, "--no-config", "--no-index", "--find-links", index)...)
		cmd.Stdin = strings.NewReader(r.Input())
		var said bytes.Buffer
		cmd.Stderr = &said
		if cmd.Run() == nil {
			return true, "", nil
		}
		text, ok := solve.Read(said.String())
		if !ok {
			t.Errorf("uv has no answer: %s", said.String())
		}
		return false, text, nil
	}
}

func TestCheck(t *testing.T) {
	t.Parallel()
	index := testkit.Index(t,
		"plain-1.0-py3-none-any.whl", "plain-2.0-py3-none-any.whl",
		"old-1.0-cp37-cp37m-manylinux2010_x86_64.whl", "old-1.0-cp38-cp38-manylinux2010_x86_64.whl", "old-1.0.tar.gz", "old-2.0-cp311-cp311-manylinux2014_x86_64.whl",
		"later-1.0-cp312-cp312-manylinux_2_28_x86_64.whl",
		"windows-1.0-cp311-cp311-win_amd64.whl",
		"source-1.0.tar.gz",
		"wants-1.0-py3-none-any.whl: plain<2", "wants-2.0-py3-none-any.whl: source",
		"needy-1.0-py3-none-any.whl: source", "stale-1.0-py3-none-any.whl: old<2",
	)
	for name, c := range map[string]struct {
		items []string
		want  solve.Verdict
	}{
		"nothing": {nil, solve.Verdict{}},
		"solved":  {[]string{"plain", "wants==1.0", "old>=1.0 # a comment"}, solve.Verdict{Checked: 3}},
		"a URL and a private index": {
			[]string{"plain", "git+https://h/x.git", "./here", "--index-url https://h/simple", "--extra-index-url https://pypi.org/simple"},
			solve.Verdict{Checked: 1, Apart: []string{"git+https://h/x.git", "./here", "--index-url https://h/simple"}},
		},
		"variables and lines": {
			[]string{"plain", "--extra-index-url https://download.pytorch.org/whl/${HOME}", "wants; python_version > '${HOME}'"},
			solve.Verdict{Checked: 1, Apart: []string{"--extra-index-url https://download.pytorch.org/whl/${HOME}", "wants; python_version > '${HOME}'"}},
		},
		"source": {[]string{"plain", "source"}, solve.Verdict{Outcome: solve.Source, Checked: 2, Source: []string{"source"}}},
		"a source package that another needs": {
			[]string{"needy", "plain"}, solve.Verdict{Outcome: solve.Source, Checked: 2, Source: []string{"source (which needy needs)"}},
		},
		"no package": {
			[]string{"nowhere", "plain"},
			solve.Verdict{Outcome: solve.Unsolved, Checked: 2, Reasons: []string{"nowhere: PyPI has no such package"}, Changes: []string{"package-nowhere=none"}},
		},
		"no release": {
			[]string{"plain==9"}, solve.Verdict{Outcome: solve.Unsolved, Checked: 1, Reasons: []string{"plain==9: PyPI has no such release"}, Changes: []string{"package-plain=plain"}},
		},
		"another Python": {
			[]string{"later"},
			solve.Verdict{Outcome: solve.Unsolved, Checked: 1, Reasons: []string{"later: its wheels are for Python 3.12, not for 3.11"}, Changes: []string{"python=3.12"}},
		},
		"old wheels": {
			[]string{"old==1.0"},
			solve.Verdict{Outcome: solve.Unsolved, Checked: 1, Reasons: []string{"old==1.0: its wheels are for Python 3.7 to 3.8, not for 3.11"}, Changes: []string{"package-old=old"}},
		},
		"old wheels that a package needs": {
			[]string{"stale"},
			solve.Verdict{Outcome: solve.Unsolved, Checked: 1, Reasons: []string{"stale needs old==1.0: its wheels are for Python 3.7 to 3.8, not for 3.11"}, Changes: []string{"package-stale=none"}},
		},
		"another system": {
			[]string{"windows==1.0"},
			solve.Verdict{Outcome: solve.Unsolved, Checked: 1, Reasons: []string{"windows==1.0: it has wheels only for systems other than Linux"}, Changes: []string{"package-windows=none"}},
		},
		"a conflict": {
			[]string{"old", "wants==1.0", "plain==2.0"},
			solve.Verdict{
				Outcome: solve.Unsolved, Checked: 3, Changes: []string{"package-wants=wants and package-plain=plain"},
				Reasons: []string{"wants==1.0, plain==2.0: each can be installed for Python 3.11, but not all together"},
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			list := solve.List{Python: "3.11", Others: []string{"3.13", "3.12"}}
			for _, item := range c.items {
				r, err := requirement.ParsePip(item)
				testkit.OK(t, err)
				list.Items = append(list.Items, r)
			}
			got, err := solve.Check(list, offline(t, index))
			testkit.OK(t, err)
			testkit.Same(t, c.want, got)
		})
	}
}

// TestUnknownPython checks that uv is not run for a Python version that it does not support.
func TestUnknownPython(t *testing.T) {
	t.Parallel()
	r, err := requirement.ParsePip("numpy")
	testkit.OK(t, err)
	got, err := solve.Check(solve.List{Python: "3.5", Items: []requirement.Requirement{r}}, func(solve.Request) (bool, string, error) {
		t.Error("uv was asked")
		return false, "", nil
	})
	testkit.OK(t, err)
	if got.Outcome != solve.Unknown {
		t.Errorf("%+v", got)
	}
}
