package rules

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/requirement"
)

// split returns the fix for a conda file that jobs of both sides share: those of
// one side get a file of their own. One that fits is used; otherwise a copy with
// every swap is written beside the shared file, under the name that people
// already use for it. The changes of several files belong together. When there
// is no fix, the reason says what a person can do.
func split(project *schema.Project, e *schema.Environment, to side) (fix *finding.Fix, reason string) {
	byHand := "give the " + to.name + " " + nounOf(e.UsedBy(to.on)) + " a conda file of its own"
	if e.File.Kind != schema.CondaFile {
		return nil, byHand
	}
	if fix = reuse(project, e, to); fix != nil {
		return fix, ""
	}
	rel := to.copyOf(project, e.File.Rel)
	if project.Exists(rel) {
		// another project, which shares the file too, may have written it
		if other := project.EnvironmentAt(rel); other != nil && to.spoils.elsewhere(project, other) == "" &&
			slices.Equal(requirements(e, to.texts(project, e)), requirements(other, nil)) {
			if fix = refer(e, to, rel, "use "+rel+" for the "+to.name+" target"); fix != nil {
				return fix, ""
			}
		}
		return nil, rel + " exists but lists other packages: adjust it and name it in the " + to.name + " run configuration"
	}
	copied := finding.Change{Op: finding.CopyFile, File: project.PathOf(rel), From: e.File.Path}
	texts, notice := to.texts(project, e), ""
	for i, pkg := range e.Packages {
		if text, ok := texts[i]; ok {
			copied.Changes = append(copied.Changes, rewrite(copied.File, pkg, text))
			notice = cmp.Or(notice, noticeOf(text))
		}
	}
	if fix = refer(e, to, rel, "write "+rel+" for the "+to.name+" target"); fix == nil {
		return nil, byHand
	}
	fix.Changes, fix.Notice = append([]finding.Change{copied}, fix.Changes...), notice
	return fix, ""
}

// reuse returns the fix that names a conda file of the project that fits already.
func reuse(project *schema.Project, e *schema.Environment, to side) *finding.Fix {
	rel := fitting(project, e, to)
	if rel == "" {
		return nil
	}
	return refer(e, to, rel, "use "+rel+" for the "+to.name+" target")
}

// refer returns the fix that gives the jobs of one side another conda file; nil
// when there is no place to name it.
func refer(e *schema.Environment, to side, rel, title string) *finding.Fix {
	fix := &finding.Fix{Title: title, Applicability: finding.Safe}
	for _, job := range e.UsedBy(to.on) {
		change, ok := job.CondaPath.Set(finding.Text(reference(job, rel)))
		if !ok || job.Dialect == schema.V2 { // whose environment others may have too
			return nil
		}
		fix.Changes = append(fix.Changes, change)
	}
	return fix
}

// reference returns how a job writes the path of a file beside its own conda
// file: with the folder as it is written now.
func reference(job *schema.Job, rel string) string {
	if !job.CondaPath.Explicit {
		return rel
	}
	folder := job.CondaPath.Text[:strings.LastIndexAny(job.CondaPath.Text, `/\`)+1]
	return folder + path.Base(rel)
}

// fitting returns the path of a conda file beside e whose name suits one side,
// that no job of the other uses, and whose requirements are those of e after the
// swaps; "" when there is none.
func fitting(project *schema.Project, e *schema.Environment, to side) string {
	want := requirements(e, to.texts(project, e))
	for _, other := range project.Environments {
		if other == e || other.File.Kind != schema.CondaFile || other.File.Dir() != e.File.Dir() ||
			!to.suits(strings.ToLower(path.Base(other.File.Rel))) || len(to.spoils.by(other)) > 0 || to.spoils.elsewhere(project, other) != "" {
			continue
		}
		if slices.Equal(want, requirements(other, nil)) {
			return other.File.Rel
		}
	}
	return ""
}

// requirements returns the sorted requirements of an environment, with some
// texts replaced, in one spelling each.
func requirements(e *schema.Environment, replaced map[int]string) []string {
	list := make([]string, 0, len(e.Packages))
	for i, pkg := range e.Packages {
		text := pkg.Node.Text()
		if to, ok := replaced[i]; ok {
			text = to
		}
		if pkg.Manager == requirement.Pip {
			text = "pip " + text
		}
		list = append(list, strings.ToLower(strings.ReplaceAll(text, " ", "")))
	}
	slices.Sort(list)
	return list
}
