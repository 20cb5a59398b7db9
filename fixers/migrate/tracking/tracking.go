// Package tracking rewrites calls on SDK v1's run, or on Workbench's logger, in Python scripts as calls of MLflow. It
// reads tokens and runs nothing. It only rewrites what is certain from the script's own text: calls on something that
// can only be the job's run. A name or value that is known only at run time is logged by a short function that is added
// to the script; datasets become command-line options. All other calls are listed, each with the reason.
package tracking

import (
	"cmp"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/python"
)

// Options is information that is not in the script's own text.
type Options struct {
	// Shared reports whether other files of the project may use a name that the script sets, which is then kept. nil
	// means that none are used.
	Shared func(name string) bool
	// Imported means that other files of the project import the script.
	Imported bool
	// Dataset returns what a dataset of the run is according to the job; nil means Unknown for all.
	Dataset func(name string) Dataset
	// Deploys means that a script of the project opens registered models.
	Deploys bool
}

// Result is the outcome for a script.
type Result struct {
	// Text is the script with what is certain rewritten; nil if nothing is.
	Text []byte
	// Calls are the lines of the calls that are rewritten or removed, in order.
	Calls []int
	// Changed are the lines, in order, of everything that is changed: calls, imports and variables that held the run.
	Changed []int
	// Skipped are the calls and other uses that are not rewritten, by line.
	Skipped []Skipped
}

// Edit replaces the bytes from Start to End.
type Edit struct {
	Start, End int
	Text       string
}

// Skipped is something that is not rewritten.
type Skipped struct {
	// Line counts from 1.
	Line int
	// Name is the method or attribute of the run: "log_list". It is "" if the whole script is not rewritten.
	Name string
	// Code is the source of the use, without arguments: "run.log_list".
	Code string
	// Why is the reason, a clause without a period.
	Why string
	// Instead is what to write instead; "" if that depends only on Name.
	Instead string
	// Unfed means that the script, when it is started, certainly takes a dataset there that only SDK v1 gives to the
	// run.
	Unfed bool
}

// MaxSize is the maximum size of a script in bytes: its tokens are held in memory several times.
const MaxSize = 256 << 10

// words are the words of which every script to rewrite contains at least one.
var words = []string{"get_context", "get_azureml_logger", "get_submitted_run"}

// Rewrite rewrites a script. The result is empty if the script does not use a run.
func Rewrite(text []byte, o Options) (r Result) {
	src := string(text)
	if !slices.ContainsFunc(words, func(w string) bool { return strings.Contains(src, w) }) {
		return r
	}
	if len(text) > MaxSize {
		return Result{Skipped: []Skipped{{Line: 1, Why: "it is larger than 256 KB"}}}
	}
	if line, why := foreign(src); why != "" {
		return Result{Skipped: []Skipped{{Line: line, Why: why}}}
	}
	p, ok := read(src)
	if !ok {
		return Result{Skipped: []Skipped{{Line: 1, Why: "it cannot be parsed to the end"}}}
	}
	if line, why := p.older(); why != "" {
		return Result{Skipped: []Skipped{{Line: line, Why: why}}}
	}
	w := rewriting(p, o)
	r.Skipped = w.skipped
	if len(w.edits) == 0 {
		return r
	}
	plain.SortFunc(w.edits, func(a, b Edit) int { return cmp.Or(a.Start-b.Start, a.End-b.End) })
	changed := apply(src, w.edits)
	if err := prove(src, changed, w.edits, o); err != nil {
		return Result{Skipped: append([]Skipped{{Line: 1, Why: err.Error()}}, w.skipped...)}
	}
	r.Text = []byte(changed)
	for _, at := range w.done {
		r.Calls = append(r.Calls, p.line(at))
	}
	for _, e := range w.edits {
		for line := p.line(e.Start); line <= p.line(max(e.Start, e.End-1)); line++ {
			r.Changed = append(r.Changed, line)
		}
	}
	slices.Sort(r.Calls)
	r.Changed = slices.Compact(r.Changed)
	return r
}

// rewriting collects the edits of a script.
func rewriting(p *program, o Options) *writer {
	p.shared = o.Shared
	w := &writer{program: p, options: o}
	if p.optional = p.findOptional(); p.optional != nil {
		w.calls()
		if own := p.optional.owner; w.kept[own] || w.seen(own) || len(w.done) == 0 || len(w.data) > 0 {
			p.optional, p.verdicts = nil, map[owner]verdict{}
			w = &writer{program: p, options: o}
		}
	}
	if p.optional == nil {
		w.calls()
	}
	w.readData()
	w.tidy()
	return w
}

// apply returns the text with edits, which are in order, applied.
func apply(text string, edits []Edit) string {
	var b strings.Builder
	at := 0
	for _, e := range edits {
		b.WriteString(text[at:max(at, e.Start)]) // prove reports edits that overlap
		b.WriteString(e.Text)
		at = e.End
	}
	b.WriteString(text[at:])
	return b.String()
}

// source returns the source text of tokens.
func (p *program) source(tokens []python.Token) string {
	if len(tokens) == 0 {
		return ""
	}
	return p.text[tokens[0].At:tokens[len(tokens)-1].End]
}
