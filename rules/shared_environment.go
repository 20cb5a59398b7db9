package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
)

// maxNamed is the maximum number of run configurations that a finding names: thousands may use one environment, which
// may have thousands of findings.
const maxNamed = 20

// usedHere returns a sentence that says which jobs use an environment.
func usedHere(jobs []*schema.Job) string {
	noun, most := nounOf(jobs), mostOf(jobs)
	if len(jobs) == 1 {
		return fmt.Sprintf("%s %q uses it", noun, jobs[0].Name)
	}
	var names []string
	for _, j := range jobs[:min(len(jobs), most)] {
		names = append(names, j.Name)
	}
	if more := len(jobs) - most; more > 0 {
		return fmt.Sprintf("%ss %s, and %d more, use it", noun, quotedList(names), more)
	}
	return noun + "s " + quotedList(names) + " use it"
}

// nounOf returns the noun for jobs: v2 has no run configurations.
func nounOf(jobs []*schema.Job) string {
	if slices.ContainsFunc(jobs, func(j *schema.Job) bool { return j.Dialect == schema.V2 }) {
		return "job"
	}
	return "run configuration"
}

// mostOf returns how many jobs a finding may name: v2 jobs have long names.
func mostOf(jobs []*schema.Job) int {
	if nounOf(jobs) == "job" {
		return 3
	}
	return maxNamed
}

// runsOn returns the location that determines where a job runs, with a message.
func runsOn(j *schema.Job) finding.Location {
	switch {
	case j.Dialect != schema.V2:
		return j.TargetName.Location(fmt.Sprintf("run configuration %q runs on %q", j.Name, j.Target.Name))
	case j.Target.VMSize.Explicit && !j.Target.BySettings: // this has a message of its own
		return j.TargetName.Location(fmt.Sprintf("job %q runs on machines of size %s", j.Name, j.Target.VMSize.Text))
	}
	return j.TargetName.Location(fmt.Sprintf("job %q", j.Name))
}

// whyGPU returns the related locations of a package finding: each job that uses the environment, and what makes its
// target a GPU target.
func whyGPU(jobs []*schema.Job) (related []finding.Location) {
	seen := map[*schema.Target]bool{}
	for _, j := range jobs[:min(len(jobs), mostOf(jobs))] {
		if j.Dialect != schema.V2 || !j.Target.Requested() || j != j.Target.Jobs[0] { // where the evidence is
			related = append(related, runsOn(j))
		}
		if !seen[j.Target] {
			seen[j.Target] = true
			related = append(related, j.Target.Evidence...)
		}
	}
	return related
}

// environmentFix returns the fix that rewrites a package for one side: in place, or in a file of its own if jobs of the
// other side share the file and would break. If there is no fix, it adds the reason to the message.
func environmentFix(p *Pass, e *schema.Environment, to side, at *finding.Location, title string, pkg schema.Package, text string) *finding.Fix {
	if e.Built() {
		return nil // Dockerfiles are not edited
	}
	apart := p.shared.division(p.Project, e, to)
	if apart.used == "" {
		if pkg.Node.Kind != document.Scalar {
			return nil
		}
		changes := append([]finding.Change{rewrite(e.File.Path, pkg, text)}, beside(e, to, pkg, text)...)
		return &finding.Fix{Title: title, Applicability: finding.Safe, Changes: changes}
	}
	if apart.fix == nil {
		at.Message += fmt.Sprintf("; not repaired, because %s on %s target: %s", apart.used, apart.another, apart.reason)
		return nil
	}
	at.Message += fmt.Sprintf("; because %s on %s target, the %s job needs a conda file of its own", apart.used, apart.another, to.name)
	fix := *apart.fix // a rule may add a notice
	return &fix
}

// division is how an environment that jobs of both sides use is divided. All its findings share the changes, because
// each change is about the whole list.
type division struct {
	used    string // which jobs of the other side use it, "" for none
	another string // the kind of target that those run on
	fix     *finding.Fix
	reason  string // why there is no fix
}

// divided is an environment and the side that its packages are changed for.
type divided struct {
	e    *schema.Environment
	side string
}

// division returns the division of an environment, cached because it may have thousands of findings.
func (s *shared) division(project *schema.Project, e *schema.Environment, to side) *division {
	return s.divisions.of(divided{e, to.name}, func() *division {
		d := &division{used: usedBesides(project, e, to)}
		if d.used == "" {
			return d
		}
		d.fix, d.reason = split(project, s, e, to)
		switch d.another = "a CPU"; {
		case to.name == "CPU":
			d.another = "a GPU"
		case nounOf(to.against.by(e)) == "job":
			d.another = "another" // which may have a GPU as well
		}
		return d
	})
}

// usedBesides says which jobs of the other side use an environment, in this project or else in others; "" if there are
// none.
func usedBesides(project *schema.Project, e *schema.Environment, to side) string {
	if others := e.UsedBy(func(t *schema.Target) bool { return needs[to.against](t) || t.Dialect == schema.V2 && !to.on(t) }); len(others) > 0 {
		return usedHere(others)
	}
	switch elsewhere := to.against.elsewhere(project, e); {
	case strings.HasPrefix(elsewhere, "../"):
		return elsewhere + " of another project uses it"
	case elsewhere != "": // a v2 file
		return elsewhere + " uses it"
	}
	return ""
}

// rewrite returns the change that replaces the text of a package's item.
func rewrite(file string, pkg schema.Package, text string) finding.Change {
	return finding.Change{Op: finding.SetScalar, File: file, Pointer: pkg.Node.Pointer(), Value: finding.Text(text)}
}
