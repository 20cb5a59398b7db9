package tracking

// Two returns the 1-based line at which a script is valid only in Python 2, so that Python 3 reports a syntax error; 0
// if there is none, or if the script cannot be parsed to its end.
func Two(text []byte) (line int) {
	src := string(text)
	if len(text) > MaxSize {
		return 0
	}
	if _, why := foreign(src); why != "" {
		return 0
	}
	p, ok := read(src)
	if !ok {
		return 0
	}
	if line, why := p.older(); why == pythonTwo {
		return line
	}
	return 0
}

// Foreign says why the bytes of a script cannot be decoded as Python would, or returns ""; refused means that Python 3
// cannot decode them either.
func Foreign(text []byte) (why string, refused bool) {
	_, why = foreign(string(text))
	return why, why == whyEncoding
}
