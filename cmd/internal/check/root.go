package check

import (
	"context"
	"slices"

	"github.com/amlfix/amlfix/cmd/internal/baseline"
	"github.com/amlfix/amlfix/cmd/internal/pool"
	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/settings"
)

// Root is a project found, not yet read, with what applies to it. It is
// immutable once it was found.
type Root struct {
	schema.Root
	// Shown is the folder as it is shown; "" for the working directory.
	Shown string
	// First orders projects: no file of the project is shown with a path before it.
	First string
	// Settings are those in force in the folder; never nil.
	Settings *settings.Settings
	// Baseline is the path of the file of known findings; "" when there is none.
	Baseline string

	known    *baseline.Baseline          // what Baseline holds; nil for nothing
	isolated bool                        // comments do not count
	today    string                      // on which known findings may have expired
	asOf     string                      // by which retirement and support are judged
	scope    *scope                      // what a check is about
	chosen   *settings.Selection         // as in Engine.Selection
	unsaved  map[string][]byte           // as in Engine.Texts
	changed  map[string][]byte           // texts to plan a repair over; nil for those that earlier ones have left so far
	text     func(string) ([]byte, bool) // reads them
	sharing  *schema.Sharing             // among all projects that the call sees
}

// root describes a project that was found, to be judged by a day.
func (e *Engine) root(r schema.Root, asOf string) Root {
	shown := e.Rel(r.Dir)
	first := shown + "/"
	if schema.Below(r.Dir, e.Dir) {
		first = ""
	}
	for name := range r.Names {
		first = min(first, e.Rel(name))
	}
	if shown == "." {
		shown = ""
	}
	return Root{Root: r, Shown: shown, First: first, unsaved: e.Texts, chosen: e.Selection, asOf: asOf}
}

// Load reads the project with the user's answers, and with the texts that count
// in place of those on disk.
func (r Root) Load(a Answers) *schema.Project {
	opts := a.options(r)
	opts.Text = r.readAs
	p := schema.Load(r.Root, opts)
	if r.scope != nil && r.scope.text != "" {
		return p.With(map[string][]byte{r.scope.text: r.scope.content})
	}
	return p
}

// Options returns how the project is read without answers. Of the settings, only what
// they know of machines counts.
func (r Root) Options() schema.Options {
	return schema.Options{NoComments: r.isolated, AsOf: r.asOf, Computes: r.Settings.Computes}
}

// readAs returns what a file is to be read as; false for what is on disk.
func (r Root) readAs(path string) ([]byte, bool) {
	if r.text != nil {
		if text, ok := r.text(path); ok {
			return text, true
		}
	}
	text, ok := r.unsaved[path]
	return text, ok
}

// All returns all findings in a project, also those that do not count; the known
// ones are marked.
func (r Root) All(p *schema.Project) []finding.Finding { return r.marked(rules.Check(p)) }

// marked marks the findings that the baseline knows.
func (r Root) marked(list []finding.Finding) []finding.Finding { return r.known.Mark(list, r.today) }

// Counting returns those findings that count, by settings, selection and scope, with
// the severities that the settings give them. Among them are those that somebody
// has accepted; see Unsuppressed.
func (r Root) Counting(list []finding.Finding) []finding.Finding {
	list = r.chosen.Filter(r.Settings.Filter(list), schema.IsSettings)
	list = slices.DeleteFunc(slices.Clone(list), func(f finding.Finding) bool { return !r.scope.about(f) })
	for i, f := range list {
		if f.Fix != nil && !r.scope.repairs(f) {
			list[i].Fix = nil // nobody could make it from here
		}
	}
	return list
}

// Repairs reports whether a finding's fix is not ruled out by settings, selection or
// scope. The proof of a repair looks at all findings, also at those that do not
// count.
func (r Root) Repairs(f finding.Finding) bool {
	counting := Unsuppressed(r.chosen.Filter(r.Settings.Filter([]finding.Finding{f}), schema.IsSettings))
	return len(counting) == 1 && counting[0].Fix != nil && r.scope.repairs(f)
}

// Unsuppressed returns the findings that nobody has accepted.
func Unsuppressed(list []finding.Finding) []finding.Finding {
	return slices.DeleteFunc(slices.Clone(list), func(f finding.Finding) bool { return f.Suppression != nil })
}

// HonorsComments reports whether comments may ask to ignore findings.
func (r Root) HonorsComments() bool { return !r.isolated }

// Asked is what --gpu and --cpu may name.
type Asked struct {
	// Shown are the compute targets, and the computes and jobs of v2, sorted, each
	// once; Also are further names of the jobs.
	Shown, Also []string
}

// AskedNames returns what --gpu and --cpu may name in projects. The error is the
// cause of ctx.
func AskedNames(ctx context.Context, roots []Root) (all Asked, _ error) {
	err := pool.Each(ctx, roots, func(r Root) (names Asked) {
		p := schema.Load(r.Root, schema.Options{})
		for _, t := range p.Targets {
			names.Shown = append(names.Shown, t.Name)
		}
		computes, jobs := p.V2Names()
		names.Shown, names.Also = append(names.Shown, computes...), jobs
		for _, j := range p.Jobs {
			if j.Dialect == schema.V2 {
				names.Shown = append(names.Shown, j.Name)
			}
		}
		return names
	}, func(names Asked) bool {
		all.Shown, all.Also = append(all.Shown, names.Shown...), append(all.Also, names.Also...)
		return true
	})
	slices.Sort(all.Shown)
	all.Shown = slices.Compact(all.Shown)
	return all, err
}

// TargetNames returns the names of all compute targets of projects, sorted, each
// once. The error is the cause of ctx.
func TargetNames(ctx context.Context, roots []Root) (all []string, _ error) {
	err := pool.Each(ctx, roots, func(r Root) (names []string) {
		for _, t := range schema.Load(r.Root, schema.Options{}).Targets {
			names = append(names, t.Name)
		}
		return names
	}, func(names []string) bool {
		all = append(all, names...)
		return true
	})
	slices.Sort(all)
	return slices.Compact(all), err
}
