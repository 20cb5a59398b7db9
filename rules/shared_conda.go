package rules

import (
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/requirement"
	"github.com/amlfix/amlfix/schema/source"
)

// environments returns the conda environments of a project whose files can be parsed completely. Files that only local
// targets name are included: their users install them by hand. Callers must not modify the list.
func environments(p *Pass) []*schema.Environment { return readable(p.Project.Environments) }

// installations returns the environments, followed by what Dockerfiles install. Callers must not modify the list.
func installations(p *Pass) []*schema.Environment { return readable(p.Project.Installations()) }

func readable(all []*schema.Environment) (list []*schema.Environment) {
	if !slices.ContainsFunc(all, func(e *schema.Environment) bool { return e.File.Broken() }) {
		return all // nearly always, and many rules ask
	}
	for _, e := range all {
		if !e.File.Broken() {
			list = append(list, e)
		}
	}
	return list
}

// dependencyLists returns the item lists of an environment: conda's own, or nil, and those below "pip".
func dependencyLists(e *schema.Environment) (conda *document.Node, pip []*document.Node) {
	conda = e.Node.Get("dependencies").Resolve()
	if !conda.IsSequence() {
		return nil, nil
	}
	for _, item := range conda.Items() {
		if list := item.Get("pip").Resolve(); list.IsSequence() {
			pip = append(pip, list)
		}
	}
	return conda, pip
}

// itemAt returns the location of an item, with a message.
//
//go:noinline
func itemAt(e *schema.Environment, item *document.Node, message string) finding.Location {
	span := item.Span
	if span.Len() == 0 && item.Dash() >= 0 {
		// nothing follows the dash: the schemas point there too
		span = source.Span{Start: item.Dash(), End: item.Dash() + 1}
	}
	return finding.Location{Source: e.File.Source, Span: span, Message: message}
}

// rewriteItem returns the fix that replaces an item's text, or nil for an item that is shared through an alias.
func rewriteItem(e *schema.Environment, item *document.Node, how finding.Applicability, title, text string) *finding.Fix {
	if item.Kind != document.Scalar {
		return nil
	}
	return finding.NewFix(how, title, finding.Change{Op: finding.SetScalar, File: e.File.Path, Pointer: item.Pointer(), Value: finding.Text(text)})
}

// removeItem returns the fix that removes an item.
func removeItem(e *schema.Environment, item *document.Node, how finding.Applicability, title string) *finding.Fix {
	return finding.NewFix(how, title, finding.Change{Op: finding.RemoveEntry, File: e.File.Path, Pointer: item.Pointer()})
}

// spliceItem returns the fix that inserts text into the raw bytes of a block list's item at an offset of the file, or
// nil if holds rejects the changed item.
func spliceItem(e *schema.Environment, item *document.Node, title string, offset int, insert string, holds func(*document.Node) bool) *finding.Fix {
	src := e.File.Source
	if item.Dash() < 0 || e.File.Stream.Repaired || offset <= item.Span.Start || offset > item.Span.End {
		return nil
	}
	// the item is parsed at its column but without the rest of the file, which may have thousands of items
	column := item.Dash() - src.Line(src.LineAt(item.Dash())).Start
	text := strings.Repeat(" ", column) + string(src.Text[item.Dash():offset]) + insert + string(src.Text[offset:item.Span.End])
	repaired := document.Parse(source.New(src.Path, []byte(text)))
	if now := repaired.Root(); len(repaired.Problems) > 0 || !now.IsSequence() || len(now.Items()) != 1 || !holds(now.Items()[0]) {
		return nil
	}
	// a replacement rather than an insertion, so that the bytes are checked again when it is applied
	last := source.Span{Start: offset - 1, End: offset}
	return finding.NewFix(finding.Safe, title, finding.Splice(src, last, string(src.Slice(last))+insert))
}

// pythonPin returns what the function pythonPin does, which it calls once for each environment.
func (p *Pass) pythonPin(e *schema.Environment) string {
	return p.shared.pythons.of(e, func() string { return pythonPin(e) })
}

// pythonPin returns the version of Python that an environment pins ("3.5.2", "3.7"), or "".
func pythonPin(e *schema.Environment) string {
	if python, ok := e.Python(); ok {
		if pin, pinned := python.Requirement.Pin(); pinned {
			return pin.String()
		}
	}
	return ""
}

// distribution returns the name of what an item installs, normalised as its package manager does, or "" if the item
// does not say.
func distribution(r *requirement.Requirement) string {
	switch {
	case r.Kind == requirement.Option:
		return ""
	case r.Name != "":
		return r.Key
	case r.Wheel != nil:
		return r.Wheel.Key()
	}
	return ""
}
