package check

import (
	"cmp"
	"context"
	"slices"

	"github.com/amlfix/amlfix/cmd/internal/baseline"
	"github.com/amlfix/amlfix/cmd/internal/pool"
	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/settings"
)

// Root is a project that was found but not read, with the settings that apply to it. It is immutable after Discover
// returns.
type Root struct {
	schema.Root
	// Shown is the folder as shown to the user; "" for the working directory.
	Shown string
	// First orders projects: no file of the project has a shown path that sorts before it.
	First string
	// Settings are the settings that apply to the folder; never nil.
	Settings *settings.Settings
	// Baseline is the path of the file of known findings; "" if there is none.
	Baseline string

	known    *baseline.Baseline          // the content of Baseline; nil for nothing
	isolated bool                        // comments do not count
	today    string                      // the day on which known findings may have expired
	asOf     string                      // the day that decides what is retired and supported
	scope    *scope                      // the part of the project to check
	chosen   *settings.Selection         // as in Engine.Selection
	unsaved  map[string][]byte           // as in Engine.Texts
	changed  map[string][]byte           // texts on which to base a planned repair; nil for those that earlier repairs have left so far
	text     func(string) ([]byte, bool) // reads them
	sharing  *schema.Sharing             // among all projects of the call
	shared   map[string][]byte           // what sharing has read, by Path
}

// root returns a Root for a project that was found, as of a day.
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

// Name returns the folder as shown to the user.
func (r Root) Name() string { return cmp.Or(r.Shown, ".") }

// Load reads the project with the user's answers, and with the texts that replace those on disk.
func (r Root) Load(a Answers) *schema.Project {
	opts := a.options(r)
	opts.Text = r.readAs
	p := schema.Load(r.Root, opts)
	if r.scope != nil && r.scope.text != "" {
		return p.With(map[string][]byte{r.scope.text: r.scope.content})
	}
	return p
}

// Options returns how to read the project without answers. The only settings it uses are those about machines.
func (r Root) Options() schema.Options {
	return schema.Options{NoComments: r.isolated, AsOf: r.asOf, Computes: r.Settings.Computes}
}

// readAs returns the text that replaces a file; false to use the file on disk.
func (r Root) readAs(path string) ([]byte, bool) {
	if r.text != nil {
		if text, ok := r.text(path); ok {
			return text, true
		}
	}
	if text, ok := r.unsaved[path]; ok {
		return text, true
	}
	text, ok := r.shared[path]
	return text, ok
}

// All returns all findings in a project, including those that do not count, and marks the known ones.
func (r Root) All(p *schema.Project) []finding.Finding { return r.marked(rules.Check(p)) }

// marked marks the findings in the baseline.
func (r Root) marked(list []finding.Finding) []finding.Finding { return r.known.Mark(list, r.today) }

// Counting returns the findings that count according to settings, selection and scope, with the severities that the
// settings give them. They include accepted findings; see Unsuppressed.
func (r Root) Counting(list []finding.Finding) []finding.Finding {
	list = r.chosen.Filter(r.Settings.Filter(list), schema.IsSettings)
	list = slices.DeleteFunc(slices.Clone(list), func(f finding.Finding) bool { return !r.scope.about(f) })
	for i, f := range list {
		if f.Fix != nil && !r.scope.repairs(f) {
			list[i].Fix = nil // it cannot be made from here
		}
	}
	return list
}

// Repairs reports whether a finding's fix is allowed by settings, selection and scope. The proof of a repair considers
// all findings, including those that do not count.
func (r Root) Repairs(f finding.Finding) bool {
	counting := Unsuppressed(r.chosen.Filter(r.Settings.Filter([]finding.Finding{f}), schema.IsSettings))
	return len(counting) == 1 && counting[0].Fix != nil && r.scope.repairs(f)
}

// Unsuppressed returns the findings that nobody has accepted.
func Unsuppressed(list []finding.Finding) []finding.Finding {
	return slices.DeleteFunc(slices.Clone(list), func(f finding.Finding) bool { return f.Suppression != nil })
}

// Asked lists what --gpu and --cpu may name, sorted and without duplicates.
type Asked struct {
	// Targets are the compute targets; Shown are these, and the v2 computes and jobs. Also are additional names of the
	// jobs.
	Targets, Shown, Also []string
}

// AskedNames returns what --gpu and --cpu may name in projects. The error is the cause of ctx.
func AskedNames(ctx context.Context, roots []Root) (all Asked, _ error) {
	err := pool.Each(ctx, roots, func(r Root) (names Asked) {
		p := schema.Load(r.Root, schema.Options{})
		for _, t := range p.Targets {
			names.Targets = append(names.Targets, t.Name)
		}
		names.Shown, names.Also = p.V2Names()
		for _, j := range p.Jobs {
			if j.Dialect == schema.V2 {
				names.Shown = append(names.Shown, j.Name)
			}
		}
		return names
	}, func(names Asked) bool {
		all.Targets, all.Also = append(all.Targets, names.Targets...), append(all.Also, names.Also...)
		all.Shown = slices.Concat(all.Shown, names.Targets, names.Shown)
		return true
	})
	for _, list := range []*[]string{&all.Targets, &all.Shown} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	return all, err
}
