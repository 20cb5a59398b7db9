package check

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/amlfix/amlfix/cmd/internal/baseline"
	"github.com/amlfix/amlfix/cmd/internal/pool"
	"github.com/amlfix/amlfix/fixers/transaction"
	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/disk"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/secret"
	"github.com/amlfix/amlfix/schema/source"
)

// withBaselines adds the known findings to each project. A baseline that cannot be used is a problem: without it,
// everything would count.
func (e *Engine) withBaselines(f *Found) {
	finder, known := e.Trust.finder(schema.NewFinder(baseline.Name)), map[string]*baseline.Baseline{"": nil}
	today := e.Today()
	for i := range f.Roots {
		f.Roots[i].today = today
		e.withBaseline(f, &f.Roots[i], finder, known)
	}
}

// withBaseline adds the known findings to a project; known are the baselines that were read before, by path.
func (e *Engine) withBaseline(f *Found, r *Root, finder *schema.Finder, known map[string]*baseline.Baseline) {
	r.Baseline = r.Settings.Baseline
	switch {
	case r.Baseline != "":
	case e.Trust.KeepsBaseline:
		r.Baseline = finder.For(r.Root)
	default:
		r.Baseline = e.Trust.find(finder, r.Root)
	}
	b, seen := known[r.Baseline]
	if !seen {
		var faults []error
		b, faults = e.readBaseline(r)
		known[r.Baseline] = b
		for _, fault := range faults {
			f.Problem(e, fault)
		}
	}
	r.known = b
}

// Known reads the known findings of a project of Choices or Look. The problems say why its baseline cannot be used.
func (e *Engine) Known(r *Root) (problems []string) {
	var f Found
	r.today = e.Today()
	e.withBaseline(&f, r, e.Trust.finder(schema.NewFinder(baseline.Name)), map[string]*baseline.Baseline{"": nil})
	return f.Problems
}

// ForgetBaselines makes known findings count.
func (f Found) ForgetBaselines() {
	for i := range f.Roots {
		f.Roots[i].known = nil
	}
}

// readBaseline reads the baseline of a project; nil if there is none.
func (e *Engine) readBaseline(r *Root) (*baseline.Baseline, []error) {
	text, err := e.read(r.Boundary, r.Baseline)
	if _, there := os.Lstat(r.Baseline); errors.Is(err, fs.ErrNotExist) && there != nil {
		return nil, nil
	}
	if err != nil {
		return nil, []error{fmt.Errorf("%s: %s", secret.HideValue(e.Rel(r.Baseline)), schema.ReadError(err))}
	}
	if err := tooLarge(text); err != nil {
		return nil, []error{fmt.Errorf("%s: the baseline cannot be used: %w", secret.HideValue(e.Rel(r.Baseline)), err)}
	}
	b, list := baseline.Read(document.Parse(source.New(r.Baseline, text)))
	var faults []error
	for _, f := range list {
		at := f.Source.Position(f.Span.Start)
		faults = append(faults, fmt.Errorf("%s:%d:%d: the baseline cannot be used: %s", secret.HideValue(e.Rel(r.Baseline)), at.Line, at.Column, secret.Hide(f.Message)))
	}
	if len(faults) > 0 {
		return nil, faults
	}
	b.Folder = e.Trust.folderOf(r.Baseline)
	return b, nil
}

// BaselineUpdate describes the update of one baseline file.
type BaselineUpdate struct {
	Path        string
	Known       int  // findings in it now
	Added, Gone int  // compared with before
	Expired     int  // number of known findings that have expired; they count again
	Existed     bool // the file existed before
	Written     bool // the file had to be changed
}

// UpdateBaselines writes those findings of projects that fail a check, and warnings, to their baselines. fresh has the
// reason and the date for new entries. On error, it returns the updates made before.
func (e *Engine) UpdateBaselines(ctx context.Context, roots []Root, fresh baseline.Entry) (list []BaselineUpdate, _ error) {
	for i, first := range roots {
		path := e.baselinePath(first)
		if slices.ContainsFunc(roots[:i], func(r Root) bool { return e.baselinePath(r) == path }) {
			continue
		}
		same := slices.DeleteFunc(slices.Clone(roots), func(r Root) bool { return e.baselinePath(r) != path })
		update, err := e.updateBaseline(ctx, path, same, fresh)
		if err != nil {
			return list, err
		}
		list = append(list, update)
	}
	return list, nil
}

