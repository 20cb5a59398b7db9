package evidence

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"sync"

	"github.com/amlfix/amlfix/schema/catalog"
)

// pattern is a row of the catalog, ready for use. Most lines match nothing, so they are first searched for plain text
// that every match contains. The regular expression is not even compiled before that text is found.
type pattern struct {
	row    catalog.LogPattern
	weight int      // lower values take precedence
	needs  []string // every match contains one of these; empty: not known
	regexp func() (*regexp.Regexp, error)
}

func newPattern(row catalog.LogPattern, weight int) *pattern {
	p := &pattern{row: row, weight: weight}
	p.regexp = sync.OnceValues(func() (*regexp.Regexp, error) { return regexp.Compile(row.Regexp) })
	if tree, err := syntax.Parse(row.Regexp, syntax.Perl); err == nil {
		p.needs = required(tree.Simplify())
	}
	return p
}

func (p *pattern) lines() int { return max(p.row.Lines, 1) }

// maybe reports whether text can match.
func (p *pattern) maybe(text string) bool {
	return len(p.needs) == 0 || slices.ContainsFunc(p.needs, func(needed string) bool { return strings.Contains(text, needed) })
}

// match returns where the pattern matches and its named groups.
func (p *pattern) match(text string) (start, end int, groups map[string]string, ok bool) {
	if !p.maybe(text) {
		return 0, 0, nil, false
	}
	re, err := p.regexp()
	if err != nil {
		return 0, 0, nil, false
	}
	at := re.FindStringSubmatchIndex(text)
	if at == nil {
		return 0, 0, nil, false
	}
	groups = map[string]string{}
	for i, name := range re.SubexpNames() {
		if name != "" && at[2*i] >= 0 {
			groups[name] = text[at[2*i]:at[2*i+1]]
		}
	}
	return at[0], at[1], groups, true
}

// required returns texts of which every match of re contains one, the longest that can be found; nil if there are none.
func required(re *syntax.Regexp) []string {
	switch re.Op {
	case syntax.OpLiteral:
		if re.Flags&syntax.FoldCase != 0 {
			return nil
		}
		return []string{string(re.Rune)}
	case syntax.OpCapture, syntax.OpPlus:
		return required(re.Sub[0])
	case syntax.OpConcat:
		var best []string
		for _, sub := range re.Sub {
			if r := required(sub); shortest(r) > shortest(best) {
				best = r
			}
		}
		return best
	case syntax.OpAlternate:
		var all []string
		for _, sub := range re.Sub {
			r := required(sub)
			if len(r) == 0 {
				return nil
			}
			all = append(all, r...)
		}
		return all
	default:
		return nil
	}
}

func shortest(texts []string) int {
	if len(texts) == 0 {
		return 0
	}
	n := len(texts[0])
	for _, t := range texts {
		n = min(n, len(t))
	}
	return n
}
