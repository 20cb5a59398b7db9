package rules

import (
	"path"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/python"
	"github.com/amlfix/amlfix/schema/requirement"
	"github.com/amlfix/amlfix/schema/source"
	"github.com/amlfix/amlfix/schema/template"
)

// installsItself reports whether a command installs packages before it runs a script.
func installsItself(command string) bool {
	return strings.Contains(command, "pip") || strings.Contains(command, "conda") || strings.Contains(command, "uv ")
}

// installsAll returns the packages that an environment installs and those that they may install, or nil unless that is
// known of each.
func (p *Pass) installsAll(e *schema.Environment) map[string]bool {
	all := map[string]bool{}
	for _, pkg := range p.items(e) {
		r := pkg.Requirement
		switch {
		case pkg.Err != nil || template.In(r.Raw):
			return nil
		case r.Kind == requirement.Option:
			if rel, ok := requirementsFile(e, pkg.Package); strings.HasPrefix(r.Option, "-r") || strings.HasPrefix(r.Option, "--req") || strings.HasPrefix(r.Option, "-e") {
				if !ok || len(p.requirements(rel)) == 0 {
					return nil
				}
			}
			continue
		case r.Kind != requirement.Package || len(r.Extras) > 0:
			return nil
		}
		brings, known := catalog.Brings(r.Key)
		if !known {
			return nil
		}
		all[r.Key] = true
		for _, name := range brings {
			all[name] = true
		}
	}
	return all
}

// imports returns the modules of the catalog that the script at a path always imports, in its own lines at the top
// level, once each; none if the script may install packages. Each script is read once.
func (p *Pass) imports(rel string) (*source.Source, []importedAt) {
	read := p.shared.importing.of(rel, func() (r scriptImports) {
		code, ok := p.Project.Code(rel)
		if !ok || strings.Contains(string(code.Text), "pip") {
			return r
		}
		_, all, ok := program(code)
		if !ok {
			return r
		}
		r.code = code
		met := map[string]bool{}
		for _, s := range all {
			if len(s.Blocks) > 0 {
				continue
			}
			for _, m := range importsOf(s) {
				if _, known := catalog.LookupModule(m.module); known && !met[m.module] {
					met[m.module], r.modules = true, append(r.modules, m)
				}
			}
		}
		return r
	})
	return read.code, read.modules
}

// program splits a script into tokens and statements; ok is false if it is not valid.
func program(code *source.Source) (tokens []python.Token, all []*python.Statement, ok bool) {
	if tokens, ok = python.Scan(string(code.Text)); ok {
		all, ok = python.Statements(tokens)
	}
	return tokens, all, ok
}

// scriptImports is what a script imports.
type scriptImports struct {
	code    *source.Source
	modules []importedAt
}

// importsOf returns the modules that a statement imports: the top-level ones, or those below that the catalog lists.
func importsOf(s *python.Statement) (list []importedAt) {
	first := s.First()
	for i, t := range s.Tokens[1:] {
		before := s.Tokens[i]
		starts := before.Text == first && i == 0 || first == "import" && before.Kind == python.Operator && before.Text == ","
		if (first == "import" || first == "from") && starts && t.Kind == python.Name {
			one := importedAt{t.Text, source.Span{Start: t.At, End: t.End}}
			if rest := s.Tokens[i+2:]; len(rest) > 1 && rest[0].Text == "." {
				if _, listed := catalog.LookupModule(t.Text + "." + rest[1].Text); listed {
					one.module, one.span.End = t.Text+"."+rest[1].Text, rest[1].End
				}
			}
			list = append(list, one)
		}
	}
	return list
}

// own reports whether a module may be the project's own, in one of some folders.
func (c *importCheck) own(folders []string, module string) bool {
	top, _, _ := strings.Cut(module, ".")
	return slices.ContainsFunc(folders, func(folder string) bool {
		at := path.Join(folder, top)
		return c.Project.Exists(at) || c.Project.Exists(at+".py")
	})
}
