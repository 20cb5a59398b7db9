package tracking

// Two returns the line at which a script is one of Python 2 alone, for which Python 3
// has a syntax error; 0 for none, and for a script that cannot be read to its end.
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

// Foreign says why the bytes of a script are not read as Python would read them, ""
// where they are; refused reports that Python 3 does not read them either.
func Foreign(text []byte) (why string, refused bool) {
	_, why = foreign(string(text))
	return why, why == whyEncoding
}
