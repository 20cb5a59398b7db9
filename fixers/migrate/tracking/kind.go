package tracking

import (
	"slices"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/schema/argparse"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/python"
)

// kind is what is known about a value.
type kind uint8

const (
	unknown kind = iota
	whole        // a number without a fraction
	number
	text
	numbers // a list of them
)

func numeric(k kind) bool { return k == whole || k == number }

// deepest is the maximum number of names that are followed to where they are set.
const deepest = 8

// kind returns the kind that an expression in a statement certainly has.
func (p *program) kind(s *python.Statement, t []python.Token) kind { return p.kindAt(s, t, 0) }

func (p *program) kindAt(s *python.Statement, t []python.Token, depth int) kind {
	t = python.Bare(t)
	if len(t) == 0 || depth > deepest {
		return unknown
	}
	if yes, no, ok := choice(t); ok {
		if a, b := p.kindAt(s, yes, depth+1), p.kindAt(s, no, depth+1); a == b {
			return a
		} else if numeric(a) && numeric(b) {
			return number
		}
		return unknown
	}
	if k, ok := p.operation(s, t, depth); ok {
		return k
	}
	switch {
	case !slices.ContainsFunc(t, func(k python.Token) bool { return k.Kind != python.String && k.Kind != python.Other }):
		if strings.HasPrefix(strings.ToLower(p.text[t[0].At:t[0].End]), "b") {
			return unknown
		}
		return text
	case len(t) == 1 && t[0].Kind == python.Number:
		switch {
		case strings.ContainsAny(t[0].Text, "jJ"):
			return unknown
		case strings.Trim(t[0].Text, "0123456789_") == "":
			return whole
		}
		return number
	case len(t) > 1 && t[0].Kind == python.Operator && (t[0].Text == "-" || t[0].Text == "+"):
		if k := p.kindAt(s, t[1:], depth+1); numeric(k) {
			return k
		}
		return unknown
	case len(t) == 1 && t[0].Kind == python.Name:
		return p.kindOfName(s, t[0].Text, depth)
	case t[0].Text == "[":
		return p.kindOfList(s, t, depth)
	}
	return p.kindOfCall(s, t, depth)
}

// choice splits "a if b else c".
func choice(t []python.Token) (yes, no []python.Token, ok bool) {
	depth, at := 0, 0
	for i, k := range t {
		if depth += python.Bracket(k); depth != 0 || k.Kind != python.Name {
			continue
		}
		switch {
		case k.Text == "lambda":
			return nil, nil, false
		case k.Text == "if" && at == 0:
			at = i
		case k.Text == "else" && at > 0:
			return t[:at], t[i+1:], true
		}
	}
	return nil, nil, false
}

// operation returns the kind of an expression with operators outside brackets; ok is false if there are none.
func (p *program) operation(s *python.Statement, t []python.Token, depth int) (k kind, ok bool) {
	var parts [][]python.Token
	var signs []string
	level, begin := 0, 0
	for i, o := range t {
		if level += python.Bracket(o); level != 0 {
			continue
		}
		if o.Kind == python.Name && slices.Contains([]string{"and", "or", "not", "in", "is", "lambda", "await", "for", "yield"}, o.Text) {
			return unknown, true
		}
		if o.Kind != python.Operator || i == begin || slices.Contains([]string{".", ",", "(", ")", "[", "]", "{", "}"}, o.Text) || o.Text == "..." {
			continue
		}
		parts, signs, begin = append(parts, t[begin:i]), append(signs, o.Text), i+1
	}
	if len(signs) == 0 {
		return unknown, false
	}
	parts = append(parts, t[begin:])
	k = whole
	for i, part := range parts {
		one := p.kindAt(s, part, depth+1)
		switch {
		case i == 0 && one == text && (signs[0] == "%" || signs[0] == "+"), i > 0 && signs[i-1] == "+" && one == text:
			return text, true // everything else would fail
		case !numeric(one):
			return unknown, true
		case one == number:
			k = number
		}
	}
	for _, sign := range signs {
		switch sign {
		case "+", "-", "*", "//", "%":
		case "/", "**":
			k = number
		default:
			return unknown, true
		}
	}
	return k, true
}

