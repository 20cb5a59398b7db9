package jobs

import (
	"github.com/amlfix/amlfix/cmd/internal/cli"
	"github.com/amlfix/amlfix/schema"
)

// TargetWords returns the compute targets of nearby projects, for completion.
func (c *Jobs) TargetWords() []cli.Candidate {
	return c.nearby(func(p *schema.Project) (list []cli.Candidate) {
		for _, t := range p.Targets {
			list = append(list, cli.Candidate{Word: t.Name, About: t.Type.Text})
		}
		return list
	})
}

// AskedWords returns what --gpu and --cpu may name in nearby projects: in v2, also computes and jobs.
func (c *Jobs) AskedWords() []cli.Candidate {
	return append(c.TargetWords(), c.nearby(func(p *schema.Project) (list []cli.Candidate) {
		computes, _ := p.V2Names()
		for _, name := range computes {
			list = append(list, cli.Candidate{Word: name, About: "compute"})
		}
		for _, j := range p.Jobs {
			if j.Dialect == schema.V2 {
				list = append(list, cli.Candidate{Word: j.File.Rel, About: j.Kind.String()})
			}
		}
		return list
	})...)
}

// ConfigWords returns the run configurations of nearby projects.
func (c *Jobs) ConfigWords() []cli.Candidate {
	return c.nearby(func(p *schema.Project) (list []cli.Candidate) {
		for _, j := range p.RunConfigurations() {
			list = append(list, cli.Candidate{Word: j.Name, About: "runs on " + j.TargetName.Text})
		}
		return list
	})
}

// fewProjects is how many projects are read to complete a name, because the user is waiting.
const fewProjects = 50

// nearby returns names from nearby projects, each once.
func (c *Jobs) nearby(of func(*schema.Project) []cli.Candidate) (list []cli.Candidate) {
	roots, err := schema.Discover([]string{c.Dir})
	if err != nil || len(roots) > fewProjects {
		return nil
	}
	seen := map[string]bool{}
	for _, r := range roots {
		for _, k := range of(schema.Load(r, schema.Options{})) {
			if !seen[k.Word] {
				seen[k.Word] = true
				list = append(list, k)
			}
		}
	}
	return list
}
