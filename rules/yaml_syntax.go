package rules

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/format"
	"github.com/amlfix/amlfix/schema/requirement"
	"github.com/amlfix/amlfix/schema/source"
	"github.com/amlfix/amlfix/schema/template"
)

var yamlSyntax = Rule{
	ID:       "yaml/syntax",
	Severity: finding.Error,
	Since:    "2026-11-20",
	Doc:      "The file cannot be read: it is not valid YAML, not UTF-8, or not a text file at all.",
	Why: `Azure ML reads these files with a YAML parser. A tab in the indentation, a leftover merge marker or a missing
colon makes the whole file unreadable, and the job fails before it starts.`,
	Remedy: "Makes the repair if only one is possible, such as a space for a tab.",
	Facts:  []string{"packages"},
	Bad: `
-- aml_config/docker.compute --
type: "localdocker"
baseDockerImage: "microsoft/mmlspark:plus-0.9.9
sharedVolumes: true
`,
	Good: `
-- aml_config/docker.compute --
type: "localdocker"
baseDockerImage: "microsoft/mmlspark:plus-0.9.9"
sharedVolumes: true
`,
	Check: func(p *Pass) {
		for _, f := range p.Project.Files {
			if f.Kind == schema.Unknown && !errors.Is(f.Err, fs.ErrPermission) {
				continue
			}
			if f.Err != nil {
				p.report(finding.Location{Source: f.Source, Message: schema.ReadError(f.Err)}, nil)
				continue
			}
			if f.V2 != "" && (bytes.IndexByte(f.Source.Text, '!') >= 0 || alone(f.Source.Text)) {
				for _, root := range f.Stream.Documents {
					unknownTags(p, f, root)
				}
			}
			for _, problem := range f.Stream.Problems {
				switch {
				case problem.Kind == document.DuplicateKey, problem.Kind == document.MultipleDocuments:
				case problem.Cause == document.GluedKey && gluesKnown(f), problem.Cause == document.LostPipColon && f.Kind == schema.CondaFile:
				case inTemplate(f, problem):
					p.reportAs(finding.Info, finding.Location{Source: f.Source, Span: problem.Span, Message: "this line belongs to a template: the file can only be checked after it is filled in"}, nil)
				default:
					condition, _ := doubt(f, problem)
					p.report(finding.Location{Source: f.Source, Span: problem.Span, Message: problem.Message + condition}, syntaxFix(f))
				}
			}
		}
		for _, f := range p.shared.schema {
			if f.Rule == p.rule.ID {
				p.report(f.Location, f.Fix, f.Related...)
			}
		}
	},
}

// unknownTags reports the tags at which the Azure ML client's reader stops: those of other programs, YAML's own before
// a value that does not fit them, and those that = and << have without quotes.
func unknownTags(p *Pass, f *schema.File, n *document.Node) {
	foreign := len(n.Tag()) > 1 && n.Tag()[0] == '!' && n.Tag()[1] != '!' || strings.HasPrefix(n.Tag(), "!!python/")
	switch {
	case p.full(f.Source):
		return
	case n.Kind == document.Scalar && n.Style == document.Plain && n.Properties == n.Span.Start && (n.Value == "=" || n.Value == "<<"):
		fix := finding.NewFix(finding.Safe, "put it in quotes", finding.Splice(f.Source, n.Span, `"`+n.Value+`"`))
		p.report(finding.Location{Source: f.Source, Span: n.Span,
			Message: n.Value + " has a meaning of its own in YAML 1.1, so Azure ML cannot read the file: put it in quotes"}, fix)
	case foreign:
		p.reportAs(finding.Warning, finding.Location{Source: f.Source, Span: n.Span, Message: fmt.Sprintf(
			"before this value is %s, a tag that Azure ML does not know, so it rejects the file unless another program replaces it first: remove it, or put the value in quotes if the %q belongs to it", brief(n.Tag()), "!")}, nil)
	case bytes.IndexByte(f.Source.Text[n.Properties:max(n.Properties, n.Span.Start)], '!') >= 0 && !n.FitsTag():
		p.report(finding.Location{Source: f.Source, Span: n.Span, Message: fmt.Sprintf(
			"the tag %s does not fit this, so Azure ML cannot read the file: remove the tag", brief(n.Tag()))}, nil)
	}
	for _, e := range n.Entries() {
		if e.Key.Value != "=" && e.Key.Value != "<<" {
			unknownTags(p, f, e.Key)
		}
		unknownTags(p, f, e.Value)
	}
	for _, item := range n.Items() {
		unknownTags(p, f, item)
	}
}

