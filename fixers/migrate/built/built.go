package built

import (
	"cmp"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/python"
	"github.com/amlfix/amlfix/schema/source"
)

// Kind is what a Thing is.
type Kind int

// The kinds of things. The Root of a Job has the keys of an SDK v1 run configuration, that of an Environment the keys
// of its environment; others have the names of SDK v1's parameters.
const (
	Job Kind = iota
	Environment
	Compute
	Data
	// Model is a registered model, with its file or folder.
	Model
	// Service is a web service. Its Root has the keys of an inference configuration, and those of a deployment
	// configuration below "deployment".
	Service
	// Pipeline is a pipeline. Its Root has the keys of a pipeline in YAML, without the enclosing "pipeline", and
	// additional keys of steps.
	Pipeline
	// Surroundings is what a step of a pipeline runs in. Its Root has the keys of a run configuration.
	Surroundings
	// Schedule starts the pipeline that it Uses.
	Schedule
	// AutoML is a job that tries models. Its Root has the parameters of AutoMLConfig.
	AutoML
)

// Thing is something that a program builds.
type Thing struct {
	Kind Kind
	// Of is the variable that holds it, or the class that creates it.
	Of string
	// At is where it is created.
	At source.Span
	// Root has its values; nodes with the tag Open are not literal.
	Root *document.Node
	// Uses is the environment of a job, or the pipeline of a schedule; nil if it has none or defines it itself.
	Uses *Thing
	// Code is the folder of a job's script, slash-separated and relative to where the program is started; "" for that
	// folder.
	Code string
	// Experiment is the experiment that a job or pipeline is submitted to, or "" if it is not known.
	Experiment string
	// ExperimentAt is what the program submits a job or pipeline to, if that is not known.
	ExperimentAt *document.Node
	// Alone means that the job of a sweep is also submitted without it, to the experiment AloneIn.
	Alone   bool
	AloneIn string
	// Steps maps the names of a pipeline's steps to their jobs or surroundings; a step that is missing has no run
	// configuration.
	Steps map[string]*Thing
	// Got says that the environment exists in the workspace.
	Got bool
	// InStep says that a step of a pipeline runs the job.
	InStep bool

	// Unread are, of the first thing of a program, the parts of the program that describe things but are not read.
	Unread []Unread

	object *object
	again  bool // it is another sweep of a job
	whole  map[*document.Node]bool
	likely map[source.Span]Likely
}

// Replaces reports whether the program assigns a mapping as a whole, so that nothing remains of the one before it.
func (th *Thing) Replaces(n *document.Node) bool { return th.whole[n] }

// Values returns the number of values in the tree.
func (th *Thing) Values() int { return values(th.Root) }

// Read returns what a program builds, in the order of the text. folder is where the program is in the project.
func Read(src *source.Source, folder string) (things []*Thing) {
	p, ok := open(src, folder)
	if !ok {
		return nil
	}
	b := &builder{program: p, uses: map[*document.Node]*Thing{}, whole: map[*document.Node]bool{}, passed: map[*document.Node]bool{}}
	for _, s := range p.all {
		b.find(s.Tokens)
	}
	for _, th := range b.pipelines {
		if b.pipeline(th); th.Root != nil {
			b.things = append(b.things, th)
		}
	}
	for _, th := range b.schedules {
		if b.schedule(th); th.Uses != nil {
			b.things = append(b.things, th)
		}
	}
	b.experiments()
	b.loose()
	for _, th := range b.things {
		th.whole, th.likely = b.whole, b.likely
	}
	slices.SortStableFunc(b.things, func(x, y *Thing) int { return cmp.Compare(x.At.Start, y.At.Start) })
	if len(b.things) > 0 {
		b.things[0].Unread = b.unread()
	}
	return b.things
}

// builder collects the things that a program builds.
type builder struct {
	*program
	things    []*Thing
	found     []*object // the steps of pipelines
	pipelines []*Thing
	schedules []*Thing
	included  int // steps of all pipelines
	// uses are the environments of jobs, by the jobs' roots.
	uses map[*document.Node]*Thing
	// whole are the mappings that are assigned as a whole.
	whole map[*document.Node]bool
	// passed are the data references that arguments add to those of a run configuration.
	passed map[*document.Node]bool
	called []*object // the calls in the text that create something
}

