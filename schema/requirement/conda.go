package requirement

import "strings"

// ParseConda reads one item of a conda file's dependencies: a match specification such as "name", "name=1.2=build",
// "name >=1.2,<2", "channel::name" or "name[version='>=1.2',build=…]", a URL, or a package file. URLs and files of
// wheels are accepted too, although conda cannot install them, so that callers can report it. The error is a
// *ParseError.
func ParseConda(s string) (Requirement, error) { return parsed(s, parseConda, &condaItems) }

func parseConda(s string) (Requirement, error) {
	p := parser{s: s, r: Requirement{Manager: Conda, Raw: s, Details: &none}}
	p.i, p.end = trim(s, 0, len(s))
	err := p.conda()
	return p.r, err
}

func (p *parser) conda() error {
	if p.at('-') {
		if p.scanOption() > p.i {
			return p.fail("conda accepts no options in a list of dependencies: an option for pip belongs in the pip list")
		}
		return p.fail("an item cannot begin with a hyphen: this looks like two list items in one")
	}
	// In a URL, a "#" without a space before it begins the fragment; everywhere else it begins a comment.
	_, end := trim(p.s, p.i, commentStart(p.s, p.i, p.end))
	if schemeEnd(p.s, p.i, end) > p.i && !strings.Contains(p.s[p.i:end], "::") {
		p.end = end
		return p.url(end)
	}
	if i := strings.IndexByte(p.s[p.i:p.end], '#'); i >= 0 {
		_, p.end = trim(p.s, p.i, p.i+i)
	}
	if isCondaPath(p.s[p.i:p.end]) {
		return p.setPath(p.i, p.end)
	}
	if p.i == p.end {
		return p.fail("nothing is required here: write a package name")
	}
	return p.matchSpec()
}

// isCondaPath reports whether a text begins like a path or ends like a package file.
func isCondaPath(s string) bool {
	if s == "" || strings.Contains(s, "::") {
		return false
	}
	return s[0] == '.' || s[0] == '~' || s[0] == '/' || s[0] == '\\' || isDrive(s) ||
		(strings.HasSuffix(s, ".conda") || isArchive(s)) && !strings.ContainsAny(s, "=<>!~,")
}

func isDrive(s string) bool {
	return len(s) > 2 && isAlpha(s[0]) && s[1] == ':' && (s[2] == '\\' || s[2] == '/')
}

// matchSpec parses [channel::]name[ versions[ build]][key=value,…].
func (p *parser) matchSpec() error {
	open := p.end
	if i := strings.IndexByte(p.s[p.i:p.end], '['); i >= 0 {
		open = p.i + i
	}
	if err := p.channel(open); err != nil {
		return err
	}
	j := skip(p.s, p.i, open, isNameByte)
	if j == p.i || !isAlnum(p.s[p.i]) && p.s[p.i] != '_' {
		return p.fail("expected a package name, found " + describe(p.s[:p.end], p.i))
	}
	p.setName(p.i, j)
	p.i = j
	end := p.end
	_, p.end = trim(p.s, p.i, open)
	if err := p.condaVersions(); err != nil {
		return err
	}
	p.i, p.end = open, end
	if p.i == p.end {
		return nil
	}
	return p.condaBrackets()
}

func (p *parser) channel(open int) error {
	i := strings.LastIndex(p.s[p.i:open], "::")
	if i < 0 {
		return nil
	}
	end := p.i + i
	for j := p.i; j < end; j++ {
		if isSpace(p.s[j]) {
			return failAt(p.s, j, "a space inside the name of a channel")
		}
	}
	if end == p.i || p.s[end-1] == ':' {
		return failSpan(end, end+2, "a channel is missing before '::'")
	}
	p.details().Channel, p.details().ChannelPart = cut(p.s, p.i, end)
	p.i = end + 2
	return nil
}

// condaVersions parses the text between the name and the brackets.
func (p *parser) condaVersions() error {
	name := p.i
	p.spaces()
	if p.i >= p.end {
		return nil
	}
	c := p.s[p.i]
	if !isOperatorByte(c) {
		if p.i == name || !isDigit(c) && c != '*' && c != '^' {
			return p.condaJunk(p.i > name)
		}
	}
	return p.condaExpression(true)
}

// condaExpression parses versions, and a build after a space or an equals sign.
func (p *parser) condaExpression(build bool) error {
	start := p.i
	e := condaExpr{s: p.s, i: p.i, end: p.end, brackets: !build}
	if _, err := e.alternatives(0); err != nil {
		return err
	}
	p.i = e.i
	p.r.Constraint, p.r.ConstraintPart = cut(p.s, start, p.i)
	p.spaces()
	if p.i >= p.end {
		return nil
	}
	if !build {
		return p.fail(describe(p.s[:p.end], p.i) + " is not allowed after the version")
	}
	equals := p.at('=')
	if equals {
		p.i++
		p.spaces()
	}
	if p.i == p.end {
		return p.fail("the build after the second equals sign is missing")
	}
	j := p.buildEnd()
	if j == p.i || !equals && !isSpace(p.s[p.i-1]) {
		return p.condaJunk(isSpace(p.s[p.i-1]))
	}
	if j < p.end {
		p.i = skipSpaces(p.s, j, p.end)
		return p.condaJunk(p.i > j)
	}
	p.r.Build, p.r.BuildPart = cut(p.s, p.i, j)
	return nil
}

// buildEnd returns the end of the build string at i: a name, a glob, or a regular expression "^…$".
func (p *parser) buildEnd() int {
	if p.at('^') {
		if n := strings.IndexAny(p.s[p.i:p.end], "$"+spaces); n > 0 && p.s[p.i+n] == '$' {
			return p.i + n + 1
		}
	}
	return skip(p.s, p.i, p.end, isBuildByte)
}

func isBuildByte(c byte) bool { return isAlnum(c) || c == '_' || c == '.' || c == '+' || c == '*' }

// condaJunk returns the error for what is not allowed at i, possibly after a space.
func (p *parser) condaJunk(afterSpace bool) error {
	switch c := p.s[p.i]; {
	case c == '-' && afterSpace:
		return p.fail("a hyphen inside an item: this looks like two list items in one, give each its own line, and end the first with a colon if it holds the others")
	case c == ':':
		return p.fail("a single colon inside an item: a channel ends with '::', and a key needs a space after its colon")
	case c == ';':
		return p.fail("conda does not support markers: they belong to pip")
	case c == '@':
		return p.fail("conda does not support '@': write only the address")
	case c == '/' || c == '\\':
		return p.fail("a slash inside a name: a channel is written channel::name")
	case c == '(' || c == ')':
		return p.fail("conda ignores what is in round brackets")
	case isOperatorByte(c):
		return p.fail("put a comma between two conditions")
	case afterSpace && p.r.Build == "" && p.r.Constraint == "":
		return p.fail("expected a version after the name, found " + describe(p.s[:p.end], p.i) + ": write one package per item")
	case afterSpace:
		return p.fail("too many words: an item is a name, a version and a build")
	}
	return p.fail(describe(p.s[:p.end], p.i) + " is not allowed in a requirement")
}
