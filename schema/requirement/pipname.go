package requirement

import (
	"strings"

	"github.com/amlfix/amlfix/schema/plain"
)

// named parses name[extras] with versions or "@ URL", and a marker: the grammar of PEP 508.
func (p *parser) named() error {
	j := skipName(p.s, p.i, p.end)
	if j == p.i {
		return p.fail("expected a package name, found " + describe(p.s[:p.end], p.i) + ": a name starts with a letter or a digit")
	}
	p.setName(p.i, j)
	p.i = j
	p.spaces()
	if p.at('[') {
		if err := p.extras(); err != nil {
			return err
		}
		p.spaces()
	}
	if p.at('@') {
		p.i++
		return p.addressAfterAt()
	}
	if err := p.versions(); err != nil {
		return err
	}
	return p.markerAndEnd()
}

func (p *parser) setName(start, end int) {
	p.r.Name, p.r.NamePart = cut(p.s, start, end)
	if p.r.Manager == Conda {
		p.r.Key = strings.ToLower(p.r.Name)
	} else {
		p.r.Key = plain.PackageName(p.r.Name)
	}
}

// extras reads the bracketed list at i.
func (p *parser) extras() error {
	start := p.i
	p.i++
	p.spaces()
	extras := []string{}
	for !p.at(']') {
		j := skipName(p.s, p.i, p.end)
		if j == p.i {
			return p.fail("expected the name of an extra, found " + describe(p.s[:p.end], p.i))
		}
		extras = append(extras, p.s[p.i:j])
		p.i = j
		p.spaces()
		switch {
		case p.at(','):
			p.i++
			p.spaces()
			if p.at(']') {
				return p.fail("an extra is missing after the comma")
			}
		case !p.at(']'):
			return p.fail("expected ',' or ']' after an extra, found " + describe(p.s[:p.end], p.i))
		}
	}
	p.i++
	p.details().Extras = extras
	p.details().ExtrasPart = Part{start, p.i}
	return nil
}

// versions parses the conditions on the version, with or without PEP 508's parentheses.
func (p *parser) versions() error {
	if p.at('(') {
		p.i++
		p.spaces()
		if err := p.clauses(); err != nil {
			return err
		}
		if !p.at(')') {
			return p.fail("the round bracket is not closed")
		}
		p.i++
		p.spaces()
		return nil
	}
	if p.i < p.end && isOperatorByte(p.s[p.i]) {
		return p.clauses()
	}
	return nil
}

func (p *parser) clauses() error {
	start := p.i
	for {
		c, err := scanPipClause(p.s, p.i, p.end)
		if err != nil {
			return err
		}
		first := p.i == start
		p.i = c.end
		p.r.Constraint, p.r.ConstraintPart = cut(p.s, start, p.i)
		p.spaces()
		if c.op == "=" {
			if !first || p.at(',') {
				return failSpan(c.start, c.start+1, "pip compares with two equals signs: write ==")
			}
			p.r.SingleEquals = true
			return nil
		}
		if !p.at(',') {
			return nil
		}
		p.i++
		p.spaces()
	}
}

// markerAndEnd parses an optional marker and fails if anything follows.
func (p *parser) markerAndEnd() error {
	if p.i == p.end {
		return nil
	}
	if !p.at(';') {
		return p.junk()
	}
	p.i++
	p.spaces()
	if p.i == p.end {
		return p.fail("the marker after ';' is missing")
	}
	p.details().Marker = p.s[p.i:p.end]
	return checkMarker(p.s[:p.end], p.i)
}

// junk returns the error for what cannot follow a name and its versions.
func (p *parser) junk() error {
	c, before := p.s[p.i], p.s[p.i-1]
	switch {
	case c == '#':
		return p.gluedComment()
	case c == '=' && p.r.SingleEquals:
		return p.fail("name=version=build is conda syntax: pip has no build strings")
	case c == ':':
		return p.fail("a colon cannot follow a package name")
	case isSpace(before) && isDigit(c) && p.r.Constraint == "":
		return p.fail("an operator is missing before the version: write name==version")
	case isSpace(before) && isOperatorByte(c):
		return p.fail("put a comma between two conditions")
	case isSpace(before):
		return p.fail("a space inside the item: write one requirement per item")
	case isOperatorByte(c):
		return p.fail("put a comma between two conditions")
	}
	return p.fail(describe(p.s, p.i) + " is not allowed in a requirement")
}

// gluedComment returns the error about a "#" without a space before it, and the word after it.
func (p *parser) gluedComment() error {
	end := skip(p.s, p.i, p.end, func(c byte) bool { return !isSpace(c) && c != ';' })
	return failSpan(p.i, end, "'#' starts a comment only after a space")
}