// find reads the calls in a statement that create something.
func (b *builder) find(t []python.Token) {
	for i := 0; i < len(t); i++ {
		if t[i].Kind != python.Name || i > 0 && t[i-1].Text == "." {
			continue
		}
		end := i
		for end+2 < len(t) && t[end+1].Text == "." && t[end+2].Kind == python.Name {
			end += 2
		}
		if end+1 >= len(t) || t[end+1].Text != "(" {
			i = end
			continue
		}
		if !b.known(t[i].Text) || !b.spend(len(t)-i) || len(b.things)+len(b.pipelines)+len(b.schedules) >= mostThings {
			i = end + 1
			continue
		}
		c, ok := python.CallAt(t, end+1)
		if !ok {
			return
		}
		if o := b.chain(t[i:c.End+1], 0); o != nil && o.base == nil {
			if target, begin := python.Assigned(t); begin == i && !strings.Contains(target, ".") {
				o.name = target
			}
			b.make(o)
			b.called = append(b.called, o)
		}
		i = end + 1 // the arguments are searched too
	}
}

// The maximum number of things that are read from a program, and of the steps in its pipelines; real ones build a few.
const (
	mostThings = 200
	mostSteps  = 1000
)

// known reports whether a name is one of the SDK's.
func (b *builder) known(name string) bool {
	return b.any || b.classes[name] != "" || b.modules[name]
}

// make returns the thing that an object becomes, cached; nil if it becomes none.
func (b *builder) make(o *object) *Thing {
	at := source.Span{Start: o.tokens[0].At, End: o.tokens[len(o.tokens)-1].End}
	if i := slices.IndexFunc(b.things, func(t *Thing) bool { return t.At == at && t.Kind != Surroundings }); i >= 0 {
		return b.things[i]
	}
	th := &Thing{Of: cmp.Or(o.name, o.class), At: at, object: o, Root: mapping(o.tokens)}
	switch {
	case o.class == "ScriptRunConfig" && o.method == "", isEstimator(o):
		b.job(th)
	case isSweep(o):
		b.sweep(o)
		return nil
	case o.class == "InferenceConfig" && o.method == "":
		b.service(th)
	case o.class == "AutoMLConfig" && o.method == "":
		b.automl(th)
	case isStep(o):
		b.found = append(b.found, o)
		return nil
	case o.class == "Pipeline" && o.method == "":
		b.pipelines = append(b.pipelines, th)
		return nil
	case o.class == "Schedule" && strings.HasPrefix(o.method, "create"):
		b.schedules = append(b.schedules, th)
		return nil
	case o.class == "Environment":
		b.environment(th)
	case o.class == "ComputeTarget" && o.method == "create":
		b.cluster(th)
	case o.class == "Model" && o.method == "register":
		b.registered(th)
	case strings.HasPrefix(o.class, "Dataset.") && strings.HasPrefix(o.method, "from_"):
		b.data(th)
	default:
		return nil
	}
	if th.Root == nil {
		return nil
	}
	b.things = append(b.things, th)
	return th
}

// key returns the node for a key that is not in the program's text.
func key(name string, at *document.Node) *document.Node {
	return document.NewScalar("!!str", name, source.Span{Start: at.Span.Start, End: at.Span.Start})
}

// put sets a value in a tree at a path of keys. An Open value is added next to them under its own name, so that no
// reader uses its text as the value.
func put(root *document.Node, path string, n *document.Node) {
	if n.Tag() == Open {
		add(root, key(path+NotLiteral, n), n)
		return
	}
	set(root, path, n)
}

// set is put for a value that is in its place although it may be Open.
func set(root *document.Node, path string, n *document.Node) {
	parts := strings.Split(path, ".")
	at := root
	for _, part := range parts[:len(parts)-1] {
		next := at.Get(part)
		if !next.IsMapping() {
			next = document.NewMapping(n.Span)
			next.Style = document.Flow
			add(at, key(part, n), next)
		}
		at = next
	}
	last := parts[len(parts)-1]
	if i := slices.IndexFunc(at.Entries(), func(e document.Entry) bool { return e.Key.Value == last }); i >= 0 {
		n.Parent = at
		at.Entries()[i].Value = n // set again: the last one counts
		return
	}
	add(at, key(last, n), n)
}

// put sets a value in the tree, unless it is absent.
func (b *builder) put(root *document.Node, path string, v value) {
	if !v.absent() {
		put(root, path, b.node(v))
	}
}

// take sets a value in the tree from an argument, if it is given; see given.
func (b *builder) take(root *document.Node, path string, c python.Call, name string, place int) {
	b.put(root, path, b.arg(c, name, place))
}

