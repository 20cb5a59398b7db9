package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/baseline"
	"github.com/amlfix/amlfix/cmd/internal/pool"
	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/disk"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/escape"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/settings"
	"github.com/amlfix/amlfix/schema/source"
)

// found is what the paths of a command line lead to.
type found struct {
	roots []root
	// problems are paths that could not be used, and why; it has been said.
	problems []string
	// excluded are the files that the settings leave out, by the settings' path.
	excluded map[string][]string
}

// unreadable reports whether a path could not be used.
func (f found) unreadable() bool { return len(f.problems) > 0 }

// root is a project found; roots are sorted by what comes first.
type root struct {
	schema.Root
	shown    string             // the folder as it is shown; "" for the working directory
	first    string             // no file of the project is shown with a path before it
	settings *settings.Settings // those in force in the folder
	baseline *baseline.Baseline // what is known there; nil for nothing
	known    string             // the path of the baseline; "" when there is none
	isolated bool               // comments do not count
	today    string             // on which known findings may have expired
	scope    *scope             // what a check is about
	changed  map[string][]byte  // what the diffs of projects before it make of files; see diffs
	sharing  *schema.Sharing    // among all projects that the call sees
}

// root describes a project that was found.
func (c *Command) root(r schema.Root) root {
	shown := c.rel(r.Dir)
	first := shown + "/"
	if below(r.Dir, c.dir()) {
		first = ""
	}
	for name := range r.Names {
		first = min(first, c.rel(name))
	}
	if shown == "." {
		shown = ""
	}
	return root{Root: r, shown: shown, first: first}
}

// load reads the project with the user's answers.
func (r root) load(a answers) *schema.Project {
	p := r.afterOthers(schema.Load(r.Root, a.options(r)))
	if r.scope != nil && r.scope.stdin != "" {
		return p.With(map[string][]byte{r.scope.stdin: r.scope.text})
	}
	return p
}

// check returns the findings in a project that count, with the severities they
// are given; among them are those that somebody has decided to live with.
func (r root) check(p *schema.Project) []finding.Finding { return r.counting(r.all(p)) }

// all returns all findings in a project, also those that do not count; the known
// ones are marked.
func (r root) all(p *schema.Project) []finding.Finding {
	return r.baseline.Mark(rules.Check(p), r.today)
}

// counting returns those findings that count, by the settings and the scope.
func (r root) counting(list []finding.Finding) []finding.Finding {
	list = slices.DeleteFunc(slices.Clone(r.settings.Filter(list)), func(f finding.Finding) bool { return !r.scope.about(f) })
	for i, f := range list {
		if f.Fix != nil && !r.scope.repairs(f) {
			list[i].Fix = nil // nobody could make it from here
		}
	}
	return list
}

// repairs tells whether a finding's fix is not ruled out by the settings or the
// scope. The proof of a repair looks at all findings, also at those that do not
// count.
func (r root) repairs(f finding.Finding) bool {
	counting := unsuppressed(r.settings.Filter([]finding.Finding{f}))
	return len(counting) == 1 && counting[0].Fix != nil && r.scope.repairs(f)
}

// unsuppressed returns the findings that nobody has decided to live with.
func unsuppressed(list []finding.Finding) []finding.Finding {
	return slices.DeleteFunc(slices.Clone(list), func(f finding.Finding) bool { return f.Suppression != nil })
}

// discover finds the projects at or below paths. What cannot be used is said,
// and the rest is found all the same.
func (c *Command) discover(paths []string) found {
	if len(paths) == 0 {
		paths = []string{"."}
	}
	var f found
	open := make([]string, len(paths))
	for i, p := range paths {
		open[i] = c.path(p)
	}
	list, err := schema.Discover(open)
	for _, wrong := range schema.PathErrors(err) {
		wrong.Path = c.rel(wrong.Path)
		f.problem(c, wrong)
	}
	for _, r := range list {
		f.roots = append(f.roots, c.root(r))
	}
	slices.SortFunc(f.roots, func(a, b root) int { return cmp.Compare(a.first, b.first) })
	if c.recoverProjects(f.roots) {
		return c.discover(paths)
	}
	any := len(f.roots) > 0
	f.shared(open)
	c.withSettings(&f)
	c.withBaselines(&f)
	switch {
	case len(f.roots) > 0 || f.unreadable():
	case any:
		c.say("nothing to look at: %s", c.excludedText(f.excluded)+c.trust.hint(false))
		f.excluded = nil
	default:
		c.say("%s", c.nothingFound(paths))
	}
	return f
}

