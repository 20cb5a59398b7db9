package rules

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/amlfix/amlfix/rules/flow"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/binding"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/format"
	"github.com/amlfix/amlfix/schema/source"
)

// expression is a parsed v2 expression: root is "inputs", "outputs", "search_space", "parent.inputs", "parent.outputs"
// or "parent.jobs" (or what was written instead), name is what is looked up there, and rest is what follows.
type expression struct {
	flow.Use
	body             *flow.Body
	root, name, rest string
}

// expressions returns all expressions of bodies that have correct braces.
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

// misplaced reports whether the root of an expression has no meaning where it is. Only ref/scope reports such
// expressions.
func (e expression) misplaced() bool {
	switch e.root {
	case "inputs", "outputs":
		return e.Place == flow.Data || e.body.IsPipeline()
	case "parent.inputs", "parent.outputs", "parent.jobs":
		return e.Place == flow.Command || e.body.Parent == nil
	}
	return false
}

// lookup reports whether the name in an expression exists, as written or as its group; known is false if that cannot be
// determined.
func (e expression) lookup(has func(name string) (bool, bool)) (found, known bool) {
	group, _, _ := strings.Cut(e.name, ".")
	if found, _ = has(group); found {
		return true, true
	}
	return has(e.name)
}

// parted reports a command that names a part of an input or output whose type has none, as only groups have.
func (p *Pass) parted(e expression, of *flow.Body, what string, names flow.Names, port func(string) flow.Port) bool {
	name, part, parts := strings.Cut(e.name, ".")
	if !parts || e.root != what+"s" || e.Place != flow.Command || names.Has(e.name) || !names.Has(name) {
		return false
	}
	if has := port(name); has.Type == "" && has.Literal == nil {
		return false
	}
	right := e.root + "." + name
	fix := e.rename(right)
	if fix != nil && part != "path" {
		fix.Applicability = finding.Unsafe
	}
	severity := finding.Error
	if of.Declared || what == "output" {
		severity = finding.Warning // the client does not look
	}
	p.reportAs(severity, e.at(fmt.Sprintf("an %s has no parts, so Azure ML does not find this: write %s", what, e.shown(right))), fix)
	return true
}

// at returns the location of the expression, with a message.
func (e expression) at(message string) finding.Location {
	return finding.Location{Source: e.body.File.Source, Span: e.At, Message: message}
}

// shown returns the expression with another name, for messages.
func (e expression) shown(name string) string { return "${{" + shown(name) + "}}" }

// rename returns the fix that replaces the name in an expression, or nil if the file does not allow it.
func (e expression) rename(name string) *finding.Fix {
	return e.write(e.shown(name), strings.Replace(e.text(), e.Name, name, 1))
}

// write returns the fix that replaces an expression with text, or nil if the file does not allow it.
func (e expression) write(title, text string) *finding.Fix {
	if e.body.File.Stream.Repaired {
		return nil
	}
	if up := e.Node.Parent; up != nil && up.Style == document.Flow && e.At == e.Node.Inner() && e.At == e.Node.Span {
		text = `"` + text + `"` // the braces would end the mapping or list
	}
	return finding.NewFix(finding.Safe, "write "+title, finding.Splice(e.body.File.Source, e.At, text))
}

// text returns the expression as it is written.
func (e expression) text() string { return string(e.body.File.Source.Slice(e.At)) }

// undeclared reports an expression whose name does not exist. names are those that exist, and where says whose they
// are; in is the mapping of body of that lists them.
func (p *Pass) undeclared(severity finding.Severity, e expression, what, where string, names []string, of *flow.Body, in *document.Node) {
	if p.full(e.body.File.Source) || of.Node.Get("trial").Resolve().Get(what+"s").Resolve().Get(e.name) != nil {
		return // schema/unknown-key says that the trial's mapping belongs further out
	}
	if p.unnested(of, in, e.name) {
		return
	}
	message := fmt.Sprintf("there is no %s %q in %s", what, shown(e.name), where)
	near := p.nearest(e.name, names)
	if len(near) > 1 {
		names = near
	}
	for _, b := range e.scope() {
		p.compared += (1 + len(b.Uses)) / usesPerComparison
	}
	if len(near) != 1 {
		p.reportAs(severity, e.at(message+": declare it there, or correct the name"+p.choice(e.name, names)), nil)
		return
	}
	message += fmt.Sprintf(": did you mean %q?", shown(near[0]))
	if countsOn(e.name, near[0]) || e.rest == "" && e.named(near[0]) {
		p.reportAs(severity, e.at(message), nil)
		return
	}
	if slip, ok := p.slip(e, of, in, near[0]); ok {
		message = fmt.Sprintf("there is no %s %q in %s, only %q, which looks like a typo: rename it to %[2]q", what, shown(e.name), where, shown(near[0]))
		p.reportAs(severity, e.at(message), renamed(of, in, slip, e.name), finding.Location{
			Source: of.File.Source, Span: slip.Key.Span, Message: "this is the " + what})
		return
	}
	var fix *finding.Fix
	if !binding.PortName.Get().MatchString(e.name) || binding.PortName.Get().MatchString(near[0]) {
		fix = e.rename(e.root + "." + near[0] + e.rest)
	}
	p.reportAs(severity, e.at(message), fix)
}

// unnested reports whether schema/unknown-key says of a key of a body, or of one of its inputs or outputs, that it
// belongs to the mapping in.
func (p *Pass) unnested(of *flow.Body, in *document.Node, name string) bool {
	return in != nil && slices.ContainsFunc(p.schemaAt(format.RuleUnknownKey, name), func(at finding.Location) bool {
		inner := in.Resolve().Entries()
		i, _ := slices.BinarySearchFunc(inner, at.Span.Start, func(e document.Entry, start int) int { return e.Value.Span.End - start })
		return at.Source == of.File.Source && (hasKeyAt(of.Node, name, at.Span) || i < len(inner) && hasKeyAt(inner[i].Value, name, at.Span))
	})
}

