package tracking

import (
	"slices"

	"github.com/amlfix/amlfix/schema/argparse"
	"github.com/amlfix/amlfix/schema/python"
)

// program is a script, with the places where its names are set.
type program struct {
	text   string
	tokens []python.Token
	all    []*python.Statement
	// scopes has the names of each function and class; nil is the module. A class has the attributes that its methods
	// set as "self.NAME".
	scopes    map[*python.Statement]map[string][]binding
	global    map[*python.Statement]map[string]bool // names that a function declares global
	elsewhere map[string]bool                       // attributes that are set on objects other than self
	star      int                                   // the offset of the last import of everything, 0 for none
	values    map[int]bool                          // offsets of values that names are set to
	verdicts  map[owner]verdict                     // results of held
	lines     []int                                 // offsets of lines
	kinds     map[string]kind                       // results of kindOfName
	parser    *argparse.Parser                      // of its command line, created on first use
	shared    func(name string) bool                // of Options
	within    *python.Statement                     // a try whose imports count
	optional  *optional                             // a run that may be missing, if all its uses can be rewritten
	places    map[string][]place                    // where names are used, created on first use
	callees   map[string]called                     // functions and classes of the module
	quoted    map[string]bool                       // words in strings
	started   map[*python.Statement]bool            // functions that certainly run, created on first use
	ends      map[*python.Statement]int             // offsets of their first return
}

func read(text string) (p *program, ok bool) {
	tokens, ok := python.Scan(text)
	if !ok {
		return nil, false
	}
	all, ok := python.Statements(tokens)
	if !ok {
		return nil, false
	}
	if deep(tokens) {
		return nil, false
	}
	p = &program{values: map[int]bool{}, verdicts: map[owner]verdict{}, lines: lines(text), text: text, tokens: tokens, all: all, scopes: map[*python.Statement]map[string][]binding{}, global: map[*python.Statement]map[string]bool{}, elsewhere: map[string]bool{}, kinds: map[string]kind{}}
	for _, s := range all {
		if first := s.First(); first == "global" && s.Function() != nil {
			for _, k := range s.Tokens[1:] {
				if p.global[s.Function()] == nil {
					p.global[s.Function()] = map[string]bool{}
				}
				p.global[s.Function()][k.Text] = true
			}
		}
	}
	for _, s := range all {
		p.bind(s)
	}
	return p, true
}

// scope returns the innermost function or class that a statement is in.
func scope(s *python.Statement) *python.Statement {
	for _, b := range slices.Backward(s.Blocks) {
		if f := b.First(); f == "def" || f == "class" {
			return b
		}
	}
	return nil
}

// class returns the innermost class that a statement is in.
func class(s *python.Statement) *python.Statement {
	for _, b := range slices.Backward(s.Blocks) {
		if b.First() == "class" {
			return b
		}
	}
	return nil
}

// set records a name in the scope of a statement.
func (p *program) set(s *python.Statement, name string, b binding) {
	in := scope(s)
	if in != nil && p.global[in][name] {
		in = nil
	}
	p.setIn(in, name, b)
	if s.First() == "nonlocal" { // it is set further out
		for _, block := range s.Blocks {
			p.setIn(block, name, b)
		}
	}
}

func (p *program) setIn(in *python.Statement, name string, b binding) {
	if p.scopes[in] == nil {
		p.scopes[in] = map[string][]binding{}
	}
	if len(b.value) > 0 {
		p.values[b.value[0].At] = true
	}
	p.scopes[in][name] = append(p.scopes[in][name], b)
}

// bindings returns where a name that a statement uses is set, and in which scope.
func (p *program) bindings(s *python.Statement, name string) (list []binding, in *python.Statement) {
	inner := true
	for _, b := range slices.Backward(s.Blocks) {
		first := b.First()
		if first != "def" && first != "class" {
			continue
		}
		if p.global[b][name] {
			break
		}
		if list := p.scopes[b][name]; len(list) > 0 && (first == "def" || inner) {
			return list, b
		}
		inner = false
	}
	return p.scopes[nil][name], nil
}

// tried reports whether a statement is in a try or one of its clauses.
func tried(s *python.Statement) bool {
	return slices.ContainsFunc(s.Blocks, func(b *python.Statement) bool {
		return slices.Contains([]string{"try", "except", "finally"}, b.First())
	})
}

// alone reports whether a statement runs whenever its function, or the module, does.
func alone(s *python.Statement) bool { return !s.Conditional() && !tried(s) }

// starred reports whether a later import of everything may have redefined the names that a statement of the module
// sets.
func (p *program) starred(s *python.Statement) bool { return p.star > s.Tokens[0].At }

// deep reports whether brackets are nested more deeply than Python allows.
func deep(tokens []python.Token) bool {
	const most = 200
	depth := 0
	for _, k := range tokens {
		if depth += python.Bracket(k); depth > most {
			return true
		}
	}
	return false
}

// lines returns the offsets at which the lines of a text begin, with Python's line ends.
func lines(text string) (starts []int) {
	starts = []int{0}
	for i := range len(text) {
		if text[i] == '\n' || text[i] == '\r' && (i+1 == len(text) || text[i+1] != '\n') {
			starts = append(starts, i+1)
		}
	}
	return starts
}

// line returns the 1-based line of an offset.
func (p *program) line(at int) int {
	n, found := slices.BinarySearch(p.lines, at)
	if found {
		n++
	}
	return n
}
