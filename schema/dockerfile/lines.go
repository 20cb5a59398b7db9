package dockerfile

import (
	"bytes"
	"strings"

	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/source"
)

// instruction is one instruction with its arguments.
type instruction struct {
	name string // in capitals
	// text is what follows the name, with the same length as in the file: spaces replace escaped line ends and
	// comments.
	text string
	at   int // the offset of text
	// script is the text of the here-document if the instruction consists of a single one.
	script   string
	scriptAt int
	// odd means that a word continues on the next line, or that there is another here-document, so that text differs
	// from what Docker reads.
	odd bool
}

var (
	directive = plain.Regexp{Text: `^#\s*([a-zA-Z]+)\s*=\s*(\S+)\s*$`}
	heredoc   = plain.Regexp{Text: `^\d*<<(-?)(?:"([A-Za-z_]\w*)"|'([A-Za-z_]\w*)'|([A-Za-z_]\w*))$`}
)

// reader iterates over the lines of a file.
type reader struct {
	text   []byte
	at     int
	escape byte
}

func lines(text []byte) (list []instruction) {
	r := reader{text: text, escape: '\\'}
	if bytes.HasPrefix(text, []byte("\ufeff")) {
		r.at = len("\ufeff")
	}
	r.directives()
	for r.at < len(text) {
		if i, ok := r.instruction(); ok {
			list = append(list, i)
		}
	}
	return list
}

// directives parses the parser directives at the top.
func (r *reader) directives() {
	for rest := r.text[r.at:]; ; {
		line, after, _ := bytes.Cut(rest, []byte("\n"))
		m := directive.Get().FindSubmatch(bytes.TrimSpace(line))
		if m == nil {
			return
		}
		if strings.EqualFold(string(m[1]), "escape") && string(m[2]) == "`" {
			r.escape = '`'
		}
		rest = after
	}
}

// line returns the next line including its end, and advances.
func (r *reader) line() (start int, line []byte) {
	start = r.at
	if n := bytes.IndexByte(r.text[start:], '\n'); n >= 0 {
		r.at = start + n + 1
	} else {
		r.at = len(r.text)
	}
	return start, r.text[start:r.at]
}

// instruction parses an instruction with the lines that continue it; ok is false for an empty line and a comment.
func (r *reader) instruction() (i instruction, ok bool) {
	start, line := r.line()
	if trimmed := bytes.TrimSpace(line); len(trimmed) == 0 || trimmed[0] == '#' {
		return i, false
	}
	text := bytes.Clone(line)
	for goesOn := r.continues(text, 0); goesOn && r.at < len(r.text); {
		from := len(text)
		_, line = r.line()
		text = append(text, line...)
		if trimmed := bytes.TrimSpace(line); len(trimmed) == 0 || trimmed[0] == '#' {
			erase(text[from:])
			continue
		}
		i.odd = i.odd || from > 0 && !isSpace(line[0]) && r.glued(start, from)
		goesOn = r.continues(text, from)
	}
	lead := len(text) - len(bytes.TrimLeft(text, " \t"))
	end := lead
	for end < len(text) && !isSpace(text[end]) {
		end++
	}
	i.name, i.at, i.text = strings.ToUpper(string(text[lead:end])), start+end, string(text[end:])
	if i.name == "RUN" || i.name == "COPY" || i.name == "ADD" {
		r.heredocs(&i)
	}
	return i, true
}

// continues reports whether a line, from an offset on, continues on the next one, and replaces the escape with spaces.
func (r *reader) continues(text []byte, from int) bool {
	end := len(bytes.TrimRight(text, " \t\r\n"))
	if end <= from || text[end-1] != r.escape || text[len(text)-1] != '\n' {
		return false
	}
	erase(text[end-1:])
	return true
}

// glued reports whether a word may continue on a line that begins at an offset of the instruction, because there is no
// space before the escape.
func (r *reader) glued(start, from int) bool {
	before := bytes.TrimRight(r.text[start:start+from], " \t\r\n")
	return len(before) > 1 && before[len(before)-1] == r.escape && !isSpace(before[len(before)-2])
}

// heredocs skips the here-documents of an instruction. As in Docker, each begins with a word of its own.
func (r *reader) heredocs(i *instruction) {
	if !strings.Contains(i.text, "<<") {
		return
	}
	words, found := fields(*i), 0
	for _, w := range words {
		m := heredoc.Get().FindStringSubmatch(w.text)
		if m == nil {
			continue
		}
		found++
		body, end := r.at, r.at
		for r.at < len(r.text) {
			var line []byte
			end, line = r.line()
			text := strings.TrimRight(string(line), "\r\n")
			if m[1] != "" {
				text = strings.TrimLeft(text, "\t")
			}
			if text == m[2]+m[3]+m[4] {
				break
			}
			end = r.at
		}
		i.script, i.scriptAt = string(r.text[body:end]), body
	}
	if found > 0 && (len(words) > 1 || strings.HasPrefix(i.script, "#!")) {
		i.odd, i.script = true, ""
	}
}

func erase(text []byte) {
	for i := range text {
		text[i] = ' '
	}
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// word is a word of an instruction other than a command.
type word struct {
	text string
	span source.Span
}

// fields returns the words of an instruction. Quotes group a word and are kept.
func fields(i instruction) (words []word) {
	for at := 0; at < len(i.text); {
		if isSpace(i.text[at]) {
			at++
			continue
		}
		start, quote := at, byte(0)
		for ; at < len(i.text) && (quote != 0 || !isSpace(i.text[at])); at++ {
			switch c := i.text[at]; {
			case quote == 0 && (c == '"' || c == '\''):
				quote = c
			case c == quote:
				quote = 0
			}
		}
		words = append(words, word{i.text[start:at], source.Span{Start: i.at + start, End: i.at + at}})
	}
	return words
}

// unquoted returns a text without the quotes around it.
func unquoted(text string) string {
	if n := len(text); n > 1 && (text[0] == '"' || text[0] == '\'') && text[n-1] == text[0] {
		return text[1 : n-1]
	}
	return text
}

var variable = plain.Regexp{Text: `\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)(?::-([^{}$]*))?\})`}

// longest is the maximum length of what a text with variables may become, and of a path: variables that contain each
// other double with each line.
const longest = 512

// expand substitutes variables; ok is false if one is not known, if the result is too long, or if it contains quotes or
// escapes.
func expand(text string, vars map[string]string) (out string, ok bool) {
	ok = true
	size := 0
	out = variable.Get().ReplaceAllStringFunc(text, func(m string) string {
		parts := variable.Get().FindStringSubmatch(m)
		value, known := vars[parts[1]+parts[2]]
		if !known || value == "" {
			value = parts[3]
			known = known || strings.Contains(m, ":-")
		}
		if size += len(value); size > longest {
			known, value = false, ""
		}
		ok = ok && known
		return value
	})
	return out, ok && !strings.ContainsAny(out, "$\"'`\\")
}
