package document

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/schema/plain"
)

var reportedLine = plain.Regexp{Text: `line (\d+): `}

// unexplained points at the line that ends the longest readable beginning of the file, and gives the parser's reason in
// plain words.
func (d *diagnosis) unexplained(err error) Problem {
	line := d.firstBadLine()
	if line == 0 {
		line = 1
		if m := reportedLine.Get().FindStringSubmatch(err.Error()); m != nil {
			line, _ = strconv.Atoi(m[1]) // the pattern matches digits only
		}
	}
	span := d.Line(min(line, d.LineCount()))
	text := d.Slice(span)
	body := bytes.TrimLeft(text, " \t")
	span.Start += len(text) - len(body)
	return Problem{Kind: Syntax, Span: span, Message: d.reason(line, err)}
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
	case strings.Contains(text, "incompatible YAML document"):
		return "the \"%YAML\" line asks for a YAML version that cannot be read: delete the line"
	case strings.Contains(text, "unknown anchor"):
		return "a value refers to an anchor (\"*name\") that is not defined above it"
	case strings.Contains(text, "cannot start any token"):
		return "no value can begin like this: put the value in quotes"
	case strings.Contains(text, "',' or '}'"), strings.Contains(text, "',' or ']'"):
		return "a bracket is not closed or a comma is missing in this list or mapping"
	case strings.Contains(text, "exceeded max depth"):
		return fmt.Sprintf("nested more than %d levels deep, which no configuration file is", MaxDepth)
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

func (d *diagnosis) indentation(n int) int {
	for ; n > 1 && len(bytes.TrimSpace(d.Slice(d.Line(n)))) == 0; n-- {
	}
	text := d.Slice(d.Line(n))
	return len(text) - len(bytes.TrimLeft(text, " \t"))
}
