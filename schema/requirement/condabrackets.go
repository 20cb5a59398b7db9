package requirement

import "strings"

// condaBrackets parses [key=value,…] from i to end. Only the form of keys other than version, build, channel and subdir
// is checked.
func (p *parser) condaBrackets() error {
	if p.s[p.end-1] != ']' {
		if i := strings.IndexByte(p.s[p.i:p.end], ']'); i >= 0 {
			p.i = skipSpaces(p.s, p.i+i+1, p.end)
			return p.fail("unexpected text after the square brackets")
		}
		return p.fail("the square bracket is not closed")
	}
	p.i++
	p.end--
	for {
		p.i = skip(p.s, p.i, p.end, func(c byte) bool { return isSpace(c) || c == ',' })
		if p.i == p.end {
			return nil
		}
		if err := p.condaPair(); err != nil {
			return err
		}
	}
}

func (p *parser) condaPair() error {
	j := skip(p.s, p.i, p.end, func(c byte) bool { return isAlnum(c) || c == '_' || c == '-' })
	if j == p.i || j == p.end || p.s[j] != '=' {
		return p.fail("conda's square brackets hold key=value pairs: extras are pip's")
	}
	key := p.s[p.i:j]
	start := j + 1
	var stop, next int
	if start < p.end && (p.s[start] == '"' || p.s[start] == '\'') {
		n := strings.IndexByte(p.s[start+1:p.end], p.s[start])
		if n < 0 {
			p.i = start
			return p.fail("the quotation mark is not closed")
		}
		start++
		stop = start + n
		next = stop + 1
	} else {
		stop = skip(p.s, start, p.end, func(c byte) bool { return !isSpace(c) && c != ',' })
		next = stop
	}
	if start == stop {
		p.i = start
		return p.fail("the value after '=' is missing")
	}
	if next < p.end && !isSpace(p.s[next]) && p.s[next] != ',' {
		p.i = next
		return p.fail("expected a comma between two pairs, found " + describe(p.s[:p.end], next))
	}
	end := p.end
	p.i, p.end = start, stop
	if err := p.condaValue(key); err != nil {
		return err
	}
	p.i, p.end = next, end
	return nil
}

// condaValue stores the value at [i, end).
func (p *parser) condaValue(key string) error {
	for i := p.i; i < p.end; i++ {
		if c := p.s[i]; c == '"' || c == '\'' || c == '[' || c == ']' || c < ' ' {
			return failAt(p.s, i, describe(p.s, i)+" is not allowed in a value")
		}
	}
	switch key {
	case "version":
		if p.r.Constraint != "" {
			return p.fail("the version is given twice")
		}
		p.i, p.end = trim(p.s, p.i, p.end)
		return p.condaExpression(false)
	case "build":
		if p.r.Build != "" {
			return p.fail("the build is given twice")
		}
		if j := p.buildEnd(); j < p.end {
			p.i = j
			return p.fail(describe(p.s, j) + " is not allowed in a build")
		}
		p.r.Build, p.r.BuildPart = cut(p.s, p.i, p.end)
	case "channel":
		if p.r.Channel != "" {
			return p.fail("the channel is given twice")
		}
		p.details().Channel, p.details().ChannelPart = cut(p.s, p.i, p.end)
	case "md5", "sha256":
		p.details().Digest = key + "=" + p.s[p.i:p.end]
	}
	return nil
}
