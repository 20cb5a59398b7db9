package rules

import (
	"fmt"
	"path"
	"slices"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/format"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/template"
)

// dangling reports a reference from a field to a missing file. It suggests the only candidate, or the only one with a
// similar path or with the same name in another folder.
func dangling(p *Pass, field schema.Field, what, name string, candidates []string) {
	message := fmt.Sprintf("the %s %q does not exist (paths are relative to the project folder)", what, name)
	if !field.Explicit {
		message = fmt.Sprintf("no %s is given, so %q is used, which does not exist", what, name)
	}
	if hint := longer(p, name); hint != "" {
		p.report(field.Location(message+hint), nil)
		return
	}
	var fix *finding.Fix
	alike := false // false for the only candidate, which may be unrelated
	if near := p.nearest(name, candidates); len(near) == 1 {
		candidates, alike = near, true
	} else if same := named(path.Base(name), candidates); len(same) == 1 {
		candidates, alike = same, true
	}
	switch len(candidates) {
	case 0:
		message += ": create it, or write the path of another " + what
	case 1:
		message += fmt.Sprintf("; the project has %q", candidates[0])
		if alike || what != "conda file" {
			fix = field.Fix(finding.Text(candidates[0]), finding.Unsafe, fmt.Sprintf("use %q", candidates[0]))
		}
	default:
		message += "; the project has " + quotedList(candidates)
	}
	p.report(field.Location(message), fix)
}

// longer says that a missing file has one extension more, as an editor may append one that the system does not show.
func longer(p *Pass, name string) string {
	for _, extension := range []string{".txt", ".yml", ".yaml"} {
		if p.Project.Exists(name + extension) {
			return fmt.Sprintf("; there is %q: remove %s from its name", name+extension, extension)
		}
	}
	return ""
}

// named returns the paths whose last element is a name.
func named(name string, paths []string) []string {
	return slices.DeleteFunc(slices.Clone(paths), func(p string) bool { return path.Base(p) != name })
}

// filesOf returns the paths of the project's files of a kind.
func filesOf(p *Pass, kind schema.Kind) (paths []string) {
	for _, f := range p.Project.Files {
		if f.Kind == kind {
			paths = append(paths, f.Rel)
		}
	}
	return paths
}

// quotedList joins words for a sentence: "a", "b" and "c".
func quotedList(words []string) string { return plain.List(quoted(words), "and") }

// choice lists the first of the names that may have been meant instead of name, in parentheses after a space; of many,
// those that are at most half different.
func (p *Pass) choice(name string, names []string) string {
	const most, mostNear = 5, 3 // the near ones of many may be long
	listed := names
	switch {
	case len(names) == 0, len(names) > mostNames, p.compared >= mostComparisons:
		return "" // the reader looks them up
	case len(names) > 2*most:
		p.compared += len(names)
		listed = slices.DeleteFunc(slices.Clone(names), func(other string) bool { return plain.Distance(name, other) > len(name)/2 })
		listed = listed[:min(len(listed), mostNear)]
		if len(listed) == 0 {
			return ""
		}
	case len(names) > most:
		listed = names[:most-1]
	}
	var words []string
	for _, name := range listed {
		words = append(words, brief(name))
	}
	if left := len(names) - len(listed); left > 0 {
		words = append(words, fmt.Sprintf("%d more", left))
	}
	return " (" + plain.List(words, "or") + ")"
}

// quoted returns words in quotes.
func quoted(words []string) (list []string) {
	for _, w := range words {
		list = append(list, fmt.Sprintf("%q", w))
	}
	return list
}

// misspelt reports whether a missing field has a similar key next to it: then the typo is the fault, which another rule
// repairs first.
func misspelt(field schema.Field, name string) bool {
	return field.Key == nil && slices.ContainsFunc(field.Keys(), func(key string) bool {
		return key != name && likeness.Of(key+" "+name, func(string) bool { return len(format.Nearest(key, []string{name})) > 0 })
	})
}

// likeness says of keys and names, with a space between them, whether the key may be a typo of the name: most files
// have the same keys.
var likeness = plain.Memo[bool]{Longest: 64}

// isPath reports whether a field can be checked as a path: it is absent, null, or a string that no program fills in.
// The schema rules report anything else.
func isPath(field schema.Field) bool {
	return field.Node.IsNull() || field.Node.IsString() && !template.ByProgram(field.Text)
}
