package rules

import (
	"bytes"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/source"
)

// isJoined reports whether YAML made one item of several lines with a dash, because they are indented deeper than the
// first.
func isJoined(pkg schema.Package) bool {
	return pkg.Node.Kind == document.Scalar && pkg.Node.Style == document.Plain && pkg.Node.Dash() >= 0 && strings.Contains(pkg.Requirement.Raw, " - ")
}

// unjoin returns the fix that indents joined items like the first of them, or nil if an item is not joined or one of
// them would be no package.
func unjoin(e *schema.Environment, pkg schema.Package) *finding.Fix {
	if !isJoined(pkg) {
		return nil
	}
	src := e.File.Source
	first := src.LineAt(pkg.Node.Dash())
	indent := src.Text[src.Line(first).Start:pkg.Node.Dash()]
	if e.File.Stream.Repaired || len(bytes.TrimLeft(indent, " ")) > 0 {
		return nil
	}
	fix := &finding.Fix{Title: "give the items the same indentation", Applicability: finding.Safe}
	for n := first; n <= src.LineAt(pkg.Node.Span.End); n++ {
		line := src.Line(n)
		body := bytes.TrimLeft(src.Slice(line), " ")
		item, ok := bytes.CutPrefix(body, []byte("- "))
		text, _, _ := bytes.Cut(item, []byte(" #"))
		if !ok || len(fix.Changes) >= finding.MaxPerFile {
			return nil
		}
		if _, err := pkg.Manager.Parse(strings.TrimSpace(string(text))); err != nil {
			return nil
		}
		if lead := line.Len() - len(body); lead != len(indent) {
			fix.Changes = append(fix.Changes, finding.Splice(src, source.Span{Start: line.Start, End: line.Start + lead}, string(indent)))
		}
	}
	if len(fix.Changes) == 0 {
		return nil
	}
	return fix
}
