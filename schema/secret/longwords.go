package secret

import (
	"bytes"
	"encoding/binary"

	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/source"
)

// shortestWord is the minimum length, in bytes, of tokens that are recognized only by their letters.
const shortestWord = 20

// longWords finds keys of storage accounts, JSON web tokens and vendors' tokens: long words with letters that hardly
// any other word has. argument reports whether there is a word that positional may find.
func longWords(text []byte) (found []Token, argument bool) {
	in := &inWord
	// Each word that is long enough contains one of the bytes that are looked at.
	for at := shortestWord - 1; at < len(text); at += shortestWord {
		if !in[text[at]] || at+9 <= len(text) && hasSpace(text[at-8:]) && hasSpace(text[at+1:]) {
			continue
		}
		start := at
		for start > 0 && in[text[start-1]] {
			start--
		}
		for at < len(text) && in[text[at]] {
			at++
		}
		if at-start >= shortestWord {
			found = botAt(text, start, borneAt(text, start, found))
			var may bool
			found, may = knownWord(text, start, at, found)
			argument = argument || may
		}
	}
	return found, argument
}

// dull are long words without a token, such as names of images and addresses, which many files have in common, and
// whether positional may find them.
var dull = plain.Memo[bool]{Longest: 80} // less than the key of a storage account

// knownWord finds the tokens in the word between start and end, and reports whether positional may find it.
func knownWord(text []byte, start, end int, found []Token) (more []Token, argument bool) {
	var room bool
	// an escape may end before a token, and a token may contain "@" or end with "="
	if (start == 0 || text[start-1] != '\\') && (end == len(text) || text[end] != '@' && text[end] != '=') {
		var known bool
		if argument, known, room = dull.Get(string(text[start:end])); known {
			return found, argument
		}
	}
	more = inLongWord(text, start, end, found)
	if len(more) == len(found) {
		if t, ok := encoded(text, start, end); ok {
			more = append(more, t)
		}
	}
	argument = hasRun(inKey.Get(), text[start:end], shortestArgument)
	if room && len(more) == len(found) {
		dull.Put(string(text[start:end]), argument)
	}
	return more, argument
}

// hasSpace reports whether there is a space, or a control character, among the first eight bytes of a text.
func hasSpace(text []byte) bool {
	const each = 0x0101010101010101
	eight := binary.LittleEndian.Uint64(text)
	return (eight-0x21*each)&^eight&(0x80*each) != 0
}

// inLongWord finds the tokens in the word between start and end.
func inLongWord(text []byte, start, end int, found []Token) []Token {
	shapes := vendors.Get()
	for i := start; i+1 < end; i++ {
		if !shapes.mayBegin(text[i], text[i+1]) || i > 0 && isAlnum(text[i-1]) && !escaped(text, i-1) {
			continue
		}
		t, ok := webToken(text, i, end)
		for _, s := range shapes.begin[text[i]] {
			if !ok && s.Mark[1] == text[i+1] {
				t, ok = s.at(text, i)
			}
		}
		if ok {
			found = add(found, text, t)
			i = t.Value.End - 1
		}
	}
	if end-start < shapes.shortest {
		return found
	}
	found = storageKeys(text, start, end, found)
	for _, s := range shapes.inside {
		for i := start; ; {
			n := bytes.Index(text[i:end], []byte(s.Mark))
			if n < 0 {
				break
			}
			i += n
			if from := i - s.Before; from >= start && all(s.in, text[from:i]) && (from == 0 || !s.in[text[from-1]] || escaped(text, from-1)) {
				if t, ok := s.at(text, i); ok {
					t.Span.Start, t.Value.Start = from, from
					found = add(found, text, t)
				}
			}
			i += len(s.Mark)
		}
	}
	return found
}

// escaped reports whether the letter at i belongs to an escape: "\nghp_…".
func escaped(text []byte, i int) bool {
	return i > 0 && text[i-1] == '\\'
}

func all(in *[256]bool, text []byte) bool {
	for _, c := range text {
		if !in[c] {
			return false
		}
	}
	return true
}

// storageKeys finds the keys of storage and Cosmos DB accounts in the word between start and end: 64 bytes in base64,
// that is, 86 digits and two equals signs.
func storageKeys(text []byte, start, end int, found []Token) []Token {
	const digits = 86
	for i := start; end-i >= digits; i++ {
		n := 0
		for i+n < end && isBase64(text[i+n]) {
			n++
		}
		if n == digits && bytes.HasPrefix(text[i+n:], []byte("==")) {
			span := source.Span{Start: i, End: i + digits + len("==")}
			found = add(found, text, Token{Kind: StorageKey, Span: span, Value: span})
		}
		i += n
	}
	return found
}

// shortestPart is the minimum length of each of the first two parts of a JSON web token: {"alg":""} already has 14
// letters in base64.
const shortestPart = 10

// brace is the beginning of a JSON object in base64.
const brace = "eyJ"

// webToken reports whether there is a JSON web token at i: base64 parts that begin with an open brace, separated by
// periods.
func webToken(text []byte, i, end int) (Token, bool) {
	if !bytes.HasPrefix(text[i:end], []byte(brace)) || i > 0 && url.Get()[text[i-1]] {
		return Token{}, false
	}
	in := url.Get()
	head := run(in, text[i:end])
	body := i + head + 1
	if head < shortestPart || body >= end || text[body-1] != '.' || !bytes.HasPrefix(text[body:end], []byte("ey")) {
		return Token{}, false
	}
	n := run(in, text[body:end])
	if n < shortestPart {
		return Token{}, false
	}
	stop := body + n
	for stop < end && text[stop] == '.' { // the signature; encrypted tokens have two more parts
		n := run(in, text[stop+1:end])
		if n == 0 {
			break
		}
		stop += 1 + n
	}
	span := source.Span{Start: i, End: stop}
	return Token{Kind: Vendor, What: "a JSON web token", Span: span, Value: span}, true
}

// hasRun reports whether there are n letters of a set in a row in a text. It looks at few others.
func hasRun(in *[256]bool, text []byte, n int) bool {
	for end := n; end <= len(text); {
		start := end
		for start > end-n && in[text[start-1]] {
			start--
		}
		if start == end-n {
			return true
		}
		end = start + n
	}
	return false
}

// run returns the number of letters of a set that a text begins with.
func run(in *[256]bool, text []byte) int {
	for i, c := range text {
		if !in[c] {
			return i
		}
	}
	return len(text)
}
