package runtime

import (
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/runtime/docker"
	"github.com/amlfix/amlfix/runtime/prepare"
	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/schema/secret"
)

// Line is one line of a plan as it is shown.
type Line struct {
	Name   string // what it is: "image", "argument", …
	Value  string // secrets masked, unusual letters quoted
	Origin Origin
}

func (l Line) String() string {
	text := fmt.Sprintf("%-12s %s", l.Name, l.Value)
	if at := l.Origin.String(); at != "" {
		text += "  (" + at + ")"
	}
	return text
}

// Lines says what would run, in the order in which it matters, one thing a line.
func (p Plan) Lines() (lines []Line) {
	add := func(name, value string, o Origin) {
		hide := secret.HideValue
		if name == "note" {
			hide = secret.Hide // a sentence
		}
		o.Note = secret.Hide(o.Note)
		lines = append(lines, Line{name, hide(value), o})
	}
	add("target", quote(p.Target.Value), p.Target.Origin)
	add("runs", string(p.Kind.Value), p.Kind.Origin)
	if p.Host.Value != "" {
		add("host", quote(p.Host.Value), p.Host.Origin)
		if p.User.Value != "" {
			add("user", quote(p.User.Value), p.User.Origin)
		}
	}
	if p.Kind.Value == Docker {
		add("image", quote(p.Image.Value), p.Image.Origin)
		if !p.Recipe.Empty() {
			add("environment", quote(p.Conda.Value), p.Conda.Origin)
			if with := p.Recipe.Files; len(with) > 0 {
				add("with", named(with), Origin{Note: "pip reads it when the environment is made"})
			}
			if !p.Prepare.Value {
				add("note", "the environment must have been prepared before: PrepareEnvironment is false", p.Prepare.Origin)
			}
		}
		add("gpus", string(p.GPUs.Value), p.GPUs.Origin)
	}
	add("program", quote(p.Interpreter.Value), p.Interpreter.Origin)
	for _, a := range p.Spark {
		add("spark", a.shown(), a.Origin)
	}
	for _, a := range p.Argv {
		add("argument", a.shown(), a.Origin)
	}
	for _, v := range p.Env {
		add("variable", v.Name+"="+v.shown(), v.Origin)
	}
	add("project", quote(p.Project), Origin{Note: p.transport()})
	if p.ShareDir.Value != "" {
		value := quote(p.ShareDir.Value)
		if p.Kind.Value == Docker {
			value += " as " + docker.ShareDir
		}
		add("share", value, p.ShareDir.Origin)
	}
	add("outputs", quote(path.Clean(p.Outputs.Value)+"/"), p.Outputs.Origin)
	if p.Timeout.Value > 0 {
		add("time limit", p.Timeout.Value.String(), p.Timeout.Origin)
	}
	if p.Memory.Value > 0 {
		add("memory", progress.Bytes(p.Memory.Value), p.Memory.Origin)
	}
	if p.Shm.Value > 0 {
		add("/dev/shm", progress.Bytes(p.Shm.Value), p.Shm.Origin)
	}
	if p.IPC.Value != "" {
		add("ipc", p.IPC.Value, p.IPC.Origin)
	}
	if !p.Tracked.Value {
		add("record", "none is left", p.Tracked.Origin)
	}
	for _, n := range p.Notes {
		add("note", n.Value, n.Origin)
	}
	return lines
}

// named lists files, the first few by their names.
func named(files []prepare.File) string {
	const most = 5
	var names []string
	for _, f := range files[:min(most, len(files))] {
		names = append(names, quote(f.Path))
	}
	text := strings.Join(names, ", ")
	if n := len(files) - most; n > 0 {
		text += fmt.Sprintf(" and %d more files and folders", n)
	}
	return text
}

// transport says how the project gets to where the job runs.
func (p Plan) transport() string {
	switch {
	case p.Kind.Value == Local:
		return "a copy of it is the working folder"
	case p.Distributed.Value:
		return "sent to the nodes of the cluster; the working folders there look like it"
	case p.Kind.Value == Remote || p.Kind.Value == Cluster:
		return "copied to a folder of the run there, which is the working folder"
	case p.Shared.Value && p.Host.Value == "":
		return "a copy of it is mounted at " + docker.WorkDir + ": sharedVolumes is true, " + p.Shared.Origin.String()
	}
	return "copied into the container, to " + docker.WorkDir
}

// WriteTo writes the lines of the plan, each ended by a newline.
func (p Plan) WriteTo(w io.Writer) (int64, error) {
	var b strings.Builder
	for _, l := range p.Lines() {
		b.WriteString(l.String())
		b.WriteByte('\n')
	}
	n, err := io.WriteString(w, b.String())
	return int64(n), err
}

// quote leaves ordinary text alone and puts anything that a terminal or reader could misread in Go's quotes.
func quote(text string) string {
	if text == "" || strings.ContainsAny(text, " \t\"'`\\") || strconv.Quote(text) != `"`+text+`"` {
		return strconv.Quote(text)
	}
	return text
}
