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

// replaced returns the splices that write text in place of a pattern's first group in each line that matches, as far as
// they are needed; nil if the text cannot be read with them.
func (d *diagnosis) replaced(pattern *regexp.Regexp, text string) []Splice {
	var repair []Splice
	for n := 1; n <= d.LineCount(); n++ {
		line := d.Line(n)
		if m := pattern.FindSubmatchIndex(d.Slice(line)); m != nil {
			repair = append(repair, Splice{Offset: line.Start + m[2], Old: string(d.Slice(line)[m[2]:m[3]]), New: text})
		}
	}
	if len(repair) == 0 || !d.readableWith(repair) {
		return nil
	}
	return d.needed(repair)
}

// gluedDash matches a list item directly after its dash, but not an option such as -e.
var gluedDash = plain.Regexp{Text: `^\s*-()[A-Za-z_][A-Za-z0-9_]`}

// gluedDashes finds list items without a space after their dash.
func (d *diagnosis) gluedDashes() (Problem, bool) {
	repair := d.replaced(gluedDash.Get(), " ")
	if repair == nil {
		return Problem{}, false
	}
	at := repair[0].Offset
	return Problem{Span: source.Span{Start: at - 1, End: at}, Repair: repair,
		Message: "missing space after the dash, so this is not a list item: write \"- item\""}, true
}

// longDash matches the dash of prose before a list item, which word processors write for a hyphen.
var longDash = plain.Regexp{Text: `^ *([\x{2013}\x{2014}\x{2212}]) `}

// longDashes finds list items that begin with such a dash.
func (d *diagnosis) longDashes() (Problem, bool) {
	repair := d.replaced(longDash.Get(), "-")
	if repair == nil {
		return Problem{}, false
	}
	first := repair[0]
	return Problem{Span: source.Span{Start: first.Offset, End: first.Offset + len(first.Old)}, Repair: repair,
		Message: fmt.Sprintf("this is a dash (%U), which looks like a hyphen but is not one to YAML: write - before a list item", []rune(first.Old)[0])}, true
}

// pipItem matches a list item that is pip alone.
var pipItem = plain.Regexp{Text: `^ *- (pip)[ \t]*(?:#.*)?$`}

// lostPipColon finds pip where a colon makes it the key of the list below: a comment between them keeps YAML from
// joining the two into one string.
func (d *diagnosis) lostPipColon() (Problem, bool) {
	return d.only(pipItem.Get(), func(n int, word source.Span) (Splice, bool) {
		next := d.nextContent(n)
		return Splice{Offset: word.End, New: ":"}, d.depth(next) > d.depth(n) && d.isItem(next)
	}, func(word string) Problem {
		return Problem{Cause: LostPipColon, Message: fmt.Sprintf("the colon after %s is missing: write %s", word, withColon(word))}
	})
}

// oneWord matches a line that is one word, or a key alone.
var oneWord = plain.Regexp{Text: `^ *([A-Za-z]\S*)[ \t]*(?:[ \t]#.*)?$`}

// lostDash finds the only line next to the items of a list that becomes one of them when a dash is added.
func (d *diagnosis) lostDash() (Problem, bool) {
	return d.only(oneWord.Get(), func(n int, word source.Span) (Splice, bool) {
		above := n - 1
		for above > max(1, n-maxAround) && d.depth(above) > d.depth(n) {
			above--
		}
		beside := func(m int) bool { return m > 0 && d.depth(m) == d.depth(n) && d.isItem(m) }
		return Splice{Offset: word.Start, New: "- "}, beside(above) || beside(d.nextContent(n))
	}, func(word string) Problem {
		return Problem{Cause: LostDash, Message: fmt.Sprintf("the dash before %s is missing, so this is no list item: write \"- %s\"", word, word)}
	})
}

