package check

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/escape"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/secret"
	"github.com/amlfix/amlfix/schema/settings"
	"github.com/amlfix/amlfix/schema/source"
)

// Found is the result of Discover.
type Found struct {
	// Roots are the projects, sorted by First.
	Roots []Root
	// Problems are the paths that could not be used, with reasons, without secrets; they were also passed to Notice.
	Problems []string
	// Excluded are the files that settings exclude, by the settings' path.
	Excluded map[string][]string

	seen   []string // identities of the folders that were searched
	closed []string // what may not be read
}

// Unreadable reports whether a path could not be used.
func (f Found) Unreadable() bool { return len(f.Problems) > 0 }

// Discover finds the projects at or below paths, by default the working directory, including projects of unsaved texts.
// It reports what cannot be used in Problems, and still finds the rest. It first recovers what a killed amlfix left in
// any of the projects.
func (e *Engine) Discover(paths []string) Found {
	f := e.Choices(paths)
	e.withBaselines(&f)
	return f
}

// Choices is like Discover for callers that choose one project, whose baseline Known then reads: those of the others do
// not matter.
func (e *Engine) Choices(paths []string) Found { return e.discover(paths, e.nothingFound) }

// Look is like Choices, but leaves it to the caller to say that there is nothing, or what was passed over.
func (e *Engine) Look(paths []string) Found { return e.discover(paths, nil) }

func (e *Engine) discover(paths []string, nothing func([]string) string) Found {
	var f Found
	paths = orHere(paths)
	open := e.paths(paths)
	list, closed, err := schema.Search(open)
	f.closed = closed
	for _, wrong := range schema.PathErrors(err) {
		if e.onlyText(wrong.Path) {
			continue
		}
		i := slices.Index(open, wrong.Path)
		if i < 0 {
			wrong.Path = e.Rel(wrong.Path)
			f.Problem(e, wrong)
			continue
		}
		_, meant := meantBy(wrong, paths[i])
		wrong.Path = paths[i]
		f.Problem(e, fmt.Errorf("%w%s", wrong, meant))
	}
	list = e.withUnsaved(list, open)
	if e.Projects != nil && err == nil {
		if info, wrong := os.Stat(open[0]); wrong == nil && info.IsDir() {
			list = e.Projects(schema.Identity(open[0]), list)
		}
	}
	f.Roots = make([]Root, len(list))
	asOf := e.Day()
	for i, r := range list {
		f.Roots[i] = e.root(r, asOf)
	}
	plain.SortFunc(f.Roots, func(a, b Root) int { return cmp.Compare(a.First, b.First) })
	if e.recoverProjects(f.Roots) {
		return e.discover(paths, nothing)
	}
	any := len(f.Roots) > 0
	f.complete(e, open)
	if len(f.closed) > 0 && nothing != nil {
		for i, name := range f.closed {
			f.closed[i] = e.Rel(name)
		}
		e.notice(ui.ShortList(f.closed) + ": no permission to read " + plain.Them(len(f.closed)) + ", so not checked")
	}
	if e.AfterSearch != nil {
		defer e.AfterSearch()
	}
	switch {
	case len(f.Roots) > 0 || f.Unreadable():
	case any:
		e.notice("nothing to check: " + e.excludedText(f.Excluded) + e.Trust.hint(false) + e.faulty(slices.Sorted(maps.Keys(f.Excluded))))
		f.Excluded = nil
	case nothing != nil:
		finder, above := schema.SettingsFinder(), []string(nil)
		for _, dir := range open {
			if path := e.settingsOf(finder, schema.Root{Dir: dir}); !slices.Contains(above, path) {
				above = append(above, path)
			}
		}
		e.notice(nothing(paths) + e.faulty(above))
	}
	return f
}

// faulty names the settings in the tree that have problems themselves where no project is left to report them with.
// paths are theirs; "" is none.
func (e *Engine) faulty(paths []string) string {
	var text strings.Builder
	if e.Trust.settings != nil || e.Trust.copy != "" {
		return ""
	}
	for _, path := range paths {
		if path == "" {
			continue
		}
		p := schema.Load(schema.Root{Dir: filepath.Dir(path), Files: schema.Paths{}.And(path)}, schema.Options{})
		if shown := e.Rel(path); len(rules.Check(p)) > 0 {
			text.WriteString("; " + shown + " is faulty itself: amlfix " + escape.Word(shown) + " says how")
		}
	}
	return text.String()
}

// complete makes the projects known to each other, along with their settings. seen are the paths that were searched;
// other paths in a repository are searched only if a repair needs them.
func (f *Found) complete(e *Engine, seen []string) {
	for _, p := range seen {
		f.seen = append(f.seen, e.Identity(p))
	}
	sharing := f.sharing()
	for i := range f.Roots {
		f.Roots[i].sharing = sharing
	}
	e.withSettings(f)
}

