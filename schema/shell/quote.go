package shell

import (
	"errors"
	"strings"

	"github.com/amlfix/amlfix/schema/binding"
)

var errUnclosed = errors.New("a quote or bracket is not closed")

func (p *parser) single() {
	n := strings.IndexByte(p.rest()[1:], '\'')
	if n < 0 {
		p.fault(Open, p.at, p.at+1)
		p.err = errUnclosed
		return
	}
	start := p.at
	// a binding is substituted before the shell sees the quotes
	p.quotedText(p.at+1, p.at+1+n, start)
	p.at = start + n + 2
	p.add(Part{Quoted: true}, start)
}

// quotedText adds the text between two offsets and the bindings in it.
func (p *parser) quotedText(from, to, start int) {
	p.at = from
	for p.at < to {
		if e, ok := p.binding(); ok && e.Span.End <= to {
			p.at = e.Span.End
			p.add(Part{Kind: Binding, Text: e.Name, Quoted: true}, start)
			continue
		}
		begin := p.at
		p.at = to
		if len(p.bindings) > 0 {
			p.at = min(to, max(p.bindings[0].Span.Start, begin+1))
		}
		p.add(Part{Text: p.text[begin:p.at], Quoted: true}, start)
	}
}

// binding returns the ${{…}} that begins here.
func (p *parser) binding() (e binding.Expression, ok bool) {
	for len(p.bindings) > 0 && (p.bindings[0].Span.Start < p.at || p.bindings[0].Broken) {
		p.bindings = p.bindings[1:]
	}
	if len(p.bindings) == 0 || p.bindings[0].Span.Start != p.at {
		return e, false
	}
	return p.bindings[0], true
}

func (p *parser) double() {
	start := p.at
	p.at++
	p.add(Part{Quoted: true}, start)
	for p.at < len(p.text) && p.err == nil {
		switch c := p.text[p.at]; {
		case p.group > 0 && p.at == p.groupEnd:
			p.group = 0
			p.at += len("]]")
		case c == '"':
			p.at++
			p.add(Part{Quoted: true}, start)
			return
		case c == '$' || c == '`':
			p.expansion(true)
		case c == '\\' && p.at+1 < len(p.text):
			escaped := p.text[p.at+1]
			p.at += 2
			switch {
			case escaped == '\n':
			case strings.IndexByte("$`\"\\", escaped) >= 0:
				p.add(Part{Text: string(escaped), Quoted: true}, start)
			default:
				p.add(Part{Text: `\` + string(escaped), Quoted: true}, start)
			}
		default:
			n := strings.IndexAny(p.rest(), "\"$`\\]")
			switch {
			case n < 0:
				n = len(p.rest())
			case n == 0:
				n = 1
			}
			p.at += n
			p.add(Part{Text: p.text[p.at-n : p.at], Quoted: true}, start)
		}
	}
	if p.err == nil {
		p.fault(Open, start, start+1)
		p.err = errUnclosed
	}
}