// kindOfName returns the kind that a name has wherever it is set.
func (p *program) kindOfName(s *python.Statement, name string, depth int) kind {
	list, in := p.bindings(s, name)
	if len(list) == 0 || len(list) > 2*deepest {
		return unknown
	}
	where := name + "\x00"
	if in != nil {
		where += p.source(in.Tokens[:1]) + strconv.Itoa(in.Tokens[0].At)
	}
	if k, known := p.kinds[where]; known {
		return k
	}
	p.kinds[where] = unknown // in case a name is set from itself
	found := unknown
	for i, b := range list {
		k := unknown
		switch b.how {
		case assigned:
			k = p.kindAt(b.at, b.value, depth+1)
		case looped:
			k = p.kindOfElement(b, depth)
		case other, imported, passed:
		}
		switch {
		case i == 0:
			found = k
		case found == k:
		case numeric(found) && numeric(k):
			found = number
		default:
			found = unknown
		}
	}
	if p.starred(list[0].at) {
		found = unknown
	}
	p.kinds[where] = found
	return found
}

// kindOfElement returns the kind of what a loop iterates over.
func (p *program) kindOfElement(b binding, depth int) kind {
	t := b.value
	if len(t) > 1 && t[0].Text == "range" && t[1].Text == "(" {
		if module, function := p.resolve(b.at, t[:1]); module == "" && function == "range" {
			return whole
		}
	}
	if p.kindAt(b.at, t, depth+1) == numbers {
		return number
	}
	return unknown
}

func (p *program) kindOfList(s *python.Statement, t []python.Token, depth int) kind {
	c, ok := python.CallAt(t, 0)
	if !ok || c.End != len(t)-1 || c.Open || len(c.Keywords) > 0 || len(c.Positional) == 0 {
		return unknown
	}
	for _, one := range c.Positional {
		if slices.ContainsFunc(one, func(k python.Token) bool { return k.Text == "for" }) || !numeric(p.kindAt(s, one, depth+1)) {
			return unknown
		}
	}
	return numbers
}

// results are the kinds of functions' results, by module.
var results = plain.Once[map[string]map[string]kind]{Make: func() map[string]map[string]kind {
	return map[string]map[string]kind{
		"": {"float": number, "int": whole, "len": whole, "str": text, "repr": text},
		"numpy": {"float": number, "int": whole, // Python's own; the others return arrays for arrays
			"arange": numbers, "linspace": numbers, "logspace": numbers},
		"json": {"dumps": text},
		"math": {"sqrt": number, "log": number, "exp": number, "pow": number, "floor": whole, "ceil": whole, "log10": number, "log2": number},
		"time": {"time": number, "perf_counter": number, "monotonic": number, "process_time": number, "clock": number, "asctime": text, "strftime": text, "ctime": text},
		"sklearn.metrics": {"accuracy_score": number, "mean_squared_error": number, "mean_absolute_error": number, "r2_score": number, "roc_auc_score": number,
			"log_loss": number, "auc": number, "balanced_accuracy_score": number, "explained_variance_score": number, "matthews_corrcoef": number,
			"cohen_kappa_score": number, "mean_squared_log_error": number, "median_absolute_error": number, "hamming_loss": number, "zero_one_loss": number, "brier_score_loss": number,
			"silhouette_score": number, "max_error": number},
	}
}}

// reductions are numpy functions that reduce an array to one number unless an argument says otherwise; framed are those
// that return a number for each column of a pandas DataFrame.
var (
	reductions = []string{"average", "median", "nanmean", "mean", "sum", "std", "var", "max", "min"}
	framed     = []string{"mean", "sum", "std", "var", "max", "min"}
)

// sized are numpy's number types; their kind is that of their argument.
var sized = []string{"float16", "float32", "float64", "double", "int8", "int16", "int32", "int64"}

// several are the options that make functions return more than one number.
var several = []string{"axis", "average", "multioutput", "keepdims", "normalize", "out"}

// kindOfCall returns the kind of a call's result or of an attribute.
func (p *program) kindOfCall(s *python.Statement, t []python.Token, depth int) kind {
	open := slices.IndexFunc(t, func(k python.Token) bool { return k.Kind == python.Operator && k.Text == "(" })
	if open < 1 {
		return p.kindOfArgument(s, t)
	}
	c, ok := python.CallAt(t, open)
	if !ok || c.Open {
		return unknown
	}
	if c.End != len(t)-1 {
		return unknown
	}
	module, function := p.resolve(s, t[:open])
	for _, key := range several {
		if _, given := c.Keywords[key]; given {
			return unknown
		}
	}
	if k := results.Get()[module][function]; k != unknown {
		return k
	}
	switch {
	case module == "numpy" && slices.Contains(reductions, function) && len(c.Positional) == 1 && len(c.Keywords) == 0:
		if slices.Contains(framed, function) && p.importsModule("pandas") {
			return unknown
		}
		return number
	case module == "numpy" && slices.Contains(sized, function) && len(c.Positional) == 1 && numeric(p.kindAt(s, c.Positional[0], depth+1)):
		return number
	case module == "" && function == "round" && len(c.Positional) > 0 && numeric(p.kindAt(s, c.Positional[0], depth+1)):
		return number
	case module == "" && function == "abs" && len(c.Positional) == 1:
		return p.kindAt(s, c.Positional[0], depth+1)
	case (module == "" && function == "sum") && len(c.Positional) == 1 && p.kindAt(s, c.Positional[0], depth+1) == numbers:
		return number
	case open > 2 && t[open-2].Text == "." && function == "" && t[open-1].Text == "score" && len(c.Positional) == 2 && p.importsModule("sklearn"):
		return number // an estimator's score
	}
	return unknown
}

