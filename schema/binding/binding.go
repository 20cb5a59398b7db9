// Package binding parses the expressions with which Azure ML v2 files pass data: ${{inputs.data}}, and $[[…]] around
// text that is omitted if an optional input is not given. It handles their syntax, and does not check whether the names
// exist.
package binding

import (
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/source"
)

// PortName matches the names that inputs, outputs and jobs may have.
var PortName = plain.Regexp{Text: `^[A-Za-z_][A-Za-z0-9_]*$`}

// Expression is one ${{…}} in a text.
type Expression struct {
	// Span is the span of the expression, from "$" to its last brace.
	Span source.Span
	// Name is the text in the braces, without the spaces around it: "inputs.data", "parent.jobs.train.outputs.model".
	// It has no spaces itself.
	Name string
	// Optional means that the expression is inside $[[…]].
	Optional bool
	// Broken means that braces are missing, as in ${inputs.data}, or that others are there, as in $(inputs.data): Azure
	// ML reads it as plain text. Only names that begin with one of Roots count.
	Broken bool
	// Bare means that it is broken and even "$" is missing, as in {inputs.data}.
	Bare bool
	// Indexed means that a name is broken by other marks than dots, as in ${{inputs['data']}}.
	Indexed bool
	// More means that it is broken by more than the name in the braces, as in ${{inputs.data | lower}}.
	More bool
}

// Roots are the first words of the names of data.
var Roots = []string{"inputs", "outputs", "parent", "search_space"}

// Parse returns the expressions in a text, in order and without overlap. Spans are byte offsets in the text.
func Parse(text string) (found []Expression) {
	optional := 0 // the end of the current $[[…]]
	closing := strings.LastIndex(text, "]]")
	for at := 0; ; {
		next := strings.IndexByte(text[at:], '$')
		if next < 0 {
			return found
		}
		at += next
		if strings.HasPrefix(text[at:], "$[[") && at >= optional && at < closing {
			optional = at + strings.Index(text[at:], "]]")
		}
		e, ok := expression(text, at)
		if !ok {
			at++
			continue
		}
		e.Optional = at < optional
		found = append(found, e)
		at = e.Span.End
	}
}

// Whole returns the name in a text that is a single expression, possibly surrounded by spaces; ok is false for other
// texts.
func Whole(text string) (name string, ok bool) {
	text = strings.TrimSpace(text)
	list := Parse(text)
	if len(list) != 1 || list[0].Broken || list[0].Span.Len() != len(text) {
		return "", false
	}
	return list[0].Name, true
}

// Parent returns what a name refers to in the pipeline around a job: parent.inputs.NAME is the pipeline's input, and
// step is ""; parent.jobs.STEP.outputs.NAME is the output of a step. ok is false for other names.
func Parent(name string) (step, data string, ok bool) {
	switch parts := strings.Split(name, "."); {
	case len(parts) == 3 && parts[0] == "parent" && parts[1] == "inputs":
		return "", parts[2], true
	case len(parts) == 5 && parts[0] == "parent" && parts[1] == "jobs" && parts[3] == "outputs":
		return parts[2], parts[4], true
	}
	return "", "", false
}

// expression parses the expression that begins at a "$".
func expression(text string, at int) (e Expression, ok bool) {
	rest := text[at+1:]
	opened := leading(rest, '{')
	if opened != 1 && opened != 2 {
		return e, false
	}
	rest = rest[opened:]
	name := strings.TrimLeft(rest, space)
	end := strings.IndexAny(name, space+"{}$\"'")
	if end <= 0 && (end == 0 || name == "") {
		return e, false
	}
	if end < 0 {
		end = len(name)
	}
	after := strings.TrimLeft(name[end:], space)
	closed := min(leading(after, '}'), 2)
	e = Expression{Name: name[:end], Broken: opened+closed < 4}
	e.Span = source.Span{Start: at, End: len(text) - len(after) + closed}
	if !e.Broken {
		return e, true
	}
	if closed == 0 && opened == 2 && inside(text[at:]) != "" {
		return e, false // more than a name
	}
	if closed == 0 { // the end of the name is not known, except for this
		e.Span.End = len(text) - len(name) + end
	}
	root, field, _ := strings.Cut(e.Name, ".")
	return e, opened+closed > 1 && field != "" && slices.Contains(Roots, root) && !strings.ContainsFunc(e.Name, foreign)
}

