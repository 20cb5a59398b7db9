package built

import (
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/python"
	"github.com/amlfix/amlfix/schema/source"
)

// program is a Python file and what its names stand for.
type program struct {
	src     *source.Source
	folder  string // of the program in the project
	all     []*python.Statement
	set     map[string][]setting // by name
	lost    map[string]bool      // names that are set other than by "name = value"
	attrs   map[string][]setting // by name: name.path = value
	calls   map[string][]setting // by name: name.path(…) as a statement
	params  map[string][]parameter
	uses    map[string][][]python.Token     // by function: what follows each use of its name
	defs    map[string][]*python.Statement  // the functions, by name; nil for another module's
	returns map[*python.Statement][]setting // what each function returns
	classes map[string]string               // of azureml, by their names in the program
	modules map[string]bool                 // names of azureml or a part of it
	any     bool                            // "from azureml… import *"
	busy    map[any]bool                    // what is being resolved
	likely  map[source.Span]Likely          // of open values
	here    bool                            // a path that begins at the program's file or working folder was read
	until   *python.Statement               // if not nil, statements after it in its function have not run
	spent   int
	// registrars are the calls of methods register and publish; nil before they are looked for.
	registrars []registrar
	read       map[int]bool // offsets of the arguments and values that are read
}

// budget is the number of tokens after which the reader gives up: a few times the size of the largest program.
const budget = 4 << 20

// spend counts n tokens as read, and reports whether reading may continue.
func (p *program) spend(n int) bool {
	p.spent += n + 1
	return p.spent < budget
}

// tokenLength is the number of bytes of a text that count as a token.
const tokenLength = 4

// spendText is spend for n bytes of text that are made.
func (p *program) spendText(n int) bool { return p.spend(n / tokenLength) }

// setting is a statement that sets a name or something below it.
type setting struct {
	at     *python.Statement
	path   string         // of attributes, without the name
	tokens []python.Token // the value; for a call, from its bracket on
	key    []python.Token // of name.path[key] = value
}

// open parses a program; ok is false if it cannot be parsed or does not use SDK v1.
func open(src *source.Source, folder string) (p *program, ok bool) {
	text := string(src.Text)
	if !strings.Contains(text, "azureml") {
		return nil, false
	}
	tokens, ok := python.Scan(text)
	if !ok {
		return nil, false
	}
	all, ok := python.Statements(tokens)
	p = &program{src: src, folder: folder, all: all, set: map[string][]setting{}, lost: map[string]bool{}, attrs: map[string][]setting{}, calls: map[string][]setting{}, params: map[string][]parameter{}, uses: map[string][][]python.Token{}, defs: map[string][]*python.Statement{}, returns: map[*python.Statement][]setting{}, classes: map[string]string{}, modules: map[string]bool{}, busy: map[any]bool{}, likely: map[source.Span]Likely{}, read: map[int]bool{}}
	if !ok {
		return nil, false
	}
	for _, s := range all {
		p.note(s)
	}
	if len(p.params) > 0 {
		p.noteUses()
	}
	return p, len(p.classes)+len(p.modules) > 0 || p.any
}

// note records what a statement sets.
func (p *program) note(s *python.Statement) {
	t := s.Tokens
	switch s.First() {
	case "import", "from":
		p.imports(t)
		return
	case "def":
		p.noteParameters(s)
		return
	case "return", "yield":
		p.returns[s.Function()] = append(p.returns[s.Function()], setting{at: s, tokens: t[1:]})
	case "class":
		p.lose(t[1:2])
		return
	case "global", "nonlocal":
		p.lose(t[1:])
		return
	case "del":
		p.loseTargets(s, t[1:])
		return
	case "for":
		p.lose(until(t, "in"))
	case "with", "except":
		for i := range t {
			if t[i].Text == "as" && t[i].Kind == python.Name {
				p.lose(t[i:min(i+2, len(t))])
			}
		}
	}
	if p.noteItem(s) {
		return
	}
	p.loseOthers(s)
	target, begin := python.Assigned(t)
	name, path, _ := strings.Cut(target, ".")
	switch {
	case target == "" || begin >= len(t):
		p.noteCall(s)
	case path == "":
		p.set[name] = append(p.set[name], setting{at: s, tokens: t[begin:]})
	default:
		p.attrs[name] = append(p.attrs[name], setting{at: s, path: path, tokens: t[begin:]})
	}
}

