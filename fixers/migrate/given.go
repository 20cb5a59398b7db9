package migrate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/schema/argparse"
)

// given returns what the script of a job rejects about its arguments, which makes argparse exit. If the run
// configuration has none, and none are recorded, it asks for them.
func (m *Migration) given(j *Job) (faults []string) {
	if j.Script == "" || j.Shell != "" || len(j.Command) > 0 || j.Sweep != nil || j.Step != nil || !j.Alone && j.Source.File.Root().Get("sweep") != nil {
		return nil
	}
	parser := m.scripts.parser(j.Script)
	if parser == nil {
		return nil
	}
	lacks := m.refuses(j, parser)
	asked := slices.IndexFunc(m.Decisions, func(d *account.Decision) bool { return d.ID == "arguments" && slices.Contains(d.Scopes, j.Name) })
	switch {
	case asked >= 0 && m.Decisions[asked].Open():
		return nil // they are not known
	case len(lacks) == 0 || len(j.Arguments) > 0 || asked >= 0:
		return lacks
	}
	answer, open := m.Decide(&account.Question{ID: "arguments", Scope: j.Name, Ask: "Which arguments does the script get?", Example: `"--NAME VALUE"`, OrNone: true,
		Why: strings.Join(lacks, "; ") + "; they were given at submission. `none` for none"})
	if open {
		j.Arguments = append(j.Arguments, literal(account.Marker))
		return nil
	}
	if answer != "none" {
		j.Arguments = append(j.Arguments, m.wordsOf(j, answer)...)
	}
	return m.refuses(j, parser)
}

// refuses returns what a parser certainly rejects about the arguments of a job.
func (m *Migration) refuses(j *Job, parser *argparse.Parser) (faults []string) {
	var words []argparse.Word
	for _, w := range j.Arguments {
		text, whole := w.Text() // such as "--data=" before an input
		words = append(words, argparse.Word{Text: text, Open: !whole || strings.Contains(text, account.Marker)})
	}
	for _, f := range parser.Match(words) {
		if f.Uncertain {
			continue
		}
		switch {
		case f.Kind == argparse.Missing && len(f.Arguments) > 0:
			var names []string
			for _, a := range f.Arguments {
				names = append(names, account.Name(a.Name()))
			}
			faults = append(faults, fmt.Sprintf("%s needs %s, and ends with an error without it", account.Name(j.Script), strings.Join(names, " or ")))
		case f.Kind == argparse.Unknown:
			faults = append(faults, fmt.Sprintf("%s has no option %s, and ends with an error", account.Name(j.Script), account.Name(f.Text)))
		}
	}
	return faults
}

// parser returns the parser that a script certainly uses, after it is rewritten, or nil.
func (s *scripts) parser(name string) *argparse.Parser {
	p, known := s.parsers[name]
	if !known {
		text := []byte(s.text[name])
		if r := s.rewritten[name]; r.Text != nil {
			text = r.Text
		}
		if read, ok := argparse.Read(text); ok && read.Certain {
			p = &read
		}
		s.parsers[name] = p
	}
	return p
}
