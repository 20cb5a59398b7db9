package plan

import (
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/schema/secret"
)

// Line is one line of a displayed plan.
type Line struct {
	Name   string // what it is: "image", "argument", …
	Value  string // with secrets masked and unusual characters quoted
	Origin Origin
}

func (l Line) String() string {
	text := fmt.Sprintf("%-12s %s", l.Name, l.Value)
	if at := l.Origin.String(); at != "" {
		text += "  (" + at + ")"
	}
	return text
}

// Lines returns what would run, most important first, one item per line.
func (p Plan) Lines() []Line {
	var surroundings, limits, lines []Line
	if p.Part != nil {
		surroundings, limits = p.Part.Lines(p)
	}
	add := func(name, value string, o Origin) { lines = append(lines, Line{name, value, o}) }
	add("target", Quote(p.Target.Value), p.Target.Origin)
	add("runs", string(p.Kind.Value), p.Kind.Origin)
	if p.Host.Address.Value != "" {
		add("host", Quote(p.Host.Address.Value), p.Host.Address.Origin)
		if p.Host.User.Value != "" {
			add("user", Quote(p.Host.User.Value), p.Host.User.Origin)
		}
	}
	lines = append(lines, surroundings...)
	if p.Part == nil && p.GPUs.Value.Wanted() {
		add("gpus", string(p.GPUs.Value), p.GPUs.Origin)
	}
	if p.Work != nil {
		lines = append(lines, p.Work.lines()...)
	} else {
		add("program", Quote(p.Interpreter.Value), p.Interpreter.Origin)
	}
	for _, a := range p.Spark {
		add("spark", a.Shown(), a.Origin)
	}
	for _, a := range p.arguments() {
		add("argument", a.Shown(), a.Origin)
	}
	for _, v := range p.Env {
		add("variable", v.Name+"="+v.Shown(), v.Origin)
	}
	add("project", Quote(p.Project), Origin{Note: p.Transport})
	if p.ShareDir.Value != "" {
		value := Quote(p.ShareDir.Value)
		if p.ShareAs != "" {
			value += " as " + p.ShareAs
		}
		add("share", value, p.ShareDir.Origin)
	}
	add("outputs", Quote(path.Clean(p.Outputs.Value)+"/"), p.Outputs.Origin)
	if p.Timeout.Value > 0 {
		add("time limit", p.Timeout.Value.String(), p.Timeout.Origin)
	}
	lines = append(lines, limits...)
	if !p.Tracked.Value {
		add("record", "none is left", p.Tracked.Origin)
	}
	for _, n := range p.Notes {
		add("note", n.Value, n.Origin)
	}
	for i := range lines {
		lines[i].mask()
	}
	return lines
}

// mask hides secrets.
func (l *Line) mask() {
	hide := secret.HideValue
	if l.Name == "note" {
		hide = secret.Hide // a sentence
	}
	l.Value, l.Origin.Note = hide(l.Value), secret.Hide(l.Origin.Note)
}

// WriteTo writes the lines of the plan, each with a newline.
func (p Plan) WriteTo(w io.Writer) (int64, error) {
	var b strings.Builder
	for _, l := range p.Lines() {
		b.WriteString(l.String())
		b.WriteByte('\n')
	}
	n, err := io.WriteString(w, b.String())
	return int64(n), err
}

// Quote returns ordinary text unchanged, and anything that a terminal or reader could misread in Go's quoted form.
func Quote(text string) string {
	if text == "" || strings.ContainsAny(text, " \t\"'`\\") || strconv.Quote(text) != `"`+text+`"` {
		return strconv.Quote(text)
	}
	return text
}