// noteItem records a statement of the form name.path[key] = value, and reports whether it has that form.
func (p *program) noteItem(s *python.Statement) bool {
	t, i := s.Tokens, 1
	for i+1 < len(t) && t[i].Text == "." && t[i+1].Kind == python.Name {
		i += 2
	}
	if i == 1 || i >= len(t) || t[0].Kind != python.Name || t[i].Text != "[" {
		return false
	}
	c, ok := python.CallAt(t, i)
	if !ok || len(c.Positional) != 1 || c.End+2 >= len(t) || t[c.End+1].Text != "=" {
		return false
	}
	path := python.Written(t[2:i])
	p.attrs[t[0].Text] = append(p.attrs[t[0].Text], setting{at: s, path: path, tokens: t[c.End+2:], key: c.Positional[0]})
	return true
}

// noteCall records a statement of the form name.path(…).
func (p *program) noteCall(s *python.Statement) {
	target := ""
	if s.First() == computedName {
		return
	}
	for i, t := range s.Tokens {
		switch {
		case t.Kind == python.Name || t.Text == "." && t.Kind == python.Operator && i > 0:
			target += t.Text
			continue
		case t.Text == "(" && i > 0:
			if name, path, ok := strings.Cut(target, "."); ok {
				p.calls[name] = append(p.calls[name], setting{at: s, path: path, tokens: s.Tokens[i:]})
			}
		}
		return
	}
}

// lose records that names are set in a way that is not followed.
func (p *program) lose(tokens []python.Token) {
	for i, t := range tokens {
		if t.Kind == python.Name && (i == 0 || tokens[i-1].Text != ".") {
			p.lost[t.Text] = true
		}
	}
}

// loseOthers does the same for unpacked tuples, "a = b = c", "a += b" and "a := b".
func (p *program) loseOthers(s *python.Statement) {
	t := s.Tokens
	depth, equals := 0, 0
	for i, k := range t {
		depth += python.Bracket(k)
		if k.Text == computedName && (i == 0 || t[i-1].Text != ".") && p.spend(len(t)-i) {
			p.noteSetattr(s, i)
		}
		if k.Kind != python.Operator || i == 0 {
			continue
		}
		switch {
		case k.Text == ":=":
			p.lose(t[i-1 : i])
		case depth == 0 && k.Text == "=":
			if target, begin := python.Assigned(t); equals > 0 || target == "" || begin != i+1 && !slices.ContainsFunc(t[:i], func(b python.Token) bool { return b.Text == ":" }) {
				p.loseTargets(s, t[:i])
			}
			equals++
		case depth == 0 && len(k.Text) > 1 && strings.HasSuffix(k.Text, "=") && !slices.Contains([]string{"==", "!=", "<=", ">="}, k.Text):
			p.loseTargets(s, t[:i])
		}
	}
}

// until returns the tokens before a word.
func until(t []python.Token, word string) []python.Token {
	for i := range t {
		if t[i].Text == word && t[i].Kind == python.Name {
			return t[:i]
		}
	}
	return nil
}

// imports reads an import of azureml; other imports are not resolved.
func (p *program) imports(t []python.Token) {
	if len(t) < 2 {
		return
	}
	ours := t[1].Text == "azureml"
	from := t[0].Text == "from"
	begin := 1
	if from {
		begin = slices.IndexFunc(t, func(k python.Token) bool { return k.Text == "import" && k.Kind == python.Name }) + 1
	}
	for i := begin; i < len(t) && begin > 0; i++ {
		name, as := t[i].Text, t[i].Text
		switch {
		case from && ours && name == "*":
			p.any = true
			continue
		case t[i].Kind != python.Name || t[i-1].Text == "." || t[i-1].Text == "as" || name == "as":
			continue
		}
		dotted := i
		for !from && dotted+2 < len(t) && t[dotted+1].Text == "." {
			dotted += 2
		}
		renamed := dotted+2 < len(t) && t[dotted+1].Text == "as"
		if renamed {
			as = t[dotted+2].Text
		}
		switch {
		case from && ours && (name[0] < 'A' || name[0] > 'Z'):
			p.modules[as] = true
		case from && ours:
			p.classes[as] = name
		case !from && name == "azureml":
			p.modules[as] = true
		default:
			p.lost[as] = true
			p.defs[as] = append(p.defs[as], nil)
		}
	}
}
