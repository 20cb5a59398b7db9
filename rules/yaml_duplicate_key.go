package rules

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/source"
)

var yamlDuplicateKey = Rule{
	ID:       "yaml/duplicate-key",
	Severity: finding.Error,
	Since:    "2026-11-20",
	Doc:      "A mapping has the same key twice.",
	Why: `The YAML standard forbids duplicate keys, and readers disagree about them: Azure ML's Python reader silently
takes the last value, other readers take the first, and some reject the file. You may read one value while the job runs
with the other. If a group of keys is repeated, the key above the second group was lost, or is indented too far.`,
	Remedy: "Removes the second entry if both have the same value. If they differ, you have to decide.",
	Bad: `
-- aml_config/docker.runconfig --
ArgumentVector: ["$file"]
Target: docker
Framework: Python
Framework: PySpark
-- aml_config/docker.compute --
type: localdocker
-- aml_config/conda_dependencies.yml --
dependencies: []
`,
	Good: `
-- aml_config/docker.runconfig --
ArgumentVector: ["$file"]
Target: docker
Framework: Python
-- aml_config/docker.compute --
type: localdocker
-- aml_config/conda_dependencies.yml --
dependencies: []
`,
	Check: func(p *Pass) {
		for _, f := range p.Project.Files {
			if f.Kind == schema.Unknown {
				continue
			}
			for _, problem := range f.Stream.Problems {
				if problem.Kind == document.DuplicateKey {
					severity := finding.Error
					if problem.Same && f.V2 != "" {
						severity = finding.Warning // the Azure ML client accepts it, whichever entry it reads
					}
					first := "first here"
					if problem.Again {
						first = "the first of these keys is here, too"
					}
					p.reportAs(severity, finding.Location{Source: f.Source, Span: problem.Span, Message: problem.Message}, sameTwice(f, problem),
						finding.Location{Source: f.Source, Span: problem.First, Message: first})
				}
			}
		}
	},
}

// sameTwice returns the fix that removes the second of two equal entries with its lines, or with the comma before it;
// nil if that would remove a comment.
func sameTwice(f *schema.File, problem document.Problem) *finding.Fix {
	if !problem.Same || problem.Differ || !f.Stream.Exact || f.Stream.Repaired {
		return nil
	}
	for _, root := range f.Stream.Documents {
		mapping, i := entryAt(root, problem.Span)
		if i < 1 {
			continue
		}
		gone, ok := entryLines(f.Source, mapping, i)
		if !ok || bytes.ContainsAny(f.Source.Slice(gone), "#&") {
			return nil
		}
		return finding.NewFix(finding.Safe, fmt.Sprintf("remove the second %q", shown(mapping.Entries()[i].Key.Value)), finding.Splice(f.Source, gone, ""))
	}
	return nil
}

// entryAt returns the mapping with the entry whose key has a span, and the entry's index.
func entryAt(n *document.Node, key source.Span) (mapping *document.Node, index int) {
	// entries and items are sorted by place: the last one that does not begin after the key is the key's, or holds it
	i, _ := slices.BinarySearchFunc(n.Entries(), key.End+1, func(e document.Entry, at int) int { return cmp.Compare(e.Key.Span.Start, at) })
	if i > 0 {
		if e := n.Entries()[i-1]; e.Key.Span == key {
			return n, i - 1
		} else if e.Value.Span.Start <= key.Start && key.End <= e.Value.Span.End {
			return entryAt(e.Value, key)
		}
	}
	i, _ = slices.BinarySearchFunc(n.Items(), key.End+1, func(item *document.Node, at int) int { return cmp.Compare(item.Span.Start, at) })
	if i > 0 && n.Items()[i-1].Span.Start <= key.Start && key.End <= n.Items()[i-1].Span.End {
		return entryAt(n.Items()[i-1], key)
	}
	return nil, -1
}

// entryLines returns the span to remove for an entry that is not the first of its mapping: its lines or, in flow style,
// the text after the previous entry.
func entryLines(src *source.Source, mapping *document.Node, i int) (gone source.Span, ok bool) {
	e := mapping.Entries()[i]
	if mapping.Style == document.Flow {
		return source.Span{Start: mapping.Entries()[i-1].Value.Span.End, End: e.Value.Span.End}, true
	}
	end := max(e.Key.Span.End, e.Value.Span.End)
	first, last := src.FullLine(src.LineAt(e.Key.Span.Start)), src.FullLine(src.LineAt(end))
	if len(bytes.TrimSpace(src.Text[first.Start:e.Key.Span.Start])) > 0 || len(bytes.TrimSpace(src.Text[end:last.End])) > 0 {
		return gone, false
	}
	gone = source.Span{Start: first.Start, End: last.End}
	if last.End == len(src.Text) && !bytes.HasSuffix(src.Text, []byte("\n")) { // remove the line end before it instead
		gone.Start = src.Line(src.LineAt(first.Start) - 1).End
	}
	return gone, true
}
