package requirement

import "strings"

// ParsePip parses one item of a pip list as a line of a requirements file: a PEP 508 requirement, a direct URL, a path
// or an option, with pip's comments. It checks only the form: ParseConstraint checks version patterns, and whether pip
// has an option or a marker's variable is not checked. The error is a *ParseError.
func ParsePip(s string) (Requirement, error) { return parsed(s, parsePip, &pipItems) }

func parsePip(s string) (Requirement, error) {
	p := parser{s: s, r: Requirement{Manager: Pip, Raw: s, Details: &none}}
	p.i, p.end = trim(s, 0, commentStart(s, 0, len(s)))
	err := p.pip()
	return p.r, err
}

// parser has the unread range [i, end) of s and what was parsed so far.
type parser struct {
	s      string
	i, end int
	r      Requirement
}

//go:noinline
func (p *parser) fail(reason string) error { return failAt(p.s[:p.end], p.i, reason) }
func (p *parser) spaces()                  { p.i = skipSpaces(p.s, p.i, p.end) }
func (p *parser) at(c byte) bool           { return p.i < p.end && p.s[p.i] == c }

// details returns the requirement's details to be changed.
func (p *parser) details() *Details {
	if p.r.Details == &none {
		p.r.Details = new(Details)
	}
	return p.r.Details
}

func (p *parser) pip() error {
	switch {
	case p.i == p.end:
		return p.fail("nothing is required here: write a package name")
	case p.at('-'):
		return p.option()
	case strings.HasPrefix(p.s[p.i:p.end], "–"), strings.HasPrefix(p.s[p.i:p.end], "—"):
		return p.fail("an option begins with two hyphens, not with a long dash")
	}
	if err := p.cutFlags(); err != nil {
		return err
	}
	if schemeEnd(p.s, p.i, p.end) > p.i {
		return p.url(p.end)
	}
	if p.looksLikePath() {
		return p.path()
	}
	return p.named()
}

// cutFlags moves end before the options that follow a requirement: in pip, they start at the first word that begins
// with a hyphen.
func (p *parser) cutFlags() error {
	for i := p.i + 1; i < p.end; i++ {
		if p.s[i] != '-' || !isSpace(p.s[i-1]) {
			continue
		}
		if err := p.flags(i); err != nil {
			return err
		}
		_, p.end = trim(p.s, p.i, i)
		return nil
	}
	return nil
}

// flags sets [i, end) as the options after a requirement or after another option.
func (p *parser) flags(i int) error {
	word := strings.TrimPrefix(p.s[i+1:p.end], "-")
	if word == "" || isSpace(word[0]) {
		p.i = i
		return p.fail("a single hyphen inside an item: this looks like two items in one; give each its own line")
	}
	if !isAlpha(word[0]) {
		p.i = i
		return p.fail("a word that begins with a hyphen is read as an option, and no such option exists")
	}
	p.details().Flags = p.s[i:p.end]
	return nil
}

// looksLikePath applies pip's test to the text: a separator, a leading dot or tilde, or the ending of an archive. A
// name followed by "@" and a URL is not a path.
func (p *parser) looksLikePath() bool {
	if j := skipSpaces(p.s, p.afterExtras(skipName(p.s, p.i, p.end)), p.end); j > p.i && j < p.end && p.s[j] == '@' {
		return false
	}
	body := p.s[p.i:p.end]
	if semicolon := strings.IndexByte(body, ';'); semicolon >= 0 {
		body = body[:semicolon]
	}
	if body == "" {
		return false
	}
	if body[0] == '.' || body[0] == '~' || strings.ContainsAny(body, `/\`) {
		return true
	}
	body = strings.TrimRight(body, spaces)
	return !strings.ContainsAny(body, "=<>!~,") && isArchive(body)
}

// afterExtras skips spaces and a bracketed list, without reading it.
func (p *parser) afterExtras(i int) int {
	j := skipSpaces(p.s, i, p.end)
	if j < p.end && p.s[j] == '[' {
		if n := strings.IndexByte(p.s[j:p.end], ']'); n > 0 {
			return j + n + 1
		}
	}
	return i
}

func isArchive(s string) bool {
	for _, ending := range [...]string{".whl", ".zip", ".tar.gz", ".tgz", ".tar", ".tar.bz2", ".tbz", ".tar.xz", ".txz", ".egg"} {
		if strings.HasSuffix(s, ending) {
			return true
		}
	}
	return false
}
