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

// split returns the fix for a conda file that jobs of both sides share: the jobs of one side get their own file. If a
// fitting file exists, it is used; otherwise a copy with every swap is created next to the shared file, under the name
// that people usually choose. The changes of all files belong together. If there is no fix, reason says what a person
// can do.
func split(project *schema.Project, s *shared, e *schema.Environment, to side) (fix *finding.Fix, reason string) {
	noun := nounOf(e.UsedBy(to.on))
	byHand := "give the " + to.name + " " + noun + " a conda file of its own"
	switch {
	case e.File.Kind == schema.CondaFile:
	case noun == "job":
		byHand = "give the " + to.name + " job an environment of its own"
		if fix = splitInline(project, s, e, to); fix != nil {
			return fix, ""
		}
		return nil, byHand
	default:
		return nil, byHand
	}
	if fix = reuse(project, s, e, to); fix != nil {
		return fix, ""
	}
	rel := to.copyOf(project, e.File.Rel)
	if project.Exists(rel) {
		// another project that shares the file may have created it
		if other := project.EnvironmentAt(rel); other != nil && to.spoils.elsewhere(project, other) == "" &&
			slices.Equal(requirements(e, to.texts(project, e)), requirements(other, nil)) {
			if fix = refer(project, s, e, to, rel, "use "+rel+" for the "+to.name+" target"); fix != nil {
				return fix, ""
			}
		}
		return nil, rel + " exists but lists other packages: adjust it and refer to it in the " + to.name + " run configuration"
	}
	copied := finding.Change{Op: finding.CopyFile, File: project.PathOf(rel), From: e.File.Path}
	var notice string
	copied.Changes, notice = swaps(project, e, to, copied.File)
	if fix = refer(project, s, e, to, rel, "write "+rel+" for the "+to.name+" target"); fix == nil {
		return nil, byHand
	}
	fix.Changes, fix.Notice = append([]finding.Change{copied}, fix.Changes...), cmp.Or(notice, fix.Notice)
	return fix, ""
}

// swaps returns the changes in a file that adapt an environment to a side, and what the user must know before they are
// made.
func swaps(project *schema.Project, e *schema.Environment, to side, file string) (changes []finding.Change, notice string) {
	texts := to.texts(project, e)
	for i, pkg := range e.Packages {
		if text, ok := texts[i]; ok {
			changes = append(changes, rewrite(file, pkg, text))
			notice = cmp.Or(notice, noticeOf(text))
		}
	}
	return append(changes, sources(e, file, texts)...), notice
}

// splitInline returns the fix for an environment that is defined in a v2 file which jobs of both sides use.
func splitInline(project *schema.Project, s *shared, e *schema.Environment, to side) *finding.Fix {
	changes, notice := swaps(project, e, to, e.File.Path)
	c := newCarrier(project, s, to)
	for _, env := range environmentsOf(e.UsedBy(to.on)) {
		c.environment(env, append(slices.Clone(changes), imageChanges(project, s, env, to)...))
	}
	if c.failed || len(changes) == 0 {
		return nil
	}
	return &finding.Fix{Title: "give the " + to.name + " job an environment of its own", Applicability: finding.Safe, Changes: c.changes, Notice: cmp.Or(notice, c.notice())}
}

// environmentsOf returns the environments of v2 jobs, without duplicates.
func environmentsOf(jobs []*schema.Job) (list []*schema.V2Environment) {
	seen := map[*schema.V2Environment]bool{}
	for _, j := range jobs {
		if env := j.V2.Environment; env != nil && !seen[env] {
			seen[env] = true
			list = append(list, env)
		}
	}
	return list
}

// imageChanges returns the change that gives an environment an image for a side; none if it has one, or if none is
// known.
func imageChanges(project *schema.Project, s *shared, env *schema.V2Environment, to side) []finding.Change {
	if change, ok := to.image(project, s, env); ok {
		return []finding.Change{change}
	}
	return nil
}

// reuse returns the fix that makes jobs use a fitting conda file of the project.
func reuse(project *schema.Project, s *shared, e *schema.Environment, to side) *finding.Fix {
	rel := fitting(project, e, to)
	if rel == "" {
		return nil
	}
	return refer(project, s, e, to, rel, "use "+rel+" for the "+to.name+" target")
}

// refer returns the fix that makes the jobs of one side use another conda file, or nil if there is no place to name it.
func refer(project *schema.Project, s *shared, e *schema.Environment, to side, rel, title string) *finding.Fix {
	fix := &finding.Fix{Title: title, Applicability: finding.Safe}
	jobs := e.UsedBy(to.on)
	for _, job := range jobs {
		if job.Dialect == schema.V2 {
			continue
		}
		change, ok := job.CondaPath.Set(finding.Text(referenceTo(job.CondaPath, rel)))
		if !ok {
			return nil
		}
		fix.Changes = append(fix.Changes, change)
	}
	c := newCarrier(project, s, to)
	for _, env := range environmentsOf(jobs) {
		change, ok := env.CondaPath.Set(finding.Text(referenceTo(env.CondaPath, rel)))
		if !ok {
			return nil
		}
		changes := []finding.Change{change}
		if c.shares(env) {
			changes = append(changes, imageChanges(project, s, env, to)...)
		}
		c.environment(env, changes)
	}
	if c.failed {
		return nil
	}
	fix.Changes, fix.Notice = append(fix.Changes, c.changes...), c.notice()
	return fix
}

// referenceTo returns the text with which a field names a file next to its current conda file, keeping the folder as it
// is written.
func referenceTo(at schema.Field, rel string) string {
	if !at.Explicit {
		return rel
	}
	folder := at.Text[:strings.LastIndexAny(at.Text, `/\`)+1]
	return folder + path.Base(rel)
}

// fitting returns the path of a conda file next to e whose name suits a side, that no job of the other side uses, and
// whose requirements equal those of e after the swaps; "" if there is none.
func fitting(project *schema.Project, e *schema.Environment, to side) string {
	var want []string
	for _, other := range project.Environments {
		if other == e || other.File.Kind != schema.CondaFile || other.File.Dir() != e.File.Dir() ||
			!to.suits(strings.ToLower(path.Base(other.File.Rel))) || len(to.spoils.by(other)) > 0 || to.spoils.elsewhere(project, other) != "" {
			continue
		}
		if want == nil {
			want = requirements(e, to.texts(project, e))
		}
		if slices.Equal(want, requirements(other, nil)) {
			return other.File.Rel
		}
	}
	return ""
}

// requirements returns the sorted, normalised requirements of an environment, with some texts replaced.
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