// sharing returns who uses the files of the projects, as they are now.
func (f Found) sharing() *schema.Sharing {
	roots := make([]schema.Root, len(f.Roots))
	for i, r := range f.Roots {
		roots[i] = r.Root
	}
	return rules.NewSharing(roots, f.seen)
}

// Again returns a project that was found before, with the engine's current Texts and beside the other projects in found
// as they are now. It does not include files that were added since.
func (e *Engine) Again(r Root, found Found) Root {
	r.unsaved, r.sharing = e.Texts, found.sharing()
	return r
}

// withSettings gives each project the settings that apply to it, and removes what they exclude: whole projects, and
// what may not be read. A settings file in the tree is itself checked with the first project to which it applies.
func (e *Engine) withSettings(f *Found) {
	finder := e.Trust.finder(schema.SettingsFinder())
	known := map[string]*settings.Settings{"": settings.Default()}
	if s := e.Trust.settings; s != nil {
		known[""] = s
	}
	kept := f.Roots[:0]
	for _, r := range f.Roots {
		path := e.settingsOf(finder, r.Root)
		s, seen := known[path]
		if !seen {
			s = e.readSettings(f, r.Boundary, path)
		}
		out := f.exclude(s, r.Files)
		if out == r.Files.Len() && out > 0 {
			continue
		}
		if known[path] = s; !seen && e.Trust.copy == "" && !r.Files.Contain(path) {
			r.Files = r.Files.And(path)
		}
		r.Settings, r.isolated = s, e.Trust.Isolated
		kept = append(kept, r)
	}
	f.Roots = kept
	f.closed = slices.DeleteFunc(f.closed, func(name string) bool {
		path := e.settingsOf(finder, schema.Root{Dir: filepath.Dir(name)})
		s, seen := known[path]
		if !seen {
			s = e.readSettings(f, filepath.Dir(path), path)
			known[path] = s
		}
		return s.Excluded(name) || s.Excluded(filepath.Join(name, "job.yml"))
	})
}

// exclude records the files that settings exclude, and returns how many there are.
func (f *Found) exclude(s *settings.Settings, files schema.Paths) (n int) {
	if len(s.Exclude) == 0 {
		return 0
	}
	for _, name := range files.All() {
		if s.Excluded(name) {
			if f.Excluded == nil {
				f.Excluded = map[string][]string{}
			}
			f.Excluded[s.Path] = append(f.Excluded[s.Path], name)
			n++
		}
	}
	return n
}

// readSettings reads the settings file at path, which no link leads out of the boundary.
func (e *Engine) readSettings(f *Found, boundary, path string) *settings.Settings {
	text, err := e.read(boundary, path)
	if err != nil && e.Trust.copy != "" { // a file in the tree is reported like the others
		f.Problem(e, &schema.PathError{Path: e.Rel(path), Err: plain.Cause(err)})
	}
	s := settings.Read(document.Parse(source.New(path, text)))
	s.Folder = e.Trust.folderOf(path)
	return s
}

// Problem records and reports what could not be used.
func (f *Found) Problem(e *Engine, err error) {
	f.Problems = append(f.Problems, secret.Hide(err.Error()))
	e.notice(err.Error())
}

// nothingFound returns a message that there is nothing to do, and why.
func (e *Engine) nothingFound(paths []string) string {
	where, folder := "in this folder or below it", false
	if len(paths) != 1 || paths[0] != "." {
		where = "in " + ui.ShortList(paths)
	}
	for _, p := range paths {
		info, err := os.Stat(e.Path(p))
		folder = folder || err == nil && info.IsDir()
	}
	if !folder {
		return fmt.Sprintf("nothing to check %s: no file that describes an Azure ML job or its environment (scripts are checked with the jobs that run them)", where)
	}
	text := fmt.Sprintf("no Azure ML job configuration found %s: looked for aml_config and .azureml folders, for run configurations and for v2 files (amlfix migrate also reads programs that use SDK v1)", where)
	dir := e.Identity(paths[0])
	if up := schema.ProjectOf(dir); len(paths) == 1 && up != dir {
		text += fmt.Sprintf("; the project above it is %s: amlfix %s checks it", e.Rel(up), escape.Word(e.Rel(up)))
	} else if tree := schema.Repository(dir); len(paths) == 1 && tree != "" && tree != dir {
		if list, _ := schema.Discover([]string{tree}); len(list) > 0 {
			text += fmt.Sprintf("; the repository has such files elsewhere: amlfix %s checks them", escape.Word(e.Rel(tree)))
		}
	}
	return text
}
