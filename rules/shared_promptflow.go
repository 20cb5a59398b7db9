package rules

import (
	"path"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/template"
)

// promptFlow is a prompt flow in a file flow.dag.yaml: nodes that refer to the flow's inputs and to each other, with
// single braces. What is rejected, and where names are resolved, was read in the sources of promptflow-core 1.18:
// contracts/flow.py and executor/flow_validator.py.
type promptFlow struct {
	file *schema.File
	root *document.Node
	// nodes are the names of the nodes in file order, and has is the same as a set; complete reports whether all names
	// are known.
	nodes    []string
	has      map[string]bool
	complete bool
	// references are the values that nodes and outputs receive; sources are the files that nodes run, relative to the
	// flow's folder.
	references []flowReference
	sources    []schema.Field
	// spare are the sources of variants that run only if somebody asks for them.
	spare map[*document.Node]bool
}

// flowReference is one value ${…} of a flow.
type flowReference struct {
	schema.Field
	// node is the node that receives the value, or "" for an output of the flow.
	node string
	// name is the text in the braces; wrong is what is wrong with them.
	name  string
	wrong bracesFault
}

// bracesFault is what is wrong with the braces of a value.
type bracesFault uint8

// The faults: braces that are doubled, spaces inside of them, and a sign or a brace that is missing.
const (
	noFault bracesFault = iota
	doubledBraces
	spacedBraces
	lostBraces
)

// promptFlows returns the flows of a project, read once.
func (p *Pass) promptFlows() []*promptFlow {
	if p.shared.flows != nil {
		return *p.shared.flows
	}
	var flows []*promptFlow
	for _, f := range p.shared.v2 {
		if root := f.Root().Resolve(); f.V2 == "flow" && len(f.Stream.Documents) == 1 && root.Get("nodes").Resolve().IsSequence() && isDag(f, root) {
			flows = append(flows, readFlow(f, root))
		}
	}
	p.shared.flows = &flows
	return flows
}

// isDag reports whether a file is a flow, by its name or schema. An experiment has nodes too, but their values mean
// something else.
func isDag(f *schema.File, root *document.Node) bool {
	address := strings.ToLower(root.Get("$schema").Text())
	return strings.HasSuffix(address, "/flow.schema.json") || address == "" && strings.HasPrefix(strings.ToLower(path.Base(f.Rel)), "flow.dag.")
}

func readFlow(f *schema.File, root *document.Node) *promptFlow {
	flow := &promptFlow{file: f, root: root, has: map[string]bool{}, spare: map[*document.Node]bool{}, complete: !root.Merges()}
	for _, n := range root.Get("nodes").List() {
		n = n.Resolve()
		name := n.Get("name").Text()
		if name == "" || template.In(name) || n.Merges() {
			flow.complete = false
			continue
		}
		flow.nodes = append(flow.nodes, name)
		flow.has[name] = true
		if strings.EqualFold(n.Get("use_variants").Text(), "true") {
			variants := root.Get("node_variants").Get(name)
			for _, v := range variants.Get("variants").Own() {
				from := len(flow.sources)
				flow.node(name, v.Value.Get("node").Resolve())
				for _, at := range flow.sources[from:] {
					flow.spare[at.Node] = v.Key.Value != variants.Get("default_variant_id").Text()
				}
			}
			continue
		}
		flow.node(name, n)
	}
	for _, e := range root.Get("outputs").Own() {
		flow.refer("", e.Value.Resolve(), "reference")
	}
	return flow
}

// node records the values that a node, or one of its variants, receives, and what it runs.
func (flow *promptFlow) node(name string, n *document.Node) {
	inputs := n.Get("inputs").Resolve()
	for _, e := range inputs.Own() {
		flow.refer(name, inputs, e.Key.Value)
	}
	flow.refer(name, n.Get("activate").Resolve(), "when")
	source := n.Get("source").Resolve()
	at := schema.FieldAt(flow.file, source, "path")
	if at.Node.IsString() && at.Text != "" && slices.Contains([]string{"", "code", "package_with_prompt"}, source.Get("type").Text()) &&
		!template.In(at.Text) && !strings.Contains(at.Text, "$") && !absolute(schema.Slashes(at.Text)) {
		flow.sources = append(flow.sources, at)
	}
}

// refer records a value if it is a single expression, or would be one with all signs. Expressions inside longer text or
// lists are not resolved.
func (flow *promptFlow) refer(node string, n *document.Node, key string) {
	at := schema.FieldAt(flow.file, n, key)
	if !at.Node.IsString() {
		return
	}
	name, ok := strings.CutSuffix(strings.TrimPrefix(at.Text, "${"), "}")
	if !ok || !strings.HasPrefix(at.Text, "${") {
		if name := strings.Trim(at.Text, "${}"); lostBrace.Get().MatchString(at.Text) && (name != at.Text || node == "") {
			flow.references = append(flow.references, flowReference{Field: at, node: node, name: name, wrong: lostBraces})
		}
		return
	}
	r := flowReference{Field: at, node: node}
	inner, double := strings.CutPrefix(name, "{")
	if double {
		if inner, double = strings.CutSuffix(inner, "}"); double {
			r.wrong = doubledBraces
		}
	}
	r.name = strings.TrimSpace(inner)
	if r.name == "" || strings.ContainsAny(r.name, "{}$ ") || strings.ToUpper(r.name) == r.name {
		return // several expressions, or a variable that a program fills in
	}
	if r.wrong == noFault && r.name != inner {
		r.wrong = spacedBraces
	}
	flow.references = append(flow.references, r)
}

// lostBrace matches a name with at most some of the signs of an expression.
var lostBrace = plain.Regexp{Text: `^\$?\{?[A-Za-z_]\w*\.[A-Za-z_][\w.]*\}?$`}

// input returns the flow input that the reference names; ok is false if it names a node.
func (r flowReference) input() (name string, ok bool) {
	for _, prefix := range []string{"inputs.", "flow."} { // the second is an older form
		if name, ok = strings.CutPrefix(r.name, prefix); ok {
			return name, true
		}
	}
	return "", false
}

// of returns the node that the reference names.
func (r flowReference) of() string {
	node, _, _ := strings.Cut(r.name, ".")
	return node
}

// instead returns the fix that replaces the name in the braces.
func (r flowReference) instead(name string) *finding.Fix {
	return r.Fix(finding.Text("${"+name+"}"), finding.Safe, "write ${"+shown(name)+"}")
}
