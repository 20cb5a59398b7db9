// Package solve uses a resolver to check whether pip can install lists of requirements from wheels only, and explains
// in plain words what prevents it. The explanations are based on further requests to the resolver rather than on its
// messages.
package solve

import (
	"slices"
	"strings"
	"unicode"

	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/requirement"
)

// Request is one request to the resolver.
type Request struct {
	// Lines are the lines of a requirements file.
	Lines []string
	// Python is the version (3.11) to install for; Platform is the system in the notation of wheel tags.
	Python, Platform string
	// Alone means that dependencies are not checked.
	Alone bool
}

// Resolver reports whether the requirements of a request can be installed together from wheels; if not, said is the
// resolver's message. An error means that there is no result.
type Resolver func(Request) (solved bool, said string, err error)

// List is pip's part of an environment.
type List struct {
	Items []requirement.Requirement
	// Python is the version that is installed; Others are versions that could be used instead.
	Python string
	Others []string
	// Old means that it is installed on a system with a C library from 2016.
	Old bool
}

// Outcome is the result of checking a list.
type Outcome int

// The outcomes.
const (
	Solved   Outcome = iota // all can be installed together
	Source                  // all except packages that are published only as source
	Unsolved                // some cannot be installed, or not together
	Unknown                 // the resolver does not support the Python version
)

// oldest is the oldest Python version that the resolver supports.
const oldest = "3.6"

// Verdict is the result for a list, with details.
type Verdict struct {
	Outcome
	// Checked is the number of requirements that the resolver checked; Apart are those that it did not: URLs, paths,
	// and options that name a private index.
	Checked int
	Apart   []string
	// Source are the packages that are published only as source.
	Source []string
	// Reasons say what cannot be installed; Changes are answers (ID=VALUE, several joined by " and ") that make the
	// list installable.
	Reasons, Changes []string
}

// Check checks a list. If it cannot be installed, the number of calls of resolve grows with the length of the list. The
// error is that of resolve.
func Check(list List, resolve Resolver) (Verdict, error) {
	k := &checker{list: list, resolve: resolve}
	for _, item := range list.Items {
		switch {
		case strings.ContainsFunc(item.Raw, isHostile):
			k.verdict.Apart = append(k.verdict.Apart, strings.TrimSpace(item.Raw))
		case item.Kind == requirement.Package:
			k.left = append(k.left, item)
		case item.Kind == requirement.Option && isPublic(item.Raw):
			k.options = append(k.options, strings.TrimSpace(item.Raw))
		default:
			k.verdict.Apart = append(k.verdict.Apart, strings.TrimSpace(item.Raw))
		}
	}
	k.verdict.Checked = len(k.left)
	switch {
	case len(k.left) == 0:
		return k.verdict, nil
	case catalog.CompareVersions(list.Python, oldest) < 0:
		k.verdict.Outcome = Unknown
		k.verdict.Reasons = []string{"uv supports no Python version before " + oldest}
		return k.verdict, nil
	}
	err := k.run()
	return k.verdict, err
}

// isHostile reports whether a rune ends a line of a requirements file, or begins the name of a variable, which the
// resolver would replace with a value from this machine.
func isHostile(r rune) bool { return r == '$' || unicode.IsControl(r) && r != '\t' }

// isPublic reports whether an option names a public index. Others are not queried, because a project could make the
// user's machine contact any address.
func isPublic(option string) bool {
	words := strings.FieldsFunc(option, func(r rune) bool { return r == ' ' || r == '=' || r == '\t' })
	if len(words) != 2 || !slices.Contains(requirement.IndexOptions, words[0]) {
		return false
	}
	public := []string{"https://pypi.org/simple", "https://download.pytorch.org/whl/", "https://storage.googleapis.com/jax-releases/", "https://data.pyg.org/whl/"}
	return slices.ContainsFunc(public, func(index string) bool { return strings.HasPrefix(words[1], index) })
}

// checker checks one list.
type checker struct {
	list    List
	resolve Resolver
	verdict Verdict
	options []string
	left    []requirement.Requirement // all requirements to check
	source  []requirement.Requirement // those published only as source, or with such a dependency
	culprit []requirement.Requirement
}

func (k *checker) run() error {
	solved, err := k.together(k.left, k.list.Python)
	if err != nil || solved {
		return err
	}
	var able []requirement.Requirement
	for _, r := range k.left {
		ok, err := k.single(r)
		if err != nil {
			return err
		}
		if ok {
			able = append(able, r)
		}
	}
	if solved, err = k.together(able, k.list.Python); err != nil {
		return err
	}
	if !solved {
		if err := k.conflict(able); err != nil {
			return err
		}
	}
	k.verdict.Outcome = Unsolved
	if len(k.culprit) == 0 {
		k.verdict.Outcome = Source
		return nil
	}
	return k.advise()
}

// together reports whether requirements can be installed together.
func (k *checker) together(items []requirement.Requirement, python string) (bool, error) {
	if len(items) == 0 {
		return true, nil
	}
	solved, _, err := k.resolve(k.request(items, python, false))
	return solved, err
}

func (k *checker) request(items []requirement.Requirement, python string, alone bool) Request {
	r := Request{Lines: slices.Clone(k.options), Python: python, Platform: "x86_64-manylinux_2_28", Alone: alone}
	if k.list.Old {
		r.Platform = "x86_64-manylinux_2_17"
	}
	for _, item := range items {
		r.Lines = append(r.Lines, strings.TrimSpace(item.Raw))
	}
	return r
}

// conflict finds a minimal set of requirements that exclude each other: without any one of them, the others can be
// installed.
func (k *checker) conflict(items []requirement.Requirement) error {
	core := slices.Clone(items)
	for i := 0; i < len(core); {
		without := slices.Delete(slices.Clone(core), i, i+1)
		solved, err := k.together(without, k.list.Python)
		if err != nil {
			return err
		}
		if solved {
			i++
			continue
		}
		core = without
	}
	var names []string
	for _, r := range core {
		names = append(names, short(r))
	}
	k.verdict.Reasons = append(k.verdict.Reasons, strings.Join(names, ", ")+": each can be installed for Python "+k.list.Python+", but not all together")
	k.culprit = append(k.culprit, core...)
	return nil
}

// short returns a requirement without its marker and comment.
func short(r requirement.Requirement) string {
	text, _, _ := strings.Cut(strings.TrimSpace(r.Raw), ";")
	text, _, _ = strings.Cut(text, " #")
	return strings.TrimSpace(text)
}
