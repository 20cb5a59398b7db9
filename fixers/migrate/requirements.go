package migrate

import (
	"path"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate/built"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/dockerfile"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/requirement"
)

// requirementsKey is a key of an environment that a program creates from a requirements file; SDK v1 read the file when
// it was called.
const requirementsKey = "pipRequirements"

// missingKey is that key if the file is missing, or is not the whole list.
const missingKey = requirementsKey + " (not readable)"

// readRequirements adds the contents of an environment's requirements file to it, or to pip's list of an estimator,
// whose code is in a folder. If the file is missing or includes others, the contents remain unknown.
func (m *Migration) readRequirements(f *schema.File, environment, pip *document.Node, code string) {
	n := environment.Get(requirementsKey)
	if n == nil || n.Tag() != "!!str" || pip == nil && environment.Get("python").Get("condaDependencies") != nil {
		return
	}
	lines, ok := m.requirements(f, path.Join(schema.Slashes(code), schema.Slashes(n.Value)))
	if !ok {
		lines, ok = m.requirements(f, n.Value)
	}
	i := slices.IndexFunc(environment.Entries(), func(e document.Entry) bool { return e.Key.Value == requirementsKey })
	if !ok {
		environment.Entries()[i].Key.Value = missingKey
		return
	}
	environment.SetEntries(slices.Delete(environment.Entries(), i, i+1))
	at := lineNodes{n.Span}
	if pip == nil {
		pip = at.pipIn(environment)
	}
	for _, line := range lines {
		pip.AddItem(at.node("!!str", line))
	}
	built.Distinct(pip, requirement.Pip)
}

// pipList returns pip's list in the environment of an estimator, or nil.
func pipList(environment *document.Node) (pip *document.Node) {
	if list := environment.Get("python").Get("condaDependencies").Get("dependencies"); list != nil {
		for _, item := range list.Items() {
			pip = item.Get("pip")
		}
	}
	return pip
}

// requirements returns the lines of a requirements file in the project's folder or the program's; ok is false if there
// is none, or it is not the whole list.
func (m *Migration) requirements(f *schema.File, name string) (lines []string, ok bool) {
	for _, from := range []string{".", f.Dir()} {
		rel := path.Join(from, schema.Slashes(name))
		if !m.has(rel) {
			continue
		}
		src, read := m.Project.Code(rel)
		if !read {
			return nil, false
		}
		for _, line := range dockerfile.Requirements(src.Text) {
			if text := line.Text; line.Kind == dockerfile.RequirementFile || strings.HasPrefix(text, "-c") || strings.HasPrefix(text, "--re") || strings.HasPrefix(text, "--con") || strings.Contains(text, "--hash") {
				return nil, false
			}
			lines = append(lines, line.Text)
		}
		return lines, len(lines) > 0
	}
	return nil, false
}
