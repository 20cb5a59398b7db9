package schema

import "github.com/amlfix/amlfix/schema/document"

// V2Data is an input or an output of a v2 job: what the job gives, what the component that it runs declares, or both. A
// field without a File is absent.
type V2Data struct {
	Name string
	// Given is the job's own entry, a value or a mapping; Declared that of the component that it runs.
	Given, Declared Field
}

// Inputs returns the inputs of a v2 job, beginning with those that it gives itself.
func (j *Job) Inputs() []V2Data { return j.data("inputs") }

// Outputs returns its outputs, likewise.
func (j *Job) Outputs() []V2Data { return j.data("outputs") }

func (j *Job) data(key string) (list []V2Data) {
	at := map[string]int{}
	for own := j; own != nil; own = own.Runs {
		mapping := own.Node.Get(key).Resolve()
		if !mapping.IsMapping() {
			continue
		}
		for _, e := range mapping.Entries() {
			name := e.Key.Value
			i, known := at[name]
			if !known {
				i, at[name] = len(list), len(list)
				list = append(list, V2Data{Name: name})
			}
			f := Field{File: own.File, mapping: mapping}
			f.fill(e)
			switch {
			case own == j:
				list[i].Given = f
			case list[i].Declared.File == nil:
				list[i].Declared = f
			}
		}
	}
	return list
}

// Value returns the field that says what an input is: a literal, or where the data is. It is not explicit if neither is
// given.
func (d V2Data) Value() Field {
	if d.Given.Explicit && !d.Given.Node.IsMapping() {
		return d.Given
	}
	for _, f := range []Field{d.Given, d.Declared} {
		for _, key := range []string{"path", "value", "default"} {
			if at := FieldAt(f.File, f.Node, key); at.Explicit {
				return at
			}
		}
	}
	return Field{File: d.At().File}
}

// At returns the field where the input or output is written.
func (d V2Data) At() Field {
	if d.Given.File != nil {
		return d.Given
	}
	return d.Declared
}

// Type returns the type of the input or output, such as "uri_folder", or "".
func (d V2Data) Type() string {
	for _, f := range []Field{d.Declared, d.Given} {
		if t := lower(f.Node.Get("type")); t != "" {
			return t
		}
	}
	return ""
}

// Optional reports whether the job can run without the input.
func (d V2Data) Optional() bool {
	return lower(d.Declared.Node.Get("optional")) == "true" || lower(d.Given.Node.Get("optional")) == "true"
}

// Literal returns a value as Azure ML writes it into a command. Its client reads a plain scalar as PyYAML does, and
// prints what it has read: yes as True, 010 as 8.
func (f Field) Literal() string {
	n := f.Node.Resolve()
	if n == nil || n.Kind != document.Scalar || n.Style != document.Plain || n.Properties != n.Span.Start && n.Anchor() == "" {
		return f.Text // not a scalar, in quotes, or with a tag
	}
	switch r := document.PyYAML.Read(n.Value); r.Type {
	case document.AsBoolean, document.AsInteger, document.AsFloat:
		return r.Text
	default:
		return f.Text
	}
}
