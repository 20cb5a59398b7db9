package built

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/python"
	"github.com/amlfix/amlfix/schema/source"
)

// composed returns the string or list that an expression such as "a" + b, f"{a}/b" or ["a"] + b yields, or nil.
func (p *program) composed(t []python.Token, depth int) *document.Node {
	parts := summands(t)
	if len(parts) > 1 && len(parts[0]) > 0 {
		if first := p.eval(parts[0], depth+1).literal; first != nil && first.Kind == document.Sequence {
			return p.extended(clone(first), parts[1:], depth)
		}
	}
	var b strings.Builder
	for _, part := range parts {
		if len(part) == 0 {
			return nil
		}
		text, ok := p.piece(part, len(parts) == 1, depth)
		if !ok {
			return nil
		}
		b.WriteString(text)
	}
	return scalar("!!str", b.String(), t)
}

// summands returns the parts of an expression between the "+" that are not in brackets.
func summands(t []python.Token) (parts [][]python.Token) {
	begin, inside := 0, 0
	for i, k := range t {
		if inside += python.Bracket(k); inside == 0 && k.Text == "+" && k.Kind == python.Operator {
			parts, begin = append(parts, t[begin:i]), i+1
		}
	}
	return append(parts, t[begin:])
}

// extended returns a list followed by the items of others, or nil if one of them is none.
func (p *program) extended(n *document.Node, others [][]python.Token, depth int) *document.Node {
	for _, t := range others {
		more := p.eval(t, depth+1).literal
		if more == nil || more.Kind != document.Sequence || !p.spend(values(more)) {
			return nil
		}
		for _, item := range clone(more).Items() {
			attach(n, item)
		}
	}
	return n
}

// piece returns one part of a string; alone means that it is the only part.
func (p *program) piece(t []python.Token, alone bool, depth int) (text string, ok bool) {
	if slices.ContainsFunc(t, func(k python.Token) bool { return k.Kind == python.Other }) {
		var b strings.Builder
		for _, k := range t {
			switch k.Kind {
			case python.String:
				b.WriteString(k.Text)
			case python.Other:
				if text, ok = p.filled(k, depth); !ok {
					return "", false
				}
				b.WriteString(text)
			default:
				return "", false
			}
		}
		return b.String(), true
	}
	if alone {
		return "", false
	}
	n := p.eval(t, depth+1).literal
	if n == nil || n.Kind != document.Scalar || n.Tag() != "!!str" {
		return "", false
	}
	return n.Value, true
}

