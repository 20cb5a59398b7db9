package requirement

import "strings"

func pipConstraint(s string, i, end int) (Constraint, error) {
	all := Constraint{set: everything}
	for n := 0; ; n++ {
		c, err := scanPipClause(s, i, end)
		if err != nil {
			return Constraint{}, err
		}
		if n == maxClauses {
			return Constraint{}, failSpan(c.start, c.end, "too many conditions on one version")
		}
		one, err := c.pip(s)
		if err != nil {
			return Constraint{}, err
		}
		all = all.meet(one)
		if i = skipSpaces(s, c.end, end); i == end {
			return all, nil
		}
		if s[i] != ',' {
			return Constraint{}, failAt(s[:end], i, "expected a comma or the end of the versions, found "+describe(s[:end], i))
		}
		i = skipSpaces(s, i+1, end)
	}
}

// pip returns the set of one condition as PEP 440 defines it.
func (c clause) pip(s string) (Constraint, error) {
	if c.op == "=" {
		return Constraint{}, failSpan(c.start, c.start+1, "pip compares with two equals signs: write ==")
	}
	text, isPrefix := strings.CutSuffix(s[c.version:c.end], ".*")
	v, err := versionAt(s, c.version, c.version+len(text))
	if err != nil {
		return Constraint{}, err
	}
	if isPrefix {
		return c.pipPrefix(v)
	}
	if v.local != nil && c.op != "==" && c.op != "!=" && c.op != "===" {
		return Constraint{}, failSpan(c.version, c.end, "a local version cannot be used with "+c.op)
	}
	one := between(before(v), afterLocals(v))
	if v.local != nil || c.op == "===" {
		one = between(before(v), justAfter(v))
	}
	switch c.op {
	case "==", "===":
		return Constraint{set: one, exact: []Version{v}}, nil
	case "!=":
		return Constraint{set: one.complement()}, nil
	case "<=":
		return Constraint{set: between(bottom, afterLocals(v))}, nil
	case ">=":
		return Constraint{set: between(before(v), top)}, nil
	case "<":
		if v.Prerelease() {
			return Constraint{set: between(bottom, before(v))}, nil
		}
		return Constraint{set: between(bottom, beforeAll(v))}, nil
	case ">":
		return Constraint{set: between(afterPosts(v), top)}, nil
	}
	return c.compatible(v, before(v))
}

// pipPrefix returns the set of "==1.2.*" or "!=1.2.*".
func (c clause) pipPrefix(v Version) (Constraint, error) {
	if c.op != "==" && c.op != "!=" {
		return Constraint{}, failSpan(c.end-1, c.end, "'*' works with == and != only")
	}
	if !v.plain() {
		return Constraint{}, failSpan(c.end-1, c.end, "'*' can follow the numbers of a version only")
	}
	if c.op == "!=" {
		return Constraint{set: family(v).complement()}, nil
	}
	return Constraint{set: family(v), prefix: []Version{v}}, nil
}

// compatible returns the set of "~=1.4.2": at least that version, within 1.4.
func (c clause) compatible(v Version, low bound) (Constraint, error) {
	if len(v.release) < 2 {
		return Constraint{}, failSpan(c.version, c.end, "~= needs a version of two numbers or more")
	}
	series := Version{epoch: v.epoch, release: v.release[:len(v.release)-1]} // ~=1.4.2 stays within 1.4
	return Constraint{set: between(low, top).intersect(family(series))}, nil
}
