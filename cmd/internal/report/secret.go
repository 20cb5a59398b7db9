package report

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/source"
)

// Secrets are found in the raw text, because a file that does not parse must not
// show its password either. Hiding too much costs a reader little. No regular
// expressions here: they would take longer than all checks of a file together.

// secretWords are parts of keys whose values are secrets, without "_" and "-".
var secretWords = []string{
	"password", "passwd", "passphrase", "pwd", "secret", "credential", "connectionstring",
	"accountkey", "accesskey", "privatekey", "apikey", "storagekey", "sharedkey", "clientkey", "subscriptionkey",
}

// secretKey reports whether a key's value is a secret. "num_tokens" is no secret.
func secretKey(key []byte) bool {
	if len(key) < len("pwd") {
		return false
	}
	word := string(bytes.Map(func(r rune) rune {
		if r == '_' || r == '-' || r == '.' {
			return -1
		}
		return unicode.ToLower(r)
	}, key))
	return strings.HasSuffix(word, "token") || slices.ContainsFunc(secretWords, func(s string) bool { return strings.Contains(word, s) })
}

// Secrets returns the spans of a file's text that are never shown, in order and
// apart from one another: the values of keys such as password, SAS signatures,
// keys in connection strings, and passwords in addresses. Placeholders such as
// <password> are no secrets.
func Secrets(text []byte) []source.Span {
	spans := tokens(text)
	flow := isFlow(text)
	for at := 0; ; at++ {
		i := bytes.IndexByte(text[at:], ':')
		if i < 0 {
			break
		}
		at += i
		if start, key := wordBefore(text, at); secretKey(key) {
			spans = append(spans, valueAfter(text, start, at+1, flow)...)
		}
	}
	return merge(spans)
}

// HideTokens returns text with the secrets hidden that show by themselves.
func HideTokens(text string) string {
	if !strings.ContainsAny(text, "=@") {
		return text
	}
	hidden := []byte(text)
	for _, s := range slices.Backward(merge(tokens(hidden))) {
		hidden = slices.Replace(hidden, s.Start, s.End, []byte(ui.Hidden)...)
	}
	return string(hidden)
}

// tokens returns the secrets inside longer values: "sig=…", "--password=…",
// "AccountKey=…", the password of "://user:password@host", and the list item
// that follows the item "--password".
func tokens(text []byte) (spans []source.Span) {
	for i, c := range text {
		switch c {
		case '-':
			if i > 0 && text[i-1] == '-' {
				if s, ok := itemAfter(text, i+1); ok {
					spans = append(spans, s)
				}
			}
		case '=':
			if _, key := wordBefore(text, i); secretKey(key) || bytes.EqualFold(key, []byte("sig")) {
				spans = append(spans, source.Span{Start: i + 1, End: i + 1 + run(text[i+1:], "&;, \t\r\n\"'<>")})
			}
		case '@':
			from := i - 1
			for from >= 0 && !strings.ContainsRune("/@ \t\r\n", rune(text[from])) {
				from--
			}
			user := text[from+1 : i]
			if colon := bytes.IndexByte(user, ':'); colon >= 0 && bytes.HasSuffix(text[:from+1], []byte("://")) {
				spans = append(spans, source.Span{Start: from + 1 + colon + 1, End: i})
			}
		}
	}
	return spans
}

// itemAfter returns the list item behind the option whose name begins at offset
// at, if that names a secret: in ["--password", "x"], and in its block form.
func itemAfter(text []byte, at int) (source.Span, bool) {
	end := at
	for end < len(text) && (text[end] == '-' || text[end] == '_' || alphanumeric(text[end])) {
		end++
	}
	if !secretKey(text[at:end]) {
		return source.Span{}, false
	}
	rest := bytes.TrimLeft(text[end:], "\"'")
	rest = bytes.TrimLeft(rest, " \t\r\n")
	separated := bytes.TrimLeft(rest, ",-")
	if len(rest)-len(separated) != 1 {
		return source.Span{}, false
	}
	rest = bytes.TrimLeft(separated, " \t\r\n")
	start := len(text) - len(rest)
	if len(rest) == 0 || rest[0] == '-' {
		return source.Span{}, false
	}
	if rest[0] == '"' || rest[0] == '\'' {
		return source.Span{Start: start, End: quoteEnd(text, start)}, true
	}
	return source.Span{Start: start, End: start + run(rest, ",]\r\n")}, true
}

// run returns how many bytes of text come before one of stop.
func run(text []byte, stop string) int {
	if n := bytes.IndexAny(text, stop); n >= 0 {
		return n
	}
	return len(text)
}

