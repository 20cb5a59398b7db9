package rules

import (
	"path"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/dockerfile"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/requirement"
	"github.com/amlfix/amlfix/schema/source"
)

// listed is an item that an environment installs, and its file: the environment's own, or one that "-r FILE" below pip
// names.
type listed struct {
	schema.Package
	src *source.Source
}

// at returns the location of the item, with a message.
func (l listed) at(e *schema.Environment, message string) finding.Location {
	if l.src == e.File.Source {
		return itemAt(e, l.Node, message)
	}
	return finding.Location{Source: l.src, Span: l.Node.Span, Message: message}
}

// own reports whether the item is in the environment's own file and can be changed there.
func (l listed) own(e *schema.Environment) bool { return l.src == e.File.Source && !e.Built() }

// items returns what an environment installs, including the lines of the requirements files that it names. Those files
// are read once, and their own "-r" is not followed.
func (p *Pass) items(e *schema.Environment) (list []listed) {
	var met map[string]bool
	list = make([]listed, 0, len(e.Packages))
	for _, pkg := range e.Packages {
		list = append(list, listed{pkg, e.File.Source})
		if rel, ok := requirementsFile(e, pkg); ok && !e.Built() && !met[rel] {
			if met == nil {
				met = map[string]bool{}
			}
			met[rel] = true
			for _, line := range p.requirements(rel) {
				line.Command = pkg.Command
				list = append(list, line)
			}
		}
	}
	return append(list, optionsBeside(e)...)
}

// optionsBeside returns the pip options in a Dockerfile's command that installs a requirements file.
func optionsBeside(e *schema.Environment) (list []listed) {
	for _, part := range e.Parts() {
		for _, pkg := range part.Packages {
			if part != e && len(e.Packages) > 0 && pkg.Command == e.Packages[0].Command && pkg.Requirement.Kind == requirement.Option {
				list = append(list, listed{pkg, part.File.Source})
			}
		}
	}
	return list
}

// requirementsFile returns the path, relative to the project's root, of the file that an item such as "-r
// requirements.txt" names.
func requirementsFile(e *schema.Environment, pkg schema.Package) (rel string, ok bool) {
	r := pkg.Requirement
	if pkg.Err != nil || r.Kind != requirement.Option || r.Option != "-r" && r.Option != "--requirement" ||
		r.OptionValue == "" || strings.Contains(r.OptionValue, "://") || path.IsAbs(r.OptionValue) {
		return "", false
	}
	return path.Join(e.File.Dir(), schema.Slashes(r.OptionValue)), true
}

// requirements returns the items of a pip requirements file.
func (p *Pass) requirements(rel string) []listed {
	return p.shared.requirements.of(rel, func() []listed {
		if src, ok := p.Project.Code(rel); ok {
			return readRequirements(src)
		}
		return nil
	})
}

// readRequirements parses the lines of such a file, but not of those that it names.
func readRequirements(src *source.Source) (list []listed) {
	const most = 1000 // items; real files have fewer
	for _, line := range dockerfile.Requirements(src.Text) {
		if len(list) == most {
			break
		}
		text := line.Text
		if line.Kind == dockerfile.RequirementFile {
			text = "-r " + text
		}
		r, err := requirement.ParsePip(text)
		node := &document.Node{Kind: document.Scalar, Value: text, Span: src.FirstLine(line.Span)}
		list = append(list, listed{schema.Package{Node: node, Manager: requirement.Pip, Requirement: &r, Err: err}, src})
	}
	return list
}
