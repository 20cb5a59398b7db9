package document

import (
	"bytes"
	"fmt"
	"math"
	"regexp"
	"strings"

	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/source"
)

// maxLost is the number of lines tried for a lost character, each with a parse of the text. A text with more candidates
// is not YAML.
const maxLost = 20

// replaced returns the problem of the lines, other than comments, that match a pattern, which writing text in place of
// its first group solves. A pattern should go on to the end of the line, if each of its bytes can only be matched in
// one way: package regexp then takes half of the time.
func (d *diagnosis) replaced(pattern *regexp.Regexp, text string, problem func([]Splice) Problem) (Problem, bool) {
	var repair []Splice
	for n := 1; n <= d.LineCount(); n++ {
		if d.depth(n) == math.MaxInt {
			continue
		}
		line := d.Line(n)
		m := pattern.FindSubmatchIndex(d.Slice(line))
		if m != nil && (text != " " || !bytes.HasSuffix(d.Slice(line)[:m[2]], []byte("azureml:"))) { // no key is called so
			repair = append(repair, Splice{Offset: line.Start + m[2], Old: string(d.Slice(line)[m[2]:m[3]]), New: text})
		}
	}
	return d.some(repair, problem)
}

// gluedDash matches a list item directly after its dash, but not an option such as -e.
var gluedDash = plain.Regexp{Text: `^\s*-()[A-Za-z_][A-Za-z0-9_](?s:.*)$`}

// gluedDashes finds list items without a space after their dash.
func (d *diagnosis) gluedDashes() (Problem, bool) {
	return d.replaced(gluedDash.Get(), " ", func(repair []Splice) Problem {
		at := repair[0].Offset
		return Problem{Span: source.Span{Start: at - 1, End: at}, Repair: repair,
			Message: "missing space after the dash, so this is not a list item: write \"- item\""}
	})
}

// longDash matches the dash of prose before a list item, which word processors write for a hyphen.
var longDash = plain.Regexp{Text: `^ *([\x{2013}\x{2014}\x{2212}]) (?s:.*)$`}

// longDashes finds list items that begin with such a dash.
func (d *diagnosis) longDashes() (Problem, bool) {
	return d.replaced(longDash.Get(), "-", func(repair []Splice) Problem {
		return Problem{Span: repair[0].span(), Repair: repair, Message: fmt.Sprintf(
			"this is a dash (%U), which looks like a hyphen but is not one to YAML: write - before a list item", []rune(repair[0].Old)[0])}
	})
}

// lone is a line of words without a colon: a word that may be a key, a second one that may be its value, and what
// follows.
var lone = plain.Regexp{Text: `^\s*(["']?\$?[A-Za-z_][A-Za-z0-9_]*["']?)(?:[ \t]+[^\s#:]\S*)?(.*)$`}

// lostColon finds the only line that becomes a key, or a key and a value, when a colon is added.
func (d *diagnosis) lostColon() (Problem, bool) {
	var found []Splice
	var at source.Span
	d.loneLines(func(line source.Span, m []int) {
		if rest := bytes.TrimSpace(d.Slice(line)[m[4]:m[5]]); len(rest) > 0 && rest[0] != '#' {
			return // three words are a sentence
		}
		colon := Splice{Offset: line.Start + m[3], New: ":"}
		if d.readableWith([]Splice{colon}) {
			found, at = append(found, colon), source.Span{Start: line.Start + m[2], End: line.Start + m[3]}
		}
	})
	if len(found) != 1 {
		return Problem{}, false
	}
	key := string(d.Slice(at))
	if d.mayBeValue(d.LineAt(at.Start), at) {
		return Problem{Span: at, Message: key + " is read as neither a key nor a value: write it after the key above if it is the key's value, or a colon after it if it is a key itself"}, true
	}
	return Problem{Span: at, Repair: found, Cause: LostMark,
		Message: fmt.Sprintf("the colon after %s is missing: write %s", key, withColon(key))}, true
}

// mayBeValue reports whether the only word of a line may be the value of the key above it, which has none, and which is
// indented like the word.
func (d *diagnosis) mayBeValue(n int, word source.Span) bool {
	above := d.contentAbove(n)
	rest := bytes.TrimSpace(d.Text[word.End:d.Line(n).End])
	alone, below := len(rest) == 0 || rest[0] == '#', d.depth(d.nextContent(n))
	return above > 0 && alone && d.depth(above) == d.depth(n) && endsKey(d.Slice(d.Line(above))) && (below <= d.depth(n) || below == math.MaxInt)
}

