package rules

import (
	"bytes"
	"cmp"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/format"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/source"
)

var yamlTabAfterColon = Rule{
	ID:       "yaml/tab-after-colon",
	Severity: finding.Warning,
	Since:    "2026-11-20",
	Doc:      "A tab is used where Azure ML's YAML readers accept only spaces, such as between a colon and its value.",
	Why: `YAML 1.2 allows this, and most editors show no difference. The Python readers of these files, PyYAML and
ruamel.yaml, stop with "found character that cannot start any token". There was such a file among the official
samples. For files of Azure ML v2, whose client certainly uses PyYAML, this is an error.`,
	Remedy: "Replaces the whitespace with one space, or removes it at the end of a line.",
	Bad:    "\n-- aml_config/spark_dependencies.yml --\nconfiguration:\n  \"spark.driver.memory\":\t\"6g\"\npackages: []\n",
	Good:   "\n-- aml_config/spark_dependencies.yml --\nconfiguration:\n  \"spark.driver.memory\": \"6g\" # more\tthan enough\npackages: []\n",
	Check: func(p *Pass) {
		for _, f := range p.Project.Files {
			if kind, ok := FormatOf(f); ok && kind != format.Settings && !f.Broken() && f.Stream.Exact && bytes.IndexByte(f.Source.Text, '\t') >= 0 {
				checkTabs(p, f)
			}
		}
	},
}

func checkTabs(p *Pass, f *schema.File) {
	var indentation []source.Span
	for _, gap := range tabGaps(f) {
		if p.full(f.Source) {
			break
		}
		place := gapPlace(f, gap)
		if place == gapIndentation {
			indentation = append(indentation, gap)
			continue
		}
		p.reportAs(severityOf(f, true), finding.Location{Source: f.Source, Span: gap, Message: gapMessages[place]},
			spaceFix(f, "replace the tab", []source.Span{gap}, func(string) string { return gapSpace[place] }))
	}
	// It is not known what read Workbench's JSON files. The SDK has ruamel.yaml, the client of v2 has PyYAML.
	if len(indentation) > 0 && (f.Dialect == schema.SDKv1 || f.V2 != "") {
		p.reportAs(severityOf(f, true), finding.Location{Source: f.Source, Span: indentation[0],
			Message: "this file is indented with tabs, which Azure ML's YAML reader does not accept: use spaces"},
			spaceFix(f, "indent with spaces", indentation, func(lead string) string { return strings.ReplaceAll(lead, "\t", "  ") }))
	}
}

// gapKind says where white space with a tab in it is.
type gapKind int

const (
	gapAfterColon gapKind = iota
	gapLineEnd
	gapElsewhere
	gapIndentation // of a line inside brackets; elsewhere a tab there is a syntax error
)

const refusedByPython = ", which Python's YAML readers, and so Azure ML, do not accept: "

var gapMessages = [...]string{
	gapAfterColon: "there is a tab between this colon and its value" + refusedByPython + "write a space",
	gapLineEnd:    "there is a tab at the end of this line" + refusedByPython + "remove it",
	gapElsewhere:  "there is a tab here" + refusedByPython + "write a space",
}

var gapSpace = [...]string{gapAfterColon: " ", gapLineEnd: "", gapElsewhere: " "}

// tabGaps returns the runs of white space outside values and comments that contain a tab.
func tabGaps(f *schema.File) (gaps []source.Span) {
	taken := f.Stream.Comments()
	for _, root := range f.Stream.Documents {
		taken = scalarSpans(root, taken)
	}
	for _, problem := range f.Stream.Problems {
		for _, s := range problem.Repair {
			taken = append(taken, source.Span{Start: s.Offset, End: s.Offset + len(s.Old)})
		}
	}
	plain.SortFunc(taken, func(a, b source.Span) int { return cmp.Compare(a.Start, b.Start) })
	text := f.Source.Text
	for i := f.Source.Start(); i < len(text); i++ {
		for len(taken) > 0 && taken[0].End <= i {
			taken = taken[1:]
		}
		if len(taken) > 0 && taken[0].Contains(i) {
			i = taken[0].End - 1
			continue
		}
		end := i
		for end < len(text) && (text[end] == ' ' || text[end] == '\t') && (len(taken) == 0 || end < taken[0].Start) {
			end++
		}
		if end == i {
			continue
		}
		if bytes.IndexByte(text[i:end], '\t') >= 0 {
			gaps = append(gaps, source.Span{Start: i, End: end})
		}
		i = end - 1
	}
	return gaps
}

// scalarSpans appends the spans in which a tab belongs to a value.
func scalarSpans(n *document.Node, spans []source.Span) []source.Span {
	if n.Kind == document.Scalar && n.Span.Len() > 0 {
		return append(spans, n.Span)
	}
	for _, e := range n.Entries() {
		spans = scalarSpans(e.Value, scalarSpans(e.Key, spans))
	}
	for _, item := range n.Items() {
		spans = scalarSpans(item, spans)
	}
	return spans
}

func gapPlace(f *schema.File, gap source.Span) gapKind {
	line := f.Source.Line(f.Source.LineAt(gap.Start))
	switch before := f.Source.Slice(source.Span{Start: line.Start, End: gap.Start}); {
	case gap.End >= line.End:
		return gapLineEnd
	case len(before) == 0 && f.Source.Text[gap.End] != '#':
		return gapIndentation
	case bytes.HasSuffix(before, []byte(":")):
		return gapAfterColon
	}
	return gapElsewhere
}

// spaceFix returns the fix that rewrites runs of white space, or nil in a file that has to be made readable first.
func spaceFix(f *schema.File, title string, gaps []source.Span, rewrite func(string) string) *finding.Fix {
	if f.Stream.Repaired {
		return nil
	}
	fix := &finding.Fix{Title: title, Applicability: finding.Safe}
	for _, gap := range gaps {
		fix.Changes = append(fix.Changes, finding.Splice(f.Source, gap, rewrite(string(f.Source.Slice(gap)))))
	}
	return fix
}
