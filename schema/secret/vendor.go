package secret

import (
	"bytes"
	"math"
	"strings"

	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/plain"
)

// shape is a row of the catalog, prepared for the search.
type shape struct {
	*catalog.SecretShape
	in *[256]bool // the letters
}

// shapes has the shapes that begin with their mark, by its first letter, and the others.
type shapes struct {
	begin    [256][]shape
	pairs    [256 * 256 / 64]uint64 // a bit for each pair of letters that a token may begin with
	inside   []shape
	shortest int // the minimum length in bytes of a token that does not begin with its mark
}

// mayBegin reports whether a token may begin with these two letters.
func (s *shapes) mayBegin(a, b byte) bool {
	pair := int(a)<<8 | int(b)
	return s.pairs[pair/64]>>(pair%64)&1 != 0
}

var url = plain.Once[*[256]bool]{Make: func() *[256]bool { return letters(nameLetters[:62] + "_-") }}

func alphabets() map[string]string {
	return map[string]string{
		"hex": "0123456789abcdefABCDEF", "base32": "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", "alnum": nameLetters[:62], "word": nameLetters[:62] + "_",
		"url": nameLetters[:62] + "_-", "dots": nameLetters, "tilde": nameLetters + "~", "base64": nameLetters[:62] + "+/", "path": nameLetters + "/@",
	}
}

// vendors is read from the catalog when the first long word is found.
var vendors = plain.Once[*shapes]{Make: func() *shapes {
	sets := map[string]*[256]bool{}
	for name, text := range alphabets() {
		sets[name] = letters(text)
	}
	out := &shapes{shortest: math.MaxInt}
	begins := func(mark string) {
		pair := int(mark[0])<<8 | int(mark[1])
		out.pairs[pair/64] |= 1 << (pair % 64)
	}
	begins(brace)
	rows := catalog.SecretShapes()
	for i := range rows {
		s := shape{&rows[i], sets[rows[i].Letters]}
		if s.Before > 0 {
			out.inside = append(out.inside, s)
			out.shortest = min(out.shortest, s.Before+len(s.Mark)+s.Min)
		} else {
			begins(s.Mark)
			out.begin[s.Mark[0]] = append(out.begin[s.Mark[0]], s)
		}
	}
	return out
}}

// at reports whether a token's mark is at i with enough letters after it.
func (s *shape) at(text []byte, i int) (Token, bool) {
	if !bytes.HasPrefix(text[i:], []byte(s.Mark)) {
		return Token{}, false
	}
	from := i + len(s.Mark)
	rest := text[from:]
	if s.Max > 0 {
		rest = rest[:min(s.Max+1, len(rest))]
	}
	n := run(s.in, rest[:min(s.Min, len(rest))])
	if n < s.Min || dummy(rest[:n]) {
		return Token{}, false
	}
	if n += run(s.in, rest[n:]); s.Max > 0 && n > s.Max {
		return Token{}, false
	}
	end := from + n
	if s.Max > 0 && end < len(text) && isAlnum(text[end]) {
		return Token{}, false
	}
	for pad := 0; s.Letters == "base64" && pad < 2 && end < len(text) && text[end] == '='; pad++ {
		end++
	}
	return spanned(s.What, i, end), true
}

// dummy reports whether the letters of a token are a placeholder: only one or two different letters, or a word that
// says so.
func dummy(text []byte) bool {
	var kinds []byte
	for _, c := range text {
		if bytes.IndexByte(kinds, c) < 0 {
			if kinds = append(kinds, c); len(kinds) > 2 {
				break
			}
		}
	}
	if len(kinds) <= 2 && len(text) > 8 {
		return true
	}
	small := strings.ToLower(string(text))
	return strings.Contains(small, "example") || strings.Contains(small, "xxxxxx") || strings.Contains(small, "your")
}

// botAt finds the token of a Telegram bot, whose part after the bot's number and a colon is the long word at start.
// Source: trufflehog, detector telegrambottoken.
func botAt(text []byte, start int, found []Token) []Token {
	const letters, fewest, most = 35, 8, 12
	if start < fewest+1 || text[start-1] != ':' || !bytes.HasPrefix(text[start:], []byte("AA")) || run(url.Get(), text[start:]) != letters {
		return found
	}
	number := text[max(0, start-2-most) : start-1]
	digits := len(number) - len(bytes.TrimRight(number, "0123456789"))
	if digits < fewest || digits > most {
		return found
	}
	return add(found, text, spanned("the token of a Telegram bot", start-1-digits, start+letters))
}
