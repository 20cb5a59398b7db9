package rules

import (
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/suppression"
)

// ignoring is a comment that asks amlfix to ignore findings.
type ignoring struct {
	suppression.Directive
	file *schema.File
	used []bool // by name: it is the reason why a finding is ignored
}

// suppress marks the findings that comments ask to ignore, and returns the
// comments. Settings files have none: they cannot hide their own faults.
func suppress(project *schema.Project, findings []finding.Finding) (comments []ignoring) {
	if !project.HeedsComments() {
		return nil
	}
	byPath := map[string][]*ignoring{}
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
	for i := range comments {
		path := comments[i].file.Path
		byPath[path] = append(byPath[path], &comments[i])
	}
	for i := range findings {
		f := &findings[i]
		if len(byPath[f.Source.Path]) == 0 {
			continue
		}
		line := f.Source.LineAt(f.Span.Start)
		for _, d := range byPath[f.Source.Path] {
			if name := d.Covers(f.Rule, line); name >= 0 {
				d.used[name] = true
				f.Suppression = &finding.Suppression{Kind: finding.InSource, Justification: d.Reason}
				break
			}
		}
	}
	return comments
}

// hostBound are the rules whose findings depend on the computer that amlfix runs
// on: that they keep quiet here does not mean that they do elsewhere.
var hostBound = []string{gpuLinuxHostID}

// outside reports whether a file is not in the project's own folder: another
// project may need what is ignored there.
func outside(f *schema.File) bool { return strings.HasPrefix(f.Rel, "../") }

// editIgnore returns the fix that replaces a comment by another, or removes it.
func editIgnore(d *ignoring, title, comment string) *finding.Fix {
	if d.file.Broken() || d.file.Stream.Repaired || !d.file.Stream.Exact {
		return nil
	}
	return &finding.Fix{Title: title, Applicability: finding.Safe, Changes: []finding.Change{{
		Op: finding.EditComment, File: d.file.Path, Offset: d.Span.Start, Old: string(d.file.Source.Slice(d.Span)), Value: finding.Text(comment),
	}}}
}