// shared lets the projects know of each other. seen are the paths that were
// searched; others of a repository are searched too when a repair asks for it.
func (f *found) shared(seen []string) {
	roots, folders := make([]schema.Root, len(f.roots)), make([]string, len(seen))
	for i, r := range f.roots {
		roots[i] = r.Root
	}
	for i, p := range seen {
		folders[i] = schema.Identity(p)
	}
	sharing := rules.NewSharing(roots, folders)
	for i := range f.roots {
		f.roots[i].sharing = sharing
	}
}

// withSettings gives each project the settings in force there, and leaves out
// those with excluded files only. A settings file of the tree is itself checked
// with the first project that it is in force for.
func (c *Command) withSettings(f *found) {
	finder := c.trust.finder(schema.SettingsFinder())
	known := map[string]*settings.Settings{"": settings.Default()}
	if s := c.trust.settings; s != nil {
		known[""] = s
	}
	var kept []root
	for _, r := range f.roots {
		path := c.trust.find(finder, r.Dir)
		s, seen := known[path]
		if !seen {
			s = c.readSettings(f, r, path)
		}
		out := f.exclude(s, r.Files)
		if out == len(r.Files) {
			continue
		}
		if known[path] = s; !seen && c.trust.copy == "" && !slices.Contains(r.Files, path) {
			r.Files = append(slices.Clone(r.Files), path)
		}
		r.settings, r.isolated = s, c.trust.isolated
		kept = append(kept, r)
	}
	f.roots = kept
}

// exclude notes those files that settings leave out, and returns how many these are.
func (f *found) exclude(s *settings.Settings, files []string) (n int) {
	for _, name := range files {
		if s.Excluded(name) {
			if f.excluded == nil {
				f.excluded = map[string][]string{}
			}
			f.excluded[s.Path] = append(f.excluded[s.Path], name)
			n++
		}
	}
	return n
}

// readSettings reads the settings file at path, which is in force for a project.
func (c *Command) readSettings(f *found, r root, path string) *settings.Settings {
	text, err := c.trust.read(r.Boundary, path)
	if err != nil && c.trust.copy != "" { // a file of the tree is reported like the others
		f.problem(c, &schema.PathError{Path: c.rel(path), Err: disk.Cause(err)})
	}
	s := settings.Read(document.Parse(source.New(path, text)))
	s.Folder = c.trust.standsIn(path)
	return s
}

// problem notes what could not be used, and says it.
func (f *found) problem(c *Command, err error) {
	f.problems = append(f.problems, err.Error())
	c.say("%v", err)
}

// nothingFound says plainly that there is nothing to do, and why.
func (c *Command) nothingFound(paths []string) string {
	where, folder := "in this folder or below it", false
	if len(paths) != 1 || paths[0] != "." {
		where = "in " + shortList(paths)
	}
	for _, p := range paths {
		info, err := os.Stat(c.path(p))
		folder = folder || err == nil && info.IsDir()
	}
	if !folder {
		return fmt.Sprintf("nothing to check %s: no file of an Azure ML job, and no project refers to it", where)
	}
	text := fmt.Sprintf("no Azure ML job configuration found %s: looked for aml_config and .azureml folders, for *.runconfig files and for v2 files", where)
	dir := c.identity(paths[0])
	if up := schema.ProjectOf(dir); len(paths) == 1 && up != dir {
		text += fmt.Sprintf("; the project above it is %s: amlfix %s checks it", c.rel(up), escape.Word(c.rel(up)))
	}
	return text
}

// named checks that every target given with a flag exists in one of the projects.
func (c *Command) named(ctx context.Context, command, flag string, roots []root, targets []string) error {
	if len(targets) == 0 {
		return nil
	}
	var all []string
	err := pool.Each(ctx, roots, func(r root) (names []string) {
		for _, t := range schema.Load(r.Root, schema.Options{}).Targets {
			names = append(names, t.Name)
		}
		return names
	}, func(names []string) bool {
		all = append(all, names...)
		return true
	})
	if err != nil {
		return err
	}
	slices.Sort(all)
	all = slices.Compact(all)
	for _, t := range targets {
		switch {
		case slices.Contains(all, t):
		case len(all) == 0:
			return usage(command, "--%s %s: there is no compute target at all", flag, t)
		default:
			return usage(command, "--%s %s: there is no compute target of this name%s\nThere are: %s",
				flag, t, didYouMean(t, all, asIs), shortList(all))
		}
	}
	return nil
}

// shortList joins names, leaving out what no one would read.
func shortList(names []string) string {
	const most = 30
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return strings.Join(names[:most], ", ") + ", and " + ui.Count(len(names)-most, "other")
}

// guarded calls do and turns a panic into an error: one project that amlfix
// fails on must not keep the others from being done.
func guarded[R any](project string, do func() R) (result R, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("%s: amlfix failed on this project, which is a fault of amlfix: please report it with the files: %v", project, cause)
		}
	}()
	return do(), nil
}
