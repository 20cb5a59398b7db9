package setup

import (
	"bytes"
	"errors"
	"reflect"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/source"
)

// ErrPresent means that a file already uses amlfix.
var ErrPresent = errors.New("already uses amlfix")

// errLayout means that it is unclear where an entry belongs.
var errLayout = errors.New("has a form to which an entry cannot be added without other changes")

// PreCommit returns the pre-commit configuration in text with an added entry for amlfix at a revision. It only adds
// bytes, in the layout of the last entry, and proves that everything else is still read as before. The error is
// ErrPresent or says why no entry was added.
func PreCommit(text []byte, revision string) ([]byte, error) {
	src := source.New(".pre-commit-config.yaml", text)
	stream := document.Parse(src)
	if len(stream.Problems) > 0 || !stream.Exact {
		return nil, errors.New("cannot be read: repair it first")
	}
	root := stream.Root()
	if root != nil && !root.IsMapping() {
		return nil, errors.New("is not a pre-commit configuration")
	}
	repos := root.Get("repos").Resolve()
	if repos != nil && uses(repos) {
		return nil, ErrPresent
	}
	end := src.LineEnd()
	var added string
	at := len(text)
	switch {
	case repos == nil:
		if root != nil && root.Style == document.Flow {
			return nil, errLayout
		}
		added = "repos:\n" + entry(layout{gap: 2}, revision)
	case repos.Kind != document.Sequence || repos.Style != document.Block:
		return nil, errLayout
	default:
		last := repos.Items()[len(repos.Items())-1]
		l, ok := layoutOf(src, last)
		if !ok {
			return nil, errLayout
		}
		added = entry(l, revision)
		at = src.FullLine(src.LineAt(max(last.Span.End-1, last.Span.Start))).End
	}
	if added = strings.ReplaceAll(added, "\n", end); at > src.Start() && text[at-1] != '\n' && text[at-1] != '\r' {
		added = end + strings.TrimSuffix(added, end)
	}
	out := append(append(bytes.Clone(text[:at]), added...), text[at:]...)
	if !extends(text, out, revision) {
		return nil, errLayout
	}
	return out, nil
}

// hook returns the hook for a revision: only a release has a wheel to install.
func hook(revision string) string {
	if strings.HasPrefix(revision, "v") {
		return "amlfix"
	}
	return "amlfix-go"
}

// uses reports whether amlfix is among the repositories.
func uses(repos *document.Node) bool {
	for _, repo := range repos.Items() {
		if strings.Contains(repo.Get("repo").Text(), "amlfix/amlfix") {
			return true
		}
		if hooks := repo.Get("hooks").Resolve(); hooks != nil {
			for _, hook := range hooks.Items() {
				if strings.HasPrefix(hook.Get("id").Text(), "amlfix") {
					return true
				}
			}
		}
	}
	return false
}

// layout is the layout of a list's entries: the spaces before their dashes and from the dash to the key, and the same
// for the hooks in them.
type layout struct {
	before, hooksBefore string
	gap, hooksGap       int
}

func layoutOf(src *source.Source, last *document.Node) (l layout, ok bool) {
	if last.Kind != document.Mapping || last.Style != document.Block || last.Dash() < 0 || len(last.Entries()) == 0 {
		return l, false
	}
	l.before, ok = indentation(src, last.Dash())
	l.gap = last.Entries()[0].Key.Properties - last.Dash()
	if hooks := last.Get("hooks").Resolve(); hooks != nil && hooks.Style == document.Block && len(hooks.Items()) > 0 &&
		hooks.Items()[0].Dash() >= 0 && len(hooks.Items()[0].Entries()) > 0 {
		hook := hooks.Items()[0]
		var aligned bool
		if l.hooksBefore, aligned = indentation(src, hook.Dash()); aligned {
			l.hooksGap = hook.Entries()[0].Key.Properties - hook.Dash()
		}
	}
	return l, ok && l.gap >= 2 && l.gap < 20
}

// indentation returns the spaces before an offset, if nothing else precedes it on its line.
func indentation(src *source.Source, offset int) (string, bool) {
	line := src.Line(src.LineAt(offset))
	before := string(src.Slice(source.Span{Start: line.Start, End: offset}))
	return before, strings.Trim(before, " ") == ""
}

// entry returns the lines of the entry.
func entry(l layout, revision string) string {
	inner := l.before + strings.Repeat(" ", l.gap)
	if l.hooksGap == 0 {
		l.hooksBefore, l.hooksGap = inner, l.gap
		if l.gap == 2 {
			l.hooksBefore += "  "
		}
	}
	pad := func(n int) string { return "-" + strings.Repeat(" ", n-1) }
	return l.before + pad(l.gap) + "repo: " + ui.Homepage + "\n" + inner + "rev: " + revision + "\n" + inner + "hooks:\n" +
		l.hooksBefore + pad(l.hooksGap) + "id: " + hook(revision) + "\n"
}

// extends reports whether a configuration is read like another one with the entry appended to its list.
func extends(before, after []byte, revision string) bool {
	var was, is map[string]any
	if yaml.Unmarshal(before, &was) != nil || yaml.Unmarshal(after, &is) != nil {
		return false
	}
	if was == nil {
		was = map[string]any{}
	}
	list, _ := was["repos"].([]any)
	was["repos"] = append(slices.Clip(list), map[string]any{
		"repo": ui.Homepage, "rev": revision, "hooks": []any{map[string]any{"id": hook(revision)}},
	})
	return reflect.DeepEqual(was, is)
}
