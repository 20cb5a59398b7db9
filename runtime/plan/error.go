package plan

import (
	"fmt"

	"github.com/amlfix/amlfix/schema"
)

// Error reports that a run cannot be planned. Its text starts with the position.
type Error struct {
	Origin Origin
	Text   string
	Usage  bool // the command line lacks something: exit code 2 rather than 125
}

func (e *Error) Error() string {
	if e.Origin.Path == "" {
		return e.Text
	}
	return e.Origin.String() + ": " + e.Text
}

// PlacedError is an error about a line of the project's files.
type PlacedError struct {
	Origin Origin
	Err    error
}

func (e *PlacedError) Error() string { return e.Origin.String() + ": " + e.Err.Error() }

func (e *PlacedError) Unwrap() error { return e.Err }

// NotSupportedError reports that this version cannot run jobs on a target of this type.
type NotSupportedError struct {
	Target string
	Origin Origin
	What   string // the target in words
	Advice string // what can be done
}

func (e *NotSupportedError) Error() string {
	text := fmt.Sprintf("target %s is %s: %s", e.Target, e.What, e.Advice)
	if e.Origin.Path != "" {
		text = e.Origin.String() + ": " + text
	}
	return text
}

func notSupported(t *schema.Target, o Origin) *NotSupportedError {
	e := &NotSupportedError{Target: t.Name, Origin: o}
	switch {
	case t.Dialect == schema.SDKv1 && t.Name == "local":
		e.What = "this machine, with a conda environment that Azure ML would build"
		e.Advice = "set userManagedDependencies to true to use your own Python, or enable docker to run in the image"
	case t.Dialect == schema.SDKv1:
		e.What = "a compute of the Azure ML cloud service, whose SDK v1 is no longer supported"
		e.Advice = "rewrite it with `amlfix migrate --to v2` and run the new job file, or set target to local"
	case t.Type.Text == "":
		e.What = "without a type"
		e.Advice = "add a type to " + t.Name + ".compute, for example localdocker"
	default:
		e.What = fmt.Sprintf("of the unknown type %q", t.Type.Text)
		e.Advice = "give it the type local or localdocker"
	}
	return e
}
