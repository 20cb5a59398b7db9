package shell

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/source"
)

// printers are the programs whose arguments are text for people.
var printers = []string{"echo", "printf"}

// MostLookalikes is the number of such characters that are looked for in a command line.
const MostLookalikes = 1000

// lookalikes finds the characters of a part of a word, without quotes, that were copied from a page or a word processor
// and only look like those of a command.
func (p *parser) lookalikes(text string, start int) {
	if words := p.current.Words; len(words) > 0 && slices.Contains(printers, words[0].Beginning()) {
		return
	}
	for i, r := range text {
		if r < utf8.RuneSelf {
			continue
		}
		if len(p.faults) >= MostLookalikes {
			return
		}
		_, width := utf8.DecodeRuneInString(text[i:])
		f := Fault{Span: source.Span{Start: start + i, End: start + i + width}}
		switch rest := text[i+width:]; {
		case plain.IsWideSpace(r):
			f.Kind, f.Meant = Space, " "
		case plain.IsInvisible(r):
			f.Kind = Invisible
		case r == '\u201c' || r == '\u201d':
			f.Kind, f.Meant = Quote, `"`
		case i == 0 && p.word == nil && (r == '\u2013' || r == '\u2014') && nameLength(rest) > 0:
			f.Kind, f.Meant = Dash, "--"
			if nameLength(rest) == 1 && strings.Trim(rest[1:], "=") == "" {
				f.Meant = "-"
			}
		default:
			continue
		}
		p.faults = append(p.faults, f)
	}
}
