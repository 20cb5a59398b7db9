package rules

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/finding"
	naming "github.com/amlfix/amlfix/schema/reference"
	"github.com/amlfix/amlfix/schema/template"
)

var refLatest = Rule{
	ID:       "ref/latest",
	Severity: finding.Info,
	Since:    "2026-11-22",
	Doc:      "A v2 file uses the latest version of an environment, component, model or data asset.",
	Why: `The label latest marks the version that was registered last, so the same file means something else after each
registration, and the repository does not show what a job ran with. That may be what you want; pin a version if a job
must stay repeatable.`,
	Remedy: "With --choose latest=pinned, writes the version that a file in the project defines. Only the workspace knows all versions.",
	Facts:  []string{"curated"},
	Bad: `
-- job.yml --
$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json
command: python -V
environment: azureml:training@latest
compute: azureml:cpu-cluster
-- environment.yml --
$schema: https://azuremlschemas.azureedge.net/latest/environment.schema.json
name: training
version: 3
image: mcr.microsoft.com/azureml/openmpi4.1.0-ubuntu22.04:20240709.v1
`,
	Good: `
-- job.yml --
$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json
command: python -V
environment: azureml:training:3
compute: azureml:cpu-cluster
-- environment.yml --
$schema: https://azuremlschemas.azureedge.net/latest/environment.schema.json
name: training
version: 3
image: mcr.microsoft.com/azureml/openmpi4.1.0-ubuntu22.04:20240709.v1
`,
	Check: func(p *Pass) {
		kinds, known := assetKinds(), latest{}
		for _, at := range p.shared.assets {
			r := naming.Parse(at.Text)
			kind := kinds[at.asset]
			if kind == "" || r.Label != "latest" || r.Name == "" || r.Kind != naming.Workspace && r.Kind != naming.Registry {
				continue
			}
			if e, ok := catalog.Curated(at.Text); ok && kind == "environment" && e.Status != "current" {
				continue // a superseded environment should be replaced, not pinned
			}
			changing(p, at.Field, kind, r, known)
		}
	},
}

// assetKinds maps the schemas' names of assets that can have a label to their kinds.
func assetKinds() map[string]schema.V2Kind {
	return map[string]schema.V2Kind{"environments": "environment", "components": "component", "models": "model", "data": "data"}
}

// changing reports, as a note, a reference to whatever version is the latest.
func changing(p *Pass, at schema.Field, kind schema.V2Kind, r naming.Reference, known latest) {
	if p.full(at.File.Source) {
		return
	}
	version, file := "", (*schema.File)(nil)
	if r.Kind == naming.Workspace {
		version, file = known.of(p.Project, kind, r.Name)
	}
	if version == "" {
		command := fmt.Sprintf("az ml %s list -n %s", kind, shortName(r.Name))
		if r.Registry != "" {
			command = fmt.Sprintf("az ml %s list -n %s --registry-name %s", kind, brief(r.Name), brief(r.Registry))
		}
		p.report(at.Location(fmt.Sprintf("the latest version changes with each registration: pin one if the job must stay repeatable (%s shows them)", command)), nil)
		return
	}
	fix := &finding.Fix{Title: "pin version " + shown(version), Applicability: finding.Choice,
		Answers: []finding.Answer{choose(choiceLatest, pinned, "pin the version that the project defines")}}
	if change, ok := at.Set(finding.Text("azureml:" + r.Name + ":" + version)); !ok {
		fix = nil
	} else if p.Project.Choice(choiceLatest) == pinned {
		fix.Applicability, fix.Answers, fix.Changes = finding.Safe, nil, []finding.Change{change}
	}
	p.report(at.Location(fmt.Sprintf("the latest version changes with each registration; the project defines version %s: pin it if the job must stay repeatable", brief(version))),
		fix, schema.FieldAt(file, file.Root().Resolve(), "version").Location("the version in the project"))
}

// latest holds the highest versions that a project defines of the assets that it names, perhaps thousands of times.
type latest map[[2]string]*schema.File

// of returns the result of latestOf for one name.
func (l latest) of(project *schema.Project, kind schema.V2Kind, name string) (version string, file *schema.File) {
	key := [2]string{string(kind), name}
	file, known := l[key]
	if !known {
		file = latestOf(project.Named(kind, name))
		l[key] = file
	}
	return file.Root().Get("version").Text(), file
}

// latestOf returns the file with the highest version, or nil if one has no version or it is not clear which is the
// highest.
func latestOf(files []*schema.File) (file *schema.File) {
	highest := -1
	for _, f := range files {
		at := f.Root().Get("version")
		text := at.Text()
		if at == nil || f.Broken() || text == "" || template.In(text) || strings.ContainsAny(text, " $/:@") {
			return nil
		}
		number, err := strconv.Atoi(text)
		if err != nil && (len(files) > 1 || !at.IsString()) || err == nil && number == highest {
			return nil // the order is not known, or a number such as 1.10, which the Azure ML client reads as 1.1
		}
		if err != nil || number > highest {
			file, highest = f, number
		}
	}
	return file
}