// resolve returns the module and name of a function. The module is "" for a builtin; both are "" if the function is not
// known.
func (p *program) resolve(s *python.Statement, t []python.Token) (module, function string) {
	if len(t)%2 == 0 || slices.ContainsFunc(t, func(k python.Token) bool { return k.Kind != python.Name && k.Text != "." }) {
		return "", ""
	}
	list, _ := p.bindings(s, t[0].Text)
	if len(list) == 0 && len(t) == 1 && p.star == 0 {
		return "", t[0].Text
	}
	full := ""
	for i, b := range list {
		path := b.module
		switch {
		case b.how != imported || !alone(b.at) && (p.within == nil || len(b.at.Blocks) != 1 || b.at.Blocks[0] != p.within) || p.starred(b.at):
			return "", ""
		case b.item != "":
			path += "." + b.item
		case strings.HasPrefix(path, t[0].Text+"."): // import a.b sets a
			path = t[0].Text
		}
		if i > 0 && path != full {
			return "", ""
		}
		full = path
	}
	full += python.Written(t[1:])
	at := strings.LastIndexByte(full, '.')
	if len(list) == 0 || at < 0 {
		return "", ""
	}
	return full[:at], full[at+1:]
}

// importsModule reports whether the script imports a module or part of it.
func (p *program) importsModule(module string) bool {
	for _, names := range p.scopes {
		for _, list := range names {
			for _, b := range list {
				if b.how == imported && (b.module == module || strings.HasPrefix(b.module, module+".")) {
					return true
				}
			}
		}
	}
	return false
}

// kindOfArgument returns the kind of "args.NAME" if the script's parser gives it a type and a value.
func (p *program) kindOfArgument(s *python.Statement, t []python.Token) kind {
	if len(t) != 3 || t[1].Text != "." || t[0].Kind != python.Name {
		return unknown
	}
	list, _ := p.bindings(s, t[0].Text)
	if len(list) != 1 || list[0].how != assigned || !strings.HasSuffix(python.Written(list[0].value), ".parse_args()") {
		return unknown
	}
	if p.parser == nil {
		parser, _ := argparse.Read([]byte(p.text))
		p.parser = &parser
	}
	for _, a := range p.parser.Arguments {
		if a.Min != 1 || a.Max != 1 || strings.ReplaceAll(strings.TrimLeft(a.Name(), "-"), "-", "_") != t[2].Text {
			continue
		}
		switch a.Type {
		case "int":
			return whole
		case "float":
			return number
		}
	}
	return unknown
}

// constant returns the string that an expression certainly has as its value.
func (p *program) constant(s *python.Statement, t []python.Token) (value string, ok bool) {
	t = python.Bare(t)
	if value, ok = python.Literal(t); ok {
		return value, !strings.HasPrefix(strings.ToLower(p.text[t[0].At:t[0].End]), "b")
	}
	if len(t) == 1 && t[0].Kind == python.Name {
		list, _ := p.bindings(s, t[0].Text)
		if len(list) != 1 || list[0].how != assigned || p.starred(list[0].at) {
			return "", false
		}
		if len(list[0].value) == 1 && list[0].value[0].Kind == python.Name {
			return "", false // one step is enough
		}
		return p.constant(list[0].at, list[0].value)
	}
	if plus := slices.IndexFunc(t, func(k python.Token) bool { return k.Kind == python.Operator && k.Text == "+" }); plus > 0 && plus+1 < len(t) {
		left, ok := p.constant(s, t[:plus])
		if !ok {
			return "", false
		}
		right, ok := p.constant(s, t[plus+1:])
		return left + right, ok
	}
	return "", false
}
