package report

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/schema/escape"
	"github.com/amlfix/amlfix/schema/finding"
)

// text is the report for people.
type text struct {
	w     *bufio.Writer
	style ui.Style
	opts  Options
	shown bool // something was written

	project  string          // of the current findings
	said     map[place]bool  // the notes that its findings have had so far
	fixes    map[string]bool // and the fixes, by ID
	last     Place           // of the previous finding
	counts   statistics
	projects map[string]int // findings shown, by project
	total    int
	fixed    []string // the files with findings that can be repaired
	unshown  int      // findings that are left out, and can be repaired
	host     string   // used in links
	columns  int      // of the terminal; 0 if w is none
}

// place identifies a note, without the line that it shows.
type place struct {
	path         string
	line, column int
	message      string
}

func newText(w io.Writer, opts Options) *text {
	t := &text{w: bufio.NewWriter(w), style: opts.Style, opts: opts, projects: map[string]int{}, columns: ui.Columns(w)}
	if opts.Style.Links() {
		t.host, _ = os.Hostname() // "" if it has none
	}
	return t
}

// Finding writes a finding: position and message, the line, the reasons, the fix.
func (t *text) Finding(f Finding) {
	t.take(f)
	if t.leavesOut(f) {
		return
	}
	t.counts.add(f)
	t.projects[f.Project]++
	t.total++
	if t.opts.Statistics {
		t.shown = true
		return
	}
	if t.shown {
		t.print("\n")
	}
	if !t.shown || t.project != f.Project {
		t.project, t.said, t.fixes = f.Project, map[place]bool{}, map[string]bool{}
	}
	t.shown = true
	t.line(t.position(f.Place), " ", t.paint(f.Severity)(f.Severity.String()+":"), " ", t.style.Bold(ui.Printable(f.Message)), " ", t.rule(f.Rule))
	lines := 1
	if f.Place != t.last {
		lines += t.snippet(f.Place, t.paint(f.Severity))
	}
	t.last = f.Place
	fix := f.Fix
	if fix != nil && t.opts.Applied && t.allowed(fix) {
		fix = nil // it was refused, which has been reported
	}
	t.fit(f.Related, fix, mostLines-lines)
	_ = t.w.Flush()
}

// take notes what can be repaired, even if it is not shown.
func (t *text) take(f Finding) {
	if f.Suppression != nil || f.Fix == nil || f.Fix.Applicability == finding.Choice {
		return
	}
	if t.leavesOut(f) && (!t.opts.Applied || !t.allowed(f.Fix)) {
		t.unshown++
	}
	if len(t.fixed) <= manyPaths && !slices.Contains(t.fixed, f.Path) {
		t.fixed = append(t.fixed, f.Path)
	}
}

// leavesOut reports whether a report for people omits a finding.
func (t *text) leavesOut(f Finding) bool {
	return f.Suppression != nil || f.Severity == finding.Info && !t.opts.Verbose
}

// fixLine writes what would repair a finding.
func (t *text) fixLine(f *Fix) {
	how := t.command(t.last.Path)
	switch {
	case len(f.Answers) > 0:
		how = "your decision: " + how + " with one of these, or the answer in .amlfix.yaml"
	case f.ID != "" && t.fixes[f.ID]:
		how = "same fix as above"
	case f.Applicability == finding.Unsafe:
		how += t.gap() + "--unsafe"
	case f.Applicability == finding.Choice:
		how = "your decision"
	}
	t.fixes[f.ID] = true
	t.line("  ", t.style.Green("fix:"), " ", ui.Printable(f.Title), " ", t.style.Dim("("+how+")"))
}

// answers writes the possible answers of a fix.
func (t *text) answers(list []Answer) {
	table := new(ui.Table)
	for _, a := range list {
		table.Row(ui.Printable(a.Flag), ui.Printable(a.Title))
	}
	table.Write(t.w, "    ")
}

// allowed reports whether --apply, with the given flags, makes a fix.
func (t *text) allowed(f *Fix) bool {
	return f.Applicability == finding.Safe || t.opts.Unsafe && f.Applicability == finding.Unsafe
}

// manyPaths is the number of paths from which a command does not show them all.
const manyPaths = 5

// command returns the command that makes the repairs in some files, for line. A hook passes the names of files of
// others.
func (t *text) command(paths ...string) string {
	words := []string{t.opts.Command}
	switch {
	case len(t.opts.Paths) < 2 || len(paths) > 1 && len(t.opts.Paths) < manyPaths:
		paths = t.opts.Paths
	case len(paths) >= manyPaths:
		words, paths = append(words, "PATH..."), nil // as in the help
	}
	for _, p := range paths {
		words = append(words, escape.Word(p))
	}
	command := ui.Printable(strings.Join(words, " "))
	if t.columns > 0 {
		command = strings.ReplaceAll(command, " ", t.gap())
	}
	return command
}

