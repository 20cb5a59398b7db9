package migrate

import (
	"slices"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate/built"
	"github.com/amlfix/amlfix/schema/document"
)

// usual gives jobs for which a program names no packages those that SDK v1 then installed: azureml-defaults. Without
// them, nothing would install mlflow for the new script. name is the program. Source: azureml-core 1.61, PythonSection.
func usual(name string, things []*built.Thing) []*built.Thing {
	var environment, surroundings *built.Thing
	shared := func(th *built.Thing) *built.Thing {
		if environment == nil {
			environment = &built.Thing{Kind: built.Environment, Of: "Environment", At: th.At, Root: lineNodes{th.Root.Span}.mapping()}
			addUsual(environment.Root)
		}
		return environment
	}
	for _, th := range things {
		own := th.Root.Get("environment")
		switch th.Kind {
		case built.Environment:
			if (len(th.Root.Entries()) > 1 || th.Root.Get("name") == nil) && !th.Got && th.Root.Get("version") == nil && lacksPackages(th.Root, th.Root, "") {
				addUsual(th.Root)
			}
		case built.Job, built.Surroundings:
			switch {
			case th.Uses != nil || th.Root.Get(configKey) != nil || !lacksPackages(th.Root, own, "environment") || !lacksPackages(th.Root, own, "runConfig"):
			case own == nil:
				th.Uses = shared(th)
			case own.IsMapping():
				addUsual(own)
			}
		case built.Pipeline:
			for _, e := range th.Root.Get("steps").Own() {
				kind := e.Value.Get("type").Text()
				if kind != "PythonScriptStep" && kind != "CommandStep" || th.Steps[e.Key.Value] != nil || !lacksPackages(e.Value, nil, "runconfig") || e.Value.Get("runconfig") != nil {
					continue
				}
				if surroundings == nil {
					surroundings = &built.Thing{Kind: built.Surroundings, Of: name, At: th.At, Root: lineNodes{th.Root.Span}.mapping(), Uses: shared(th)}
				}
				th.Steps[e.Key.Value] = surroundings
			}
		case built.Compute, built.Data, built.Model, built.Service, built.Schedule, built.AutoML:
		}
	}
	for _, th := range []*built.Thing{environment, surroundings} {
		if th != nil {
			things = append(things, th)
		}
	}
	return things
}

// lacksPackages reports whether nothing says what an environment contains; a key of the root that is computed, and that
// begins with prefix, may say it.
func lacksPackages(root, environment *document.Node, prefix string) bool {
	own, docker := environment.Get("python"), environment.Get("docker")
	return own.Get("condaDependencies") == nil && own.Get("condaDependenciesFile") == nil && own.Get("userManagedDependencies").Text() != "true" && environment.Get(requirementsKey) == nil && own.Get(installedKey) == nil &&
		docker.Get("baseDockerfile") == nil && docker.Get("buildContext") == nil &&
		!slices.ContainsFunc(root.Entries(), func(e document.Entry) bool {
			return e.Value.Tag() == built.Open && strings.HasPrefix(e.Key.Value, prefix) && !strings.HasSuffix(e.Key.Value, "environmentVariables"+built.NotLiteral)
		})
}

// addUsual adds azureml-defaults to an environment.
func addUsual(environment *document.Node) {
	at := lineNodes{environment.Span}
	pip := at.pipIn(environment)
	pip.AddItem(at.node("!!str", "azureml-defaults"))
}

// pipIn adds an empty list for pip to an environment without packages, and returns it.
func (n lineNodes) pipIn(environment *document.Node) (pip *document.Node) {
	pip = n.sequence()
	dependencies, list, conda := n.sequence(), n.mapping(), n.mapping()
	n.add(list, "pip", pip)
	dependencies.AddItem(list)
	n.add(conda, "dependencies", dependencies)
	python := environment.Get("python")
	if python == nil {
		python = n.mapping()
		n.add(environment, "python", python)
	}
	n.add(python, "condaDependencies", conda)
	return pip
}