// alone reports whether a text may have the value = or <<.
func alone(text []byte) bool {
	for _, mark := range []string{"=", "<<"} {
		for at := 0; ; {
			i := bytes.Index(text[at:], []byte(mark))
			if i < 0 {
				break
			}
			before := text[max(at+i-1, 0)]
			at += i + len(mark)
			if strings.IndexByte(" [,:{\t\r\n", before) >= 0 && (at == len(text) || strings.IndexByte(" \t\r\n,]}", text[at]) >= 0) {
				return true
			}
		}
	}
	return false
}

// inTemplate reports whether a problem is on a line of v2 that a program fills in before the file is used.
func inTemplate(f *schema.File, problem document.Problem) bool {
	return f.V2 != "" && template.In(string(f.Source.Slice(f.Source.Line(f.Source.LineAt(problem.Span.Start)))))
}

// doubt reports whether a repair may not be what was meant, and on which condition it is, to end the message.
func doubt(f *schema.File, problem document.Problem) (condition string, ok bool) {
	if problem.Cause == document.LostDash && !surelyItem(f, problem) {
		return ", if it belongs here; otherwise, remove this line", true
	}
	key := strayKey(f, problem)
	if key != "" && problem.Cause == document.LostMark {
		condition = ", if " + key + " belongs here; otherwise, remove this line or correct the lines around it"
	}
	return condition, key != ""
}

// surelyItem reports whether a word without a dash is a package of a conda file, and not left over from something else.
func surelyItem(f *schema.File, problem document.Problem) bool {
	word := string(f.Source.Slice(problem.Span))
	r, err := requirement.ParsePip(strings.TrimSuffix(word, ":"))
	return f.Kind == schema.CondaFile && err == nil && (r.Kind != requirement.Package || r.Constraint != "" || catalog.KnownPackage(r.Name))
}

// strayKey returns a key that a repair would make or move, in quotes, if its mapping takes no such key; otherwise "".
// The line may then be left over from something else, or belong elsewhere.
func strayKey(f *schema.File, problem document.Problem) (stray string) {
	kind, ok := FormatOf(f)
	if problem.Cause != document.LostMark && problem.Cause != document.TabIndentation || !ok || !f.Stream.Repaired {
		return ""
	}
	ends, starts := map[int]bool{}, map[int]bool{}
	for _, s := range problem.Repair {
		ends[s.Offset] = true
		if after := s.Offset + len(s.Old); s.New == "," || problem.Cause == document.TabIndentation {
			starts[len(f.Source.Text)-len(bytes.TrimLeft(f.Source.Text[after:], " \t\r\n"))] = true
			starts[s.Offset] = starts[s.Offset] || s.New == "" // where the key is after the repair
		}
	}
	format.Walk(kind, f.Root(), func(_, n *document.Node, p *format.Place) {
		for _, e := range n.Entries() {
			if (ends[e.Key.Span.End] || starts[e.Key.Span.Start]) && stray == "" && !p.Allows(e.Key.Value) {
				stray = strconv.Quote(e.Key.Value)
			}
		}
	})
	return stray
}

// syntaxFix returns the fix for all problems of a file's text, or nil if one of them has none.
func syntaxFix(f *schema.File) *finding.Fix {
	for _, problem := range f.Stream.Problems {
		if len(problem.Repair) == 0 {
			continue
		}
		if _, ok := doubt(f, problem); ok || inTemplate(f, problem) {
			return nil
		}
	}
	return splice(f, f.Stream.Repair())
}

// splice returns the fix that changes the raw text, or nil if there is nothing or too much to change.
func splice(f *schema.File, repair []document.Splice) *finding.Fix {
	if n := len(repair); n == 0 || n > finding.MaxPerFile {
		return nil
	}
	fix := &finding.Fix{Title: "repair the syntax", Applicability: finding.Safe}
	for _, s := range repair {
		fix.Changes = append(fix.Changes, finding.Splice(f.Source, source.Span{Start: s.Offset, End: s.Offset + len(s.Old)}, s.New))
	}
	return fix
}