func (t *text) position(p Place) string {
	where := ui.Printable(p.Path) + ":" + strconv.Itoa(p.Line) + ":" + strconv.Itoa(p.Column) + ":"
	return t.file(p.Path, t.style.Bold(where))
}

// rule returns the name of a rule for the end of a finding.
func (t *text) rule(id string) string {
	return t.style.Dim("[") + t.ruleLink(id)(t.style.Dim(id)) + t.style.Dim("]")
}

// ruleLink returns a function that links text to a rule's page.
func (t *text) ruleLink(id string) func(string) string {
	return func(text string) string { return t.style.Link(RulePage(id), text) }
}

func (t *text) paint(s finding.Severity) func(string) string { return Paint(t.style, s) }

// Paint returns the colour of a severity.
func Paint(style ui.Style, s finding.Severity) func(string) string {
	switch s {
	case finding.Error:
		return style.Red
	case finding.Warning:
		return style.Yellow
	default:
		return style.Cyan
	}
}

// snippet writes a position's line and the carets under it, and returns the number of lines written. Both lines start
// alike, so that tabs in them reach the same columns.
func (t *text) snippet(p Place, paint func(string) string) int {
	if p.Snippet.Pointer == "" {
		return 0
	}
	number := fmt.Sprintf("%4d", p.Line)
	bar := t.style.Dim(" | ")
	t.print(t.style.Dim(number), bar, p.Snippet.Text, "\n")
	at := strings.IndexByte(p.Snippet.Pointer, '^')
	t.print(strings.Repeat(" ", len(number)), bar, p.Snippet.Pointer[:at], paint(p.Snippet.Pointer[at:]), "\n")
	return 2
}

// Repair writes one line about a repair.
func (t *text) Repair(r Repair) {
	t.shown = true
	word, rest := t.style.Green(r.Word()+":"), ""
	if r.Reason != "" {
		word, rest = t.style.Yellow(r.Word()+":"), ": "+ui.Printable(r.Reason)
	}
	title, rule := r.Title, " "+t.rule(r.Rule)
	if r.Ignored {
		title, rule = strings.TrimPrefix(r.Title, "ignore "), "" // the title names the rules
	}
	where := t.style.Bold(fmt.Sprintf("%s:%d:", ui.Printable(r.Path), r.Line))
	t.line(t.file(r.Path, where), " ", word, " ", ui.Printable(title), rest, rule)
	t.notice(r.Notice)
	_ = t.w.Flush()
}

// Close writes the summary if there is something to report.
func (t *text) Close(s Summary) {
	if !t.shown {
		var parts []string
		if t.opts.Unsafe && !t.opts.Applied {
			parts = t.offers(s)
		}
		if (s.Exit != 0 || len(parts) > 0) && s.Infos > 0 && !t.opts.Verbose { // --fail-on info
			parts = append([]string{hiddenInfos(s.Infos, t.unshown)}, parts...)
		}
		if len(parts) > 0 {
			t.line(strings.Join(parts, "; "))
		}
		_ = t.w.Flush()
		return
	}
	if t.opts.Statistics && len(t.counts.by) > 0 {
		t.counts.table(t, allRules).Write(t.w, "")
	}
	t.print("\n")
	if !t.opts.Statistics && t.total > fewFindings {
		t.overview()
	}
	t.line(t.style.Bold(t.summary(s)))
	_ = t.w.Flush()
}

// notice writes what the user must know about a repair, if anything.
func (t *text) notice(notice string) {
	if notice != "" {
		t.line("  ", t.style.Yellow("notice:"), " ", ui.Printable(notice))
	}
}

// gap returns what separates the words of a command.
func (t *text) gap() string {
	if t.columns > 0 {
		return ui.NoBreak
	}
	return " "
}

// line writes strings as a line, which is folded if the terminal is too narrow.
func (t *text) line(parts ...string) {
	if t.columns > 0 {
		parts = []string{ui.Fold(strings.Join(parts, ""), t.columns, "    ")}
	}
	t.print(parts...)
	t.print("\n")
}

// print writes strings, without what fmt would cost.
func (t *text) print(parts ...string) {
	for _, part := range parts {
		_, _ = t.w.WriteString(part)
	}
}
