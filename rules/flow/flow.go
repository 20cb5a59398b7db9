// Package flow determines how data flows through the jobs, components and pipelines of Azure ML v2: what each of them
// declares, and where its text refers to it. It reports no findings.
package flow

import (
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/binding"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/source"
)

// Body is a mapping whose text names inputs and outputs: a file's job or component, one that is defined inside a
// pipeline, or a child of a pipeline.
type Body struct {
	File *schema.File
	Node *document.Node
	// Key is the key that names a pipeline's child; nil for others.
	Key *document.Node
	// Declared reports whether inputs and outputs are declarations, as in a component, or values.
	Declared bool
	// Inputs, Outputs and Space are what the mapping itself lists; Space is a sweep's search space.
	Inputs, Outputs, Space Names
	// Parent is the pipeline that the mapping is a child of; nil for others.
	Parent *Body
	// Scheduled reports whether the mapping is what a schedule overrides in the job that it runs.
	Scheduled bool
	// Jobs are a pipeline's children, in file order.
	Jobs []*Body
	// Loops is the set of children that a loop of the pipeline runs, and may give inputs to.
	Loops map[string]bool
	// Runs is the component that a child runs, if it is in the project. Elsewhere reports that it is not, or that its
	// type does not declare its inputs and outputs.
	Runs      *Body
	Elsewhere bool
	// Registered reports whether Runs is the component that the workspace has under that name and version, as far as
	// the project's files show.
	Registered bool
	// Other is one of the project's components with the name that a child runs, if none has the version.
	Other *Body
	// Uses are the expressions in the mapping's own text, without those of children and components inside it.
	Uses []Use
	// Partial reports whether some of the text is elsewhere or filled in later, so that a name not used here may be
	// used there.
	Partial bool

	children map[string]*Body // by name
}

// Use is an expression in a file.
type Use struct {
	binding.Expression
	// At is its span in the file.
	At source.Span
	// Node is the scalar that holds it.
	Node *document.Node
	// Place is the kind of place that the scalar is in.
	Place Place
	// To is the input or output that the scalar belongs to, or "".
	To string
	// Whole reports whether the expression is the whole scalar.
	Whole bool
}

// Place is the kind of place that an expression is in.
type Place uint8

// The places: a command line, inputs and outputs, and everything else.
const (
	Other Place = iota
	Command
	Data
)

// Names are the keys of a mapping that declares inputs or outputs.
type Names struct {
	// Node is the mapping; nil if there is none.
	Node *document.Node
	// Known reports whether the names are literal and not a template.
	Known bool
}

// Has reports whether the mapping has the name.
func (n Names) Has(name string) bool { return n.Node.Has(name) }

// List returns the names in the mapping itself, in file order, or nil if there are more than most.
func (n Names) List(most int) (names []string) {
	at := n.Node.Resolve()
	if at == nil || len(at.Entries()) > most {
		return nil
	}
	for _, e := range at.Own() {
		names = append(names, e.Key.Value)
	}
	return names
}

// Read returns the jobs and components of all files of a project, including those defined inside others, each after the
// one that contains it.
func Read(project *schema.Project) []*Body {
	r := &reader{project: project, files: map[*schema.File]*Body{}}
	for _, f := range project.Files {
		if f.V2 == "" || f.Broken() || !f.Stream.Exact || len(f.Stream.Documents) != 1 {
			continue
		}
		switch root := f.Root().Resolve(); f.V2 {
		case "job", "component":
			r.files[f] = r.body(f, root, f.V2 == "component")
		case "schedule":
			r.scheduled(f, root.Get("create_job"))
		case "batch-deployment", "pipeline-component-batch-deployment":
			if inline := root.Get("component"); inline != nil && inline.Kind == document.Mapping {
				r.body(f, inline, true)
			}
		default: // the others run nothing
		}
	}
	if len(r.named) > 0 {
		r.resolve()
	}
	return r.all
}

// Component returns the field that says what a child or a schedule runs.
func (b *Body) Component() schema.Field {
	if b.Scheduled {
		return schema.FieldAt(b.File, b.Node, "job")
	}
	if at := schema.FieldAt(b.File, b.Node, "component"); at.Explicit {
		return at
	}
	return schema.FieldAt(b.File, b.Node, "trial")
}

// Takes reports whether a child has an input of its own or from what it runs; known is false if that cannot be
// determined.
func (b *Body) Takes(name string) (has, known bool) {
	if b.Inputs.Has(name) || b.Runs != nil && (b.Space.Has(name) || b.Runs.Inputs.Has(name)) {
		return true, true
	}
	return false, b.Inputs.Known && !b.Elsewhere && (b.Runs == nil || b.Runs.Inputs.Known)
}

// Gives is like Takes, for an output.
func (b *Body) Gives(name string) (has, known bool) {
	if b.Outputs.Has(name) || b.Runs != nil && b.Runs.Outputs.Has(name) || b.IsAutoML() && name == BestModel {
		return true, true
	}
	return false, b.Outputs.Known && (b.IsAutoML() || !b.Elsewhere) && (b.Runs == nil || b.Runs.Outputs.Known)
}

// BestModel is the output that an AutoML job has without listing it.
const BestModel = "best_model"

// IsAutoML reports whether a child is an AutoML job, which runs no component.
func (b *Body) IsAutoML() bool {
	return b.Runs == nil && strings.EqualFold(b.Node.Get("type").Text(), "automl")
}

// Child returns the child with that name, or nil.
func (b *Body) Child(name string) *Body { return b.children[name] }

// IsPipeline reports whether the mapping lists jobs.
func (b *Body) IsPipeline() bool { return b.Node.Get("jobs").IsMapping() }
