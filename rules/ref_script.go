package rules

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/template"
)

var refScript = Rule{
	ID:       "ref/script",
	Severity: finding.Info,
	Since:    "2026-11-20",
	Doc:      "A script that a job runs, or a folder that a v2 file refers to, does not exist.",
	Why: `In v2 it is an error. Azure ML uploads the folder given as code and runs the command, the scoring_script or
the entry_script there. Its client does not look for the script, nor for the requirements that the command tells pip to
install, so the job is queued, starts, and fails. Code and build folders must exist when the file is submitted. An SDK
v1 script is looked up in the source folder that is given when the job is submitted: usually the project folder, so that
is a note, or a warning if one file has a similar name. If your source folder is a different one, ignore it.`,
	Remedy: `Removes "file:" before the path. With --unsafe, writes the only script with a similar name, adds code if it is missing,
or corrects the path to a folder that is right from another folder.`,
	Bad: `
-- .azureml/train.runconfig --
script: scripts/trian.py
target: local
environment: {}
-- scripts/train.py --
print("training")
`,
	Good: `
-- .azureml/train.runconfig --
script: scripts/train.py
target: local
environment: {}
-- scripts/train.py --
print("training")
`,
	Check: func(p *Pass) {
		for i := range p.shared.scripts {
			missingScript(p, &p.shared.scripts[i])
		}
		for _, job := range p.Project.RunConfigurations() {
			workbenchScript(p, job)
			if job.Dialect != schema.SDKv1 || job.File.Broken() || !job.Script.Node.IsString() {
				continue
			}
			script := schema.Slashes(job.Script.Text)
			if script == "" || strings.HasPrefix(script, "$") || path.IsAbs(script) || schema.HasDrive(script) || strings.Contains(script, "://") {
				continue
			}
			folders := []string{".", job.File.Dir(), path.Join(job.File.Dir(), "..")}
			if slices.ContainsFunc(folders, func(dir string) bool { return p.Project.Exists(path.Join(dir, script)) }) {
				continue
			}
			files := p.Project.Below(".", path.Ext(script))
			if near := p.nearest(script, files); path.Ext(script) != "" && len(near) == 1 && len(named(path.Base(script), files)) == 0 { // else src is the source folder
				p.reportAs(finding.Warning, job.Script.Location(fmt.Sprintf("the project has no script %q: did you mean %q?", shortName(script), shortName(near[0]))),
					job.Script.Fix(finding.Text(near[0]), finding.Unsafe, fmt.Sprintf("run %q", near[0])))
				continue
			}
			p.report(job.Script.Location(fmt.Sprintf(
				"the script %q is neither in the project folder nor next to this file: the job can only start if the submitted source folder contains it", script)), nil)
		}
		v2Missing(p, "code folder", func(at v2Path) bool { return at.key == "code" && !codeElsewhere(p, at) })
		v2Missing(p, "build folder", isBuild)
		scoringCode(p)
		codeAddresses(p)
		flowSources(p)
		flowEntries(p)
		commandPrograms(p)
	},
}

// workbenchScript reports a misspelt $file, which stands for the script that is chosen when the job is submitted.
func workbenchScript(p *Pass, job *schema.Job) {
	if job.Dialect != schema.Workbench || job.File.Broken() || !job.Script.Node.IsString() {
		return
	}
	at, script := job.Script, schema.Slashes(job.Script.Text)
	word := strings.Trim(strings.ToLower(script), "${}")
	if script != "$file" && (word == "file" || strings.HasPrefix(script, "$") && plain.DistanceWithin(word, "file", 2) <= 2) && !p.Project.Exists(script) {
		p.reportAs(finding.Warning, at.Location(fmt.Sprintf("only $file is replaced by the script that is submitted, and %q is not a file of the project: write $file", script)),
			finding.NewFix(finding.Unsafe, "write $file", finding.Change{Op: finding.SetScalar, File: job.File.Path, Pointer: at.Node.Pointer(), Value: finding.Text("$file")}))
	}
}

// scoringCode reports missing code folders of deployments, which the Azure ML client does not check before it uploads
// them. In a template, a path that is right from the root may be right where the filled-in file ends up.
func scoringCode(p *Pass) {
	for _, f := range p.shared.v2 {
		if !slices.Contains(deployments, f.V2) {
			continue
		}
		for _, root := range f.Stream.Documents {
			at := v2Path{Field: schema.FieldAt(f, root.Get("code_configuration").Resolve(), "code"), key: "code", local: "any"}
			if p.Project.Exists(path.Clean(schema.Slashes(at.Text))) && filledIn(root) {
				continue
			}
			if at.Node.IsString() && !v2Address.Get().MatchString(at.Text) && !template.In(at.Text) && !v2Elsewhere(p, at, "code folder") {
				notThere(p, at, "code folder", "the deployment fails")
			}
		}
	}
}

// codeElsewhere reports code in a repository at an address without a scheme, as git itself takes it.
func codeElsewhere(p *Pass, at v2Path) bool {
	host, rest, ok := strings.Cut(at.Text, ":")
	if user, name, remote := strings.Cut(host, "@"); !ok || !remote || !plainWord(user) || name == "" || strings.Contains(host, "/") {
		return false
	}
	right := "git+ssh://" + host + "/" + rest
	p.reportAs(finding.Error, at.Location("Azure ML takes this for a folder, because a repository needs git+ before its address: write "+shown(right)), at.Fix(finding.Text(right), finding.Unsafe, "write "+shown(right)))
	return true
}

// codeAddresses reports code at an address from which the client takes none.
func codeAddresses(p *Pass) {
	for _, at := range p.shared.assets {
		if path, ok := strings.CutPrefix(at.Text, "azureml:"); ok && at.asset == "codes" && isRelative(path) && !template.In(at.Text) && !p.full(at.File.Source) {
			p.reportAs(finding.Error, at.Location("azureml: is only for names, but this is a path, so Azure ML rejects the file: write "+shown(path)), at.Fix(finding.Text(path), finding.Unsafe, "remove azureml:"))
			continue
		}
		rest, address := strings.CutPrefix(at.Text, "azureml://")
		why := "because it has no version: write azureml:NAME:VERSION, or the path of a folder"
		switch {
		case at.asset != "codes" || p.full(at.File.Source):
			continue
		case address && !strings.HasPrefix(rest, "registries/") && strings.Contains(rest, "/") && !strings.Contains(rest, "${{"):
			why = "because it reads no code from a datastore or workspace address: write the path of a folder, or azureml:NAME:VERSION"
		case !strings.HasPrefix(at.Text, "azureml:") || strings.Count(at.Text, ":") != 1 || strings.ContainsAny(at.Text, "/@$") || template.In(at.Text), p.Project.Exists(path.Join(at.File.Dir(), at.Text)):
			continue
		}
		p.reportAs(finding.Error, at.Location("Azure ML takes this for a folder, "+why), nil)
	}
}

// filledIn reports whether a value below a node is filled in by a program: a template, or just the name of a variable.
func filledIn(n *document.Node) bool {
	name, variable := strings.CutPrefix(n.Text(), "$")
	return n.IsString() && (template.In(n.Value) || variable && plainWord(name) && name != "") ||
		slices.ContainsFunc(n.Items(), filledIn) || slices.ContainsFunc(n.Entries(), func(e document.Entry) bool { return filledIn(e.Value) })
}

// isBuild reports whether a path is of the folder that an image is built from.
func isBuild(at v2Path) bool {
	return at.key == "path" && strings.HasSuffix(at.Node.Pointer(), "/build/path")
}
