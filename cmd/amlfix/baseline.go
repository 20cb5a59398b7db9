package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/amlfix/amlfix/cmd/internal/baseline"
	"github.com/amlfix/amlfix/cmd/internal/pool"
	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/fixers/transaction"
	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/disk"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/secret"
	"github.com/amlfix/amlfix/schema/source"
)

func (c *Command) baselineCommand() *cli.Command {
	return &cli.Command{
		Name:      "baseline",
		Usage:     "put up with what is found now, so that only new findings count",
		ArgsUsage: "[FLAGS] [PATH...]",
		Description: `Writes the errors and warnings in the projects at or below PATH into
.amlfix-baseline.yaml: beside .amlfix.yaml if there is one, else at the top of the
repository. From then on amlfix keeps quiet about them and does not repair them. A
finding stays known when it moves in its file, and is new when its line changes.
Called again, it adds what is new and takes out what is gone; reasons and dates
stay. No file content and no secret is in the baseline.`,
		UsageText: `amlfix baseline --reason "as it was when we began"
amlfix baseline --expires 2027-06-30 projects/digits
amlfix --apply --no-baseline && amlfix baseline`,
		Flags: append([]cli.Flag{
			&cli.StringFlag{Name: "reason", Usage: "the `REASON` of the entries that are added"},
			&cli.StringFlag{Name: "expires", Usage: "the last `DAY`, as 2027-06-30, on which the entries that are added, or that have expired, count"},
		}, trustFlags()[0], trustFlags()[2]),
		Action: c.writeBaselines,
	}
}

const day = "2006-01-02"

// today returns the day by which known findings expire.
func (c *Command) today() string { return c.now().Format(day) }

func (c *Command) now() time.Time {
	if c.Now != nil {
		return c.Now()
	}
	return time.Now()
}

// withBaselines gives each project the known findings. A baseline that cannot be
// used is a problem: without it everything would count.
func (c *Command) withBaselines(f *found) {
	finder, known := c.trust.finder(schema.NewFinder(baseline.Name)), map[string]*baseline.Baseline{"": nil}
	for i := range f.roots {
		r := &f.roots[i]
		r.today, r.known = c.today(), r.settings.Baseline
		switch {
		case r.known != "":
		case c.trust.updates:
			r.known = finder.Find(r.Dir)
		default:
			r.known = c.trust.find(finder, r.Dir)
		}
		b, seen := known[r.known]
		if !seen {
			var faults []error
			b, faults = c.readBaseline(*r)
			known[r.known] = b
			for _, fault := range faults {
				f.problem(c, fault)
			}
		}
		r.baseline = b
	}
}

// forgetBaselines lets known findings count.
func (f found) forgetBaselines() {
	for i := range f.roots {
		f.roots[i].baseline = nil
	}
}

// readBaseline reads the baseline of a project; nil when there is none.
func (c *Command) readBaseline(r root) (*baseline.Baseline, []error) {
	text, err := c.trust.read(r.Boundary, r.known)
	if _, there := os.Lstat(r.known); errors.Is(err, fs.ErrNotExist) && there != nil {
		return nil, nil
	}
	if err != nil {
		return nil, []error{fmt.Errorf("%s: %s", secret.HideValue(c.rel(r.known)), (&schema.File{Err: err}).ReadError())}
	}
	b, list := baseline.Read(document.Parse(source.New(r.known, text)))
	var faults []error
	for _, f := range list {
		at := f.Source.Position(f.Span.Start)
		faults = append(faults, fmt.Errorf("%s:%d:%d: the baseline cannot be used: %s", secret.HideValue(c.rel(r.known)), at.Line, at.Column, secret.Hide(f.Message)))
	}
	if len(faults) > 0 {
		return nil, faults
	}
	b.Folder = c.trust.standsIn(r.known)
	return b, nil
}

func (c *Command) writeBaselines(ctx *cli.Context) error {
	fresh := baseline.Entry{Reason: ctx.String("reason"), Expires: ctx.String("expires")}
	if _, err := time.Parse(day, fresh.Expires); err != nil && fresh.Expires != "" {
		return usage("baseline", "--expires: %q is no day: write it as 2027-06-30", fresh.Expires)
	}
	if fresh.Expires != "" && fresh.Expires < c.today() {
		return usage("baseline", "--expires: %s is over", fresh.Expires)
	}
	f := c.discover(ctx.Args().Slice())
	if f.unreadable() {
		return status(statusFailure)
	}
	if s := c.trust.settings; s != nil && s.Baseline == "" {
		return usage("baseline", `--settings %s names no baseline: write a line there, such as "baseline: %s"`, ctx.String("settings"), baseline.Name)
	}
	for i, first := range f.roots {
		path := c.baselinePath(first)
		if slices.ContainsFunc(f.roots[:i], func(r root) bool { return c.baselinePath(r) == path }) {
			continue
		}
		same := slices.DeleteFunc(slices.Clone(f.roots), func(r root) bool { return c.baselinePath(r) != path })
		if err := c.writeBaseline(ctx.Context, path, same, fresh); err != nil {
			return err
		}
	}
	return nil
}

