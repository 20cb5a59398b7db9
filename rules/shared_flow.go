package rules

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/amlfix/amlfix/rules/flow"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/format"
)

// expression is an expression of v2 with what it names: root is "inputs",
// "outputs", "search_space", "parent.inputs", "parent.outputs" or "parent.jobs"
// (or what was written instead), name what is looked up there, rest what follows.
type expression struct {
	flow.Use
	body             *flow.Body
	root, name, rest string
}

// expressions returns all expressions of bodies whose braces are right.
func expressions(bodies []*flow.Body) (all []expression) {
	for _, b := range bodies {
		for _, u := range b.Uses {
			if !u.Broken {
				all = append(all, expressionOf(b, u))
			}
		}
	}
	return all
}

func expressionOf(b *flow.Body, u flow.Use) expression {
	root, name, _ := strings.Cut(u.Name, ".")
	if root == "parent" {
		second, rest, _ := strings.Cut(name, ".")
		root, name = "parent."+second, rest
	}
	return expression{Use: u, body: b, root: root, name: name}
}

// misplaced reports whether an expression begins in a way that has no meaning where
// it is; ref/scope says so, and no other rule has anything to add.
func (e expression) misplaced() bool {
	switch e.root {
	case "inputs", "outputs":
		return e.Place == flow.Data || e.body.IsPipeline()
	case "parent.inputs", "parent.outputs":
		return e.Place == flow.Command || e.body.Parent == nil
	case "parent.jobs":
		return e.body.Parent == nil
	}
	return false
}

// lookup returns whether what an expression names is there: as it is written, or
// the group that it is in.
func (e expression) lookup(has func(name string) (bool, bool)) (found, known bool) {
	group, _, _ := strings.Cut(e.name, ".")
	if found, _ = has(group); found {
		return true, true
	}
	return has(e.name)
}

// at returns the expression's place in its file.
func (e expression) at(message string) finding.Location {
	return finding.Location{Source: e.body.File.Source, Span: e.At, Message: message}
}

// shown returns the expression as it would be with another name.
func (e expression) shown(name string) string { return "${{" + shown(name) + "}}" }

// rename returns the fix that gives an expression another name, nil where the file
// does not allow it.
func (e expression) rename(name string) *finding.Fix {
	return e.write(e.shown(name), strings.Replace(e.text(), e.Name, name, 1))
}

// write returns the fix that writes something else for an expression, nil where the
// file does not allow it.
func (e expression) write(title, text string) *finding.Fix {
	if e.body.File.Stream.Repaired {
		return nil
	}
	return &finding.Fix{Title: "write " + title, Applicability: finding.Safe, Changes: []finding.Change{{
		Op: finding.SpliceText, File: e.body.File.Path, Offset: e.At.Start, Old: e.text(), Value: finding.Text(text),
	}}}
}

// text returns the expression as it is written.
func (e expression) text() string { return string(e.body.File.Source.Slice(e.At)) }

// undeclared reports an expression that names nothing. names are those that there
// are, where says whose they are.
func (p *Pass) undeclared(severity finding.Severity, e expression, what, where string, names []string) {
	if p.full(e.body.File.Source) {
		return
	}
	message := fmt.Sprintf("there is no %s %q in %s", what, shown(e.name), where)
	near := p.nearest(e.name, names)
	switch len(near) {
	case 0:
		p.reportAs(severity, e.at(message+": declare it there, or correct the name"), nil)
		return
	case 1:
		message += fmt.Sprintf(": did you mean %q?", shown(near[0]))
	}
	var fix *finding.Fix
	if len(near) == 1 && !countsOn(e.name, near[0]) && (e.rest != "" || !e.named(near[0])) {
		fix = e.rename(e.root + "." + near[0] + e.rest)
	}
	p.reportAs(severity, e.at(message), fix)
}

// named reports whether another expression beside this one names the same kind of
// thing so: then this one is not likely to mean it too.
func (e expression) named(name string) bool {
	bodies := []*flow.Body{e.body}
	if strings.HasPrefix(e.root, "parent.") && e.body.Parent != nil {
		bodies = e.body.Parent.Jobs
	}
	name = e.root + "." + name
	return slices.ContainsFunc(bodies, func(b *flow.Body) bool {
		return slices.ContainsFunc(b.Uses, func(u flow.Use) bool { return u.Name == name })
	})
}

