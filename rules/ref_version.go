package rules

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/finding"
	naming "github.com/amlfix/amlfix/schema/reference"
	"github.com/amlfix/amlfix/schema/template"
)

var refVersion = Rule{
	ID:       "ref/version",
	Severity: finding.Error,
	Since:    "2026-11-26",
	Doc:      "A v2 file names an asset without a version, or with one that cannot be found.",
	Why: `The Azure ML client accepts azureml:NAME when it reads the file. When the job is submitted, it stops: "Version
must be provided". The label @latest is also possible; the client knows no other label, takes :latest for the name of a
version, and looks for an asset named "NAME:1" if the file says azureml:NAME:1@latest.`,
	Remedy: "Corrects a typo in the address of a registry. With --unsafe, writes @latest, or the version after a colon.",
	Facts:  []string{"curated"},
	Bad: `
-- job.yml --
$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json
command: ls ${{inputs.digits}}
environment: azureml:env:1
compute: azureml:cpu
inputs:
  digits:
    type: uri_folder
    path: azureml:digits
`,
	Good: `
-- job.yml --
$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json
command: ls ${{inputs.digits}}
environment: azureml:env:1
compute: azureml:cpu
inputs:
  digits:
    type: uri_folder
    path: azureml:digits:1
`,
	Check: func(p *Pass) {
		kinds := assetKinds()
		for _, at := range p.shared.assets {
			kind, r := kinds[at.asset], naming.Parse(at.Text)
			if !template.In(at.Text) && !p.full(at.File.Source) && misspeltAddress(p, at) {
				continue
			}
			if kind == "" || r.Kind != naming.Workspace || r.Type != "" || r.Name == "" ||
				template.In(at.Text) || strings.ContainsAny(r.Name, "$ ") || p.full(at.File.Source) {
				continue
			}
			latest, what := "azureml:"+r.Name+"@latest", string(kind)
			if kind == "data" {
				what = "data asset"
			}
			if isRelative(r.Name) {
				p.report(at.Location("azureml: is only for names, but this is a path, so the Azure ML client stops when the file is submitted: write only the path"),
					at.Fix(finding.Text(strings.TrimPrefix(at.Text, "azureml:")), finding.Unsafe, "remove azureml:"))
				continue
			}
			if r.Version != "" || r.Label != "" {
				wrongVersion(p, at.Field, kind, r, latest)
				continue
			}
			if first, _, path := strings.Cut(r.Name, "/"); kind == "environment" || path && slices.Contains(addressKinds, first) {
				continue // ref/environment says more about it, or ref/path about an address without its slashes
			}
			if file := r.Name; slices.Contains([]string{".yml", ".yaml"}, path.Ext(file)) && p.Project.Exists(path.Join(at.File.Dir(), file)) {
				p.report(at.Location(fmt.Sprintf("azureml: is only for the name of a %s, but %q is a file, so the Azure ML client stops when this one is submitted: write only the path", what, shortName(file))),
					at.Fix(finding.Text(file), finding.Unsafe, "write "+shown(file)))
				continue
			}
			if name, version, ok := strings.Cut(r.Name, "/versions/"); ok && !strings.Contains(name+version, "/") {
				right, safety := "azureml:"+name+":"+version, finding.Safe
				if version == "" || version == "latest" {
					right, safety = "azureml:"+name+"@latest", finding.Unsafe
				}
				p.report(at.Location(fmt.Sprintf("the version of a %s comes after a colon, so the Azure ML client stops when the file is submitted: write %s", what, shown(right))),
					at.Fix(finding.Text(right), safety, "write "+shown(right)))
				continue
			}
			p.report(at.Location(fmt.Sprintf("the %s %q has no version, so the Azure ML client stops when the file is submitted: add one, or write %s",
				what, shown(r.Name), shown(latest))), at.Fix(finding.Text(latest), finding.Unsafe, "take the latest version"))
		}
	},
}

