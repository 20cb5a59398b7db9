package requirement

import "strings"

// String returns the requirement with normalised spacing. The text parses to the same fields; secrets in URLs are kept.
func (r Requirement) String() string {
	var b strings.Builder
	switch {
	case r.Option != "":
		b.WriteString(withValue(r.Option, r.OptionValue))
	case r.Kind == Package && r.Manager == Conda:
		return r.condaText()
	case r.Kind == Package:
		b.WriteString(r.Name + r.extras() + r.Constraint)
	default:
		b.WriteString(r.target())
	}
	if r.Marker != "" {
		b.WriteString(" ; " + r.Marker)
	}
	if r.Flags != "" {
		b.WriteString(" " + r.Flags)
	}
	return b.String()
}

// target returns the URL or path, with a name or with extras.
func (r *Requirement) target() string {
	switch {
	case r.Kind == Path:
		return r.Path + r.extras()
	case r.Name != "" && r.NamePart.End < r.URLPart.Start:
		return r.Name + r.extras() + " @ " + r.URL
	}
	return r.URL
}

func (r *Requirement) extras() string {
	if r.Extras == nil {
		return ""
	}
	return "[" + strings.Join(r.Extras, ",") + "]"
}

// withValue joins an option and its value, with quotation marks around a value that needs them.
func withValue(option, value string) string {
	if value == "" {
		return option
	}
	if !strings.ContainsAny(value, spaces) && strings.IndexByte("-#'\"", value[0]) < 0 {
		return option + " " + value
	}
	for _, mark := range [...]string{`"`, "'"} {
		if !strings.Contains(value, mark) {
			return option + " " + mark + value + mark
		}
	}
	// A value with both marks must have been joined to its option.
	if strings.HasPrefix(option, "--") {
		return option + "=" + value
	}
	return option + value
}

func (r *Requirement) condaText() string {
	var b, pairs strings.Builder
	pair := func(key, value string) {
		if value != "" {
			pairs.WriteString("," + key + `="` + value + `"`)
		}
	}
	if r.inBrackets(r.ChannelPart) {
		pair("channel", r.Channel)
	} else if r.Channel != "" {
		b.WriteString(r.Channel + "::")
	}
	b.WriteString(r.Name)
	if r.inBrackets(r.ConstraintPart) || r.inBrackets(r.BuildPart) {
		pair("version", r.Constraint)
		pair("build", r.Build)
	} else {
		if r.Constraint != "" && !isOperatorByte(r.Constraint[0]) {
			b.WriteByte(' ')
		}
		b.WriteString(r.Constraint)
		if r.Build != "" {
			b.WriteString("=" + r.Build)
		}
	}
	if key, value, ok := strings.Cut(r.Digest, "="); ok {
		pair(key, value)
	}
	if pairs.Len() > 0 {
		b.WriteString("[" + pairs.String()[1:] + "]")
	}
	return b.String()
}
