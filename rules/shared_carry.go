package rules

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/reference"
)

// carrier limits the changes of one fix to the v2 jobs of one side. A file that other jobs use too is copied, the copy
// gets the changes, and the references to it from this side are changed in turn: from the conda file to the
// environment, to the component, and to the job.
type carrier struct {
	project  *schema.Project
	run      map[*schema.Job]bool // components that jobs run
	to       side
	changes  []finding.Change
	copies   map[*schema.File]int // the index of the change that creates a file's copy
	referred map[[2]string]bool   // places of changes that name a component's copy
	created  []string             // assets that are not registered in the workspace yet
	again    string               // an environment that is registered there in its old form
	failed   bool
}

func newCarrier(p *schema.Project, s *shared, to side) *carrier {
	return &carrier{project: p, run: s.runComponents(p), to: to, copies: map[*schema.File]int{}, referred: map[[2]string]bool{}}
}

// runComponents returns the components that jobs run, which have no machine of their own.
func (s *shared) runComponents(p *schema.Project) map[*schema.Job]bool {
	if s.run == nil {
		s.run = map[*schema.Job]bool{}
		for _, j := range p.Jobs {
			if j.Runs != nil {
				s.run[j.Runs] = true
			}
		}
	}
	return s.run
}

// users divides jobs into those of the carrier's side and others.
func (c *carrier) users(jobs []*schema.Job) (mine, others []*schema.Job) {
	for _, j := range jobs {
		switch {
		case c.to.on(j.Target):
			mine = append(mine, j)
		case !c.run[j]:
			others = append(others, j)
		}
	}
	return mine, others
}

// shares reports whether jobs of both sides use an environment.
func (c *carrier) shares(env *schema.V2Environment) bool {
	_, others := c.users(env.Jobs)
	return len(others) > 0
}

// environment makes changes to an environment, in the file that defines it.
func (c *carrier) environment(env *schema.V2Environment, changes []finding.Change) {
	mine, others := c.users(env.Jobs)
	switch {
	case len(changes) == 0:
	case len(others) == 0:
		c.changes = append(c.changes, changes...)
		if slices.ContainsFunc(mine, func(j *schema.Job) bool {
			return j.V2.EnvironmentName.File != env.File && reference.Parse(j.V2.EnvironmentName.Text).Inside()
		}) {
			c.again = env.File.Rel
		}
	case env.File.Kind == schema.V2EnvironmentFile && env.Node == env.File.Root():
		c.copyOf(env.File, changes, "-")
		seen := map[*document.Node]bool{}
		for _, j := range mine {
			at := j.V2.EnvironmentName
			if seen[at.Node] || c.failed {
				continue
			}
			seen[at.Node] = true
			c.refer(at, env.File, "-", func(change finding.Change) { c.component(at, mine, others, change) })
		}
	default: // defined in a component, or in a job that shares it through an alias
		c.holder(env.File, mine, changes)
	}
}

// component makes a change in the file of a component or a job, at a field that names the environment of this side's
// jobs.
func (c *carrier) component(at schema.Field, mine, others []*schema.Job, change finding.Change) {
	if !slices.ContainsFunc(others, func(j *schema.Job) bool { return j.V2.EnvironmentName.Node == at.Node }) {
		c.changes = append(c.changes, change)
		return
	}
	c.holder(at.File, slices.DeleteFunc(slices.Clone(mine), func(j *schema.Job) bool { return j.V2.EnvironmentName.Node != at.Node }), []finding.Change{change})
}

// holder makes changes to a component's file that other jobs run too, for the jobs in mine. A job's own file cannot be
// divided.
func (c *carrier) holder(f *schema.File, mine []*schema.Job, changes []finding.Change) {
	if f.V2 != "component" || slices.ContainsFunc(mine, func(j *schema.Job) bool { return j.Runs == nil || j.Runs.File != f || j.File == f }) {
		c.failed = true
		return
	}
	c.copyOf(f, changes, "_")
	for _, j := range mine {
		runs := schema.FieldAt(j.File, j.Node, "component")
		if !runs.Explicit {
			runs = schema.FieldAt(j.File, j.Node, "trial")
		}
		c.refer(runs, f, "_", func(change finding.Change) {
			if key := [2]string{change.File, change.Pointer}; !c.referred[key] {
				c.referred[key] = true
				c.changes = append(c.changes, change)
			}
		})
	}
}

