package rules

import (
	"fmt"
	"path"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/dockerfile"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/source"
)

// checkRecipe reports where the build of an environment's image certainly stops: at a line that is not an instruction,
// and at a file that is copied from the build context and is not there.
func checkRecipe(p *Pass, e *schema.V2Environment, folder string) {
	image, file := e.Recipe()
	if file == nil || p.full(file.Source) {
		return
	}
	at := func(span source.Span, message string) finding.Location {
		return finding.Location{Source: file.Source, Span: span, Message: message}
	}
	used := e.Build.Location("the environment that is built from it")
	if s := image.Stray; s != nil {
		message := fmt.Sprintf("%q is not a Dockerfile instruction, so docker build stops: end the line before with \\ if this belongs to it", shown(s.Word))
		if near := meant(strings.ToUpper(s.Word), dockerfile.Instructions); near != "" {
			message = fmt.Sprintf("%q is not a Dockerfile instruction, so docker build stops: did you mean %s?", shown(s.Word), near)
		}
		if s.Early {
			message = fmt.Sprintf("only ARG may be before the first FROM, so docker build stops at this %s: write it below", strings.ToUpper(s.Word))
		}
		p.reportAs(finding.Error, at(s.Span, message), nil, used)
	}
	for _, s := range image.Sources {
		if p.full(file.Source) {
			return
		}
		inside := path.Join(folder, s.Path)
		there := p.Project.Exists(inside)
		switch {
		case s.Path == ".." || strings.HasPrefix(s.Path, "../"):
			if there {
				p.reportAs(finding.Error, at(s.Span, fmt.Sprintf("%q is outside the folder that is uploaded, %q, so docker build does not find it: move it there, or set path to a folder that contains both", shown(s.Path), shown(e.Build.Text))), nil, used)
			}
		case there:
			if by := p.Project.Excluded(folder, s.Path); by != "" && !p.Project.IsFolder(inside) {
				p.reportAs(finding.Error, at(s.Span, fmt.Sprintf("%s leaves %q out of the upload, so docker build does not find it: re-include it there with !%s", by, shown(s.Path), shown(s.Path))), nil, used)
			}
		default:
			if beside := besideContext(p, e, folder, s.Path); beside != "" {
				p.reportAs(finding.Warning, at(s.Span, fmt.Sprintf("docker build gets only the folder %q, which has no %q, so it stops unless a program copies %s there first", shown(e.Build.Text), shown(s.Path), shown(beside))), nil, used)
			}
		}
	}
}

// besideContext returns the path of a file or folder that an environment's build context lacks, and that is beside the
// context or the environment's file; "" if there is none. Others may be created before the image is built.
func besideContext(p *Pass, e *schema.V2Environment, folder, name string) string {
	for _, dir := range []string{path.Dir(folder), e.File.Dir()} {
		if at := path.Join(dir, name); dir != folder && p.Project.Exists(at) {
			return at
		}
	}
	return ""
}
