package report

import (
	"fmt"
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/plain"
)

// Clean returns the message for a check that found nothing, for which a report for people is empty. verbose is as in
// Options.
func Clean(s Summary, verbose bool) string {
	said := plain.Count(s.Files, "file") + " checked, nothing found"
	if s.Infos > 0 && !verbose {
		said += "; " + hiddenInfos(s.Infos, 0)
	}
	return said
}

// hiddenInfos returns how many findings only --verbose shows, and how many of them can be repaired.
func hiddenInfos(n, repairs int) string {
	with := ""
	if repairs > 0 {
		with = fmt.Sprintf(", %d with a repair", repairs)
	}
	return plain.Count(n, "info") + " hidden" + with + ": --verbose"
}

// summary returns the last line: what was done, what is left, and what can be done.
func (t *text) summary(s Summary) string {
	var parts []string
	if s.Repaired > 0 {
		made := fmt.Sprintf("%d repaired", s.Repaired)
		if s.Uncovered > 0 {
			made += fmt.Sprintf(", and %d more that the repairs revealed", s.Uncovered)
		}
		parts = append(parts, made)
	}
	if s.Ignored > 0 {
		parts = append(parts, plain.Count(s.Ignored, "comment")+" added")
	}
	if s.Refused > 0 {
		parts = append(parts, fmt.Sprintf("%d not repaired", s.Refused))
	}
	left := t.left(s)
	where := fmt.Sprintf("in %s (%s)", plain.Count(s.Projects, "project"), plain.Count(s.Files, "file"))
	switch {
	case left == "" && t.opts.Applied:
		parts = append(parts, "nothing is left to repair "+where)
	case t.opts.Applied:
		parts = append(append(parts, left+" left "+where), t.offers(s)...)
	default:
		parts = append(append(parts, left+" "+where), t.offers(s)...)
	}
	if s.Infos > 0 && !t.opts.Verbose {
		parts = append(parts, hiddenInfos(s.Infos, t.unshown))
	}
	return strings.Join(parts, "; ")
}

// left returns how many findings of which severity were shown.
func (t *text) left(s Summary) string {
	var parts []string
	add := func(n int, severity finding.Severity) {
		if n > 0 {
			parts = append(parts, plain.Count(n, severity.String()))
		}
	}
	add(s.Errors, finding.Error)
	add(s.Warnings, finding.Warning)
	if t.opts.Verbose {
		add(s.Infos, finding.Info)
	}
	return strings.Join(parts, ", ")
}

// offers returns what can be repaired, and how. What --apply was allowed to repair, and did not, has been refused.
func (t *text) offers(s Summary) (parts []string) {
	safe, unsafe := s.Fixable, s.Unsafe
	if t.opts.Unsafe {
		safe, unsafe = safe+unsafe, 0
	}
	if t.opts.Applied {
		safe = 0
	}
	if safe > 0 {
		command := t.command(t.fixed...)
		if t.opts.Unsafe {
			command += t.gap() + "--unsafe"
		}
		parts = append(parts, fmt.Sprintf("%d can be repaired: %s", safe, command))
	}
	switch {
	case unsafe > 0 && safe > 0:
		parts = append(parts, fmt.Sprintf("%d more with --unsafe", unsafe))
	case unsafe > 0:
		parts = append(parts, fmt.Sprintf("%d can be repaired: %s", unsafe, t.command(t.fixed...)+t.gap()+"--unsafe"))
	}
	return parts
}

// What an overview shows, and the number of findings from which there is one.
const (
	fewFindings  = 50
	mostRules    = 10
	mostProjects = 5
	allRules     = 1 << 20
)

// overview ends a long report: which rules and projects have the most findings, and how to see fewer at a time. All
// findings are above it.
func (t *text) overview() {
	t.counts.table(t, mostRules).Write(t.w, "")
	if others := len(t.counts.by) - mostRules; others > 0 {
		t.print("       and ", plain.Count(others, "other rule"), ": --statistics\n")
	}
	if len(t.projects) > 1 {
		table := ui.Heading(t.style, "COUNT", "PROJECT")
		for _, name := range most(t.projects, mostProjects) {
			table.Row(fmt.Sprintf("%5d", t.projects[name]), name)
			table.Paint(1, func(shown string) string { return t.file(name, shown) })
		}
		t.print("\n")
		table.Write(t.w, "")
		if others := len(t.projects) - mostProjects; others > 0 {
			t.print("       and ", plain.Count(others, "other project"), "\n")
		}
	}
	t.print("\n")
	t.line("Each finding is above. Less at a time: name a project, --select", t.gap(), "RULE, or --format", t.gap(), "concise.")
}
