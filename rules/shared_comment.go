package rules

import (
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/format"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/source"
)

// uncommented returns what a plain word has before a "#", or "" if there is none: it may begin a comment that has no
// space before it. In brackets, a comment would hide them.
func uncommented(n *document.Node) string {
	at := strings.IndexByte(n.Value, '#')
	if at < 0 || n.Kind != document.Scalar || n.Style != document.Plain || n.Parent == nil || n.Parent.Style == document.Flow || strings.ContainsAny(n.Value[:at], " \t\n") {
		return ""
	}
	return n.Value[:at]
}

// numberComment matches a number that is followed by a comment in words.
var numberComment = plain.Regexp{Text: `^[-+]?[0-9]*\.?[0-9]+(?:[eE][-+]?[0-9]+)?# ?[A-Za-z]`}

// checkComment reports a comment that is part of a value because it has no space before it: where only the word before
// it fits, in a reference or the size of a machine, whose names have no "#", and after a number in the value of an
// input.
func checkComment(p *Pass, f *schema.File, key, n *document.Node, place *format.Place) {
	word := uncommented(n)
	if word == "" || place.Secret() || p.full(f.Source) || string(f.Source.Slice(n.Span)) != n.Value {
		return
	}
	severity, how := finding.Error, finding.Safe
	switch {
	case place.Text() && place.Fits(n):
		asset := strings.HasPrefix(word, "azureml:") && !strings.ContainsAny(word, "/@") && !strings.Contains(n.Value[len(word):], ":")
		if key != nil && slices.Contains(forPeople, key.Value) {
			return
		}
		if strings.HasPrefix(word, "Standard_") || asset && strings.Count(word, ":") == 2 {
			break
		}
		if !asset && (!strings.Contains(n.Pointer(), "/inputs/") || !numberComment.Get().MatchString(n.Value)) {
			return
		}
		severity, how = finding.Warning, finding.Unsafe
	case !place.Fits(document.Parse(source.New("", []byte(word))).Root()):
		return
	}
	var fix *finding.Fix
	if !f.Stream.Repaired && f.Stream.Exact {
		hash := source.Span{Start: n.Span.Start + len(word), End: n.Span.Start + len(word) + len("#")}
		fix = finding.NewFix(how, `put spaces before "#"`, finding.Splice(f.Source, hash, "  #"))
	}
	p.reportAs(severity, finding.Location{Source: f.Source, Span: n.Span, Message: `"#" starts a comment only after a space, so this one is part of the value, which is not just ` +
		word + `: put spaces before "#"`}, fix)
}
