package requirement

import (
	"fmt"
	"slices"
	"strings"
)

// schemeEnd returns the position after "scheme:" if a URL starts at i, else i. A single letter is a Windows drive, not
// a scheme.
func schemeEnd(s string, i, end int) int {
	j := i
	if i < end && isAlpha(s[i]) {
		j = skip(s, i, end, func(c byte) bool { return isAlnum(c) || c == '+' || c == '.' || c == '-' })
	}
	rest := s[j:end]
	switch {
	case j-i > 1 && strings.HasPrefix(rest, "://"), j-i == 4 && strings.EqualFold(s[i:j], "file") && strings.HasPrefix(rest, ":"):
		return j + 1
	case strings.Contains(rest, ":") && isRepository(s[i:j]):
		// The old form git+git@host:owner/name.
		return i + strings.IndexByte(s[i:j], '+') + 1
	}
	return i
}

// isRepository reports whether a scheme has a version control prefix, as in "git+https".
func isRepository(scheme string) bool {
	return slices.ContainsFunc([]string{"git+", "hg+", "svn+", "bzr+"}, func(tool string) bool { return strings.HasPrefix(scheme, tool) })
}

// url parses a bare URL, optionally followed by a marker.
func (p *parser) url(end int) error {
	start := p.i
	stop := skip(p.s, start, end, func(c byte) bool { return !isSpace(c) })
	p.r.Kind = URL
	p.i = skipSpaces(p.s, stop, end)
	if p.i == end {
		return p.setURL(start, stop)
	}
	if p.s[p.i] != ';' && p.s[stop-1] == ';' {
		stop--
		p.i = stop
	}
	if !p.at(';') || p.r.Manager == Conda {
		p.i = stop
		return p.fail("a space inside the address")
	}
	if err := p.setURL(start, stop); err != nil {
		return err
	}
	return p.markerAndEnd()
}

// addressAfterAt parses the URL of "name @ URL". In PEP 508 it ends at a space, so a marker needs a space before its
// semicolon.
func (p *parser) addressAfterAt() error {
	p.spaces()
	if p.i == p.end {
		return p.fail("the address after '@' is missing")
	}
	if schemeEnd(p.s, p.i, p.end) == p.i {
		return p.fail("after '@' pip expects an address such as https://… or file:///…: a version is written with ==")
	}
	start := p.i
	stop := skip(p.s, start, p.end, func(c byte) bool { return !isSpace(c) })
	p.r.Kind = URL
	p.i = skipSpaces(p.s, stop, p.end)
	if p.i < p.end && !p.at(';') {
		p.i = stop
		if p.s[stop-1] == ';' {
			p.i--
			return p.fail("missing space between the address and ';'")
		}
		return p.fail("a space inside the address")
	}
	if err := p.setURL(start, stop); err != nil {
		return err
	}
	return p.markerAndEnd()
}

// setURL sets [start, stop) as the URL and parses its fragment and file name.
func (p *parser) setURL(start, stop int) error {
	p.r.Kind = URL
	p.details().URL, p.details().URLPart = cut(p.s, start, stop)
	if err := p.scheme(start, stop); err != nil {
		return err
	}
	body := schemeEnd(p.s, start, stop)
	if strings.HasPrefix(p.s[body:stop], "//") {
		body += len("//")
	}
	if body == stop {
		return failSpan(start, stop, "the address ends after its scheme")
	}
	for i := start; i < stop; i++ {
		if c := p.s[i]; c == '<' || c == '>' || c == '"' || c < ' ' || c == 0x7f {
			return failAt(p.s, i, describe(p.s, i)+" is not allowed in an address: if it is a placeholder, put the real value in its place")
		}
	}
	pathEnd := stop
	if i := strings.IndexAny(p.s[body:stop], "?#"); i >= 0 {
		pathEnd = body + i
	}
	if i := strings.IndexByte(p.s[start:stop], '#'); i >= 0 {
		p.details().Fragment = p.s[start+i+1 : stop]
		if p.r.Manager == Pip {
			p.egg(start+i+1, stop)
		}
	}
	slash := strings.LastIndexByte(p.s[body:pathEnd], '/')
	if slash < 0 {
		return nil
	}
	return p.wheelAt(body+slash+1, pathEnd, true)
}

// scheme refuses an address that pip takes for a path, because it does not know the scheme.
func (p *parser) scheme(start, stop int) error {
	name, _, ok := strings.Cut(p.s[start:stop], ":")
	if !ok || p.r.Manager != Pip || strings.Contains(name, "@") { // git+git@host
		return nil
	}
	known := []string{"http", "https", "ftp", "file"}
	tool, scheme, repository := strings.Cut(strings.ToLower(name), "+")
	if !repository {
		scheme = tool
	} else if isRepository(tool + "+") {
		known = append(known, "ssh", "git", "static-http", "svn", "sftp", "lp")
	}
	if slices.Contains(known, scheme) {
		return nil
	}
	return failSpan(start, start+len(name), fmt.Sprintf("pip does not know the scheme %q: write https, or git+https for a repository", name))
}

// egg takes the name from a fragment such as "egg=name[extra]&subdirectory=src". A name before the URL has precedence.
func (p *parser) egg(start, stop int) {
	for start < stop {
		next := stop
		if i := strings.IndexByte(p.s[start:stop], '&'); i >= 0 {
			next = start + i
		}
		if strings.HasPrefix(p.s[start:next], "egg=") && p.r.Name == "" {
			at := start + len("egg=")
			end := skipName(p.s, at, next)
			q := parser{s: p.s, r: Requirement{Details: &none}, i: end, end: next}
			if end > at && (end == next || q.at('[') && q.extras() == nil && q.i == next) {
				p.setName(at, end)
				p.details().Extras, p.details().ExtrasPart = q.r.Extras, q.r.ExtrasPart
			}
			return
		}
		start = next + 1
	}
}

// wheelAt parses the file name at [start, end) if it has the ending of a wheel.
func (p *parser) wheelAt(start, end int, escaped bool) error {
	if !strings.HasSuffix(p.s[start:end], ".whl") {
		return nil
	}
	w, err := parseWheel(p.s, start, end, escaped)
	if err == nil {
		p.details().Wheel = &w
	}
	return err
}

// path parses a file or folder with extras and a marker. As in pip, it may contain spaces.
func (p *parser) path() error {
	p.r.Kind = Path
	stop := p.end
	if i := strings.IndexByte(p.s[p.i:p.end], ';'); i >= 0 {
		stop = p.i + i
	}
	start, end := trim(p.s, p.i, stop)
	if end > start && p.s[end-1] == ']' {
		if open := strings.LastIndexByte(p.s[start:end], '['); open > 0 {
			q := parser{s: p.s, r: Requirement{Details: &none}, i: start + open, end: end}
			if q.extras() == nil && q.i == end {
				p.details().Extras, p.details().ExtrasPart = q.r.Extras, q.r.ExtrasPart
				_, end = trim(p.s, start, start+open)
			}
		}
	}
	if start == end {
		return p.fail("the path is missing")
	}
	if err := p.setPath(start, end); err != nil {
		return err
	}
	p.i = stop
	return p.markerAndEnd()
}

func (p *parser) setPath(start, end int) error {
	p.r.Kind = Path
	p.details().Path, p.details().PathPart = cut(p.s, start, end)
	for i := start; i < end; i++ {
		if c := p.s[i]; c < ' ' || c == 0x7f {
			return failAt(p.s, i, describe(p.s, i)+" is not allowed in a path")
		}
	}
	name := start + strings.LastIndexAny(p.s[start:end], `/\`) + 1
	return p.wheelAt(name, end, false)
}
