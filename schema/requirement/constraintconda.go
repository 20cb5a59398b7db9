package requirement

import "strings"

func condaConstraint(s string, i, end int) (Constraint, error) {
	e := condaExpr{s: s, i: i, end: end, brackets: true, judge: true}
	c, err := e.alternatives(0)
	if err == nil && e.i < end {
		err = failAt(s[:end], e.i, describe(s[:end], e.i)+" is not allowed in a version")
	}
	if err != nil {
		return Constraint{}, err
	}
	return c, nil
}

// condaExpr scans conda's version expressions: conditions joined by "," (and) and "|" (or), and parentheses where
// allowed.
type condaExpr struct {
	s        string
	i, end   int
	brackets bool // "(" may open a group: only in name[version="…"]
	judge    bool // compute the set, or else only scan
	clauses  int
}

func (e *condaExpr) at(c byte) bool { return e.i < e.end && e.s[e.i] == c }

// joined skips spaces and a separator; without the separator it stays before the spaces.
func (e *condaExpr) joined(separator byte) bool {
	i := skipSpaces(e.s, e.i, e.end)
	if i == e.end || e.s[i] != separator {
		return false
	}
	e.i = skipSpaces(e.s, i+1, e.end)
	return true
}

func (e *condaExpr) alternatives(depth int) (Constraint, error) {
	c, err := e.conditions(depth)
	for err == nil && e.joined('|') {
		var d Constraint
		d, err = e.conditions(depth)
		c = Constraint{set: c.set.union(d.set)}
	}
	return c, err
}

func (e *condaExpr) conditions(depth int) (Constraint, error) {
	c, err := e.condition(depth)
	for err == nil && e.joined(',') {
		var d Constraint
		d, err = e.condition(depth)
		c = c.meet(d)
	}
	return c, err
}

func (e *condaExpr) condition(depth int) (Constraint, error) {
	if !e.brackets || !e.at('(') {
		return e.comparison()
	}
	if depth == maxNesting {
		return Constraint{}, failAt(e.s, e.i, "too many nested round brackets")
	}
	e.i = skipSpaces(e.s, e.i+1, e.end)
	c, err := e.alternatives(depth + 1)
	if err != nil {
		return c, err
	}
	if e.i = skipSpaces(e.s, e.i, e.end); !e.at(')') {
		return c, failAt(e.s[:e.end], e.i, "expected ')' after a version, found "+describe(e.s[:e.end], e.i))
	}
	e.i++
	return c, nil
}

// comparison parses an optional operator and a version pattern.
func (e *condaExpr) comparison() (Constraint, error) {
	c := clause{start: e.i}
	op := skipOperator(e.s, e.i, e.end)
	c.op = e.s[e.i:op]
	c.version = skipSpaces(e.s, op, e.end)
	if err := e.checkOperator(c.op, op); err != nil {
		return Constraint{}, err
	}
	if c.op == "" && c.version < e.end && e.s[c.version] == '^' {
		return e.regexp(c.version)
	}
	c.end = skip(e.s, c.version, e.end, isVersionByte)
	text := e.s[c.version:c.end]
	switch {
	case text == "" && c.version == e.end:
		return Constraint{}, failAt(e.s[:e.end], c.version, "a version is missing")
	case text == "":
		return Constraint{}, failAt(e.s[:e.end], c.version, "expected a version, found "+describe(e.s[:e.end], c.version))
	case text[0] == '-':
		return Constraint{}, failAt(e.s[:e.end], c.version, "a version cannot begin with a hyphen")
	}
	if i := emptyPart(text); i >= 0 && (i < len(text)-1 || c.op != "=" || c.end < e.end) { // conda reads =1.2. as 1.2.*
		return Constraint{}, failAt(e.s[:e.end], c.version+i, "a number is missing beside a period of the version")
	}
	e.i = c.end
	if !e.judge {
		return Constraint{}, nil
	}
	if e.clauses++; e.clauses > maxClauses {
		return Constraint{}, failSpan(c.start, c.end, "too many conditions on one version")
	}
	return c.conda(e.s)
}

