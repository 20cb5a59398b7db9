package document

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/source"
)

// lookalikes finds characters outside comments that look like spaces, or like nothing at all. Next to the letters of
// other languages, they may be a part of the text.
func (d *diagnosis) lookalikes() (Problem, bool) {
	var repair []Splice
	for n := 1; n <= d.LineCount(); n++ {
		line := d.Line(n)
		text := d.Slice(line)
		if comment := bytes.IndexByte(text, '#'); comment >= 0 {
			text = text[:comment]
		}
		for i, before := 0, ' '; i < len(text); {
			r, width := utf8.DecodeRune(text[i:])
			after, _ := utf8.DecodeRune(text[i+width:])
			if i+width == len(text) {
				after = ' '
			}
			meant, odd := ordinary(r)
			_, more := ordinary(after)
			if odd && before < utf8.RuneSelf && (after < utf8.RuneSelf || more) {
				repair = append(repair, Splice{Offset: line.Start + i, Old: string(text[i : i+width]), New: meant})
			} else {
				before = r
			}
			i += width
		}
	}
	return d.all(repair, func(repair []Splice) Problem {
		r, _ := utf8.DecodeRuneInString(repair[0].Old)
		return Problem{Span: repair[0].span(), Repair: repair, Message: lookalike(r)}
	})
}

// lookalike says what a character that looks like a space, or like nothing, is.
func lookalike(r rune) string {
	switch {
	case r == '\u00a0' || r == '\u202f':
		return fmt.Sprintf("this is a no-break space (%U), which looks like a space but is not one to YAML: write an ordinary space", r)
	case plain.IsWideSpace(r):
		return fmt.Sprintf("this character (%U) looks like a space but is not one to YAML: write ordinary spaces", r)
	}
	return fmt.Sprintf("this is an invisible character (%U), which came with copied text: delete it", r)
}

// ordinary returns the spaces that a character looks like, or "" for one without width; ok is false for others.
func ordinary(r rune) (text string, ok bool) {
	switch {
	case r == '\u3000':
		return "  ", true // a character of Chinese text is as wide as two others
	case plain.IsWideSpace(r):
		return " ", true
	}
	return "", plain.IsInvisible(r)
}

// wideColon matches a key that ends with the colon of Chinese and Japanese text.
var wideColon = plain.Regexp{Text: `^\s*(?:- )?["']?\$?[A-Za-z_][A-Za-z0-9_]*["']?([ \t]*\x{ff1a}[ \t\x{3000}]*)`}

// wideColons finds the keys that end with such a colon.
func (d *diagnosis) wideColons() (Problem, bool) {
	if !bytes.Contains(d.Text, []byte("\uff1a")) {
		return Problem{}, false // as nearly always, and the pattern is slow
	}
	return d.replaced(wideColon.Get(), ": ", func(repair []Splice) Problem {
		for i := range repair {
			if end := repair[i].Offset + len(repair[i].Old); end == len(d.Text) || d.Text[end] == '\n' || d.Text[end] == '\r' {
				repair[i].New = ":"
			}
		}
		return Problem{Span: source.Span{Start: repair[0].Offset, End: repair[0].Offset + len("：")}, Repair: repair, Cause: LostMark,
			Message: "this is a wide colon (U+FF1A), which looks like a colon but is not one to YAML: write an ordinary one"}
	})
}

// visible returns a word of ASCII without the invisible characters in it, with ordinary spaces instead of wide ones
// before it, and without those after it. first is the first such character. Any other text is returned as it is: in
// some languages, such characters are a part of words.
func visible(text string) (clean string, first rune) {
	i := strings.IndexFunc(text, func(r rune) bool { return r >= utf8.RuneSelf })
	if i < 0 {
		return text, 0
	}
	first, _ = utf8.DecodeRuneInString(text[i:])
	word := strings.TrimRightFunc(text, func(r rune) bool { _, odd := ordinary(r); return odd })
	var b strings.Builder
	begun := false
	for _, r := range word {
		switch meant, odd := ordinary(r); {
		case odd && (meant == "" || !begun):
			b.WriteString(meant)
		case r <= ' ' || r >= utf8.RuneSelf:
			return text, 0
		default:
			begun = true
			b.WriteRune(r)
		}
	}
	return b.String(), first
}
