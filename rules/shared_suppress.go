package rules

import (
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/suppression"
)

// ignoring is a comment that asks amlfix to ignore findings.
type ignoring struct {
	suppression.Directive
	file *schema.File
	used []bool // by name: whether it suppresses a finding
}

// suppress marks the findings that comments suppress, and returns the comments. Comments in settings files do not
// count, so that these cannot hide their own faults.
func suppress(project *schema.Project, findings []finding.Finding) (comments []ignoring) {
	if !project.HonorsComments() {
		return nil
	}
	for _, f := range project.Files {
		if f.Kind == schema.Unknown || f.Kind == schema.Settings || f.Err != nil {
			continue
		}
		for _, d := range suppression.Read(f.Stream) {
			comments = append(comments, ignoring{d, f, make([]bool, len(d.Names))})
		}
	}
	if len(comments) == 0 {
		return nil
	}
	names := byName(comments)
	for i := range findings {
		f := &findings[i]
		about := subject{f.Source.Path, f.Rule, 0}
		use, ok := names[about]
		if about.line = f.Source.LineAt(f.Span.Start); names[about].d != nil && (!ok || names[about].order < use.order) {
			use, ok = names[about], true
		}
		if ok {
			use.d.used[use.name] = true
			f.Suppression = &finding.Suppression{Kind: finding.InSource, Justification: use.d.Reason}
		}
	}
	return comments
}

// subject is what a name in a comment applies to: a rule on a line of a file, or on all lines if line is 0.
type subject struct {
	path, rule string
	line       int
}

// ignoringName identifies a name in a comment by their indexes.
type ignoringName struct {
	d           *ignoring
	name, order int
}

// byName returns the first name in comments that applies to each subject.
func byName(comments []ignoring) map[subject]ignoringName {
	first := map[subject]ignoringName{}
	for order := range comments {
		d := &comments[order]
		if !d.Understood() || !d.File && d.Line == 0 {
			continue
		}
		for i, name := range d.Names {
			about := subject{d.file.Path, name.Text, d.Line}
			if d.File {
				about.line = 0
			}
			if _, known := first[about]; !known {
				first[about] = ignoringName{d, i, order}
			}
		}
	}
	return first
}

// hostBound are the rules whose findings depend on the computer that amlfix runs on: no findings here does not mean
// none elsewhere.
var hostBound = []string{gpuLinuxHostID}

// longest is the maximum length in bytes of a comment that is repaired: one with the names of all rules has 2,000, and
// each name may need its own fix.
const longest = 4 << 10

// editIgnore returns the fix that replaces a comment with the text that becomes returns, or removes it.
func editIgnore(d *ignoring, title string, becomes func() string) *finding.Fix {
	if d.Span.Len() > longest || d.file.Broken() || d.file.Stream.Repaired || !d.file.Stream.Exact {
		return nil
	}
	change := finding.Splice(d.file.Source, d.Span, becomes())
	change.Op = finding.EditComment
	return finding.NewFix(finding.Safe, title, change)
}
