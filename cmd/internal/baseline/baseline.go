// Package baseline stores the findings that a team accepts, each with a fingerprint of its content, so that it stays
// known when lines move, and is new again when its line changes.
package baseline

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/report"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/format"
	"github.com/amlfix/amlfix/schema/plain"
)

// Name is the default name of the file.
const Name = ".amlfix-baseline.yaml"

// Baseline is the content of one file. It is immutable and safe for concurrent use; nil is an empty baseline.
type Baseline struct {
	// Folder is what the paths of entries are relative to: the file's own folder, unless it is treated as being in
	// another one.
	Folder  string
	Entries []Entry
	// Source is the text that was read.
	Source []byte

	index map[Entry]int // entries without reason and date → index in Entries
}

// Entry is a known finding.
type Entry struct {
	Rule, Path, Fingerprint string
	// Reason is why it is accepted; Expires is the last day on which it is, as 2006-01-02. Both may be "".
	Reason, Expires string
}

// Read returns the baseline in a file, and problems of the file; if one of them is an error, the baseline must not be
// used.
func Read(file *document.Stream) (*Baseline, []finding.Finding) {
	var faults []finding.Finding
	for _, p := range file.Problems {
		faults = append(faults, finding.Finding{Rule: format.RuleSyntax, Severity: finding.Error,
			Location: finding.Location{Source: file.Source, Span: p.Span, Message: p.Message}})
	}
	root := file.Root()
	if len(faults) == 0 {
		faults = format.Validate(format.Baseline, file.Source, root)
	}
	if v := root.Get("version").Resolve(); len(faults) == 0 && v.Text() != "1" {
		faults = append(faults, finding.Finding{Rule: format.RuleValue, Severity: finding.Error, Location: finding.Location{Source: file.Source, Span: v.Span,
			Message: fmt.Sprintf("this amlfix supports version 1, but the file has version %s: use the amlfix that wrote it, or a newer one", v.Text())}})
	}
	b := &Baseline{Folder: filepath.Dir(file.Source.Path), Source: file.Source.Text, index: map[Entry]int{}}
	if n := root.Get("findings").Resolve(); n != nil {
		for _, item := range n.Items() {
			e := Entry{Rule: item.Get("rule").Text(), Path: item.Get("path").Text(), Fingerprint: item.Get("fingerprint").Text()}
			b.index[e] = len(b.Entries)
			e.Reason, e.Expires = item.Get("reason").Text(), item.Get("expires").Text()
			b.Entries = append(b.Entries, e)
		}
	}
	return b, faults
}

// Text returns the content of a file with these entries, sorted and without duplicates.
func Text(entries []Entry) []byte {
	entries = slices.Clone(entries)
	plain.SortFunc(entries, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Fingerprint, b.Fingerprint))
	})
	entries = slices.CompactFunc(entries, same)
	var b strings.Builder
	b.WriteString("# Findings that are known and accepted. Written by amlfix baseline, which keeps the\n" +
		"# \"reason\" and \"expires\" of an entry; these two may be edited.\nversion: 1\n")
	if len(entries) == 0 {
		b.WriteString("findings: []\n")
		return []byte(b.String())
	}
	b.WriteString("findings:\n")
	for _, e := range entries {
		fmt.Fprintf(&b, "  - rule: %s\n    path: %s\n    fingerprint: %s\n", quoted(e.Rule), quoted(e.Path), quoted(e.Fingerprint))
		if e.Reason != "" {
			fmt.Fprintf(&b, "    reason: %s\n", quoted(e.Reason))
		}
		if e.Expires != "" {
			fmt.Fprintf(&b, "    expires: %s\n", quoted(e.Expires))
		}
	}
	return []byte(b.String())
}

// quoted returns a text as a double-quoted YAML scalar.
func quoted(s string) string {
	return strconv.Quote(strings.ToValidUTF8(s, "\ufffd")) // Go's escapes are a subset of YAML's
}

func same(a, b Entry) bool { return bare(a) == bare(b) }

// bare returns an entry without reason and date, which identifies it.
func bare(e Entry) Entry {
	e.Reason, e.Expires = "", ""
	return e
}

// Entries returns an entry without reason for each finding in list, which must contain all findings of a project.
// folder is the baseline's folder.
func Entries(folder string, list []finding.Finding) []Entry {
	var resolver report.Resolver
	out := make([]Entry, len(list))
	for i, f := range list {
		path := plain.Rel(folder, f.Source.Path)
		out[i] = Entry{Rule: f.Rule, Path: strings.ToValidUTF8(path, "\ufffd"), Fingerprint: resolver.Fingerprint(f, path)}
	}
	return out
}

// Mark returns list, which must contain all findings of a project, and marks as suppressed those that are accepted on a
// day (as 2006-01-02) and not suppressed yet. A finding whose acceptance has expired says so.
func (b *Baseline) Mark(list []finding.Finding, day string) []finding.Finding {
	if b == nil || len(b.Entries) == 0 || len(list) == 0 {
		return list
	}
	out := slices.Clone(list)
	for i, e := range Entries(b.Folder, list) {
		k, known := b.index[e]
		switch {
		case !known || out[i].Suppression != nil:
		case b.Entries[k].Expires != "" && b.Entries[k].Expires < day:
			out[i].Message += fmt.Sprintf(" (the baseline accepted this until %s)", b.Entries[k].Expires)
		default:
			out[i].Suppression = &finding.Suppression{Kind: finding.External, Justification: b.Entries[k].Reason}
		}
	}
	return out
}

// Update returns the new entries of a baseline after a check of some files: those of findings there, where old ones
// keep their reasons and dates, and those of other files unchanged. seen reports whether a path, relative to the
// baseline's folder, was checked or no longer exists. fresh has the reason and date for new entries, and the new date,
// if any, for expired ones.
func (b *Baseline) Update(found []Entry, seen func(path string) bool, fresh Entry, day string) (entries []Entry, added, gone int) {
	here, index := map[Entry]bool{}, map[Entry]int{}
	for _, e := range found {
		here[e] = true
	}
	var old []Entry
	if b != nil {
		old, index = b.Entries, b.index
	}
	for _, e := range old {
		switch {
		case !here[bare(e)] && seen(e.Path):
			gone++
			continue
		case here[bare(e)] && e.Expires != "" && e.Expires < day && fresh.Expires != "":
			e.Expires = fresh.Expires
		}
		entries = append(entries, e)
	}
	for _, e := range found {
		if _, known := index[e]; known || !here[e] {
			continue
		}
		here[e] = false // two projects may share a file
		e.Reason, e.Expires = fresh.Reason, fresh.Expires
		entries = append(entries, e)
		added++
	}
	return entries, added, gone
}
