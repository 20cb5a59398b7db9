package document

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// scalar reads the key, or the value, which may end with a comment, between two offsets of the current line.
func (r *plainReader) scalar(parent *Node, start, end, depth int, key bool) *Node {
	last := end
	for last > start && r.text[last-1] == ' ' {
		last--
	}
	if last == start {
		return r.refuse()
	}
	text := r.part(start, last)
	if text[0] == '"' || text[0] == '\'' {
		n := r.quoted(parent, text, start, depth)
		if n == nil || !r.onlyComment(n.Span.End, end) {
			return r.refuse()
		}
		return n
	}
	if !beginsPlain(text) {
		return r.refuse()
	}
	if !key { // colon has looked
		if strings.IndexByte(text, '#') >= 0 {
			before, _, comment := strings.Cut(text, " #")
			if text = before; comment {
				text = strings.TrimRight(text, " ")
			}
			r.peculiar = r.peculiar || strings.IndexByte(text, '#') >= 0
		}
		if strings.IndexByte(text, ':') >= 0 {
			if r.peculiar = true; strings.Contains(text, ": ") {
				return r.refuse()
			}
		}
	}
	if text[len(text)-1] == ':' {
		return r.refuse()
	}
	tag := plainTag(text)
	r.peculiar = r.peculiar || !asItLooks(text, tag)
	n := r.make(parent, Scalar, Plain, tag, start, depth)
	if n != nil {
		n.Value, n.Span.End = text, start+len(text)
	}
	return n
}

// beginsPlain reports whether a text can begin a plain scalar: no other form of YAML begins like it.
func beginsPlain(text string) bool {
	switch text[0] {
	case '-', '?', ':':
		return len(text) > 1 && text[1] != ' '
	case '<': // not of "<<"
		return len(text) > 1 && text[1] != '<'
	case '[', ']', '{', '}', ',', '*', '&', '!', '|', '>', '%', '@', '`', '#', '=':
		return false
	}
	return true
}

// asItLooks reports whether the first and the last character of a plain scalar show that it is what it looks like, also
// to PyYAML: text, a decimal number or one of the switches true and false.
func asItLooks(text string, tag tag) bool {
	if last := text[len(text)-1]; last == ',' || last == ';' {
		return false
	}
	switch c := text[0]; {
	case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z':
		return len(text) > len("off") || strings.IndexByte("nNyYoO", c) < 0
	case isDigit(c):
		return c > '0' && len(text) < MaxNumber && strings.Trim(text, digits) == ""
	default:
		return tag == tagString && c != '+' && c != '-' && c != '.'
	}
}

// quoted reads the scalar in quotes that a text begins with.
func (r *plainReader) quoted(parent *Node, text string, start, depth int) *Node {
	style, end, escaped := SingleQuoted, 1+strings.IndexByte(text[1:], text[0]), false
	if text[0] == '"' {
		style = DoubleQuoted
		if escaped = end > 0 && strings.IndexByte(text[1:end], '\\') >= 0; escaped {
			r.unusual = true
			for end = 1; end < len(text) && text[end] != '"'; end++ {
				if text[end] == '\\' {
					end++
				}
			}
		}
	}
	if end == 0 || end >= len(text) {
		return r.refuse()
	}
	value := text[1:end]
	if escaped {
		var ok bool
		if value, ok = unescape(value); !ok {
			return r.refuse()
		}
	}
	n := r.make(parent, Scalar, style, tagString, start, depth)
	if n != nil {
		n.Value, n.Span.End = value, start+end+1
	}
	return n
}

// unescape returns the value of a text in double quotes; ok is false if it has escapes that JSON lacks, or half of a
// surrogate pair.
func unescape(text string) (value string, ok bool) {
	const escapes, meanings = `"\/nrtbf`, "\"\\/\n\r\t\b\f"
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' {
			b.WriteByte(text[i])
			continue
		}
		i++ // quoted has seen that there is one more
		if text[i] == 'u' {
			r := codePoint(text[i+1:])
			if i += 4; utf16.IsSurrogate(r) && strings.HasPrefix(text[i+1:], `\u`) {
				r = utf16.DecodeRune(r, codePoint(text[i+3:]))
				i += 6
			}
			if r < 0 || utf16.IsSurrogate(r) || r == utf8.RuneError {
				return "", false
			}
			b.WriteRune(r)
			continue
		}
		k := strings.IndexByte(escapes, text[i])
		if k < 0 {
			return "", false
		}
		b.WriteByte(meanings[k])
	}
	return b.String(), true
}

// codePoint returns the character whose four digits a text begins with, or -1.
func codePoint(text string) rune {
	n, err := strconv.ParseUint(text[:min(len(text), 4)], 16, 16)
	if err != nil || len(text) < 4 {
		return -1
	}
	return rune(n)
}

// plainTag returns the tag that yaml.v3 gives a plain scalar.
func plainTag(text string) tag {
	switch c := text[0]; {
	case isDigit(c), c == '.':
		if c > '0' && len(text) < 18 && strings.Trim(text, "0123456789") == "" {
			return tagInt
		}
	case c == '+', c == '-':
		if len(text) == 1 || !isDigit(text[1]) && text[1] != '.' && text[1] != '_' {
			return tagString
		}
	case len(text) > len("false") || strings.IndexByte("~nNtTfF", c) < 0:
		return tagString
	default: // such as name and type
		switch text {
		case "true", "false":
			return tagBool
		case "~", "null", "Null", "NULL", "True", "TRUE", "False", "FALSE":
		default:
			return tagString
		}
	}
	return tagOf((&yaml.Node{Kind: yaml.ScalarNode, Value: text}).ShortTag())
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
