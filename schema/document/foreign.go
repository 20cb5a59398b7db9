package document

import (
	"bytes"

	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/source"
)

// fence matches the line before or after a block of code in Markdown.
var fence = plain.Regexp{Text: "^\\s*```[A-Za-z0-9_-]*\\s*$"}

// fences finds such lines, which are copied along with the code.
func (d *diagnosis) fences() (Problem, bool) {
	var repair []Splice
	for n := 1; n <= d.LineCount(); n++ {
		if fence.Get().Match(d.Slice(d.Line(n))) {
			line := d.FullLine(n)
			repair = append(repair, Splice{Offset: line.Start, Old: string(d.Slice(line))})
		}
	}
	return d.some(repair, func(repair []Splice) Problem {
		at := d.Line(d.LineAt(repair[0].Offset))
		return Problem{Span: source.Span{Start: at.Start, End: at.End}, Repair: repair,
			Message: "this line is a code fence of Markdown, not YAML: delete it"}
	})
}

// backtick matches a key whose $ PowerShell would replace without the backtick.
var backtick = plain.Regexp{Text: "^\\s*(`)\\$[A-Za-z_](?s:.*)$"}

// backticks finds such keys, which are copied from a text in a PowerShell script.
func (d *diagnosis) backticks() (Problem, bool) {
	return d.replaced(backtick.Get(), "", func(repair []Splice) Problem {
		return Problem{Span: repair[0].span(), Repair: repair,
			Message: "only PowerShell needs a backtick before a $, and no YAML key begins with one: delete it"}
	})
}

// percents finds lines that begin with %, which only directives above a "---" do: commands of notebooks, and directives
// without it.
func (d *diagnosis) percents() (Problem, bool) {
	var repair []Splice
	for n := 1; n <= d.LineCount(); n++ {
		line := d.FullLine(n)
		if text := bytes.TrimPrefix(d.Slice(line), []byte("\ufeff")); bytes.HasPrefix(text, []byte("%")) {
			repair = append(repair, Splice{Offset: line.End - len(text), Old: string(text)})
		}
	}
	return d.some(repair, func(repair []Splice) Problem {
		message := "this line begins with %, as notebook commands do, and is not YAML: delete it"
		if directive.Get().MatchString(repair[0].Old) {
			message = "a line that begins with %YAML or %TAG needs a version that YAML has, and a \"---\" below it: delete the line"
		}
		return Problem{Span: source.Span{Start: repair[0].Offset, End: d.Line(d.LineAt(repair[0].Offset)).End}, Repair: repair, Message: message}
	})
}