// countsOn reports whether two names differ in their digits only: neither is likely
// to be a typo of the other.
func countsOn(a, b string) bool {
	letters := func(r rune) rune {
		if unicode.IsDigit(r) {
			return -1
		}
		return r
	}
	return strings.Map(letters, a) == strings.Map(letters, b)
}

// whose says which body an expression is about, for messages.
func whose(b *flow.Body, part string) string {
	switch {
	case b.Key != nil:
		return fmt.Sprintf("the %s of %q", part, shown(b.Key.Value))
	case b.IsPipeline():
		return "the pipeline's " + part
	case b.Declared:
		return "the component's " + part
	}
	return "the job's " + part
}

// listOf returns the names of a body with those of what it runs.
func listOf(b *flow.Body, names func(*flow.Body) flow.Names) []string {
	list := names(b).List(mostNames)
	if b.Runs != nil {
		list = append(list, names(b.Runs).List(mostNames)...)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func inputsOf(b *flow.Body) flow.Names  { return b.Inputs }
func outputsOf(b *flow.Body) flow.Names { return b.Outputs }

// member splits the rest of parent.jobs.NAME.outputs.NAME.
func (e expression) member() (job *flow.Body, part, name string) {
	of, rest, _ := strings.Cut(e.name, ".")
	part, name, _ = strings.Cut(rest, ".")
	return e.body.Parent.Child(of), part, name
}

// certain returns the severity of what contradicts the component that a body runs: a
// file that was registered may have changed since.
func certain(b *flow.Body) finding.Severity {
	if b.Registered {
		return finding.Warning
	}
	return finding.Error
}

// surplus reports what a child lists and what it runs does not have. Where the name
// resembles one that is needed, severity is worse, and mistaken has that one.
func (p *Pass) surplus(b *flow.Body, what string, names func(*flow.Body) flow.Names, needed func(name string) bool) (mistaken map[string]bool) {
	mistaken = map[string]bool{}
	if b.Runs == nil || !names(b.Runs).Known || !names(b).Known || names(b.Runs).Node.Merges() {
		return mistaken
	}
	var open []string
	for _, name := range names(b.Runs).List(math.MaxInt) {
		if !names(b).Has(name) && !b.Space.Has(name) {
			open = append(open, name)
		}
	}
	for _, entry := range names(b).Node.Resolve().Own() {
		given := entry.Key.Value
		group, _, _ := strings.Cut(given, ".")
		if names(b.Runs).Has(given) || names(b.Runs).Has(group) {
			continue
		}
		if p.full(b.File.Source) {
			return mistaken
		}
		message := fmt.Sprintf("the component that this job runs does not have the %s %q", what, shown(given))
		switch {
		case b.Scheduled:
			message = fmt.Sprintf("the job of the schedule does not have the %s %q", what, shown(given))
		case b.Key != nil:
			message = fmt.Sprintf("the component that %q runs does not have the %s %q", shown(b.Key.Value), what, shown(given))
		}
		near := p.nearest(given, open)
		if len(near) == 1 && strings.EqualFold(near[0], given) {
			mistaken[near[0]] = true // Microsoft's own pipelines count on that it does not matter
			continue
		}
		var fix *finding.Fix
		severity := finding.Warning
		if len(near) == 1 && !mistaken[near[0]] {
			message += fmt.Sprintf(": did you mean %q?", shown(near[0]))
			if needed(near[0]) {
				severity, mistaken[near[0]] = certain(b), true
			}
			if !b.File.Stream.Repaired && entry.Value.Parent == b.Node.Get(what+"s") && !countsOn(given, near[0]) {
				fix = &finding.Fix{Title: fmt.Sprintf("rename %q to %q", shown(given), shown(near[0])), Applicability: finding.Safe,
					Changes: []finding.Change{{Op: finding.RenameKey, File: b.File.Path, Pointer: entry.Value.Pointer(), Key: near[0]}}}
			}
		}
		p.reportAs(severity, finding.Location{Source: b.File.Source, Span: entry.Key.Span, Message: message}, fix)
	}
	return mistaken
}

// mostNames is how many names one is compared with.
const mostNames = 1000

// mostComparisons is how many names a rule compares in a project to find which one
// is meant: they take a twentieth of a second.
const mostComparisons = 40_000

// nearest returns the names that one is most likely a typo of. Of more names than
// any person writes none is tried, and at last none at all: each takes time.
func (p *Pass) nearest(name string, names []string) []string {
	if len(names) > mostNames || p.compared >= mostComparisons {
		return nil
	}
	p.compared += len(names)
	return format.Nearest(name, names)
}