// baselinePath returns where a project's baseline is, or is to be.
func (c *Command) baselinePath(r root) string {
	if r.known != "" {
		return r.known
	}
	if r.settings.Path != "" {
		return filepath.Join(filepath.Dir(r.settings.Path), baseline.Name)
	}
	if top := schema.Repository(r.Dir); top != "" {
		return filepath.Join(top, baseline.Name)
	}
	if !below(c.dir(), r.Dir) {
		return filepath.Join(r.Dir, baseline.Name) // or else it would not be in force there
	}
	return filepath.Join(c.dir(), baseline.Name)
}

// looked is what a look at one project found.
type looked struct {
	entries []baseline.Entry
	files   []string
}

// writeBaseline writes one baseline for all the projects that share it.
func (c *Command) writeBaseline(ctx context.Context, path string, roots []root, fresh baseline.Entry) error {
	folder := c.trust.standsIn(path)
	var entries []baseline.Entry
	files := map[string]bool{}
	err := pool.Each(ctx, roots, func(r root) looked { return r.look(folder) }, func(l looked) bool {
		entries = append(entries, l.entries...)
		for _, name := range l.files {
			files[name] = true
		}
		return true
	})
	if err != nil {
		return err
	}
	seen := func(name string) bool {
		_, err := os.Lstat(filepath.Join(folder, filepath.FromSlash(name)))
		return files[name] || errors.Is(err, fs.ErrNotExist)
	}
	old := roots[0].baseline
	all, added, gone := old.Update(entries, seen, fresh, c.today())
	name := secret.HideValue(c.rel(path))
	if old == nil && len(all) == 0 {
		c.say("nothing is found that would have to be put up with: %s is not written", name)
		return nil
	}
	change := fmt.Sprintf("%d new, %d gone", added, gone)
	switch text := baseline.Text(all); {
	case old != nil && bytes.Equal(old.Source, text):
		_, _ = fmt.Fprintf(c.out, "%s: %s, as before\n", ui.Printable(name), ui.Count(len(all), "known finding"))
	default:
		switch err := replaceBaseline(path, roots[0], text); {
		case errors.Is(err, disk.ErrChanged):
			return &transaction.ChangedError{Path: name}
		case err != nil:
			return fmt.Errorf("%s: cannot be written: %w", name, err)
		}
		_, _ = fmt.Fprintf(c.out, "%s: %s, %s\n", ui.Printable(name), ui.Count(len(all), "known finding"), change)
	}
	expired := 0
	for _, e := range all {
		if e.Expires != "" && e.Expires < c.today() {
			expired++
		}
	}
	if expired > 0 {
		c.say("%s in %s expired: what has expired counts again; --expires DAY puts up with it longer", ui.Count(expired, "known finding"), name)
	}
	return nil
}

// look returns the findings of a project that a baseline is to know: those that
// fail a check, and warnings.
func (r root) look(folder string) (l looked) {
	project := r.load(answers{})
	least := finding.Warning
	if r.settings.FailOn == finding.Info {
		least = finding.Info
	}
	all := rules.Check(project)
	for i, e := range baseline.Entries(folder, all) {
		counting := unsuppressed(r.settings.Filter(all[i : i+1]))
		if len(counting) == 1 && counting[0].Severity >= least && all[i].Source.Path != r.settings.Path {
			l.entries = append(l.entries, e)
		}
	}
	for _, f := range project.Files {
		l.files = append(l.files, baseline.Rel(folder, f.Path))
	}
	return l
}

// replaceBaseline gives the file its new text, if it is still what was read.
func replaceBaseline(path string, r root, text []byte) error {
	if len(text) > source.MaxSize {
		return fmt.Errorf("the file would be larger than %d KiB: put up with less, or ignore rules in .amlfix.yaml", source.MaxSize>>10)
	}
	folder := filepath.Dir(path)
	if r.settings.Baseline != "" { // its folders are the repository's: they may be links
		folder = filepath.Dir(r.settings.Path)
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
	if r.baseline != nil {
		old = append([]byte{}, r.baseline.Source...) // an empty file is one, too
	}
	return d.Update(filepath.ToSlash(name), old, text)
}