// copyOf makes changes in a copy of a file, next to it. A named asset gets a new name, with a suffix joined in the way
// of its kind: two assets with the same name and version would overwrite each other.
func (c *carrier) copyOf(f *schema.File, changes []finding.Change, join string) {
	rel := c.to.copyOf(c.project, f.Rel)
	at := c.project.PathOf(rel)
	i, known := c.copies[f]
	if !known {
		name := schema.FieldAt(f, f.Root(), "name")
		if change, ok := name.Set(finding.Text(c.renamed(name.Text, join))); ok && name.Explicit {
			changes = append(slices.Clone(changes), change)
		}
		if there := c.project.FileAt(rel); there != nil && equalBut(f.Root(), there.Root(), changes) {
			c.copies[f] = made
			return
		}
		i = len(c.changes)
		c.copies[f] = i
		c.changes = append(c.changes, finding.Change{Op: finding.CopyFile, File: at, From: f.Path})
	}
	if i == made {
		return
	}
	if c.project.Exists(rel) {
		c.failed = true
		return
	}
	for _, change := range changes {
		change.File = at
		if !slices.ContainsFunc(c.changes[i].Changes, func(made finding.Change) bool { return made.Pointer == change.Pointer && made.Op == change.Op }) {
			c.changes[i].Changes = append(c.changes[i].Changes, change)
		}
	}
}

// made stands for a copy that already exists, made for another job.
const made = -1

// equalBut reports whether two trees are equal except for scalars that the changes replace.
func equalBut(a, b *document.Node, changes []finding.Change) bool {
	values := map[string]string{}
	for _, change := range changes {
		if change.Op != finding.SetScalar {
			return false
		}
		values[change.Pointer] = change.Value.Text
	}
	var equal func(a, b *document.Node, at string) bool
	equal = func(a, b *document.Node, at string) bool {
		if a == nil || b == nil || a.Kind != b.Kind || len(a.Entries()) != len(b.Entries()) || len(a.Items()) != len(b.Items()) {
			return a == b
		}
		for i, e := range a.Entries() {
			if e.Key.Value != b.Entries()[i].Key.Value || !equal(e.Value, b.Entries()[i].Value, at+"/"+document.EscapeToken(e.Key.Value)) {
				return false
			}
		}
		for i, item := range a.Items() {
			if !equal(item, b.Items()[i], at+"/"+strconv.Itoa(i)) {
				return false
			}
		}
		want := a.Value
		if value, ok := values[at]; ok {
			want = value
		}
		return want == b.Value
	}
	return equal(a, b, "")
}

// renamed returns the name of an asset's copy.
func (c *carrier) renamed(name, join string) string {
	return name + join + strings.TrimPrefix(c.to.suffix, "_")
}

// refer calls with with the change that makes a field name the copy of a file.
func (c *carrier) refer(at schema.Field, f *schema.File, join string, with func(finding.Change)) {
	rel, byPath := at.Path()
	text := at.Text[:strings.LastIndexAny(at.Text, `/\:`)+1] + path.Base(c.to.copyOf(c.project, f.Rel))
	if !byPath || c.project.FileAt(rel) != f {
		r := reference.Parse(at.Text)
		if !r.Inside() {
			c.failed = true
			return
		}
		text = at.Text[:r.NameAt.Start] + c.renamed(r.Name, join) + at.Text[r.NameAt.End:]
		c.created = append(c.created, c.to.copyOf(c.project, f.Rel))
	}
	change, ok := at.Set(finding.Text(text))
	if !ok || at.Node.Kind != document.Scalar {
		c.failed = true
		return
	}
	with(change)
}

// notice says what to do before the jobs can be submitted.
func (c *carrier) notice() string {
	switch {
	case len(c.created) == 0 && c.again != "":
		return "The workspace has the environment as it was: create " + c.again + " there again before you submit the jobs, with another version if it has one."
	case len(c.created) == 0:
		return ""
	}
	slices.Sort(c.created)
	return "The workspace must have what the jobs now refer to: create " + strings.Join(slices.Compact(c.created), " and ") + " there before you submit them."
}
