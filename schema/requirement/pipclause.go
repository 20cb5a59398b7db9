package requirement

// clause is one condition on a version, such as ">=1.2": op starts at s[start], and the version is s[version:end].
type clause struct {
	op                  string
	start, version, end int
}

// scanPipClause scans the condition at i. It accepts the operator "=", which pip does not have, and leaves it to the
// caller.
func scanPipClause(s string, i, end int) (clause, error) {
	c := clause{start: i}
	j := skipOperator(s, i, end)
	if j == i {
		return c, failAt(s[:end], i, "expected a comparison such as == or >=, found "+describe(s[:end], i))
	}
	c.op = s[i:j]
	if j < end && isOperatorByte(s[j]) {
		switch {
		case c.op == "=" && (s[j] == '>' || s[j] == '<'):
			return c, failSpan(i, j+1, "the equals sign comes second: write >= or <=")
		case c.op == "<" && s[j] == '>':
			return c, failSpan(i, j+1, "\"not equal\" is written !=")
		}
		return c, failAt(s[:end], j, "too many comparison operators in a row")
	}
	c.version = skipSpaces(s, j, end)
	class := isVersionByte
	if c.op == "===" {
		class = func(b byte) bool { return !isSpace(b) && b != ',' && b != ';' && b != ')' }
	}
	c.end = skip(s, c.version, end, class)
	switch {
	case c.end > c.version:
		return c, nil
	case c.version == end:
		return c, failAt(s[:end], c.version, "the version after "+c.op+" is missing")
	}
	return c, failAt(s[:end], c.version, "expected a version after "+c.op+", found "+describe(s[:end], c.version))
}
