package rules

import (
	"fmt"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
)

// usedHere says in a sentence which run configurations use an environment.
func usedHere(jobs []*schema.Job) string {
	if len(jobs) == 1 {
		return fmt.Sprintf("run configuration %q uses it", jobs[0].Name)
	}
	names := make([]string, len(jobs))
	for i, j := range jobs {
		names[i] = j.Name
	}
	return "run configurations " + quotedList(names) + " use it"
}

// whyGPU returns the related locations of a package finding: each run
// configuration that uses the environment, and what makes its target a GPU one.
func whyGPU(jobs []*schema.Job) (related []finding.Location) {
	seen := map[*schema.Target]bool{}
	for _, j := range jobs {
		related = append(related, j.TargetName.Location(fmt.Sprintf("run configuration %q runs on %q", j.Name, j.Target.Name)))
		if !seen[j.Target] {
			seen[j.Target] = true
			related = append(related, j.Target.Evidence...)
		}
	}
	return related
}

// environmentFix returns the fix that rewrites a package for one side: in place,
// or, when jobs of the other use the same file and the swap would break them, in
// a file of its own. It adds the reason to the message where it cannot.
func environmentFix(p *Pass, e *schema.Environment, to side, at *finding.Location, title string, pkg schema.Package, text string) *finding.Fix {
	others := e.UsedBy(to.against)
	var elsewhere []*schema.Job
	if len(others) == 0 { // otherwise it is a case for a file of its own anyhow
		elsewhere = p.Project.UsedElsewhere(e, to.against)
	}
	if len(others)+len(elsewhere) == 0 {
		if pkg.Node.Kind != document.Scalar {
			return nil
		}
		return &finding.Fix{Title: title, Applicability: finding.Safe, Changes: []finding.Change{rewrite(e.File.Path, pkg, text)}}
	}
	another := "CPU"
	if to.name == another {
		another = "GPU"
	}
	used := usedHere(others)
	if len(others) == 0 {
		used = fmt.Sprintf("%s of another project uses it", p.Project.RelOf(elsewhere[0]))
	}
	fix, reason := splitOnce(p, e, to)
	if fix == nil {
		at.Message += fmt.Sprintf("; not repaired here, because %s on a %s target: %s", used, another, reason)
		return nil
	}
	at.Message += fmt.Sprintf("; because %s on a %s target, the %s job needs a conda file of its own", used, another, to.name)
	return fix
}

// splitKey names a split, and splitResult is what it came to.
type (
	splitKey struct {
		e    *schema.Environment
		side string
	}
	splitResult struct {
		fix    *finding.Fix
		reason string
	}
)

// splitOnce is split, worked out once for all findings about an environment.
func splitOnce(p *Pass, e *schema.Environment, to side) (fix *finding.Fix, reason string) {
	key := splitKey{e, to.name}
	known, ok := p.shared.splits[key]
	if !ok {
		if p.shared.splits == nil {
			p.shared.splits = map[splitKey]splitResult{}
		}
		known.fix, known.reason = split(p.Project, e, to)
		p.shared.splits[key] = known
	}
	if known.fix == nil {
		return nil, known.reason
	}
	own := *known.fix // the caller may add a notice
	return &own, ""
}

// rewrite returns the change that gives a package's item another text.
func rewrite(file string, pkg schema.Package, text string) finding.Change {
	return finding.Change{Op: finding.SetScalar, File: file, Pointer: pkg.Node.Pointer(), Value: finding.Text(text)}
}
