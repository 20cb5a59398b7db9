package rules

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
)

// curatedForGPU reports a curated environment without CUDA in a job for which the user asks for a GPU.
func curatedForGPU(p *Pass, j *schema.Job, at schema.Field, e catalog.CuratedEnvironment) {
	message := fmt.Sprintf("the curated environment %s has no CUDA, but this is a GPU target", e.Name)
	severity := finding.Warning // its contents, such as scikit-learn, may need no GPU
	if e.Version("torch")+e.Version("tensorflow") != "" {
		severity = finding.Error
	}
	list := catalog.GPUCounterparts(e.Name)
	chosen := slices.IndexFunc(list, func(c catalog.CuratedEnvironment) bool { return c.Name == p.Project.Choice(choiceCurated) })
	if chosen < 0 && len(list) == 1 {
		chosen = 0
	}
	switch {
	case len(list) == 0:
		message += "; amlfix knows none with CUDA to replace it: use an environment of your own, unless the job needs no GPU"
		p.reportAs(severity, at.Location(message), nil, j.Target.Evidence...)
	case chosen < 0:
		fix := &finding.Fix{Title: "choose the environment with CUDA", Applicability: finding.Choice}
		for _, c := range list {
			fix.Answers = append(fix.Answers, choose(choiceCurated, c.Name, "use "+c.Name+", with "+contents(c)))
		}
		p.reportAs(severity, at.Location(message+": use one with the framework that the job needs, unless it needs no GPU"), fix, j.Target.Evidence...)
	default:
		to := list[chosen]
		message += fmt.Sprintf(": use %s, with %s", to.Name, contents(to))
		fix := curatedFix(p, at, to)
		if fix != nil && len(e.Packages) > 0 {
			fix.Notice = cmp.Or(fix.Notice, fmt.Sprintf("%s contains %s in place of %s: try the job with these.", to.Name, contents(to), contents(e)))
		}
		if fix != nil && fix.Applicability == finding.Safe && !j.Target.Requested() {
			fix.Applicability = finding.Unsafe // nobody asked for another framework
		}
		p.reportAs(severity, at.Location(message), fix, j.Target.Evidence...)
	}
}

// contents names the frameworks in a curated environment.
func contents(e catalog.CuratedEnvironment) string {
	list := e.Pins()
	if e.CUDA != "" {
		list = append(list, "CUDA "+e.CUDA)
	}
	return strings.Join(list, ", ")
}

// curatedFix returns the fix that changes the curated environment of the GPU jobs that name it at a field.
func curatedFix(p *Pass, at schema.Field, to catalog.CuratedEnvironment) *finding.Fix {
	change, ok := at.Set(finding.Text("azureml://registries/azureml/environments/" + to.Name + "/labels/latest"))
	if !ok {
		return nil
	}
	c := newCarrier(p.Project, p.shared, gpuSide)
	mine, others := c.users(p.shared.namedAt(p.Project, at.Node))
	if c.component(at, mine, others, change); c.failed {
		return nil
	}
	return &finding.Fix{Title: "use " + to.Name, Applicability: finding.Safe, Changes: c.changes, Notice: c.notice()}
}

// namedAt returns the v2 jobs whose environment is named at a node.
func (s *shared) namedAt(p *schema.Project, at *document.Node) []*schema.Job {
	if s.named == nil {
		s.named = map[*document.Node][]*schema.Job{}
		for _, j := range p.Jobs {
			if n := j.V2.EnvironmentName.Node; n != nil {
				s.named[n] = append(s.named[n], j)
			}
		}
	}
	return s.named[at]
}
