package rules

import (
	"iter"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/rules/flow"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/shell"
)

// training is a v2 job or component with an environment that the project defines.
type training struct {
	body *flow.Body
	// node is the mapping with the command and the environment: the body's own, a sweep's trial or a parallel job's
	// task.
	node *document.Node
	// at is the field that names or defines the environment.
	at          schema.Field
	environment *schema.V2Environment
}

// parallel reports whether it is a parallel job, whose driver itself needs packages of SDK v1.
func (t training) parallel() bool { return parallel(t.body) }

func parallel(b *flow.Body) bool { return strings.EqualFold(b.Node.Get("type").Text(), "parallel") }

// installed records where the environments of a project are defined and used.
type installed struct {
	trainings []training
	// trained, users and served have, for each conda environment, the trainings in it, the v2 environments that it is
	// part of, and whether a deployment uses one of those.
	trained map[*schema.Environment][]training
	users   map[*schema.Environment][]*schema.V2Environment
	served  map[*schema.Environment]bool
	// deployed are the deployments whose environment the project defines.
	deployed []deployed
	// named maps the names that environment files register to the environments.
	named map[string][]*schema.V2Environment
	nodes map[*document.Node]*schema.V2Environment
	// imports caches whether a script imports a module.
	imports map[imported]bool
}

// deployed is a deployment, and the field that names or defines its environment.
type deployed struct {
	root        *document.Node
	at          schema.Field
	environment *schema.V2Environment
}

// imported is the path of a script and the name of a Python module.
type imported struct{ script, module string }

// pythonScripts yields the Python scripts that a body certainly runs and that were found, with their paths.
func (p *Pass) pythonScripts(b *flow.Body) iter.Seq2[*script, string] {
	return func(yield func(*script, string) bool) {
		for i := range p.shared.scripts {
			s := &p.shared.scripts[i]
			if s.body != b || s.Language != shell.Python || !s.Certain || s.Made {
				continue
			}
			if rel, there := s.find(p.Project); there && !yield(s, rel) {
				return
			}
		}
	}
}

// importing returns the script of a job that imports a module, or "" if none certainly does.
func importing(p *Pass, t training, module string) string {
	for s, rel := range p.pythonScripts(t.body) {
		known, key := p.installed().imports, imported{rel, module}
		if _, ok := known[key]; !ok {
			known[key] = p.Project.Imports(rel, module)
		}
		if known[key] {
			return s.Name
		}
	}
	return ""
}

// installed returns the record for the pass's project, which is made once.
//
//go:noinline
func (p *Pass) installed() *installed {
	if p.shared.installed == nil {
		p.shared.installed = readInstalled(p)
	}
	return p.shared.installed
}

// isBuilt reports whether Azure ML builds an image with an environment today, because a v2 environment names its file
// or a Dockerfile installs it.
func (p *Pass) isBuilt(e *schema.Environment) bool {
	return e.Built() || len(p.installed().users[e]) > 0
}

func readInstalled(p *Pass) *installed {
	if len(p.Project.V2Environments) == 0 {
		return &installed{imports: map[imported]bool{}} // nobody has an environment of v2
	}
	in := &installed{trained: map[*schema.Environment][]training{}, users: map[*schema.Environment][]*schema.V2Environment{}, served: map[*schema.Environment]bool{},
		named: map[string][]*schema.V2Environment{}, nodes: map[*document.Node]*schema.V2Environment{}, imports: map[imported]bool{}}
	for _, e := range p.Project.V2Environments {
		in.nodes[e.Node] = e
		if e.Conda != nil {
			in.users[e.Conda] = append(in.users[e.Conda], e)
		}
		if name := e.Node.Get("name").Text(); e.File.Kind == schema.V2EnvironmentFile && name != "" {
			in.named[name] = append(in.named[name], e)
		}
	}
	for _, b := range p.shared.bodies {
		for _, n := range []*document.Node{b.Node, b.Node.Get("trial").Resolve(), b.Node.Get("task").Resolve()} {
			if !n.IsMapping() {
				continue
			}
			at := schema.FieldAt(b.File, n, "environment")
			if e := in.defined(p.Project, at); e != nil {
				t := training{body: b, node: n, at: at, environment: e}
				in.trainings = append(in.trainings, t)
				in.trained[e.Conda] = append(in.trained[e.Conda], t)
			}
		}
	}
	for _, f := range p.shared.v2 {
		if !slices.Contains(deployments, f.V2) {
			continue
		}
		for _, root := range f.Stream.Documents {
			at := schema.FieldAt(f, root, "environment")
			if e := in.defined(p.Project, at); e != nil {
				in.served[e.Conda] = true
				in.deployed = append(in.deployed, deployed{root, at, e})
			}
		}
	}
	delete(in.trained, nil) // environments without a conda file
	return in
}

// deployments are the kinds of files that run a model, mostly with a script.
var deployments = []schema.V2Kind{"online-deployment", "batch-deployment", "model-batch-deployment"}

// defined returns the environment that a v2 field defines or names, if the project defines it: in the field, in a file,
// or in the only one with its name.
func (in *installed) defined(project *schema.Project, at schema.Field) *schema.V2Environment {
	if inline := at.Node.Resolve(); inline.IsMapping() {
		return in.nodes[inline]
	}
	if name, ok := strings.CutPrefix(at.Text, "azureml:"); ok {
		name, _, _ = strings.Cut(name, "@")
		name, _, _ = strings.Cut(name, ":")
		if files := in.named[name]; len(files) == 1 {
			return files[0]
		}
		return nil // it is not known which of them is registered
	}
	rel, ok := at.Path()
	if f := project.FileAt(rel); ok && f != nil {
		return in.nodes[f.Root()]
	}
	return nil
}
