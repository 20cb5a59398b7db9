package rules

import (
	"strings"

	"github.com/amlfix/amlfix/rules/flow"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
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

// trainings returns all of a project.
func (p *Pass) trainings() []training {
	s := p.shared
	if s.trained {
		return s.training
	}
	s.trained = true
	for _, b := range s.bodies {
		for _, n := range []*document.Node{b.Node, b.Node.Get("trial").Resolve(), b.Node.Get("task").Resolve()} {
			if !n.IsMapping() || n.Get("environment") == nil {
				continue
			}
			at := schema.FieldAt(b.File, n, "environment")
			if e := definedHere(p.Project, at); e != nil {
				s.training = append(s.training, training{body: b, node: n, at: at, environment: e})
			}
		}
	}
	return s.training
}

// definedHere returns the environment that a field of v2 holds or names, when the
// project defines it: by a file, or by the one name of all its environments.
func definedHere(project *schema.Project, at schema.Field) (found *schema.V2Environment) {
	inline := at.Node.Resolve()
	name, registered := strings.CutPrefix(at.Text, "azureml:")
	name, _, _ = strings.Cut(name, "@")
	name, _, _ = strings.Cut(name, ":")
	rel, local := at.Path()
	for _, e := range project.V2Environments {
		switch {
		case inline.IsMapping():
			if e.Node == inline {
				return e
			}
		case registered && e.File.Kind == schema.V2EnvironmentFile && name != "" && e.Node.Get("name").Text() == name:
			if found != nil {
				return nil // which of them is registered, nobody knows
			}
			found = e
		case !registered && local && project.FileAt(rel) == e.File && e.Node == e.File.Root():
			return e
		}
	}
	return found
}

// trainedIn returns the jobs and components of v2 that run in an environment.
func (p *Pass) trainedIn(e *schema.Environment) (users []training) {
	for _, t := range p.trainings() {
		if t.environment.Conda == e {
			users = append(users, t)
		}
	}
	return users
}

// served reports whether a deployment of v2 runs in a conda environment.
func (p *Pass) served(e *schema.Environment) bool {
	for _, f := range p.Project.Files {
		if f.V2 != "online-deployment" && f.V2 != "batch-deployment" && f.V2 != "model-batch-deployment" || f.Broken() {
			continue
		}
		for _, root := range f.Stream.Documents {
			if used := definedHere(p.Project, schema.FieldAt(f, root, "environment")); used != nil && used.Conda == e {
				return true
			}
		}
	}
	return false
}