// baselinePath returns where a project's baseline is, or would be.
func (e *Engine) baselinePath(r Root) string {
	if r.Baseline != "" {
		return r.Baseline
	}
	if r.Settings.Path != "" {
		return filepath.Join(filepath.Dir(r.Settings.Path), baseline.Name)
	}
	if top := schema.Repository(r.Dir); top != "" {
		return filepath.Join(top, baseline.Name)
	}
	if !schema.Below(e.Dir, r.Dir) {
		return filepath.Join(r.Dir, baseline.Name) // otherwise it would not apply there
	}
	return filepath.Join(e.Dir, baseline.Name)
}

// looked is what was found in one project.
type looked struct {
	entries []baseline.Entry
	files   []string
}

// updateBaseline writes one baseline for all projects that share it.
func (e *Engine) updateBaseline(ctx context.Context, path string, roots []Root, fresh baseline.Entry) (BaselineUpdate, error) {
	folder := e.Trust.folderOf(path)
	var entries []baseline.Entry
	files := map[string]bool{}
	err := pool.Each(ctx, roots, func(r Root) looked { return r.look(folder) }, func(l looked) bool {
		entries = append(entries, l.entries...)
		for _, name := range l.files {
			files[name] = true
		}
		return true
	})
	if err != nil {
		return BaselineUpdate{}, err
	}
	seen := func(name string) bool {
		_, err := os.Lstat(filepath.Join(folder, filepath.FromSlash(name)))
		return files[name] || errors.Is(err, fs.ErrNotExist)
	}
	old, update := roots[0].known, BaselineUpdate{Path: path}
	var all []baseline.Entry
	all, update.Added, update.Gone = old.Update(entries, seen, fresh, e.Today())
	update.Known, update.Existed = len(all), old != nil
	for _, entry := range all {
		if entry.Expires != "" && entry.Expires < e.Today() {
			update.Expired++
		}
	}
	text := baseline.Text(all)
	if old == nil && len(all) == 0 || old != nil && bytes.Equal(old.Source, text) {
		return update, nil
	}
	name := secret.HideValue(e.Rel(path))
	switch err := replaceBaseline(path, roots[0], text); {
	case errors.Is(err, disk.ErrChanged):
		return update, &transaction.ChangedError{Path: name}
	case err != nil:
		return update, fmt.Errorf("%s: cannot be written: %w", name, err)
	}
	update.Written = true
	return update, nil
}

// look returns the findings of a project that belong in a baseline: those that fail a check, and warnings.
func (r Root) look(folder string) (l looked) {
	project := r.Load(Answers{})
	least := finding.Warning
	if r.Settings.FailOn == finding.Info {
		least = finding.Info
	}
	all := rules.Check(project)
	for i, e := range baseline.Entries(folder, all) {
		if !r.accepts(all[i].Source.Path) {
			continue
		}
		counting := Unsuppressed(r.Settings.Filter(all[i : i+1]))
		if len(counting) == 1 && counting[0].Severity >= least && all[i].Source.Path != r.Settings.Path {
			l.entries = append(l.entries, e)
		}
	}
	for _, f := range project.Files {
		if r.accepts(f.Path) {
			l.files = append(l.files, plain.Rel(folder, f.Path))
		}
	}
	return l
}

// accepts reports whether a baseline covers a file of the project: all files of older dialects, and v2 files within its
// scope.
func (r Root) accepts(path string) bool {
	return r.scope == nil || !r.OnlyV2(r.Dir) || r.scope.holds(path)
}

// tooLarge returns an error for the text of a baseline that would not be read.
func tooLarge(text []byte) error {
	if len(text) > source.MaxSize {
		return fmt.Errorf("it is larger than %d KiB: accept fewer findings, or ignore rules in .amlfix.yaml", source.MaxSize>>10)
	}
	return nil
}

// replaceBaseline writes the file's new text, if the file is still as it was read.
func replaceBaseline(path string, r Root, text []byte) error {
	if err := tooLarge(text); err != nil {
		return err
	}
	folder := filepath.Dir(path)
	if r.Settings.Baseline != "" { // its folders belong to the repository and may be links
		folder = filepath.Dir(r.Settings.Path)
	}
	name, err := filepath.Rel(folder, path)
	if err != nil {
		return err
	}
	d, err := disk.Open(folder)
	if err != nil {
		return err
	}
	defer d.Close()
	var old []byte
	if r.known != nil {
		old = append([]byte{}, r.known.Source...) // an empty file also counts
	}
	return d.Update(filepath.ToSlash(name), old, text)
}
