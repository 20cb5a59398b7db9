package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/schema/finding"
)

// text is the report for people.
type text struct {
	w     *bufio.Writer
	style ui.Style
	opts  Options
	shown bool // something was written
}

func newText(w io.Writer, opts Options) *text {
	return &text{w: bufio.NewWriter(w), style: ui.NewStyle(opts.Coloured), opts: opts}
}

// Finding writes a finding: where and what, the line, the reasons, the fix.
func (t *text) Finding(f Finding) {
	if f.Suppression != nil || f.Severity == finding.Info && !t.opts.Verbose {
		return
	}
	if t.shown {
		t.print("\n")
	}
	t.shown = true
	t.print("%s %s %s %s\n", t.position(f.Place), t.severity(f.Severity), t.style.Bold(ui.Printable(f.Message)), t.style.Dim("["+f.Rule+"]"))
	t.snippet(f.Place, t.paint(f.Severity))
	for _, n := range f.Related {
		t.print("%s %s %s\n", t.position(n.Place), t.style.Cyan("note:"), ui.Printable(n.Message))
		t.snippet(n.Place, t.style.Cyan)
	}
	if f.Fix != nil && (!t.opts.Applied || !t.allowed(f.Fix)) { // else it was refused, which has been said
		t.fix(f.Fix)
	}
	_ = t.w.Flush()
}

// fix writes what would mend a finding, and what has to be decided for it.
func (t *text) fix(f *Fix) {
	how := t.how(f)
	if len(f.Answers) > 0 {
		how = "your decision; the answer can also stand in .amlfix.yaml"
	}
	t.print("  %s %s %s\n", t.style.Green("fix:"), ui.Printable(f.Title), t.style.Dim("("+how+")"))
	table := new(ui.Table)
	for _, a := range f.Answers {
		table.Row(ui.Printable(a.Flag), ui.Printable(a.Title))
	}
	table.Write(t.w, "    ")
	if f.Notice != "" {
		t.print("  %s %s\n", t.style.Yellow("notice:"), ui.Printable(f.Notice))
	}
}

// allowed reports whether --apply makes a fix, with the flags given.
func (t *text) allowed(f *Fix) bool {
	return f.Applicability == finding.Safe || t.opts.Unsafe && f.Applicability == finding.Unsafe
}

// how says what the user does to get a fix.
func (t *text) how(f *Fix) string {
	switch f.Applicability {
	case finding.Safe:
		return t.opts.Command
	case finding.Unsafe:
		return t.opts.Command + " --unsafe"
	}
	return "your decision"
}

func (t *text) position(p Place) string {
	return t.style.Bold(fmt.Sprintf("%s:%d:%d:", ui.Printable(p.Path), p.Line, p.Column))
}

func (t *text) severity(s finding.Severity) string { return t.paint(s)(s.String() + ":") }

func (t *text) paint(s finding.Severity) func(string) string {
	switch s {
	case finding.Error:
		return t.style.Red
	case finding.Warning:
		return t.style.Yellow
	}
	return t.style.Cyan
}

// snippet writes a place's line and the carets under it. Both lines begin alike,
// so that tabs in them reach the same columns.
func (t *text) snippet(p Place, paint func(string) string) {
	if p.Snippet.Pointer == "" {
		return
	}
	number := fmt.Sprintf("%4d", p.Line)
	bar := t.style.Dim(" | ")
	t.print("%s%s%s\n", t.style.Dim(number), bar, p.Snippet.Text)
	at := strings.IndexByte(p.Snippet.Pointer, '^')
	t.print("%s%s%s%s\n", strings.Repeat(" ", len(number)), bar, p.Snippet.Pointer[:at], paint(p.Snippet.Pointer[at:]))
}

// Repair writes one line about a repair.
func (t *text) Repair(r Repair) {
	t.shown = true
	word, rest := t.style.Green(r.Word()+":"), ""
	if r.Reason != "" {
		word, rest = t.style.Yellow(r.Word()+":"), ": "+ui.Printable(r.Reason)
	}
	title, rule := r.Title, " "+t.style.Dim("["+r.Rule+"]")
	if r.Ignored {
		title, rule = strings.TrimPrefix(r.Title, "ignore "), "" // the title names the rules
	}
	t.print("%s %s %s%s%s\n", t.style.Bold(fmt.Sprintf("%s:%d:", ui.Printable(r.Path), r.Line)), word,
		ui.Printable(title), rest, rule)
	if r.Notice != "" {
		t.print("  %s %s\n", t.style.Yellow("notice:"), ui.Printable(r.Notice))
	}
	_ = t.w.Flush()
}

// Close writes the summary when there was something to say.
func (t *text) Close(s Summary) {
	if t.shown {
		t.print("\n%s\n", t.style.Bold(t.summary(s)))
	}
	_ = t.w.Flush()
}

func (t *text) summary(s Summary) string {
	var parts []string
	if s.Repaired > 0 {
		made := ui.Count(s.Repaired, "repair") + " made"
		if s.Uncovered > 0 {
			made += fmt.Sprintf(", and %d of what they brought to light", s.Uncovered)
		}
		parts = append(parts, made)
	}
	if s.Ignored > 0 {
		parts = append(parts, ui.Count(s.Ignored, "comment")+" added")
	}
	if s.Refused > 0 {
		parts = append(parts, ui.Count(s.Refused, "repair")+" refused")
	}
	left := t.counts(s)
	where := fmt.Sprintf("in %s (%s)", ui.Count(s.Projects, "project"), ui.Count(s.Files, "file"))
	switch {
	case left == "" && t.opts.Applied:
		parts = append(parts, "nothing is left to repair "+where)
	case t.opts.Applied:
		parts = append(parts, left+" left "+where)
	default:
		parts = append(parts, left+" "+where)
	}
	if !t.opts.Applied {
		parts = append(parts, t.offers(s)...)
	}
	return strings.Join(parts, "; ")
}

// counts says how many findings of which severity were shown.
func (t *text) counts(s Summary) string {
	var parts []string
	add := func(n int, word string) {
		if n > 0 {
			parts = append(parts, ui.Count(n, word))
		}
	}
	add(s.Errors, "error")
	add(s.Warnings, "warning")
	if t.opts.Verbose {
		add(s.Infos, "info")
	}
	return strings.Join(parts, ", ")
}

// offers says what can be repaired, and how.
func (t *text) offers(s Summary) (parts []string) {
	safe, unsafe := s.Fixable, s.Unsafe
	if t.opts.Unsafe {
		safe, unsafe = safe+unsafe, 0
	}
	if safe > 0 {
		command := t.opts.Command
		if t.opts.Unsafe {
			command += " --unsafe"
		}
		parts = append(parts, fmt.Sprintf("%d can be repaired: %s", safe, command))
	}
	switch {
	case unsafe > 0 && safe > 0:
		parts = append(parts, fmt.Sprintf("%d more with --unsafe", unsafe))
	case unsafe > 0:
		parts = append(parts, fmt.Sprintf("%d can be repaired: %s --unsafe", unsafe, t.opts.Command))
	}
	return parts
}

func (t *text) print(format string, args ...any) { _, _ = fmt.Fprintf(t.w, format, args...) }
