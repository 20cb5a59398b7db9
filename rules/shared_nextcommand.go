package rules

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/shell"
)

// scriptRunners are the programs that begin a command with a script.
var scriptRunners = []string{"python", "python3", "bash", "sh"}

// nextCommand returns the index of a script's argument that begins a line and runs another script, or -1: a text after
// > joins the lines of several commands.
func (s *script) nextCommand() int {
	if s.node == nil || s.node.Style != document.Folded || len(s.words) < len(s.Arguments) {
		return -1
	}
	for i := 0; i+1 < len(s.Arguments); i++ {
		program, _ := s.Arguments[i].Literal()
		file, _ := s.Arguments[i+1].Literal()
		if !slices.Contains(scriptRunners, program) || !slices.Contains([]string{".py", ".sh"}, path.Ext(file)) {
			continue
		}
		before := s.file.Source.Text[:s.words[i].Start]
		if line := before[bytes.LastIndexByte(before, '\n')+1:]; len(bytes.TrimSpace(line)) == 0 {
			return i
		}
	}
	return -1
}

// foldedCommands reports lines of commands that become arguments of the script on the line before.
func foldedCommands(p *Pass) {
	for i := range p.shared.scripts {
		s := &p.shared.scripts[i]
		at := s.nextCommand()
		if at < 0 || s.Language == shell.Other || p.full(s.file.Source) {
			continue
		}
		where := s.location(fmt.Sprintf("> joins the lines of this command, so %q gets this one as arguments: end the line before it with &&, or write | in place of >", shortName(s.Name)))
		where.Span = s.words[at]
		var fix *finding.Fix
		if before := bytes.TrimRight(s.file.Source.Text[:where.Span.Start], " \t\r\n"); !s.file.Stream.Repaired && strings.IndexByte("\\&|;", before[len(before)-1]) < 0 {
			fix = &finding.Fix{Title: "end the line with &&", Applicability: finding.Unsafe, Changes: []finding.Change{{
				Op: finding.SpliceText, File: s.file.Path, Offset: len(before), Value: finding.Text(" &&")}}}
		}
		p.reportAs(finding.Warning, where, fix)
	}
}