// filled returns the value of an f-string that contains only names of strings and integers in its braces.
func (p *program) filled(k python.Token, depth int) (text string, ok bool) {
	prefix, _, _ := strings.Cut(string(p.src.Slice(source.Span{Start: k.At, End: k.End})), k.Text)
	if prefix = strings.ToLower(strings.Trim(prefix, `"'`)); prefix != "f" || strings.Contains(k.Text, `\`) {
		return "", false
	}
	var b strings.Builder
	for rest := k.Text; rest != ""; {
		i := strings.IndexAny(rest, "{}")
		if i < 0 {
			b.WriteString(rest)
			break
		}
		b.WriteString(rest[:i])
		if strings.HasPrefix(rest[i:], "{{") || strings.HasPrefix(rest[i:], "}}") {
			b.WriteByte(rest[i])
			rest = rest[i+2:]
			continue
		}
		end := strings.IndexByte(rest[i:], '}')
		if end < 0 || rest[i] == '}' {
			return "", false
		}
		tokens, read := python.Scan(strings.TrimSpace(rest[i+1 : i+end]))
		tokens = slices.DeleteFunc(tokens, func(t python.Token) bool { return t.Kind == python.Newline })
		if !read || len(tokens) != 1 || tokens[0].Kind != python.Name {
			return "", false
		}
		n := p.named(tokens[0].Text, k.At, depth+1).literal
		if n == nil || n.Kind != document.Scalar || n.Tag() != "!!str" && n.Tag() != "!!int" {
			return "", false
		}
		b.WriteString(n.Value)
		rest = rest[i+end+1:]
	}
	return b.String(), true
}

// picked returns an item of a name's dictionary or list, NAME["key"]["key"], or an attribute of one of the program's
// classes, NAME.name.
func (p *program) picked(t []python.Token, depth int) *document.Node {
	n := p.named(t[0].Text, t[0].At, depth+1).literal
	for i := 1; i < len(t); {
		c, ok := python.CallAt(t, i)
		if t[i].Text != "[" || !ok || len(c.Positional) != 1 || n == nil {
			return nil
		}
		key := p.eval(c.Positional[0], depth+1).literal
		if key == nil || key.Tag() != "!!str" || n.Kind != document.Mapping {
			return nil
		}
		n, i = n.Get(key.Value), c.End+1
	}
	if n != nil && n.Tag() == Open {
		return nil
	}
	return n
}

// constant returns what a name in the body of one of the program's classes is set to.
func (p *program) constant(t []python.Token, depth int) *document.Node {
	if len(t) != 3 || t[1].Text != "." || t[2].Kind != python.Name || len(p.set[t[2].Text]) != 1 || len(p.attrs[t[0].Text]) > 0 || p.parameter(t[0].Text, p.scope(t[0].At)) != nil {
		return nil
	}
	in := p.set[t[2].Text][0].at.Blocks
	if len(in) == 0 || in[len(in)-1].First() != "class" || in[len(in)-1].Named() != t[0].Text {
		return nil
	}
	return p.named(t[2].Text, t[2].At, depth+1).literal
}

// defaultImage returns the image that a constant of azureml.core names.
func (p *program) defaultImage(t []python.Token, _ int) *document.Node {
	name := t[len(t)-1].Text
	switch {
	case len(t) == 1 && !p.shadowed(name):
		name = p.classes[name]
	case len(t) == 1 || !p.modules[t[0].Text] || slices.ContainsFunc(t, func(k python.Token) bool { return python.Bracket(k) != 0 }):
		return nil
	}
	id := map[string]string{"DEFAULT_CPU_IMAGE": "sdk-cpu-image", "DEFAULT_GPU_IMAGE": "sdk-gpu-image"}[name]
	if id == "" {
		return nil
	}
	return scalar("!!str", catalog.MigrationDefault(id).Value, t)
}

// spliced returns the text that "text".join(list) or "{}".format(value) yields.
func (p *program) spliced(t []python.Token, depth int) *document.Node {
	if len(t) < 6 || t[1].Text != "." {
		return nil
	}
	c, ok := python.CallAt(t, 3)
	if !ok || c.Open || c.End != len(t)-1 || len(c.Keywords) > 0 {
		return nil
	}
	if t[2].Text == "format" {
		return p.formatted(t, c.Positional, depth)
	}
	if t[2].Text != "join" || len(c.Positional) != 1 {
		return nil
	}
	n := p.eval(c.Positional[0], depth+1).literal
	between, plain := python.Literal(t[:1])
	if n == nil || n.Kind != document.Sequence || !plain || !p.spendText(len(between)*len(n.Items())) {
		return nil
	}
	var texts []string
	for _, item := range n.Items() {
		if item.Tag() != "!!str" {
			return nil
		}
		texts = append(texts, item.Value)
	}
	return scalar("!!str", strings.Join(texts, between), t)
}

// divided returns the list that text.split() yields.
func (p *program) divided(t []python.Token, depth int) *document.Node {
	end := len(t) - 4
	if end < 1 || python.Written(t[end:]) != ".split()" {
		return nil
	}
	text := p.eval(t[:end], depth+1).text()
	if text == nil {
		return nil
	}
	n := list(t)
	for _, word := range strings.Fields(text.Value) {
		attach(n, scalar("!!str", word, t))
	}
	return n
}

// formatted returns a text whose braces are empty, with one string or integer for each.
func (p *program) formatted(t []python.Token, values [][]python.Token, depth int) *document.Node {
	text, plain := python.Literal(t[:1])
	parts := strings.Split(text, "{}")
	if !plain || len(parts) != len(values)+1 || strings.ContainsAny(strings.Join(parts, ""), "{}") {
		return nil
	}
	var b strings.Builder
	for i, part := range parts {
		if b.WriteString(part); i == len(values) {
			break
		}
		n := p.eval(values[i], depth+1).literal
		if n == nil || n.Tag() != "!!str" && n.Tag() != "!!int" {
			return nil
		}
		b.WriteString(n.Value)
	}
	return scalar("!!str", b.String(), t)
}

// product returns the value of an expression such as 60 * 24.
func (p *program) product(t []python.Token, depth int) *document.Node {
	product := 1
	for i, k := range t {
		switch {
		case i%2 == 0:
			n := p.eval(t[i:i+1], depth+1).literal
			if n == nil || n.Tag() != "!!int" {
				return nil
			}
			factor, err := strconv.Atoi(n.Value)
			if err != nil || factor < 0 || factor > maxFactor || product > maxFactor {
				return nil
			}
			product *= factor
		case k.Text != "*" || i == len(t)-1:
			return nil
		}
	}
	return scalar("!!int", strconv.Itoa(product), t)
}

const maxFactor = 1 << 31 // whose square fits in an int

// numbers returns the list that range yields, or the logarithm with which distributions are often given.
func (p *program) numbers(t []python.Token, depth int) *document.Node {
	at := slices.IndexFunc(t, func(k python.Token) bool { return k.Text == "(" })
	c, ok := python.CallAt(t, max(at, 0))
	if at < 1 || !ok || c.Open || c.End != len(t)-1 || len(c.Keywords) > 0 || len(p.set[t[0].Text]) > 0 {
		return nil
	}
	switch python.Written(t[:at]) {
	case "math.log", "np.log", "numpy.log":
		if len(c.Positional) != 1 {
			return nil
		}
		n := p.eval(c.Positional[0], depth+1).literal
		if n == nil || n.Tag() != "!!int" && n.Tag() != "!!float" {
			return nil
		}
		if x, err := strconv.ParseFloat(n.Value, 64); err == nil && x > 0 {
			return scalar("!!float", strconv.FormatFloat(math.Log(x), 'g', -1, 64), t)
		}
	case "range":
		bounds := []int{0, 0, 1}
		for i, part := range c.Positional {
			n := p.eval(part, depth+1).literal
			if n == nil || n.Tag() != "!!int" || i > 2 {
				return nil
			}
			bound, err := strconv.Atoi(n.Value)
			if err != nil || bound > maxFactor || bound < -maxFactor {
				return nil // the difference of two might not fit
			}
			bounds[i] = bound
		}
		if len(c.Positional) == 1 {
			bounds[0], bounds[1] = 0, bounds[0]
		}
		const most = 100 // values that anybody would try
		if bounds[2] < 1 || (bounds[1]-bounds[0])/bounds[2] > most {
			return nil
		}
		n := list(t)
		for i := bounds[0]; i < bounds[1]; i += bounds[2] {
			attach(n, scalar("!!int", strconv.Itoa(i), t))
		}
		return n
	}
	return nil
}
