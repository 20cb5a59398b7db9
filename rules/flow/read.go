package flow

import (
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/binding"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/format"
	"github.com/amlfix/amlfix/schema/reference"
	"github.com/amlfix/amlfix/schema/source"
	"github.com/amlfix/amlfix/schema/template"
)

// reader gathers what Read returns.
type reader struct {
	project *schema.Project
	all     []*Body
	files   map[*schema.File]*Body
	named   []*Body // children that name a file or an asset
}

// resolve sets what children run that name a file by its path, or a component by its name and version, or its latest
// one, as a workspace would in which the files are registered.
func (r *reader) resolve() {
	for _, child := range r.named {
		at := child.Component()
		file := r.project.Linked("component", at)
		switch ref := reference.Parse(at.Text); {
		case ref.Kind == reference.Path:
			child.Runs = r.files[file]
		case child.Scheduled || !ref.Inside() || ref.Version == "" && ref.Label != "latest":
		case file != nil && (ref.Version == "" || file.Root().Get("version").Text() == ref.Version):
			child.Runs = r.files[file]
			child.Registered = child.Runs != nil
		case ref.Version != "":
			child.Other = r.other(ref)
		}
		child.Elsewhere = child.Runs == nil
	}
}

// other returns a component with the name of a reference, if none has its version.
func (r *reader) other(ref reference.Reference) *Body {
	if len(r.project.Versioned("component", ref.Name, ref.Version)) > 0 {
		return nil // two candidates: which one was registered is not known
	}
	for _, f := range r.project.Named("component", ref.Name) {
		if b := r.files[f]; b != nil {
			return b
		}
	}
	return nil
}

// body reads a job or a component.
func (r *reader) body(f *schema.File, n *document.Node, declared bool) *Body {
	b := &Body{File: f, Node: n, Declared: declared,
		Inputs: names(n.Get("inputs")), Outputs: names(n.Get("outputs")), Space: names(n.Get("search_space"))}
	r.all = append(r.all, b)
	if component := n.Get("component"); !declared && !component.IsNull() && !b.IsPipeline() {
		b.Elsewhere, b.Partial = true, true // a job that only names what it runs
		if component.IsString() {
			r.named = append(r.named, b)
		}
	}
	r.read(b)
	return b
}

// scheduled reads what a schedule overrides in the job that it runs.
func (r *reader) scheduled(f *schema.File, n *document.Node) {
	if n == nil || n.Kind != document.Mapping || !n.Get("job").IsString() {
		return
	}
	b := &Body{File: f, Node: n, Scheduled: true, Inputs: names(n.Get("inputs")), Outputs: names(n.Get("outputs"))}
	r.all, r.named = append(r.all, b), append(r.named, b)
}

// child reads a child of a pipeline.
func (r *reader) child(parent *Body, key, n *document.Node) {
	b := &Body{File: parent.File, Node: n, Key: key, Parent: parent,
		Inputs: names(n.Get("inputs")), Outputs: names(n.Get("outputs")), Space: names(n.Get("search_space"))}
	parent.Jobs = append(parent.Jobs, b)
	if parent.children == nil {
		parent.children, parent.Loops = map[string]*Body{}, map[string]bool{}
	}
	parent.children[key.Value] = b
	for _, e := range binding.Parse(n.Get("body").Text()) {
		parent.Loops[strings.TrimPrefix(e.Name, "parent.jobs.")] = true
	}
	r.all = append(r.all, b)
	switch runs := b.Component().Node; {
	case runs != nil && (runs.Kind == document.Alias || runs.Parent != n || format.Wraps(runs)): // it may contain this very child
		b.Elsewhere, b.Partial = true, true
	case runs.IsMapping() && (n.Get("component") != nil || runs.Get("inputs") != nil):
		b.Runs = r.body(b.File, runs, true)
	case runs.IsString():
		r.named = append(r.named, b)
	case !slices.Contains(plainTypes, strings.ToLower(n.Get("type").Text())):
		b.Elsewhere = true
	}
	r.read(b)
}

// plainTypes are the types of children that list all their inputs and outputs.
var plainTypes = []string{"", "command", "spark", "parallel", "sweep", "pipeline"}

// read walks the text of a body and its children.
func (r *reader) read(b *Body) {
	lost := !b.IsPipeline() && strings.EqualFold(b.Node.Get("type").Text(), "pipeline") // its jobs are not where they belong
	for _, e := range b.Node.Own() {
		switch key := e.Key.Value; {
		case lost && key != "inputs" && key != "outputs":
			b.Partial = true
		case key == "jobs" && b.IsPipeline():
			if e.Value.Kind == document.Alias {
				b.Partial = true
				continue
			}
			for _, job := range e.Value.Own() {
				if job.Value.Kind == document.Mapping {
					r.child(b, job.Key, job.Value)
				} else {
					b.Partial = true
				}
			}
		case b.Runs != nil && b.Runs.Node == e.Value, slices.Contains(prose, key):
		case key == "inputs", key == "outputs":
			b.data(e.Value)
		case key == "command", key == "args":
			b.walk(e.Value, Command, "")
		default:
			b.walk(e.Value, Other, "")
		}
	}
	if b.Node.Merges() {
		b.Partial = true
	}
}

// prose are the keys whose text is for people.
var prose = []string{"$schema", "description", "display_name", "tags", "properties", "comment", "name", "experiment_name"}