// only returns the problem of the only line that matches a pattern and makes the text readable with a splice: try
// proposes it for a line and the span of the pattern's group.
func (d *diagnosis) only(pattern *regexp.Regexp, try func(n int, word source.Span) (Splice, bool), problem func(word string) Problem) (Problem, bool) {
	var found []Problem
	tried := 0
	for n := 1; n <= d.LineCount() && tried <= maxLost; n++ {
		line := d.Line(n)
		m := pattern.FindSubmatchIndex(d.Slice(line))
		if m == nil {
			continue
		}
		word := source.Span{Start: line.Start + m[2], End: line.Start + m[3]}
		splice, ok := try(n, word)
		if !ok {
			continue
		}
		if tried++; d.readableWith([]Splice{splice}) {
			p := problem(string(d.Slice(word)))
			p.Span, p.Repair = word, []Splice{splice}
			found = append(found, p)
		}
	}
	if len(found) != 1 || tried > maxLost {
		return Problem{}, false
	}
	return found[0], true
}

// depth returns the indentation of a line; that of an empty line, a comment, or a line past the end has no limit.
func (d *diagnosis) depth(n int) int {
	text := d.Slice(d.Line(n))
	body := bytes.TrimLeft(text, " ")
	if len(bytes.TrimSpace(body)) == 0 || body[0] == '#' {
		return math.MaxInt
	}
	return len(text) - len(body)
}

// isItem reports whether a line is a list item.
func (d *diagnosis) isItem(n int) bool {
	return bytes.HasPrefix(bytes.TrimLeft(d.Slice(d.Line(n)), " "), []byte("- "))
}

// maxAround is the number of lines around one that are compared with it.
const maxAround = 50

// nextContent returns the next line that is neither empty nor a comment, or the last one that may be looked at.
func (d *diagnosis) nextContent(n int) int {
	last := min(n+maxAround, d.LineCount())
	for n = min(n+1, last); n < last && d.depth(n) == math.MaxInt; n++ {
	}
	return n
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
	return Problem{Span: at, Repair: found, Cause: LostMark,
		Message: fmt.Sprintf("the colon after %s is missing: write %s", key, withColon(key))}, true
}

// withColon returns a key with its colon, in quotes unless it has its own.
func withColon(key string) string {
	if strings.ContainsAny(key, `"'`) {
		return key + ":"
	}
	return `"` + key + `:"`
}

// wrongMark matches what ends a key in other languages, instead of the colon or beside it.
var wrongMark = plain.Regexp{Text: `^\s*(?:- )?["']?\$?[A-Za-z_][A-Za-z0-9_]*["']?([ \t]*(?::?=>?|-+>|:?[;,]))(?:[ \t]|$)`}

// wrongMarks finds the keys that end with such a mark where the text can be read with a colon.
func (d *diagnosis) wrongMarks() (Problem, bool) {
	repair := d.replaced(wrongMark.Get(), ":")
	if repair == nil {
		return Problem{}, false
	}
	mark := repair[0]
	line := d.Line(d.LineAt(mark.Offset))
	key := strings.TrimLeft(string(d.Text[line.Start:mark.Offset]), " \t-")
	return Problem{Span: source.Span{Start: mark.Offset - len(key), End: mark.Offset + len(mark.Old)}, Repair: repair, Cause: LostMark,
		Message: fmt.Sprintf("this key ends with %q instead of a colon: write %s", strings.TrimSpace(mark.Old), withColon(key))}, true
}

// slipped matches the beginning of a line that was meant as a comment: a key next to "#" on some keyboard, or another
// language's comment mark.
var slipped = plain.Regexp{Text: `^[ \t]*([0-9]+|//+|;+|--+|!+|\$+|\^+)(?:[ \t]|$)`}

// slippedHash finds the lines that begin with something like a comment mark and without which the text can be read.
func (d *diagnosis) slippedHash() (Problem, bool) {
	repair := d.replaced(slipped.Get(), "#")
	if repair == nil {
		return Problem{}, false
	}
	first := repair[0]
	return Problem{Span: source.Span{Start: first.Offset, End: first.Offset + len(first.Old)},
		Message: fmt.Sprintf("this line starts with %q but can only be a comment: a comment starts with \"#\"", first.Old)}, true
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
		message = "this line is no list item: put \"- \" before it, or \"# \" if it is a comment"
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