// emptyPart returns the index of the first period of a version with no number on one side, which conda rejects, or -1.
// In patterns, it does not look.
func emptyPart(version string) int {
	for i := range len(version) {
		if version[i] == '.' && (i == 0 || i+1 == len(version) || version[i+1] == '.') && !strings.Contains(version, "*") {
			return i
		}
	}
	return -1
}

func (e *condaExpr) checkOperator(op string, next int) error {
	switch {
	case op == "===":
		return failSpan(e.i, next, "conda does not support ===: write ==")
	case next < e.end && isOperatorByte(e.s[next]):
		return failAt(e.s[:e.end], next, "these comparison operators cannot be combined")
	}
	return nil
}

// regexp skips "^…$", which is never evaluated because its syntax is conda's own.
func (e *condaExpr) regexp(start int) (Constraint, error) {
	n := strings.IndexAny(e.s[start:e.end], "$"+spaces)
	if n < 0 || e.s[start+n] != '$' {
		return Constraint{}, failAt(e.s, start, "a regular expression for a version ends in '$' and contains no space")
	}
	e.i = start + n + 1
	if e.judge {
		return Constraint{}, failSpan(start, e.i, "a regular expression cannot be checked")
	}
	return Constraint{}, nil
}

// conda returns the set of one condition.
func (c clause) conda(s string) (Constraint, error) {
	text := s[c.version:c.end]
	stem := strings.TrimSuffix(strings.TrimSuffix(text, "*"), ".")
	if stem == "" && text == "*" && (c.op == "" || c.op == "=" || c.op == "==") {
		return Constraint{set: everything}, nil
	}
	star := strings.HasSuffix(text, "*")
	if !star {
		stem = text
	}
	v, err := versionAt(s, c.version, c.version+len(stem))
	if err != nil {
		return Constraint{}, err
	}
	if c.op == "=" || c.op == "" && star {
		return c.condaPrefix(v, stem)
	}
	if c.op == "==" && star {
		// On its own, conda reads it as a prefix, but not with other conditions.
		if strings.ContainsAny(s, ",|") {
			return Constraint{}, failSpan(c.start, c.end, "'*' after == means two things to conda: write =")
		}
		return c.condaPrefix(v, stem)
	}
	if star && !strings.HasSuffix(text, ".*") || star && c.op == "~=" {
		return Constraint{}, failSpan(c.end-1, c.end, "'*' is not allowed here")
	}
	one := between(before(v), justAfter(v))
	switch c.op {
	case "", "==":
		return Constraint{set: one, exact: []Version{v}}, nil
	case "!=":
		if star {
			p, err := c.condaPrefix(v, stem)
			return Constraint{set: p.set.complement()}, err
		}
		return Constraint{set: one.complement()}, nil
	case "<=":
		return Constraint{set: between(bottom, justAfter(v))}, nil
	case ">=":
		return Constraint{set: between(before(v), top)}, nil
	case "<":
		return Constraint{set: between(bottom, before(v))}, nil
	case ">":
		return Constraint{set: between(justAfter(v), top)}, nil
	}
	if !v.plain() {
		return Constraint{}, failSpan(c.version, c.end, "~= can be checked only with plain numbers")
	}
	return c.compatible(v, before(v))
}

// condaPrefix returns the set of "=1.2": all versions that begin with the parts of v.
func (c clause) condaPrefix(v Version, stem string) (Constraint, error) {
	switch {
	case v.local != nil, !isDigit(stem[len(stem)-1]):
		return Constraint{}, failSpan(c.version, c.end, "the beginning of a version is too short to be checked")
	case v.plain():
		return Constraint{set: family(v), prefix: []Version{v}}, nil
	}
	return Constraint{set: between(beforeAll(v), afterPosts(v)), prefix: []Version{v}}, nil
}
