package argparse

import (
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/plain"
)

// Word is a word on a script's command line.
type Word struct {
	// Text is the word or, if Open, the known text that it begins with.
	Text string
	Open bool
	// Several means that it may be any number of words.
	Several bool
	// Optional means that it may be omitted.
	Optional bool
	// Fraction means that it is a number that is hardly ever whole; its text is not known.
	Fraction bool
}

// Kind is the kind of a Fault.
type Kind uint8

// The kinds of faults.
const (
	// Unknown is an option that the script does not have; Ambiguous is an abbreviation that several options share.
	Unknown Kind = iota + 1
	Ambiguous
	// Valueless is an option without its value; Overfull is one with a value that it does not take.
	Valueless
	Overfull
	// Missing is a required argument that is not given; Surplus is a word that belongs to no argument.
	Missing
	Surplus
	// BadChoice is a value that is not one of the choices; BadValue is one that is not a number.
	BadChoice
	BadValue
)

// Fault is one error that argparse would report.
type Fault struct {
	Kind Kind
	// Word is the index of the wrong word, or -1 if something is missing.
	Word int
	// Arguments are the affected arguments, in the script's order; may be empty.
	Arguments []Argument
	// Text is the option or the value.
	Text string
	// Uncertain means that the fault depends on optional or open words.
	Uncertain bool
}

// Match returns what argparse would reject about the words on the script's command line.
func (p Parser) Match(words []Word) []Fault {
	m := &matcher{parser: p, words: words, given: map[string]*seen{}}
	if p.index == nil || slices.ContainsFunc(p.Arguments, func(a Argument) bool { return a.Rest }) || slices.ContainsFunc(words, m.dubious) || !m.options() {
		return nil
	}
	m.positionals()
	m.missing()
	return m.faults
}

type seen struct{ certain bool }

// matcher processes the words as argparse does.
type matcher struct {
	parser Parser
	words  []Word
	given  map[string]*seen
	pool   []int // indexes of words that belong to no option
	open   bool  // there may be more words than are visible
	lost   bool  // words after an unknown option may belong to it
	faults []Fault
}

func (m *matcher) add(kind Kind, word int, text string, arguments ...Argument) {
	m.faults = append(m.faults, Fault{Kind: kind, Word: word, Text: text, Arguments: arguments, Uncertain: word >= 0 && m.words[word].Optional || m.open})
}

// options processes all options, and returns false if no result is possible.
func (m *matcher) options() bool {
	for i := 0; i < len(m.words); {
		w := m.words[i]
		if w.Text == "--" && !w.Open {
			for i++; i < len(m.words); i++ {
				m.pool = append(m.pool, i)
			}
			return true
		}
		if !m.isOption(w) {
			m.open = m.open || w.Several
			m.pool = append(m.pool, i)
			i++
			continue
		}
		index, value, joined, kind := m.find(w)
		switch {
		case w.Open && !joined:
			return false
		case kind == Ambiguous:
			m.add(Ambiguous, i, w.Text)
			i = m.after(i)
		case index < 0:
			if !m.parser.Tolerates {
				m.add(Unknown, i, w.Text)
			}
			i = m.after(i)
		default:
			if m.parser.Arguments[index].Ends && !w.Optional {
				m.faults = nil
				return false
			}
			i = m.option(i, m.parser.Arguments[index], value, joined)
		}
	}
	return true
}

// after returns the index after an option that cannot be parsed and the words that may be its values.
func (m *matcher) after(at int) int {
	m.lost = true
	for at++; at < len(m.words) && !m.isOption(m.words[at]) && m.words[at].Text != "--"; {
		at++
	}
	return at
}

var negativeNumber = plain.Regexp{Text: `^-\d+$|^-\d*\.\d+$`}

// isNegative reports whether a word is a negative number. Most words are not, and the match is slow.
func isNegative(text string) bool {
	return len(text) > 1 && text[0] == '-' && text[1] <= '9' && negativeNumber.Get().MatchString(text)
}

// dubious reports whether a word such as -1e-3 or -1_000 is a number to Python 3.14 and an option that does not exist
// to earlier versions.
func (m *matcher) dubious(w Word) bool {
	rest, ok := strings.CutPrefix(w.Text, "-")
	if rest = strings.TrimPrefix(rest, "."); !ok || w.Open || rest == "" || rest[0] < '0' || rest[0] > '9' || isNegative(w.Text) || strings.Contains(w.Text, " ") {
		return false
	}
	index, _, _, kind := m.find(w)
	return index < 0 && kind == 0
}

