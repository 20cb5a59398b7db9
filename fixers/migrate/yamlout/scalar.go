package yamlout

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"gopkg.in/yaml.v3"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/plain"
)

// scalar returns text as a YAML scalar that yaml.v3, PyYAML and ruamel.yaml all read as exactly this text: plain if
// possible, in single quotes if plain would mean something else, and in double quotes if it contains line breaks or
// nonprintable characters. Bytes that are not UTF-8 become U+FFFD.
func scalar(text string) string {
	text = strings.ToValidUTF8(text, "�")
	switch {
	case strings.ContainsFunc(text, needsEscape):
		return double(text)
	case document.Mistaken(text):
		return strconv.QuoteToASCII(text) // its escapes are YAML's, too
	case isPlain(text):
		return text
	}
	return plain.SingleQuoted(text)
}

// needsEscape reports whether a rune is only allowed in double quotes: line breaks, which folding would change, tabs,
// and what YAML calls nonprintable.
func needsEscape(r rune) bool {
	switch {
	case r < ' ', r == 0x7f, 0x80 <= r && r <= 0x9f, r == 0x2028, r == 0x2029, r == 0xFEFF, r == 0xFFFE, r == 0xFFFF,
		unicode.Is(unicode.Bidi_Control, r):
		return true
	}
	return false
}

// isPlain reports whether text may be written without quotes.
func isPlain(text string) bool {
	switch {
	case text == "" || strings.TrimSpace(text) != text,
		strings.ContainsRune("&*!|>%@`'\"#,[]{}=<~", rune(text[0])),
		strings.ContainsRune("-?:", rune(text[0])) && (len(text) == 1 || text[1] == ' '),
		strings.Contains(text, ": "), strings.Contains(text, " #"), strings.HasSuffix(text, ":"),
		strings.HasPrefix(text, "---"), strings.HasPrefix(text, "..."):
		return false
	}
	for _, reader := range []document.Python{document.PyYAML, document.Ruamel} {
		if r := reader.Read(text); r.Type != document.AsText || r.Text != text {
			return false
		}
	}
	return ordinary(text) || readsAsText(text)
}

// ordinary reports whether text that may otherwise be plain is one line of ASCII that begins like a word or a path.
// Most values are, and then no parser is needed: yaml.v3 has no special words that both Python parsers read as text.
func ordinary(text string) bool {
	first := text[0] | 0x20
	return ('a' <= first && first <= 'z' || text[0] == '/' || text[0] == '$') && len(text) <= 200 &&
		!strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r > '~' })
}

// readsAsText reports whether yaml.v3, which has special words of its own, reads text as a string.
func readsAsText(text string) bool {
	var n yaml.Node
	if yaml.Unmarshal([]byte(text), &n) != nil || len(n.Content) != 1 {
		return false
	}
	root := n.Content[0]
	return root.Kind == yaml.ScalarNode && root.ShortTag() == "!!str" && root.Value == text
}

func double(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			b.WriteString(`\` + string(r))
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		case needsEscape(r) && r < 0x100:
			fmt.Fprintf(&b, `\x%02X`, r)
		case needsEscape(r):
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
