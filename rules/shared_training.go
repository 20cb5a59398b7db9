package rules

import (
	"slices"
	"strings"

	"github.com/amlfix/amlfix/rules/flow"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/shell"
)

// training is a job or component of v2 with an environment that the project
// defines.
type training struct {
	body *flow.Body
	// node is the mapping that holds command and environment: the body's own, a
	// sweep's trial or a parallel job's task.
	node *document.Node
	// at is where the environment is named or written.
	at          schema.Field
	environment *schema.V2Environment
}

// parallel reports a parallel job, whose driver needs packages of SDK v1 itself.
func (t training) parallel() bool {
	return strings.EqualFold(t.body.Node.Get("type").Text(), "parallel")
}

// installed is which environments of a project are defined and used where, worked
// out once.
type installed struct {
	trainings []training
	// trained, users and served are by the conda environment: the trainings in it, the
	// environments of v2 that it is part of, and whether a deployment runs in one.
	trained map[*schema.Environment][]training
	users   map[*schema.Environment][]*schema.V2Environment
	served  map[*schema.Environment]bool
	// named are the environment files by the names that they register.
	named map[string][]*schema.V2Environment
	nodes map[*document.Node]*schema.V2Environment
	// imports says of scripts that were looked at whether they import a module.
	imports map[imported]bool
}

// imported is a script, by its path, and a module of Python.
type imported struct{ script, module string }

// importing returns the script of a job that imports a module, "" when none does for
// certain.
func importing(p *Pass, t training, module string) string {
	for i := range p.shared.scripts {
		s := &p.shared.scripts[i]
		if s.body != t.body || s.Language != shell.Python || !s.Certain || s.Made {
			continue
		}
		rel, there := s.find(p.Project)
		if !there {
			continue
		}
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

// installed returns it for the project of this pass.
func (p *Pass) installed() *installed {
	if p.shared.installed == nil {
		p.shared.installed = readInstalled(p)
	}
	return p.shared.installed
}

// isBuilt reports whether Azure ML builds an image with an environment today: one of v2
// names its file, or a Dockerfile installs it.
func (p *Pass) isBuilt(e *schema.Environment) bool {
	return e.Built() || len(p.installed().users[e]) > 0
}

func readInstalled(p *Pass) *installed {
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
	for _, f := range p.Project.Files {
		if !slices.Contains(deployments, f.V2) || f.Broken() {
			continue
		}
		for _, root := range f.Stream.Documents {
			if e := in.defined(p.Project, schema.FieldAt(f, root, "environment")); e != nil {
				in.served[e.Conda] = true
			}
		}
	}
	delete(in.trained, nil) // environments without a conda file
	return in
}

// deployments are the kinds of files that run a model.
var deployments = []schema.V2Kind{"online-deployment", "batch-deployment", "model-batch-deployment"}

// defined returns the environment that a field of v2 holds or names, when the
// project defines it: there, in a file, or in the only one of its name.
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
		return nil // which of them is registered, nobody knows
	}
	rel, ok := at.Path()
	if f := project.FileAt(rel); ok && f != nil {
		return in.nodes[f.Root()]
	}
	return nil
}