// isRelative reports whether what follows azureml: is a path, which no name begins like.
func isRelative(name string) bool {
	return strings.HasPrefix(name, "./") || strings.HasPrefix(name, "../")
}

// wrongVersion reports a label that the client does not know, a label where a version is, and a version that the
// project does not define. The service looks up the labels of curated environments itself.
func wrongVersion(p *Pass, at schema.Field, kind schema.V2Kind, r naming.Reference, latest string) {
	e, curated := catalog.Curated(at.Text)
	if curated && e.Status != "current" {
		return // it should be replaced
	}
	fix := at.Fix(finding.Text(latest), finding.Unsafe, "take the latest version")
	version, label, both := strings.Cut(r.Version, "@")
	switch {
	case strings.Contains(r.Version, ":"):
		message, right := fmt.Sprintf("a version cannot contain a colon, so Azure ML does not find version %q of %q", brief(r.Version), shortName(r.Name)), strings.NewReplacer("::", ":", "azureml:azureml:", "azureml:").Replace(at.Text)
		if strings.Count(right, ":") != 2 {
			p.report(at.Location(message+": write azureml:NAME:VERSION"), nil)
			return
		}
		p.report(at.Location(message+": write "+shown(right)), at.Fix(finding.Text(right), finding.Unsafe, "write "+shown(right)))
	case both && version == "" && label == "latest":
		p.report(at.Location("there is no version between the colon and the label: write "+shown(latest)), fix)
	case both && label != "":
		p.report(at.Location(fmt.Sprintf("a version and a label exclude each other: write %s or %s", shown("azureml:"+r.Name+":"+version), shown(latest))), nil)
	case r.Label != "" && r.Label[0] >= '0' && r.Label[0] <= '9':
		asked := "azureml:" + r.Name + ":" + r.Label
		p.report(at.Location(fmt.Sprintf("the Azure ML client does not know the label %q, and stops when the file is submitted: a version follows a colon, so write %s",
			brief(r.Label), shown(asked))), at.Fix(finding.Text(asked), finding.Unsafe, "write the version after a colon"))
	case r.Label != "" && r.Label != "latest" && (meant(r.Label, []string{"latest"}) != "" || !strings.HasPrefix(r.Name, "AzureML-")):
		p.report(at.Location(fmt.Sprintf("the Azure ML client does not know the label %q, and stops when the file is submitted: write %s", brief(r.Label), shown(latest))), fix)
	case r.Version == "latest" && len(p.Project.Versioned(kind, r.Name, "latest")) == 0:
		p.reportAs(finding.Warning, at.Location("after a colon, Azure ML takes latest for the name of one version, not for the newest: write "+shown(latest)), fix)
	case kind != "component":
		undefinedVersion(p, at, kind, r)
	}
}

// undefinedVersion reports, as a note, an asset that the project defines only in other versions. Of components,
// ref/component says so.
func undefinedVersion(p *Pass, at schema.Field, kind schema.V2Kind, r naming.Reference) {
	files := p.Project.Named(kind, r.Name)
	if len(files) != 1 || r.Version == "" || len(p.Project.Versioned(kind, r.Name, r.Version)) > 0 || !belong(at.File.Dir(), files[0].Dir(), r.Name) {
		return
	}
	version := fixedVersion(files[0])
	if !version.Explicit {
		return // the service numbers it, or a program does
	}
	p.reportAs(finding.Info, at.Location(fmt.Sprintf("the project defines version %s of this %s, not this one, which has to be in the workspace already", brief(version.Text), strings.Replace(string(kind), "data", "data asset", 1))), nil,
		version.Location("the version in the project"))
}

// fixedVersion returns the version that a file gives its asset; it is not Explicit if a program replaces it.
func fixedVersion(f *schema.File) schema.Field {
	version := schema.FieldAt(f, f.Root().Resolve(), "version")
	if template.In(version.Text) || strings.Contains(version.Text, "$") {
		version.Explicit = false
	}
	return version
}