// withColon returns a key with its colon, in quotes unless it has its own.
func withColon(key string) string {
	if strings.ContainsAny(key, `"'`) {
		return key + ":"
	}
	return `"` + key + `:"`
}

// wrongMark matches what ends a key in other languages, instead of the colon or beside it.
var wrongMark = plain.Regexp{Text: `^\s*(?:- )?["']?\$?[A-Za-z_][A-Za-z0-9_]*["']?([ \t]*(?:=>?|-+>|[;,]|:(?:=>?|[;,])))(?:[ \t](?s:.*))?$`}

// wrongMarks finds the keys that end with such a mark where the text can be read with a colon.
func (d *diagnosis) wrongMarks() (Problem, bool) {
	return d.replaced(wrongMark.Get(), ":", func(repair []Splice) Problem {
		mark := repair[0]
		line := d.Line(d.LineAt(mark.Offset))
		key := strings.TrimLeft(string(d.Text[line.Start:mark.Offset]), " \t-")
		return Problem{Span: source.Span{Start: mark.Offset - len(key), End: mark.Offset + len(mark.Old)}, Repair: repair, Cause: LostMark,
			Message: fmt.Sprintf("this key ends with %q instead of a colon: write %s", strings.TrimSpace(mark.Old), withColon(key))}
	})
}

// slipped matches the beginning of a line that was meant as a comment: a key next to "#" on some keyboard, or another
// language's comment mark.
var slipped = plain.Regexp{Text: `^[ \t]*([0-9]+|//+|;+|--+|!+|\$+|\^+)(?:[ \t](?s:.*))?$`}

// slippedHash finds the lines that begin with something like a comment mark and without which the text can be read.
func (d *diagnosis) slippedHash() (Problem, bool) {
	return d.replaced(slipped.Get(), "#", func(repair []Splice) Problem {
		if line := d.Slice(d.Line(d.LineAt(repair[0].Offset))); len(repair) == 1 && string(bytes.TrimSpace(line)) == repair[0].Old && line[0] <= '9' && line[0] >= '0' {
			return Problem{Span: repair[0].span(), Message: fmt.Sprintf("this line has only %q, which is neither a key nor a comment: remove it, or write \"#\" before a comment", repair[0].Old)}
		}
		return Problem{Span: repair[0].span(),
			Message: fmt.Sprintf("this line starts with %q but can only be a comment: a comment starts with \"#\"", repair[0].Old)}
	})
}

// lostHash finds the only line of several words without which the text can be read. Only its author knows whether it
// was a comment.
func (d *diagnosis) lostHash() (Problem, bool) {
	var found []source.Span
	d.loneLines(func(line source.Span, m []int) {
		start := line.Start + m[2]
		if d.readableWith([]Splice{{Offset: start, New: "# "}}) {
			found = append(found, source.Span{Start: start, End: line.End})
		}
	})
	if len(found) != 1 {
		return Problem{}, false
	}
	message := "this line is neither \"key: value\" nor \"- item\": put \"# \" before it if it is a comment, or a colon after its key"
	if d.readableWith([]Splice{{Offset: found[0].Start, New: "- "}}) {
		message = "this line is not a list item: put \"- \" before it, or \"# \" if it is a comment"
	}
	return Problem{Span: found[0], Message: message}, true
}

// loneLines calls try for every line of words without a colon, unless there are too many; m holds the places of the
// first word and of the rest.
func (d *diagnosis) loneLines(try func(line source.Span, m []int)) {
	var lines []source.Span
	for n := 1; n <= d.LineCount(); n++ {
		if line := d.Line(n); lone.Get().Match(d.Slice(line)) && !keyed(d.Slice(line)) {
			lines = append(lines, line)
		}
	}
	if len(lines) > maxLost {
		return
	}
	for _, line := range lines {
		try(line, lone.Get().FindSubmatchIndex(d.Slice(line)))
	}
}

// keyed reports whether a line has a colon that ends a key.
func keyed(line []byte) bool {
	return bytes.Contains(line, []byte(": ")) || bytes.HasSuffix(bytes.TrimRight(line, " \t"), []byte(":"))
}