const space = " \t\r\n"

// foreign reports whether a rune occurs in shell expansions but not in names of inputs.
func foreign(r rune) bool {
	return r != '_' && r != '.' && r != '-' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
}

func leading(text string, b byte) int { return len(text) - len(strings.TrimLeft(text, string(b))) }

// Unread returns the names in a text that are written as in other programs, in order: {inputs.data}, $(inputs.data),
// {{inputs.data}}, ${{inputs['data']}}, ${{inputs.data | lower}}, $[inputs.data], $[[inputs.data]] and $inputs.data.
// Azure ML replaces none of them.
func Unread(text string) (found []Expression) {
	for at := 0; at < len(text); at++ {
		if e, ok := other(text[at:]); ok {
			e.Span = source.Span{Start: at, End: at + e.Span.End}
			found = append(found, e)
			at = e.Span.End - 1
			continue
		}
		if name := variable(text, at); name != "" {
			found = append(found, Expression{Span: source.Span{Start: at, End: at + 1 + len(name)}, Name: name, Broken: true})
			at += len(name)
			continue
		}
		open, closing := text[at], closer(text[at])
		rest := text[at+1:]
		if closing == 0 || strings.HasPrefix(rest, string(open)) {
			continue
		}
		name := strings.TrimLeft(rest, space)
		end := max(strings.IndexFunc(name, foreign), 0)
		after := strings.TrimLeft(name[end:], space)
		root, field, _ := strings.Cut(name[:end], ".")
		if field == "" || !slices.Contains(Roots, root) || !strings.HasPrefix(after, string(closing)) {
			continue
		}
		start := len(strings.TrimRight(text[:at+1], string(open)))
		opened := at + 1 - start
		before := strings.TrimRight(text[:start], " \t")
		dollar := strings.HasSuffix(before, "$")
		glued := dollar && len(before) == start
		if (open == '(' || open == '[') && !glued || open == '[' && opened > 1 && !strings.HasPrefix(after, "]]") || open == '{' && glued && opened <= 2 || start > 0 && strings.IndexByte("#%", text[start-1]) >= 0 {
			continue // other text, or what Parse returns
		}
		if dollar {
			start = len(before) - 1
		}
		at = len(text) - len(after) + min(leading(after, closing), max(opened, 2)) - 1
		found = append(found, Expression{Span: source.Span{Start: start, End: at + 1}, Name: name[:end], Broken: true, Bare: !dollar})
	}
	return found
}

// variable returns the name of data after a "$", as the shell writes variables, or "".
func variable(text string, at int) string {
	if text[at] != '$' || at > 0 && text[at-1] == '\\' {
		return ""
	}
	name := text[at+1:]
	if end := strings.IndexFunc(name, foreign); end >= 0 {
		name = name[:end]
	}
	name = strings.TrimRight(name, ".-")
	if root, field, _ := strings.Cut(name, "."); field == "" || !slices.Contains(Roots, root) {
		return ""
	}
	return name
}

// inside returns what is between ${{ and }} at the beginning of a text.
func inside(text string) string {
	rest, ok := strings.CutPrefix(text, "${{")
	if !ok {
		return ""
	}
	end := strings.IndexAny(rest, "{}")
	if end < 0 || !strings.HasPrefix(rest[end:], "}}") {
		return ""
	}
	return rest[:end]
}

// other returns the expression at the beginning of a text whose name is written or followed as in other programs.
func other(text string) (e Expression, ok bool) {
	content := inside(text)
	if content == "" {
		return e, false
	}
	name, more := strings.Trim(content, space), ""
	if i := strings.IndexAny(name, space); i >= 0 {
		name, more = name[:i], name[i:]
	}
	parts := strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune(`.[]'"/:`, r) })
	e = Expression{Name: strings.Join(parts, "."), Broken: true, More: more != ""}
	e.Indexed = !e.More && e.Name != name
	e.Span.End = len("${{") + len(content) + len("}}")
	return e, (e.More || e.Indexed) && len(parts) > 1 && slices.Contains(Roots, parts[0]) && !strings.ContainsFunc(e.Name, foreign)
}

// closer returns what closes a brace, bracket or parenthesis; 0 for other bytes.
func closer(open byte) byte {
	switch open {
	case '{':
		return '}'
	case '(':
		return ')'
	case '[':
		return ']'
	}
	return 0
}