// schemaAt returns where a rule of the schemas reports a key.
func (p *Pass) schemaAt(rule, key string) []finding.Location {
	if p.shared.keys == nil {
		p.shared.keys = map[[2]string][]finding.Location{}
		for _, f := range p.shared.schema {
			at := [2]string{f.Rule, string(f.Source.Slice(f.Span))}
			p.shared.keys[at] = append(p.shared.keys[at], f.Location)
		}
	}
	return p.shared.keys[[2]string{rule, key}]
}

// isReported reports whether a rule of the schemas reports a key or value, with that text, at its place.
func (p *Pass) isReported(rule, text string, src *source.Source, at source.Span) bool {
	return slices.ContainsFunc(p.schemaAt(rule, text), func(l finding.Location) bool { return l.Source == src && l.Span == at })
}

func hasKeyAt(n *document.Node, key string, at source.Span) bool {
	e, ok := n.Entry(key)
	return ok && e.Key.Span == at
}

// named reports whether another expression in the same body already uses the name for the same kind of thing, so that
// this one is unlikely to mean it too.
func (e expression) named(name string) bool {
	name = e.root + "." + name
	return slices.ContainsFunc(e.scope(), func(b *flow.Body) bool {
		return slices.ContainsFunc(b.Uses, func(u flow.Use) bool { return u.Name == name })
	})
}

// scope returns the bodies in which an expression like this one means the same.
func (e expression) scope() []*flow.Body {
	if strings.HasPrefix(e.root, "parent.") && e.body.Parent != nil {
		return e.body.Parent.Jobs
	}
	return []*flow.Body{e.body}
}

// countsOn reports whether two names differ only in their digits, so that neither is likely to be a typo of the other.
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

// listOf returns the names of a body and of the component that it runs.
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

// member splits the part of parent.jobs.NAME.outputs.NAME after parent.jobs.
func (e expression) member() (job *flow.Body, part, name string) {
	of, rest, _ := strings.Cut(e.name, ".")
	part, name, _ = strings.Cut(rest, ".")
	return e.body.Parent.Child(of), part, name
}

// in returns the body whose inputs or outputs an expression names, and the expression with the name there; ok is false
// if it names none of that part.
func (e expression) in(part string) (of *flow.Body, _ expression, ok bool) {
	switch {
	case e.name == "" || e.misplaced():
		return nil, e, false
	case e.root == part:
		return e.body, e, true
	case e.root == "parent."+part:
		return e.body.Parent, e, true
	case e.root != "parent.jobs":
		return nil, e, false
	}
	job, named, name := e.member()
	if job == nil || named != part || name == "" {
		return nil, e, false
	}
	e.root, e.name = "parent.jobs."+job.Key.Value+"."+part, name
	return job, e, true
}

// certain returns the severity of a contradiction with the component that a body runs: a file may have changed since it
// was registered.
func certain(b *flow.Body) finding.Severity {
	if b.Registered {
		return finding.Warning
	}
	return finding.Error
}

// surplus reports names that a child lists but the component that it runs does not have. If the name resembles one that
// is needed, the severity is higher and mistaken contains the needed one.
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
		if len(near) == 1 && strings.EqualFold(near[0], given) && (!needed(near[0]) || certain(b) != finding.Error) {
			mistaken[near[0]] = true // Microsoft's own pipelines rely on it being ignored
			continue
		}
		var fix *finding.Fix
		severity := finding.Warning
		switch {
		case len(near) == 1 && !mistaken[near[0]]:
			message += fmt.Sprintf(": did you mean %q?", shown(near[0]))
			if needed(near[0]) {
				severity, mistaken[near[0]] = certain(b), true
			}
			fix = renamed(b, b.Node.Get(what+"s"), entry, near[0])
		case len(open) > 0:
			message += ": remove it, or correct the name" + p.choice(given, open)
		default:
			message += ": remove it, or declare it there"
		}
		p.reportAs(severity, finding.Location{Source: b.File.Source, Span: entry.Key.Span, Message: message}, fix)
	}
	return mistaken
}

// renamed returns the fix that gives an entry of one of a body's own mappings the name that was meant, or nil if it is
// elsewhere or unlikely to be a typo.
func renamed(b *flow.Body, in *document.Node, entry document.Entry, right string) *finding.Fix {
	name := entry.Key.Value
	if b.File.Stream.Repaired || entry.Value.Parent != in || countsOn(name, right) {
		return nil
	}
	return renameKey(b.File, entry.Value, finding.Safe, fmt.Sprintf("rename %q to %q", shown(name), shown(right)), right)
}

// renameKey returns the fix that gives the entry with a value another key.
func renameKey(f *schema.File, value *document.Node, how finding.Applicability, title, key string) *finding.Fix {
	return finding.NewFix(how, title, finding.Change{Op: finding.RenameKey, File: f.Path, Pointer: value.Pointer(), Key: key})
}

// mostNames is the maximum number of names that one is compared with.
const mostNames = 1000

// mostComparisons is the maximum number of names that a rule compares in a project to find the one that is meant: that
// many take 50 ms.
const mostComparisons = 40_000

// usesPerComparison is the number of uses that are looked through in the time of one comparison.
const usesPerComparison = 50

// nearest returns the names that one is most likely a typo of. To limit the time, it returns nothing for more names
// than mostNames and after mostComparisons.
//
//go:noinline
func (p *Pass) nearest(name string, names []string) []string {
	if len(names) > mostNames || p.compared >= mostComparisons {
		return nil
	}
	p.compared += len(names)
	return format.Nearest(name, names)
}
