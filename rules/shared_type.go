package rules

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/amlfix/amlfix/rules/flow"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/template"
)

// typeWords describes what an input of a type accepts.
func typeWords() map[string]string {
	return map[string]string{
		"string": "text", "number": "a number", "integer": "a whole number", "boolean": "true or false",
		"uri_file": "a file", "uri_folder": "a folder", "mltable": "a table", "mlflow_model": "a model", "custom_model": "a model", "triton_model": "a model", "path": "data",
	}
}

// taken says what an input accepts, for messages.
func taken(t string) string { return typeWords()[t] + " (type " + t + ")" }

// mismatch reports whether a value of type given is wrong for an input of type want, and how severe that is. Models and
// tables are folders, and a folder may hold one; a custom model may be anything. Azure publishes components that accept
// a folder as a table.
func mismatch(given, want string) (severity finding.Severity, bad bool) {
	loose := []string{"custom_model", "path", "uri_folder", ""}
	switch {
	case given == want, given == "" || want == "", want == "string" && flow.IsValue(given), given == "integer" && want == "number":
		return 0, false
	case flow.IsValue(given) || flow.IsValue(want):
		return finding.Warning, true
	case given == "uri_file" || want == "uri_file":
		return finding.Warning, !slices.Contains(loose[:2], given) && !slices.Contains(loose[:2], want)
	case given == "uri_folder" && want == "mltable":
		return finding.Info, true
	}
	return finding.Warning, !slices.Contains(loose, given) && !slices.Contains(loose, want)
}

// scalar is a value as the Azure ML client reads it and as it sends it.
type scalar struct {
	text string
	kind document.ReadingType
}

// scalarOf reads a value; ok is false if it is not a scalar or is filled in later.
func scalarOf(n *document.Node) (s scalar, ok bool) {
	if n = n.Resolve(); n.IsNull() || n.Kind != document.Scalar || strings.Contains(n.Value, "${{") || template.In(n.Value) {
		return scalar{}, false
	}
	if n.Style == document.Plain && n.Properties == n.Span.Start {
		r := document.PyYAML.Read(n.Value)
		return scalar{r.Text, r.Type}, r.Type != document.AsDateTime && r.Type != document.AsNull
	}
	return scalar{n.Value, document.AsText}, true
}

// number returns the number that Python's float returns for a value.
func (s scalar) number() (value float64, ok bool) {
	text := strings.TrimSpace(s.text)
	value, err := strconv.ParseFloat(text, 64)
	return value, (err == nil || errors.Is(err, strconv.ErrRange)) && !strings.ContainsAny(text, "xXpP")
}

// isDate reports whether Python reads a value as a date.
func isDate(n *document.Node) bool {
	if n = n.Resolve(); n == nil || n.Kind != document.Scalar || n.Style != document.Plain || len(n.Value) != len(time.DateOnly) {
		return false
	}
	_, err := time.Parse(time.DateOnly, n.Value)
	return err == nil && n.Properties == n.Span.Start
}

// is reports whether a value can be read as a type.
func (s scalar) is(t string) bool {
	value, number := s.number()
	switch t {
	case "integer":
		return number && value == float64(int64(value))
	case "number":
		return number
	case "boolean":
		return strings.EqualFold(s.text, "true") || strings.EqualFold(s.text, "false")
	}
	return true
}

// asDefault reports whether the Azure ML client accepts a value as the default of a type: it truncates numbers to
// integers, converts true and false to numbers, and ignores infinity.
func (s scalar) asDefault(t string) bool {
	value, number := s.number()
	finite := !math.IsInf(value, 0) && !math.IsNaN(value)
	switch {
	case number && !finite && s.kind == document.AsFloat:
		return true
	case t == "integer":
		return number && finite || s.kind == document.AsBoolean
	case t == "number":
		return number || s.kind == document.AsBoolean
	}
	return s.is(t)
}

// outside says how a value violates the bounds of a declared input, or returns "".
func (s scalar) outside(declared *document.Node) string {
	value, number := s.number()
	if low, ok := scalarOf(declared.Get("min")); ok && number {
		if least, ok := low.number(); ok && value < least {
			return "is less than its min " + brief(low.text)
		}
	}
	if high, ok := scalarOf(declared.Get("max")); ok && number {
		if most, ok := high.number(); ok && value > most {
			return "is more than its max " + brief(high.text)
		}
	}
	return s.unlisted(declared.Get("enum").List())
}

// unlisted says that a value is not one that an input accepts, or returns "".
func (s scalar) unlisted(list []*document.Node) string {
	if len(list) == 0 || len(list) > mostNames {
		return ""
	}
	var names []string
	for _, item := range list {
		one, ok := scalarOf(item)
		if !ok || one.text == s.text || item.Text() == s.text {
			return ""
		}
		names = append(names, one.text)
	}
	return "is not one of its values: " + brief(strings.Join(names, ", "))
}

// giver says where a child gets a value or data from.
func giver(b *flow.Body, given flow.Port) string {
	switch given.From {
	case nil:
		return "this"
	case b.Parent:
		return fmt.Sprintf("the pipeline's input %q", brief(given.Name))
	}
	return fmt.Sprintf("the output %q of %q", brief(given.Name), brief(given.From.Key.Value))
}