// wordBefore returns the word before a colon or an equals sign, and where it
// begins, its opening quote included.
func wordBefore(text []byte, at int) (start int, word []byte) {
	end := at
	for end > 0 && (text[end-1] == ' ' || text[end-1] == '\t') {
		end--
	}
	if end > 0 && (text[end-1] == '"' || text[end-1] == '\'') {
		end--
	}
	start = end
	for start > 0 && (text[start-1] == '_' || text[start-1] == '-' || text[start-1] == '.' || alphanumeric(text[start-1])) {
		start--
	}
	word = text[start:end]
	if start > 0 && (text[start-1] == '"' || text[start-1] == '\'') {
		start--
	}
	return start, word
}

func alphanumeric(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// isFlow reports whether the whole text is in JSON's style, where a comma or a
// bracket ends a value.
func isFlow(text []byte) bool {
	text = bytes.TrimLeft(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")), " \t\r\n")
	return len(text) > 0 && text[0] == '{'
}

// valueAfter returns the spans of the value of a key that begins at start and
// whose colon ends at end: one for each line.
func valueAfter(text []byte, start, end int, flow bool) (spans []source.Span) {
	line := bytes.LastIndexByte(text[:start], '\n') + 1
	flow = flow || bytes.ContainsRune(text[line:start], '{')
	at := end + blanks(text[end:])
	if at < len(text) && (text[at] == '"' || text[at] == '\'') {
		return lines(text, at, quoteEnd(text, at))
	}
	rest := lineEnd(text, at)
	stop := at
	for ; stop < rest; stop++ {
		c := text[stop]
		if c == '#' && stop > at && (text[stop-1] == ' ' || text[stop-1] == '\t') || flow && (c == ',' || c == '}') {
			break
		}
	}
	value := source.Span{Start: at, End: at + len(bytes.TrimRight(text[at:stop], " \t\r"))}
	if value.Len() > 0 && !placeholder(string(text[value.Start:value.End])) {
		spans = append(spans, value)
	}
	if flow {
		return spans
	}
	// more deeply indented lines belong to the value
	indent := blanks(text[line:])
	for next := rest; next < len(text); {
		next++
		end := lineEnd(text, next)
		deep := blanks(text[next:])
		content := bytes.TrimSpace(text[next:end])
		if len(content) > 0 && deep <= indent {
			break
		}
		if len(content) > 0 {
			spans = append(spans, source.Span{Start: next + deep, End: next + deep + len(content)})
		}
		next = end
	}
	return spans
}

// placeholder reports whether a value asks for a secret and holds none. What is
// in brackets may be a list of secrets, unless it shouts.
func placeholder(value string) bool {
	if strings.HasPrefix(value, "[") && value != strings.ToUpper(value) {
		return false
	}
	return catalog.CredentialKind(value) == catalog.CredentialPlaceholder
}

// lines cuts a span at line ends.
func lines(text []byte, start, end int) (spans []source.Span) {
	for start < end {
		stop := min(lineEnd(text, start), end)
		spans = append(spans, source.Span{Start: start, End: stop})
		start = stop + 1
	}
	if len(spans) == 1 && placeholder(strings.Trim(string(text[spans[0].Start:spans[0].End]), `"'`)) {
		return nil
	}
	return spans
}

// quoteEnd returns where the quoted text that begins at start ends, its last
// quote included; without one, the end of the line.
func quoteEnd(text []byte, start int) int {
	quote := text[start]
	for i := start + 1; i < len(text); i++ {
		switch {
		case text[i] == '\\' && quote == '"':
			i++
		case text[i] == quote && quote == '\'' && i+1 < len(text) && text[i+1] == quote:
			i++
		case text[i] == quote:
			return i + 1
		}
	}
	return lineEnd(text, start)
}

func lineEnd(text []byte, at int) int {
	if i := bytes.IndexByte(text[at:], '\n'); i >= 0 {
		return at + i
	}
	return len(text)
}

func blanks(text []byte) int { return len(text) - len(bytes.TrimLeft(text, " \t")) }

// merge sorts spans and joins those that touch.
func merge(spans []source.Span) []source.Span {
	slices.SortFunc(spans, func(a, b source.Span) int { return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End)) })
	out := spans[:0]
	for _, s := range spans {
		switch {
		case s.Len() <= 0:
		case len(out) > 0 && s.Start <= out[len(out)-1].End:
			out[len(out)-1].End = max(out[len(out)-1].End, s.End)
		default:
			out = append(out, s)
		}
	}
	return out
}
