package rules

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/shell"
	"github.com/amlfix/amlfix/schema/source"
	"github.com/amlfix/amlfix/schema/template"
)

// scriptRunners are the programs that begin a command with a script.
var scriptRunners = []string{"python", "python3", "bash", "sh"}

// runNothing are programs that run no other, whatever their arguments are; conda does with run.
var runNothing = []string{".", "apt", "apt-get", "cat", "cd", "chmod", "conda", "cp", "curl", "df", "echo", "export", "git", "ls", "mkdir", "mv", "nvidia-smi", "pip", "pip3", "pwd", "rm", "source", "tar", "touch", "unzip", "wget", "which"}

// isCommand reports whether a line that begins with two words is certainly a command of its own.
func isCommand(first, second string) bool {
	switch {
	case slices.Contains(scriptRunners, first):
		return slices.Contains([]string{".py", ".sh"}, path.Ext(second)) || second == "-m" && strings.HasPrefix(first, "python")
	case first == "pip":
		return second == "install"
	}
	return first == "cp" || first == "mv" || first == "mkdir"
}

// nextCommands returns the places of those words that begin a line with a command, of words and their places: a text
// after >, or without a mark, joins the lines of several commands.
func nextCommands(src *source.Source, words []shell.Word, at []source.Span) (list []source.Span) {
	for i := 0; i+1 < len(words); i++ {
		first, _ := words[i].Literal()
		second, _ := words[i+1].Literal()
		if !isCommand(first, second) {
			continue
		}
		before := src.Text[:at[i].Start]
		if line := before[bytes.LastIndexByte(before, '\n')+1:]; len(bytes.TrimSpace(line)) == 0 {
			list = append(list, at[i])
		}
	}
	return list
}

// nextCommands returns the places of a script's arguments that begin a line with a command.
func (s *script) nextCommands() []source.Span {
	if s.node == nil || s.node.Style == document.Literal || !s.exact || len(s.words) < len(s.Arguments) {
		return nil
	}
	return nextCommands(s.file.Source, s.Arguments, s.words)
}

// foldedCommands reports lines of commands that become arguments of the script, or of the program, on the line before.
func foldedCommands(p *Pass) {
	for i := range p.shared.scripts {
		s := &p.shared.scripts[i]
		if at := s.nextCommands(); len(at) > 0 && s.Language != shell.Other {
			foldedCommand(p, s.file, s.node, at, finding.Warning, fmt.Sprintf("%q gets this one as arguments", shortName(s.Name)))
		}
	}
	for _, c := range p.shared.commands {
		f := c.body.File
		if c.node.Style == document.Literal || f.Source.LineAt(c.node.Span.Start) == f.Source.LineAt(c.node.Span.End) || template.In(c.node.Value) {
			continue
		}
		commands, err := shell.Parse(c.node.Value)
		offsets := c.node.Offsets(f.Source.Text)
		if err != nil || offsets == nil {
			continue
		}
		continued(p, c, commands, offsets)
		for _, one := range commands {
			if len(one.Words) < 2 {
				continue
			}
			name, _ := one.Words[0].Literal()
			if second, _ := one.Words[1].Literal(); !slices.Contains(runNothing, name) || name == "conda" && second == "run" {
				continue
			}
			var spans []source.Span
			for _, w := range one.Words[1:] {
				spans = append(spans, source.Span{Start: offsets[w.Span.Start], End: offsets[w.Span.End]})
			}
			if at := nextCommands(f.Source, one.Words[1:], spans); len(at) > 0 {
				foldedCommand(p, f, c.node, at, finding.Error, fmt.Sprintf("%q gets this one as arguments, and it does not run", name))
			}
		}
	}
}

// foldedCommand reports the first of such lines, which begin at these places; one fix repairs all of them.
func foldedCommand(p *Pass, f *schema.File, n *document.Node, lines []source.Span, severity finding.Severity, effect string) {
	if p.full(f.Source) {
		return
	}
	message := "> joins the lines of this command, so %s: end the line before it with &&, or write | in place of >"
	if n.Style != document.Folded {
		message = "YAML joins the lines of this command, so %s: end the line before it with &&, or write | and a line break before the first"
	}
	fix := &finding.Fix{Title: "end the line with &&", Applicability: finding.Unsafe}
	for _, at := range lines {
		before := bytes.TrimRight(f.Source.Text[:at.Start], " \t\r\n")
		if f.Stream.Repaired || strings.IndexByte("\\&|;", before[len(before)-1]) >= 0 {
			fix = nil
			break
		}
		fix.Changes = append(fix.Changes, finding.Insert(f.Source, len(before), " &&"))
	}
	p.reportAs(severity, finding.Location{Source: f.Source, Span: lines[0], Message: fmt.Sprintf(message, effect)}, fix)
}
