package document

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/source"
)

// anotherKey is the message about a colon inside a value.
const anotherKey = "a colon and a space inside a value begin another key: delete the space, put the value in quotes, or give the second key a line of its own"

var reportedLine = plain.Regexp{Text: `line (\d+): `}

// unexplained points at the line that ends the longest readable beginning of the file, and gives the parser's reason in
// plain words.
func (d *diagnosis) unexplained(err error) Problem {
	if strings.Contains(err.Error(), "control characters") {
		if p, ok := d.control(); ok {
			return p
		}
	}
	first := d.firstBadLine()
	line := first
	if line == 0 {
		line = 1
		if m := reportedLine.Get().FindStringSubmatch(err.Error()); m != nil {
			line, _ = strconv.Atoi(m[1]) // the pattern matches digits only
		}
	}
	if p, ok := d.slippedKey(line); ok {
		return p
	}
	if p, ok := d.unclosed(max(first, 1)); ok {
		return p
	}
	span := d.Line(min(line, d.LineCount()))
	text := d.Slice(span)
	body := bytes.TrimLeft(text, " \t")
	span.Start += len(text) - len(body)
	return Problem{Kind: Syntax, Span: span, Message: d.reason(line, err)}
}

// control returns the first character that no YAML text may contain. The parser reports it before it reads the text.
func (d *diagnosis) control() (Problem, bool) {
	at := bytes.IndexFunc(d.Text, func(r rune) bool {
		return r < ' ' && r != '\t' && r != '\n' && r != '\r' || r >= 0x7f && r < 0xa0 && r != 0x85 || r == 0xfffe || r == 0xffff
	})
	if at < 0 {
		return Problem{}, false
	}
	r, width := utf8.DecodeRune(d.Text[at:])
	return Problem{Kind: Syntax, Span: source.Span{Start: at, End: at + width},
		Message: fmt.Sprintf("this is a control character (%U), which no YAML file may contain, not even in quotes: delete it", r)}, true
}

// firstBadLine returns the first line that makes every longer beginning of the file unreadable, or 0 if finding it
// would cost too much.
func (d *diagnosis) firstBadLine() int {
	for n := d.LineCount() - 1; n >= 1; n-- {
		if d.budget < 0 {
			return 0
		}
		if d.parses(d.Text[:d.FullLine(n).End]) {
			for n++; n < d.LineCount() && len(bytes.TrimSpace(d.Slice(d.Line(n)))) == 0; {
				n++
			}
			return n
		}
	}
	return 0
}

// reason words yaml.v3's error for people who do not know its parser.
func (d *diagnosis) reason(line int, err error) string {
	text := err.Error()
	switch {
	case strings.Contains(text, incompatible):
		return "the \"%YAML\" line asks for a YAML version that cannot be read: delete the line"
	case strings.Contains(text, "unknown anchor"):
		return "a value refers to an anchor (\"*name\") that is not defined above it"
	case strings.Contains(text, "undefined tag handle"):
		return "the tag before a value begins with a name between two \"!\" that no %TAG line defines: remove the tag, or put the value in quotes if the \"!\" belongs to it"
	case strings.Contains(text, "expected '>'"), strings.Contains(text, "expected tag URI"), strings.Contains(text, "URI escaped octet"), strings.Contains(text, "expected whitespace or line break"):
		return "this begins with \"!\" but is not a valid tag: remove it, or put the value in quotes if the \"!\" belongs to it"
	case strings.Contains(text, "Unicode character escape"):
		return "a \\u or \\U in double quotes stands for no character here, such as half of a pair: write the character itself"
	case strings.Contains(text, "cannot start any token") && bytes.HasPrefix(bytes.TrimSpace(d.Slice(d.Line(min(line, d.LineCount())))), []byte("```")):
		return "this line is a code fence of Markdown, not YAML: delete it, and everything outside of the code"
	case strings.Contains(text, "cannot start any token"):
		return "no value can begin like this: put the value in quotes"
	case strings.Contains(text, "',' or '}'"), strings.Contains(text, "',' or ']'"):
		return "a bracket is not closed or a comma is missing in this list or mapping"
	case strings.Contains(text, "expected comment or line break"):
		return "on the line of a > or | before a text, only a comment may follow: begin the text on the next line"
	case strings.Contains(text, "exceeded max depth"):
		return fmt.Sprintf("nested more than %d levels deep, too deep for a configuration file", MaxDepth)
	}
	if reason := d.valueReason(line, text); reason != "" {
		return reason
	}
	if line > 1 {
		this, above := d.indentation(line), d.indentation(line-1)
		switch {
		case this > above:
			return "this line is indented deeper than the line above, which is complete: give both the same indentation"
		case this < above:
			return "this line does not fit the lines above it: its indentation matches none of theirs, or it is not a \"key: value\" or \"- item\""
		}
	}
	return "this line cannot be read here: a \"key: value\" or a \"- item\" is expected; check the lines above it too for a missing colon, quote or bracket"
}

// valueReason says what is wrong with the value of a line, where the parser's error fits that.
func (d *diagnosis) valueReason(line int, text string) string {
	if line > d.LineCount() {
		return ""
	}
	whole := d.Slice(d.Line(line))
	start := valueStart(whole)
	value, _, _ := bytes.Cut(whole[start:], []byte(" #"))
	value = bytes.TrimSpace(value)
	_, rest := afterQuote(whole)
	switch {
	case string(rest) == ",":
		return noComma
	case len(rest) > 0:
		return "there is text after the closing quote: put the whole value in the quotes, and write a quote inside it twice or in the other kind"
	case strings.Contains(text, "mapping values are not allowed") && keyed(whole[:start]) && keyed(value):
		return anotherKey
	case strings.Contains(text, "block sequence entries are not allowed") && bytes.HasPrefix(value, []byte("- ")):
		return "a list does not begin on the line of its key: write its first item on the next line"
	case strings.Contains(text, "node content") && len(value) > 0 && value[0] == '[' && d.dashAfter(line, value[1:]):
		return "in brackets, the items of a list have commas between them and no dashes: leave out the brackets or the dashes"
	}
	return ""
}

// dashAfter reports whether an item with a dash follows the bracket of a list, on its line or the next.
func (d *diagnosis) dashAfter(line int, rest []byte) bool {
	for rest = bytes.TrimSpace(rest); len(rest) == 0 && line < d.LineCount(); rest = bytes.TrimSpace(d.Slice(d.Line(line))) {
		line++
	}
	return bytes.HasPrefix(rest, []byte("- "))
}

func (d *diagnosis) indentation(n int) int {
	for ; n > 1 && len(bytes.TrimSpace(d.Slice(d.Line(n)))) == 0; n-- {
	}
	text := d.Slice(d.Line(n))
	return len(text) - len(bytes.TrimLeft(text, " \t"))
}
