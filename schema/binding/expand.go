package binding

import (
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/escape"
)

// Value is what replaces an expression in a command.
type Value struct {
	// Variable is a shell variable whose value precedes Text, such as one with the job's folder; "" for none.
	Variable string
	// Text is literal text.
	Text string
}

// UnknownError reports an expression without a value. Its Span is relative to the command without the omitted parts.
type UnknownError struct{ Expression }

func (e *UnknownError) Error() string { return "${{" + e.Name + "}} has no value" }

// Expand replaces the expressions in a command line for a POSIX shell with values. Whatever its characters, a value is
// part of the word that contains the expression: it is quoted as the surrounding quotes require. The text in $[[…]] is
// removed if a value in it is missing, and otherwise kept without the brackets; any other missing value is an
// *UnknownError. Broken expressions are plain text, as they are for Azure ML. value returns false for a missing value.
//
// Values in here-documents, which have their own quoting rules, are not guaranteed to be quoted correctly.
func Expand(command string, value func(name string) (Value, bool)) (string, error) {
	command = withoutMissing(command, func(name string) bool { _, ok := value(name); return ok })
	var out strings.Builder
	var q quotes
	at := 0
	for _, e := range Parse(command) {
		if e.Broken {
			continue
		}
		v, ok := value(e.Name)
		if !ok {
			return "", &UnknownError{e}
		}
		before := command[at:e.Span.Start]
		switch escaped := q.read(before); {
		case escaped && q.now() == '"':
			before += `\` // which the shell keeps
		case escaped:
			before = before[:len(before)-1] // the value is quoted instead
		}
		_, _ = out.WriteString(before + v.word(q.now()))
		at = e.Span.End
	}
	_, _ = out.WriteString(command[at:])
	return out.String(), nil
}

// withoutMissing removes the brackets of each $[[…]], together with their content if a value is missing.
func withoutMissing(text string, given func(name string) bool) string {
	var out strings.Builder
	for {
		start := strings.Index(text, "$[[")
		if start < 0 {
			return out.String() + text
		}
		length := strings.Index(text[start:], "]]")
		if length < 0 {
			return out.String() + text
		}
		_, _ = out.WriteString(text[:start])
		inner := text[start+len("$[[") : start+length]
		if !slices.ContainsFunc(Parse(inner), func(e Expression) bool { return !e.Broken && !given(e.Name) }) {
			_, _ = out.WriteString(inner)
		}
		text = text[start+length+len("]]"):]
	}
}

// word returns the value as part of a word inside a quote, or of a comment, for which "#" stands; 0 means neither.
func (v Value) word(quote byte) string {
	variable := ""
	if v.Variable != "" {
		variable = "${" + v.Variable + "}"
	}
	switch quote {
	case '#':
		return strings.NewReplacer("\r", " ", "\n", " ").Replace(v.Text)
	case '"':
		return variable + strings.NewReplacer(`\`, `\\`, `"`, `\"`, `$`, `\$`, "`", "\\`").Replace(v.Text)
	case '\'':
		if variable != "" {
			variable = `'"` + variable + `"'`
		}
		return variable + strings.ReplaceAll(v.Text, "'", `'\''`)
	}
	switch {
	case variable == "":
		return escape.Word(v.Text)
	case v.Text == "":
		return `"` + variable + `"`
	}
	return `"` + variable + `"` + escape.Word(v.Text)
}

// quotes tracks what is open in a shell command: a double or single quote, a backquote, and "(" for a $(…) or a group,
// in which quotes start over.
type quotes struct {
	open    []byte
	comment bool
	glued   bool // what is read next follows a value
}

// now returns the quote that the current position is in, "#" in a comment, or 0.
func (q *quotes) now() byte {
	if q.comment {
		return '#'
	}
	if n := len(q.open); n > 0 && (q.open[n-1] == '"' || q.open[n-1] == '\'') {
		return q.open[n-1]
	}
	return 0
}

func (q *quotes) push(c byte) { q.open = append(q.open, c) }

func (q *quotes) pop() { q.open = q.open[:len(q.open)-1] }

// top returns the innermost open quote or bracket, or 0.
func (q *quotes) top() byte {
	if len(q.open) == 0 {
		return 0
	}
	return q.open[len(q.open)-1]
}

// read processes the next piece of the command, and reports whether it ends with a backslash that escapes what follows.
func (q *quotes) read(text string) (escapes bool) {
	glued := q.glued
	q.glued = true
	for i := 0; i < len(text); i++ {
		c, top := text[i], q.top()
		switch {
		case q.comment:
			q.comment = c != '\n'
		case top == '\'':
			if c == '\'' {
				q.pop()
			}
		case c == '\\':
			i++
			escapes = i == len(text)
		case c == '`' && slices.Contains(q.open, '`'):
			for q.top() != '`' {
				q.pop()
			}
			q.pop()
		case c == '`', c == '"' && top != '"', c == '\'' && top != '"':
			q.push(c)
		case c == '"':
			q.pop()
		case c == '$' && i+1 < len(text) && text[i+1] == '(':
			q.push('(')
			i++
		case c == '(' && top != '"':
			q.push('(')
		case c == ')' && top == '(':
			q.pop()
		case c == '#' && top != '"':
			q.comment = i == 0 && !glued || i > 0 && strings.IndexByte(" \t\n;&|()", text[i-1]) >= 0
		}
	}
	return escapes
}
