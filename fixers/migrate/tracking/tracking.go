// Package tracking rewrites what Python scripts say to the run of SDK v1, or to
// Workbench's logger, as calls of MLflow. It reads tokens and runs nothing. Only
// what is certain from the script's own text is rewritten: a call of something that
// can be nothing but the job's run. A name or value that is known only when the
// script runs is logged by a short function that the script gets; datasets become
// options of its command line. All other calls are listed, each with the reason.
package tracking

import (
	"cmp"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/python"
)

// Options is what a script's own text does not say.
type Options struct {
	// Shared reports whether other files of the project may use a name that the
	// script sets: it then stays. nil is never.
	Shared func(name string) bool
	// Imported says that other files of the project import the script.
	Imported bool
	// Dataset returns what a dataset of the run is by what the job says of it; nil is
	// Unknown for all.
	Dataset func(name string) Dataset
	// Deploys says that a script of the project opens registered models.
	Deploys bool
}

// Result is what became of a script.
type Result struct {
	// Edits change the text, in order and apart; none when nothing is certain.
	Edits []Edit
	// Text is the script with the edits made; nil when there are none.
	Text []byte
	// Calls are the lines of the calls that are rewritten or removed, in order.
	Calls []int
	// Changed are the lines, in order, of all that is changed: of calls, imports and
	// what the run was kept in.
	Changed []int
	// Left are the calls and other uses that stay, by line.
	Left []Left
}

// Edit replaces the bytes from Start to End.
type Edit struct {
	Start, End int
	Text       string
}

// Left is something that is not rewritten.
type Left struct {
	// Line counts from 1.
	Line int
	// Name is the method or attribute of the run: "log_list". It is "" for a script
	// that is left alone as a whole.
	Name string
	// Code is the use as it is written, without its arguments: "run.log_list".
	Code string
	// Why is the reason, a clause without its full stop.
	Why string
	// Instead is what to write; "" where the name says it.
	Instead string
}

// MaxSize is how large, in bytes, a script may be: it is held in memory as tokens,
// several times.
const MaxSize = 256 << 10

// words are in every script that has something to rewrite.
var words = []string{"get_context", "get_azureml_logger", "get_submitted_run"}

// Rewrite returns what becomes of a script. The result is empty for one that has
// nothing to do with a run.
func Rewrite(text []byte, o Options) (r Result) {
	src := string(text)
	if !slices.ContainsFunc(words, func(w string) bool { return strings.Contains(src, w) }) {
		return r
	}
	if len(text) > MaxSize {
		return Result{Left: []Left{{Line: 1, Why: "it is larger than 256 KB"}}}
	}
	if line, why := foreign(src); why != "" {
		return Result{Left: []Left{{Line: line, Why: why}}}
	}
	p, ok := read(src)
	if !ok {
		return Result{Left: []Left{{Line: 1, Why: "it cannot be parsed to the end"}}}
	}
	if line, why := p.older(); why != "" {
		return Result{Left: []Left{{Line: line, Why: why}}}
	}
	w := rewriting(p, o)
	r.Left = w.left
	if len(w.edits) == 0 {
		return r
	}
	plain.SortFunc(w.edits, func(a, b Edit) int { return cmp.Or(a.Start-b.Start, a.End-b.End) })
	changed := apply(src, w.edits)
	if err := prove(src, changed, w.edits, o); err != nil {
		return Result{Left: append([]Left{{Line: 1, Why: err.Error()}}, w.left...)}
	}
	r.Edits, r.Text = w.edits, []byte(changed)
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

// apply makes edits, which are in order.
func apply(text string, edits []Edit) string {
	var b strings.Builder
	at := 0
	for _, e := range edits {
		b.WriteString(text[at:max(at, e.Start)]) // of edits that overlap prove says so
		b.WriteString(e.Text)
		at = e.End
	}
	b.WriteString(text[at:])
	return b.String()
}

// source returns tokens as they are written.
func (p *program) source(tokens []python.Token) string {
	if len(tokens) == 0 {
		return ""
	}
	return p.text[tokens[0].At:tokens[len(tokens)-1].End]
}
