package format

import (
	"fmt"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/format/literal"
	"github.com/amlfix/amlfix/schema/source"
)

// emptyRoot reports a document without content.
func (v *validation) emptyRoot() {
	span := v.src.Line(1)
	if v.root != nil && v.root.Span.Len() > 0 {
		span = v.root.Span
	}
	v.report(RuleType, finding.Error, span,
		fmt.Sprintf("the file is empty, but %s has keys and values: write them, or remove the file", v.container(&place{})))
}

// wrongRoot reports a document that is a list or a single value.
func (v *validation) wrongRoot() {
	span := v.src.Line(v.src.LineAt(v.root.Span.Start))
	span.Start = v.root.Span.Start
	span.End = max(min(span.End, v.root.Span.End), span.Start)
	how := `write lines of the form "key: value"`
	switch {
	case v.kind.v2() && v.root.Style == document.Flow && v.root.Kind == document.Sequence:
		how = "remove the brackets around them"
	case v.kind.v2() && v.root.Kind == document.Sequence:
		how = "remove the dashes, and the spaces in front of its keys"
	case v.kind == Conda: // most likely a requirements file
		how += `, such as "dependencies:" with a list, and items for pip in a list under "- pip:"`
	}
	v.report(RuleType, finding.Error, span,
		fmt.Sprintf("the file contains %s, but %s has keys and values: %s", readAs(v.root), v.container(&place{}), how))
}

// jsonRoot reports, as a note, a Workbench run configuration in the JSON form of the pre-release.
func (v *validation) jsonRoot() {
	if v.root.Style != document.Flow || len(v.root.Entries()) == 0 || v.root.Entries()[0].Key.Style != document.DoubleQuoted {
		return
	}
	at := v.root.Span.Start
	v.report(RuleDeprecated, finding.Info, source.Span{Start: at, End: at + 1},
		"this run configuration is JSON, the form of the 2017 pre-release; later versions write YAML")
}

// deprecated reports, as a note, an obsolete key or a value with a newer spelling.
func (v *validation) deprecated(s *literal.Schema, key, value *document.Node) {
	a := annotationOf(s)
	if a.Deprecated != "" {
		span := value.Span
		switch {
		case key != nil:
			span = key.Span
		case value.Kind == document.Mapping:
			span = firstKey(value)
		}
		v.report(RuleDeprecated, finding.Info, span, a.Deprecated)
	}
	if len(a.DeprecatedValues) == 0 {
		return
	}
	if better := a.DeprecatedValues[value.Text()]; better != "" {
		v.report(RuleDeprecated, finding.Info, spanOf(key, value), better)
	}
}
