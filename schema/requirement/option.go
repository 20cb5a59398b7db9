package requirement

// IndexOptions are the pip options that name a place for packages.
var IndexOptions = []string{"-i", "--index-url", "--extra-index-url", "-f", "--find-links"}

// option parses a line that begins with a hyphen: an option, its value, and options after it.
func (p *parser) option() error {
	start := p.i
	value := p.scanOption()
	if value == start {
		return p.fail("a single hyphen: an option is a hyphen and a letter, or two hyphens and a word")
	}
	long := p.s[start+1] == '-'
	optionEnd := value
	if value < p.end && p.s[value] == '=' {
		if !long {
			p.i = value
			return p.fail("a short option takes its value after a space, not after '='")
		}
		value++
	} else if value < p.end && !isSpace(p.s[value]) && long {
		p.i = value
		return p.fail(describe(p.s[:p.end], value) + " is not allowed in the name of an option")
	}
	p.r.Kind = Option
	p.details().Option = p.s[start:optionEnd]
	p.i = value
	explicit := value > optionEnd
	if !explicit {
		p.spaces()
	}
	another := p.at('-') && !explicit && p.i > optionEnd
	if p.i == p.end || explicit && isSpace(p.s[p.i]) || another && p.editable() {
		if explicit || p.editable() {
			return p.fail("the value of the option is missing")
		}
		return nil
	}
	if another {
		return p.flags(p.i)
	}
	return p.optionValue()
}

// scanOption returns the end of the option's name, or i if no name follows the hyphens.
func (p *parser) scanOption() int {
	j := p.i + 1
	if j < p.end && p.s[j] != '-' {
		if isAlpha(p.s[j]) {
			return j + 1
		}
		return p.i
	}
	j++
	if j >= p.end || !isAlpha(p.s[j]) {
		return p.i
	}
	return skip(p.s, j, p.end, func(c byte) bool { return isAlnum(c) || c == '-' || c == '_' })
}

func (p *parser) editable() bool { return p.r.Option == "-e" || p.r.Option == "--editable" }

// optionValue parses one word or a quoted text, and the options after it.
func (p *parser) optionValue() error {
	start := p.i
	var stop, next int
	if quote := p.s[start]; quote == '"' || quote == '\'' {
		start++
		for stop = start; stop < p.end && p.s[stop] != quote; stop++ {
		}
		if stop == p.end {
			return p.fail("the quotation mark is not closed")
		}
		next = stop + 1
		if next < p.end && !isSpace(p.s[next]) {
			p.i = next
			return p.fail("missing space after the quotation mark")
		}
	} else {
		stop = skip(p.s, start, p.end, func(c byte) bool { return !isSpace(c) })
		next = stop
	}
	if start == stop {
		return p.fail("the value of the option is missing")
	}
	p.details().OptionValue, p.details().OptionValuePart = cut(p.s, start, stop)
	if p.editable() {
		return p.editableValue(start, next)
	}
	p.i = next
	p.spaces()
	if p.i == p.end {
		return nil
	}
	if !p.at('-') {
		return p.fail("unexpected text after the value of the option: one option takes one value, a long option begins with two hyphens, and a value with spaces needs quotation marks")
	}
	return p.flags(p.i)
}

// editableValue parses what follows -e: a URL or a folder, optionally followed by a marker and options.
func (p *parser) editableValue(start, next int) error {
	p.i = start
	if next == p.r.OptionValuePart.End {
		if err := p.cutFlags(); err != nil {
			return err
		}
		err := p.target()
		p.setEditableValue()
		return err
	}
	end := p.end
	p.end = p.r.OptionValuePart.End
	err := p.target()
	p.setEditableValue()
	if err != nil {
		return err
	}
	p.i, p.end = next, end
	p.spaces()
	if p.at('-') {
		return p.flags(p.i)
	}
	if err := p.cutFlags(); err != nil {
		return err
	}
	return p.markerAndEnd()
}

// setEditableValue limits the value to the URL or path with its extras, which may contain spaces but not a marker.
func (p *parser) setEditableValue() {
	if target := (Part{p.r.URLPart.Start + p.r.PathPart.Start, max(p.r.URLPart.End, p.r.PathPart.End, p.r.ExtrasPart.End)}); !target.Empty() {
		p.details().OptionValue, p.details().OptionValuePart = cut(p.s, target.Start, target.End)
	}
}

// target parses a URL or a path up to end.
func (p *parser) target() error {
	if schemeEnd(p.s, p.i, p.end) > p.i {
		return p.url(p.end)
	}
	return p.path()
}
