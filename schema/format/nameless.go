package format

import (
	"fmt"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/binding"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/source"
)

// Nameless says what is wrong with a mapping of inputs or outputs by name, called group, that contains the settings of
// one of them instead. The name is the one that it should have, or "".
func Nameless(group, name string) string {
	if !binding.PortName.Get().MatchString(name) {
		name = "NAME"
	}
	return fmt.Sprintf("%q contains %s by name, but this is a setting of one: write %s above its settings, and indent them", group, group, shorten(name)+":")
}

// Named returns the fix that gives the settings in such a mapping their name; nil if the text does not allow it. A name
// among them, which is the first, is written above the others.
func Named(src *source.Source, settings *document.Node, name string) *finding.Fix {
	entries := settings.Entries()
	if !binding.PortName.Get().MatchString(name) || settings.Style == document.Flow || len(entries) == 0 || settings.Anchor() != "" {
		return nil
	}
	v := &validation{src: src}
	column, ok := v.indent(entries[0].Key)
	line := src.LineAt(entries[0].Key.Span.Start)
	if !ok || slices.ContainsFunc(entries[1:], func(e document.Entry) bool { return e.Key.Value == "name" }) {
		return nil
	}
	above := finding.Insert(src, src.Line(line).Start, strings.Repeat(" ", column)+name+":"+src.LineEndAt(line-1))
	if first := entries[0]; first.Key.Value == "name" {
		above = finding.Splice(src, source.Span{Start: first.Key.Span.Start, End: first.Value.Span.End}, name+":")
		entries = entries[1:]
	}
	if len(entries) == 0 {
		return nil
	}
	changes := v.reindent(entries, column+2)
	if changes == nil {
		return nil
	}
	if above.Old == "" {
		above.Value = finding.Text(above.Value.Text + changes[0].Value.Text)
		changes = changes[1:]
	}
	return &finding.Fix{Title: fmt.Sprintf("write %q above its settings", shorten(name)), Applicability: finding.Safe, Changes: append([]finding.Change{above}, changes...)}
}

// nameless reports a mapping of inputs or outputs that contains the settings of one of them. It returns whether it did.
func (v *validation) nameless(p *place) bool {
	const most = 50 // settings of one; this is asked for each of them
	settings := p.value.Resolve()
	if p.name != "inputs" && p.name != "outputs" || settings != p.value || p.shared || !settings.Has("type") || len(settings.Entries()) > most {
		return false
	}
	s := v.variant(p.free(), settings)
	if s == nil || slices.ContainsFunc(settings.Entries(), func(e document.Entry) bool {
		return e.Value.Kind != document.Scalar || s.Properties[e.Key.Value] == nil && e.Key.Value != "name"
	}) {
		return false
	}
	if t := s.Properties["type"]; t == nil || !v.named(t, settings.Get("type").Text()) {
		return false
	}
	name := settings.Get("name").Text()
	if name == "" {
		name = v.onlyUse(p)
	}
	f := v.report(RuleType, finding.Error, settings.Entries()[0].Key.Span, Nameless(p.name, name))
	f.Fix = Named(v.src, settings, name)
	for _, e := range settings.Entries() {
		v.reported = append(v.reported, e.Key)
	}
	return true
}

// onlyUse returns the only name that expressions use for the inputs or outputs of p, or "" if there is not exactly one.
func (v *validation) onlyUse(p *place) (name string) {
	prefix := p.parent.portName(p.name, "")
	span := p.parent.value.Resolve().Span
	for use, at := range v.used() {
		used, ok := strings.CutPrefix(use, prefix)
		if i, _ := slices.BinarySearch(at, span.Start); !ok || i == len(at) || at[i] >= span.End {
			continue
		}
		if name != "" {
			return ""
		}
		name = used
	}
	return name
}
