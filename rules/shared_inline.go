package rules

import (
	"path"
	"strings"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/python"
	"github.com/amlfix/amlfix/schema/shell"
	"github.com/amlfix/amlfix/schema/source"
	"github.com/amlfix/amlfix/schema/template"
)

// inlinePrograms reports programs after python -c that Python rejects, usually because YAML has joined their lines.
func inlinePrograms(p *Pass) {
	for _, c := range p.shared.commands {
		if !strings.Contains(c.node.Value, `c "`) && !strings.Contains(c.node.Value, "c '") || template.In(c.node.Value) || p.full(c.body.File.Source) {
			continue
		}
		commands, err := shell.Parse(c.node.Value)
		offsets := c.node.Offsets(c.body.File.Source.Text)
		if err != nil || offsets == nil {
			continue
		}
		for _, one := range commands {
			if program, ok := inlineProgram(one.Words); ok {
				at := source.Span{Start: offsets[program.Span.Start], End: offsets[program.Span.End-1] + 1}
				p.inline(c, program, at, offsets[0], len(commands) == 1 && program.Span.End == len(strings.TrimSpace(c.node.Value)))
			}
		}
	}
}

// inlineProgram returns the word after the option -c of python.
func inlineProgram(words []shell.Word) (program shell.Word, ok bool) {
	if len(words) < 3 || !strings.HasPrefix(path.Base(words[0].Beginning()), "python") {
		return program, false
	}
	for i, w := range words[1 : len(words)-1] {
		letters, ok := strings.CutPrefix(w.Beginning(), "-")
		if !ok || letters == "" || strings.ContainsAny(letters, "-mWXhV") {
			break // a file, a module, or an option that ends Python or has a value
		}
		if strings.HasSuffix(letters, "c") {
			return words[i+2], true
		}
	}
	return program, false
}

// inline reports a program if Python rejects it whatever the values in it are. Before Python 3.14, it rejects one whose
// first line is indented, too. Source: docs.python.org/3/using/cmdline.html, 3.14. The command begins at begin in the
// file; whole means that the program ends it.
func (p *Pass) inline(c command, program shell.Word, at source.Span, begin int, whole bool) {
	f, text := c.body.File, string(c.body.File.Source.Slice(at))
	fault, refused := rejected(program, true)
	if !refused {
		var early bool
		if fault, early = rejected(program, false); !early {
			return
		}
	}
	where, severity := finding.Location{Source: f.Source, Span: f.Source.FirstLine(at)}, finding.Error
	joined := c.node.Style != document.Literal && strings.Count(c.node.Value[program.Span.Start:program.Span.End], "\n") < strings.Count(text, "\n")
	switch {
	case refused && joined:
		where.Message = "YAML joins the lines of this Python program, and Python rejects the result: write the command after |, or move the program into a file in the code folder"
	case refused:
		where.Message = "this Python program " + fault.Why + ", so the command ends with an error: correct it, or move it into a file in the code folder"
	case joined:
		where.Message, severity = "this Python program begins with a space, which Python before 3.14 refuses: begin it right after the quote, or write the command after |", finding.Warning
	default:
		where.Message, severity = "this Python program "+fault.Why+" before version 3.14: begin its lines where the command begins", finding.Warning
	}
	var fix *finding.Fix
	if joined && whole && c.node.Style == document.Folded && keeps(text, f.Source.Text[f.Source.LineWith(begin).Start:begin]) {
		fix = finding.NewFix(finding.Unsafe, "keep the line breaks with |", finding.Splice(f.Source, source.Span{Start: c.node.Span.Start, End: c.node.Span.Start + 1}, "|"))
	}
	p.reportAs(severity, where, fix)
}

// keeps reports whether Python accepts a quoted program with the lines that it has in the file, without their
// indentation.
func keeps(text string, indent []byte) bool {
	code := strings.ReplaceAll(strings.ReplaceAll(text[1:len(text)-1], "\n"+string(indent), "\n"), `\"`, `"`)
	_, refused := python.Refused(code, 0)
	return !refused && (text[0] == '"' || text[0] == '\'') && text[0] == text[len(text)-1]
}

// rejected returns what Python rejects in the text of a word, if that does not depend on values that are not known yet.
func rejected(w shell.Word, dedented bool) (f python.Fault, all bool) {
	for _, value := range []string{"x", "", "+"} {
		var b strings.Builder
		for _, part := range w.Parts {
			if part.Kind != shell.Text {
				part.Text = value
			}
			b.WriteString(part.Text)
		}
		code := b.String()
		if dedented {
			code = dedent(code)
		}
		if f, all = python.Refused(code, 0); !all {
			return f, false
		}
	}
	return f, true
}

// dedent removes from each line as many spaces and tabs as all lines begin with.
func dedent(text string) string {
	lines, common := strings.Split(text, "\n"), len(text)
	for _, line := range lines {
		if indent := len(line) - len(strings.TrimLeft(line, " \t")); indent < len(line) {
			common = min(common, indent)
		}
	}
	for i, line := range lines {
		lines[i] = line[min(common, len(line)):]
	}
	return strings.Join(lines, "\n")
}