// data records the expressions in inputs or outputs, where all keys are names.
func (b *Body) data(n *document.Node) {
	if n.Kind != document.Mapping {
		b.walk(n, Data, "")
		return
	}
	b.Partial = b.Partial || n.Merges()
	for _, e := range n.Own() {
		b.walk(e.Value, Data, e.Key.Value)
	}
}

// walk records the expressions below a node, which belongs to the input or output named to.
func (b *Body) walk(n *document.Node, place Place, to string) {
	switch n.Kind {
	case document.Alias:
		b.Partial = true
	case document.Mapping:
		if name := unmarked(n); name != "" && b.declares(name) {
			b.Uses = append(b.Uses, Use{Expression: binding.Expression{Name: name, Broken: true, Bare: true}, At: n.Span, Node: n, Place: place, To: to, Whole: true})
			return
		}
		b.Partial = b.Partial || n.Merges()
		for _, e := range n.Own() {
			switch key := e.Key.Value; {
			case slices.Contains(prose, key):
			case place == Other && (key == "program_arguments" || key == "command"):
				b.walk(e.Value, Command, to)
			default:
				b.walk(e.Value, place, to)
			}
		}
	case document.Sequence:
		for _, item := range n.Items() {
			b.walk(item, place, to)
		}
	case document.Scalar:
		b.scan(n, place, to)
	}
}

// scan records the expressions in a scalar's source text: expressions contain nothing that YAML would escape.
func (b *Body) scan(n *document.Node, place Place, to string) {
	unread := place != Other && strings.ContainsAny(n.Value, "{($")
	if b.bare(n, place) && b.declares(n.Value) {
		at := n.Span
		if place == Other { // data in quotes may be a text
			at = n.Inner()
		}
		if string(b.File.Source.Slice(at)) == n.Value {
			b.Uses = append(b.Uses, Use{Expression: binding.Expression{Name: n.Value, Broken: true, Bare: true}, At: at, Node: n, Place: place, To: to, Whole: true})
			return
		}
	}
	if !n.IsString() || !unread && !strings.Contains(n.Value, "$") {
		b.Partial = b.Partial || template.In(n.Value)
		return
	}
	span := n.Span
	if n.Style == document.Literal || n.Style == document.Folded {
		span.Start = b.File.Source.Line(b.File.Source.LineAt(span.Start)).End // a comment may be there
	}
	if span.End < span.Start {
		return
	}
	text := string(b.File.Source.Slice(span))
	list := binding.Parse(text)
	if unread {
		for _, e := range binding.Unread(text) {
			if b.declares(e.Name) && (place == Command || e.Span.Len() == len(strings.TrimSpace(n.Value))) {
				list = append(list, e) // it is not the text of another program
			}
		}
	}
	for _, e := range list {
		if template.In(e.Name) {
			b.Partial = true
			continue
		}
		at := source.Span{Start: span.Start + e.Span.Start, End: span.Start + e.Span.End}
		b.Uses = append(b.Uses, Use{Expression: e, At: at, Node: n, Place: place, To: to, Whole: at.Len() == len(n.Value)})
	}
	b.Partial = b.Partial || template.In(n.Value)
}

// unmarked returns the name in an expression without $ and quotes, which YAML reads as a mapping, or as one whose key
// is another; "" for other values.
func unmarked(n *document.Node) string {
	for n.Kind == document.Mapping && n.Style == document.Flow && len(n.Entries()) == 1 && n.Entries()[0].Value.IsNull() {
		if n = n.Entries()[0].Key; n.Kind == document.Scalar {
			return n.Value
		}
	}
	return ""
}

// bare reports whether a scalar is a name as in an expression, without even braces, where only an expression makes
// sense: as the value of an input, or as what a parallel job reads or writes.
func (b *Body) bare(n *document.Node, place Place) bool {
	switch {
	case place == Data && strings.HasPrefix(n.Value, "parent."):
		_, _, ok := binding.Parent(n.Value)
		return ok
	case place == Other && strings.HasPrefix(n.Value, "inputs."):
		return n.Parent.Get("input_data") == n
	case place == Other && strings.HasPrefix(n.Value, "outputs."):
		return n.Parent.Get("append_row_to") == n
	}
	return false
}

// declares reports whether a name such as inputs.data is one of the body's own, or of its pipeline's.
func (b *Body) declares(name string) bool {
	root, name, _ := strings.Cut(name, ".")
	if root == "parent" && b.Parent != nil {
		step, _, _ := strings.Cut(strings.TrimPrefix(name, "jobs."), ".")
		return b.Parent.declares(name) || name != step && b.Parent.Node.Get("jobs").Get(step) != nil
	}
	return map[string]Names{"inputs": b.Inputs, "outputs": b.Outputs, "search_space": b.Space}[root].Has(name)
}

// names returns the names in a mapping of inputs or outputs.
func names(n *document.Node) Names {
	n = n.Resolve()
	switch {
	case n.IsNull():
		return Names{Known: true}
	case !n.IsMapping() || template.In(n.Text()):
		return Names{}
	}
	for _, e := range n.Entries() {
		if e.Key.Kind != document.Scalar || template.In(e.Key.Value) {
			return Names{Node: n}
		}
	}
	return Names{Node: n, Known: true}
}
