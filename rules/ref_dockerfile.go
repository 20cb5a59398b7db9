package rules

import (
	"fmt"
	"path"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/template"
)

var refDockerfile = Rule{
	ID:       "ref/dockerfile",
	Severity: finding.Error,
	Since:    "2026-11-22",
	Doc:      "An environment is built from a folder that is not given or is a file, or whose Dockerfile is missing or cannot be built.",
	Why: `The Azure ML client uploads the folder without checking its content, and the build in the registry stops
because there is nothing to build. Without dockerfile_path, the file must be called Dockerfile, with a capital D, at the
top of the folder; dockerfile_path is relative to that folder, not to the file that contains it. COPY and ADD find only
what is in the folder and is not left out of the upload by .amlignore or, without one, by .gitignore. A line that is not
an instruction is often the rest of a command, and the line before it lacks its \.`,
	Remedy: "With --unsafe, writes the folder of the Dockerfile where its path was given as the folder.",
	Bad: `
-- environment.yml --
$schema: https://azuremlschemas.azureedge.net/latest/environment.schema.json
name: training
build:
  path: docker
-- docker/dockerfile.txt --
FROM python:3.12
-- scoring.yml --
$schema: https://azuremlschemas.azureedge.net/latest/environment.schema.json
name: scoring
build:
  path: scoring/Dockerfile
-- scoring/Dockerfile --
FROM python:3.12
`,
	Good: `
-- environment.yml --
$schema: https://azuremlschemas.azureedge.net/latest/environment.schema.json
name: training
build:
  path: docker
  dockerfile_path: dockerfile.txt
-- docker/dockerfile.txt --
FROM python:3.12
-- scoring.yml --
$schema: https://azuremlschemas.azureedge.net/latest/environment.schema.json
name: scoring
build:
  path: scoring
-- scoring/Dockerfile --
FROM python:3.12
`,
	Check: func(p *Pass) {
		for _, e := range p.Project.V2Environments {
			if build := e.Node.Get("build"); build.IsMapping() && !e.File.Broken() {
				checkBuild(p, e, schema.FieldAt(e.File, build, "dockerfile_path"))
			}
		}
	},
}

// fromLine matches what every Dockerfile has, and a directive that lets another program read the file.
var fromLine = plain.Regexp{Text: `(?im)^\x{FEFF}?\s*FROM\s|^#\s*syntax\s*=`}

func checkBuild(p *Pass, e *schema.V2Environment, file schema.Field) {
	if !e.Build.Explicit {
		build, _ := e.Node.Entry("build")
		p.report(finding.Location{Source: e.File.Source, Span: build.Key.Span, Message: "the build has no folder: write path, and the folder that contains the Dockerfile"}, nil)
		return
	}
	folder, ok := e.Build.Path()
	if !ok || template.In(e.Build.Text) || template.In(file.Text) || !p.Project.Exists(folder) {
		return // an address; ref/script reports a missing one
	}
	if !p.Project.IsFolder(folder) {
		buildOfFile(p, e)
		return
	}
	name, at := "Dockerfile", e.Build
	if file.Explicit {
		name, at = strings.ReplaceAll(file.Text, `\`, "/"), file
	}
	inside := path.Join(folder, name)
	if p.Project.Exists(inside) && !p.Project.IsFolder(inside) {
		if src, ok := p.Project.Code(inside); ok && !fromLine.Get().Match(src.Text) {
			p.report(at.Location(fmt.Sprintf("the image is built from %q, which has no FROM, so docker build stops: begin it with FROM and an image", shown(inside))), nil)
		} else {
			checkRecipe(p, e, folder)
		}
		return
	}
	message := fmt.Sprintf("the image is built from the file %q in the folder %q, which does not exist", shown(name), shown(e.Build.Text))
	if other := path.Join(e.File.Dir(), name); file.Explicit && other != inside && p.Project.Exists(other) && strings.HasPrefix(other, folder+"/") {
		message += fmt.Sprintf(": the path starts at that folder, so write %q", strings.TrimPrefix(other, folder+"/"))
	} else if other := otherDockerfile(p, folder, name); other != "" {
		message += fmt.Sprintf(": did you mean %q? Write dockerfile_path: %s", shown(other), shown(other))
	} else {
		message += ": create it, or write the path of another as dockerfile_path"
	}
	p.report(at.Location(message), nil)
}

// buildOfFile reports a build whose folder is a file: that is uploaded, but not as the Dockerfile in a folder.
func buildOfFile(p *Pass, e *schema.V2Environment) {
	folder, name := path.Split(schema.Slashes(e.Build.Text))
	folder = path.Clean(folder)
	message := fmt.Sprintf("%q is a file, but path is the folder with the Dockerfile: write path: %s", shown(e.Build.Text), shown(folder))
	if name != e.Dockerfile.Text {
		p.report(e.Build.Location(message+" and dockerfile_path: "+shown(name)), nil)
		return
	}
	p.report(e.Build.Location(message), e.Build.Fix(finding.Text(folder), finding.Unsafe, "write "+shown(folder)))
}

// otherDockerfile returns the name of a file in a folder that was meant by another, which differs in letter case or has
// another of the usual names; "" if there is none.
func otherDockerfile(p *Pass, folder, name string) string {
	for _, other := range []string{strings.ToLower(name), "Dockerfile", "dockerfile", "DockerFile", "Dockerfile.txt", "dockerfile.txt"} {
		if inside := path.Join(folder, other); other != name && p.Project.Exists(inside) && !p.Project.IsFolder(inside) {
			return other
		}
	}
	return ""
}