// attributes puts what the program assigns to an object's attributes into a tree, except those for which special
// returns true. If a statement may not run, the value becomes Open.
func (b *builder) attributes(root *document.Node, name string, at int, special func(path string, v value) bool) {
	if name == "" || b.lost[name] {
		return
	}
	for _, s := range b.during(plain.Both(b.attrs[name], b.updates(name)), name, at) {
		b.spend(len(root.Entries())) // put searches them
		b.read[s.tokens[0].At], b.read[s.at.Tokens[0].At] = true, true
		v := b.eval(s.tokens, 0)
		if b.mayNotRun(s.at, at) {
			v = value{tokens: s.tokens}
		}
		s.path = strings.TrimPrefix(strings.TrimPrefix(s.path, "_estimator_config."), "run_config.") // of what is submitted
		if special != nil && (s.path == "data_references" || special(s.path, v)) {
			continue
		}
		n := b.node(v)
		if s.key == nil && n.IsMapping() {
			b.whole[n] = true
		}
		var parts []string
		variable := false
		for part := range strings.SplitSeq(s.path, ".") {
			parts = append(parts, plain.CamelCase(part))
		}
		if s.key != nil {
			key := b.eval(s.key, 0).literal
			if key == nil || key.Tag() != "!!str" || strings.Contains(key.Value, ".") {
				n = b.node(value{tokens: s.tokens})
			} else {
				variable = parts[len(parts)-1] == "environmentVariables"
				parts = append(parts, key.Value)
			}
		}
		to, path := root, strings.Join(parts, ".")
		if inner, is := strings.CutPrefix(path, "environment."); is && b.uses[root] != nil {
			if to, path = b.uses[root].Root, inner; b.uses[root].Got && !strings.HasPrefix(inner, "environmentVariables") { // what it contains is not known
				to, path, n = root, "environment."+inner, b.node(value{tokens: s.tokens})
			}
		}
		if variable { // it is asked for, like those of a dictionary
			set(to, path, n)
		} else {
			put(to, path, n)
		}
	}
}

// experiments finds the experiments that jobs are submitted to.
func (b *builder) experiments() {
	submits, jobs := map[*Thing][]submit{}, []*Thing{}
	for _, s := range b.all {
		for i := range s.Tokens {
			t := s.Tokens
			if t[i].Text != "submit" || i+1 >= len(t) || t[i+1].Text != "(" || i < 2 || t[i-1].Text != "." {
				continue
			}
			if !b.spend(len(t) - i) {
				return
			}
			c, ok := python.CallAt(t, i+1)
			if !ok {
				continue
			}
			name, at := b.experiment(t[:i-1])
			v := b.arg(c, "config", 0)
			swept := v.object != nil && isSweep(v.object)
			if swept {
				v = b.sweeps(v.object)
			}
			if v.object == nil {
				b.oneOf(v, name)
				continue
			}
			for _, th := range b.things {
				o := v.object
				if th.Kind == Pipeline && o.base == nil && o.tokens[0].At == th.At.Start {
					b.submitted(th, c)
				}
				if !swept && th.Root.Get("sweep") != nil && o.base == nil && len(o.tokens) > 0 && o.tokens[0].At == th.At.Start {
					if !th.again {
						th.Alone, th.AloneIn = true, name
					}
					continue
				}
				if (th.Kind == Job || th.Kind == Pipeline || th.Kind == AutoML) && th.object.base == nil && len(o.tokens) > 0 && o.tokens[0].At == th.At.Start {
					th.Experiment, th.ExperimentAt = cmp.Or(name, th.Experiment), at
					tags := b.arg(c, "tags", 1)
					if th.Kind != Pipeline {
						b.put(th.Root, "tags", tags)
					}
					if th.Kind == Job && !s.Conditional() {
						if submits[th] == nil {
							jobs = append(jobs, th)
						}
						submits[th] = append(submits[th], submit{s, name, at, tags})
					}
				}
			}
		}
	}
	for _, th := range jobs {
		b.versions(th, submits[th])
	}
}

// experiment returns the name of the experiment that tokens end with, or what the program computes it from.
func (b *builder) experiment(t []python.Token) (name string, at *document.Node) {
	begin := len(t) - 1
	if t[begin].Text == ")" {
		depth := 0
		for ; begin >= 0; begin-- {
			if depth += python.Bracket(t[begin]); depth == 0 {
				break
			}
		}
		begin--
	}
	for begin > 1 && t[begin-1].Text == "." {
		begin -= 2
	}
	if begin < 0 {
		return "", nil
	}
	v := b.eval(t[begin:], 0)
	if o := v.object; o != nil && o.base == nil && o.class == "Experiment" {
		v = b.arg(o.call, "name", 1)
		if name = b.text(o.call, "name", 1); name != "" || v.absent() {
			return name, nil
		}
	}
	return "", b.node(value{tokens: v.tokens})
}
