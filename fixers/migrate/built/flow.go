package built

import (
	"slices"
	"sort"

	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/python"
)

// statement returns the statement at an offset of the text, or nil.
func (p *program) statement(at int) *python.Statement {
	i := sort.Search(len(p.all), func(i int) bool { return p.all[i].Tokens[0].At > at }) - 1
	if i < 0 {
		return nil
	}
	return p.all[i]
}

// scope returns the function around an offset of the text, or nil.
func (p *program) scope(at int) *python.Statement {
	if s := p.statement(at); s != nil {
		return s.Function()
	}
	return nil
}

// settings returns the statements that set a name, in the scope that it has at an offset: its function, or the program.
func (p *program) settings(name string, at int) (list []setting) {
	scope := p.scope(at)
	in := func(f *python.Statement) (list []setting) {
		return slices.DeleteFunc(slices.Clone(p.set[name]), func(s setting) bool { return s.at.Function() != f })
	}
	switch {
	case p.lost[name] || p.parameter(name, scope) != nil || !p.spend(len(p.set[name])):
		return nil
	case len(p.set[name]) < 2 && scope != nil && len(in(scope)) == 0:
		return in(nil)
	}
	if list = in(scope); len(list) == 0 {
		list = in(nil)
	}
	return list
}

// inForce returns the setting of a name that applies at an offset: the only one or, if all run in the order of the
// text, the last one before it.
func (p *program) inForce(name string, at int) (s setting, ok bool) {
	list := p.settings(name, at)
	switch {
	case len(list) == 0:
		return s, false
	case len(list) == 1:
		return list[0], true
	case list[0].at.Function() != p.scope(at):
		return s, false // a function may be called in between
	}
	for _, one := range list {
		if one.at.Conditional() {
			return setting{}, false
		}
		if one.at.Tokens[len(one.at.Tokens)-1].End <= at {
			s, ok = one, true
		}
	}
	return s, ok
}

// during returns the statements in list that run while a name stands for the object created at an offset; none if that
// is not known.
func (p *program) during(list []setting, name string, at int) (some []setting) {
	made := p.statement(at)
	for _, one := range list {
		if u := p.until; u != nil && one.at.Function() == u.Function() && one.at.Tokens[0].At > u.Tokens[0].At {
			continue
		}
		if s, ok := p.inForce(name, one.at.Tokens[0].At); ok && s.at == made {
			some = append(some, one)
		}
	}
	return some
}

// mayNotRun reports whether a statement may not run although the one at an offset does.
func (p *program) mayNotRun(s *python.Statement, at int) bool {
	inner := *s
	if made := p.statement(at); made != nil && made.Function() == s.Function() {
		for _, block := range made.Blocks {
			if len(inner.Blocks) > 0 && inner.Blocks[0] == block {
				inner.Blocks = inner.Blocks[1:]
			}
		}
	}
	return inner.Conditional()
}

// changedElsewhere reports whether a function may change what a name stands for.
func (p *program) changedElsewhere(name string) bool {
	return len(p.params[name]) > 0 && slices.ContainsFunc(plain.Both(p.attrs[name], p.calls[name]), func(s setting) bool { return p.parameter(name, s.at.Function()) != nil })
}
