package rules

import (
	"fmt"
	"path"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
)

// bare reports whether the Azure ML client takes no "file:" where the file of a job or a
// component is named: in a schedule, and where a pipeline job as a whole is one.
func bare(at v2Path) bool {
	return at.File.V2 == "schedule" || at.File.V2 == "job" && at.key == "component" && at.Node.Parent == at.File.Root().Resolve()
}

// v2Elsewhere reports a path of v2 that is written in a way that leads nowhere, or on
// one computer only, and reports whether there is nothing more to say about it: with
// the "file:" of the previews of 2021, or from the root of a disk.
func v2Elsewhere(p *Pass, at v2Path, what string) bool {
	if rest, ok := strings.CutPrefix(at.Text, "file:"); ok {
		if at.file != "" && !isConda(at) && !bare(at) || at.key == "path" && !isBuild(at) {
			return false // where a file of v2 is named, the prefix is good; of data it is not asked here
		}
		var fix *finding.Fix
		if change, ok := at.Set(finding.Text(rest)); ok && p.Project.Exists(path.Join(at.File.Dir(), rest)) {
			fix = &finding.Fix{Title: fmt.Sprintf("write %q", shown(rest)), Applicability: finding.Safe, Changes: []finding.Change{change}}
		}
		message := fmt.Sprintf("only the previews of 2021 accepted file: before a %s, and Azure ML now rejects it: write only the path", what)
		if bare(at) {
			message = "Azure ML does not accept file: before this path, although it does before others: write only the path"
		}
		p.reportAs(finding.Error, at.Location(message), fix)
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
