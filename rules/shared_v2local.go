package rules

import (
	"fmt"
	"path"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
)

// bare reports whether the Azure ML client rejects "file:" before the path of a job or a component: in a schedule, and
// if a pipeline job consists of one.
func bare(at v2Path) bool {
	return at.File.V2 == "schedule" || at.File.V2 == "job" && at.key == "component" && at.Node.Parent == at.File.Root().Resolve()
}

// v2Elsewhere reports a v2 path that does not work, or works on only one computer: with the "file:" of the 2021
// previews, or from the root of a disk. It returns whether the path needs no further checks.
func v2Elsewhere(p *Pass, at v2Path, what string) bool {
	if rest, ok := strings.CutPrefix(at.Text, "file:"); ok {
		if at.file != "" && !isConda(at) && !bare(at) || at.key == "path" && !isBuild(at) {
			return false // the prefix is correct before a v2 file; data is not checked here
		}
		rest = strings.TrimPrefix(rest, "//")
		var fix *finding.Fix
		if !path.IsAbs(rest) && p.Project.Exists(path.Join(at.File.Dir(), rest)) {
			fix = at.Fix(finding.Text(rest), finding.Safe, fmt.Sprintf("write %q", shown(rest)))
		}
		message := fmt.Sprintf("only the previews of 2021 accepted file: before a %s, and Azure ML now rejects it: write only the path", what)
		if bare(at) {
			message = "Azure ML does not accept file: before this path, although it does before others: write only the path"
		}
		p.reportAs(finding.Error, at.Location(message), fix)
		return true
	}
	if v2Address.Get().MatchString(at.Text) {
		as := "the path of a " + what
		if what == "path" {
			as = "a path"
		}
		instead := "a path, relative to the folder of this file"
		if at.key == "path" && !isBuild(at) { // of a deployment's model
			instead = "the path of local files, or register the model and write model: azureml:NAME:VERSION"
		}
		p.reportAs(finding.Error, at.Location(fmt.Sprintf("Azure ML takes this for %s, and rejects this file because nothing is there: write %s", as, instead)), nil)
		return true
	}
	slashed := schema.Slashes(at.Text)
	if !path.IsAbs(slashed) && !schema.HasDrive(at.Text) {
		return false
	}
	exists := p.Project.Exists(slashed)
	if schema.HasDrive(at.Text) && p.Project.Host() != "windows" {
		exists = false
	}
	severity, message := finding.Error, "this absolute path does not exist on this computer: write a path relative to the folder of this file"
	if exists {
		severity, message = finding.Warning, "this path exists on one computer only, so other people and CI cannot use the file: write a path relative to its folder"
	}
	p.reportAs(severity, at.Location(message), nil)
	return true
}