// isOption reports whether argparse reads a word as an option.
func (m *matcher) isOption(w Word) bool {
	switch {
	case !strings.HasPrefix(w.Text, "-"), w.Text == "-" && !w.Open:
		return false
	case w.Open:
		return true
	}
	if index, _, _, kind := m.find(w); index >= 0 || kind != 0 {
		return true
	}
	return (!isNegative(w.Text) || m.parser.index.negative) && !strings.Contains(w.Text, " ")
}

// find returns the index of the argument that an option refers to, or -1, and the value in the same word.
func (m *matcher) find(w Word) (index int, value string, joined bool, kind Kind) {
	names := m.parser.index
	if i, ok := names.byName[w.Text]; ok && !w.Open {
		return i, "", false, 0
	}
	name, value, joined := strings.Cut(w.Text, "=")
	if i, ok := names.byName[name]; ok && joined {
		return i, value, true, 0
	}
	letter := "" // followed by the value; a single dash abbreviates whether or not abbreviations are allowed
	switch {
	case strings.HasPrefix(w.Text, "--") && !m.parser.Abbreviates:
		return -1, "", joined, 0
	case !strings.HasPrefix(w.Text, "--") && len(w.Text) > 1:
		letter = w.Text[:2]
	}
	found, several := names.abbreviated(name, letter)
	switch {
	case several:
		return -1, "", joined, Ambiguous
	case found < 0:
		return -1, "", joined, 0
	case letter != "" && slices.Contains(m.parser.Arguments[found].Names, letter):
		return found, w.Text[2:], true, 0
	}
	return found, value, joined, 0
}

// option processes an option and its values, and returns the index after them.
func (m *matcher) option(at int, a Argument, value string, joined bool) int {
	w := m.words[at]
	key := a.Names[0]
	if m.given[key] == nil {
		m.given[key] = &seen{}
	}
	m.given[key].certain = m.given[key].certain || !w.Optional
	if joined {
		if a.Max == 0 {
			if strings.HasPrefix(w.Text, "--") {
				m.add(Overfull, at, w.Text, a)
			} else {
				m.lost = true // combined letters
			}
			return at + 1
		}
		if a.Min > 1 {
			m.add(Valueless, at, w.Text, a)
		} else {
			m.value(at, value, w.Open, a)
		}
		return at + 1
	}
	n := at + 1
	for n < len(m.words) && (a.Max < 0 || n-at-1 < a.Max) && !m.isOption(m.words[n]) && (m.words[n].Text != "--" || m.words[n].Open) {
		if v := m.words[n]; !v.Several {
			m.value(n, v.Text, v.Open, a)
			if v.Fraction && a.Type == "int" {
				m.add(BadValue, n, v.Text, a)
			}
		}
		n++
	}
	if n-at-1 < a.Min {
		if n < len(m.words) && m.words[n].Open && strings.HasPrefix(m.words[n].Text, "-") {
			return n
		}
		m.add(Valueless, at, w.Text, a)
	}
	return n
}

var (
	wholeNumber = plain.Regexp{Text: `^\s*[+-]?\d(_?\d)*\s*$`}
	anyNumber   = plain.Regexp{Text: `(?i)^\s*[+-]?((\d(_?\d)*\.?(\d(_?\d)*)?|\.\d(_?\d)*)(e[+-]?\d(_?\d)*)?|inf(inity)?|nan)\s*$`}
)

// value checks a value against what the argument accepts.
func (m *matcher) value(at int, text string, open bool, a Argument) {
	ascii := strings.IndexFunc(text, func(r rune) bool { return r > 127 }) < 0
	switch {
	case open || !ascii:
	case a.Type == "int" && !wholeNumber.Get().MatchString(text), a.Type == "float" && !anyNumber.Get().MatchString(text):
		m.add(BadValue, at, text, a)
	case a.Choices != nil && (a.Type == "str" || a.Type == "int" && strings.Trim(text, "0123456789") == "" && !strings.HasPrefix(text, "0")) && !slices.Contains(a.Choices, text):
		m.add(BadChoice, at, text, a)
	}
}
