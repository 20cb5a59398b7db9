package jobs

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/runtime"
	"github.com/amlfix/amlfix/runtime/docker"
	"github.com/amlfix/amlfix/runtime/record"
	"github.com/amlfix/amlfix/runtime/runid"
	"github.com/amlfix/amlfix/schema/plain"
)

// cleaning removes what runs have left, or reports what it would remove.
type cleaning struct {
	*Jobs
	o             RunsOptions
	dir           string // the project to clean; empty: every one
	removed, kept int
	failed        bool
}

func (c *Jobs) cleanRuns(ctx context.Context, all runs, o RunsOptions) error {
	age, err := older(o.Older)
	if err != nil {
		return err
	}
	if o.Environments && !o.Yes && !o.DryRun && (!ui.IsInteractive(c.Stdin) || !ui.IsTerminal(c.Stderr)) {
		return console.Usage("runs", "removing environments asks first, but there is no terminal: add --yes, or --dry-run to only see them")
	}
	k := &cleaning{Jobs: c, o: o}
	var chosen runs
	if len(o.args) > 0 {
		r, err := all.pick(o.args, anyRun, "")
		if err != nil {
			return err
		}
		chosen = runs{r}
	} else if chosen, err = k.choose(all); err != nil {
		return err
	}
	for _, r := range chosen {
		k.clean(ctx, r, age)
	}
	if o.Orphans {
		k.did(k.orphans(ctx, all))
	}
	if o.Environments {
		found, err := k.claims(ctx, chosen)
		k.did(err)
		if err := k.environments(ctx, chosen); !found || !docker.Is(err, docker.NoEngine) { // a user with a cluster needs no engine
			k.did(err)
		}
	}
	if len(o.args) == 0 {
		k.did(k.copies(ctx))
	}
	switch {
	case k.failed:
		return console.Status(console.Failure)
	case k.removed+k.kept == 0:
		c.Say("nothing to remove")
	}
	return nil
}

// choose limits the cleaning to the current project, unless more is requested.
func (k *cleaning) choose(all runs) (runs, error) {
	if k.o.All {
		return all, nil
	}
	dirs, up := k.projects(), k.projectAbove(true)
	k.dir = k.Dir
	switch {
	case up != "":
		k.dir = up
	case slices.Contains(dirs, k.Dir): // the ones below it are separate projects
	case len(dirs) == 1:
		k.dir = dirs[0]
	case len(dirs) > 1:
		return nil, console.Usage("runs", "there are %d projects below this folder: clean one of them from its own folder, or all with --all", len(dirs))
	}
	return slices.DeleteFunc(slices.Clone(all), func(r foundRun) bool { return filepath.Dir(filepath.Dir(filepath.Dir(r.Dir))) != k.dir }), nil
}

// did counts what a step has removed.
func (k *cleaning) did(err error) {
	if err != nil {
		k.Say("%s", runtime.Explain(err))
		k.failed = true
	}
}

// remove removes something and reports it; with --dry-run it only reports it.
func (k *cleaning) remove(what string, do func() error) {
	if k.o.DryRun {
		k.Say("would remove %s", what)
		k.removed++
		return
	}
	if err := do(); err != nil {
		k.did(err)
		return
	}
	k.Say("removed %s", what)
	k.removed++
}

func (k *cleaning) clean(ctx context.Context, r foundRun, age time.Duration) {
	switch {
	case r.Live:
	case !r.Over() && r.MayRun() && r.AzureML == nil: // a job in Azure ML leaves only its record here
		k.Say("run %s may still be running: amlfix runs attach or amlfix runs stop ends it", r.ID)
		k.kept++
	case !r.Over() && r.AzureML == nil:
		k.remove("what run "+r.ID.String()+" had left", func() error {
			opts := k.runOptions()
			opts.Stdout, opts.Stderr = nil, nil
			if result, err := runtime.Attach(ctx, r.Dir, opts); err != nil && result.Outcome != runtime.NotStarted {
				return err
			}
			return nil
		})
	case k.o.Older != "" && time.Since(r.Created) > age && r.OutputsMissing():
		k.Say("run %s: its outputs are in %s, so its record stays: amlfix runs fetch %[1]s brings them back", r.ID, r.Outputs.At)
		k.kept++
	case k.o.Older != "" && time.Since(r.Created) > age:
		k.remove("the record of run "+r.ID.String(), func() error { return record.Remove(r.Dir) })
	}
}

// orphans removes what runs without a record here have left on this computer. It does not touch a container in which a
// job is running, nor outputs that were not copied back, because they exist nowhere else.
func (k *cleaning) orphans(ctx context.Context, all runs) error {
	var known []runid.ID
	for _, r := range all {
		known = append(known, r.ID)
	}
	eng, err := docker.Connect()
	if err != nil {
		return err
	}
	defer func() { _ = eng.Close() }()
	asked := eng
	if _, err := eng.Info(ctx); docker.Is(err, docker.NoEngine) { // without an engine there are no containers either
		asked = nil
	}
	list, err := runtime.Leftovers(ctx, asked, known)
	left, clusterErr := k.inClusters(ctx, all, known)
	list, err = append(list, left...), errors.Join(err, clusterErr)
	others := 0
	for _, l := range list {
		switch {
		case k.dir != "" && !l.Of(k.dir):
			others++
		case l.Busy:
			k.Say("%s of run %s is still in use, so it is not removed", l.What, l.RunID)
			k.kept++
		case l.Kept != "":
			k.Say("%s of run %s is not removed, because it contains the only copy of outputs: copy them from %s, then remove it yourself", l.What, l.RunID, l.Kept)
			k.kept++
		default:
			k.remove(l.What+" of run "+l.RunID.String(), func() error { return l.Remove(ctx) })
		}
	}
	if others > 0 {
		k.Say("%s of other projects: --all includes them", plain.Count(others, "thing"))
		k.kept++
	}
	return err
}

// engineTime is how long to wait for an engine that may not exist.
const engineTime = 3 * time.Second

// copies removes the copies of projects kept where jobs have run: with --copies all of them, otherwise those that no
// run uses any more.
func (k *cleaning) copies(ctx context.Context) error {
	var asked docker.Engine // nil if there is none: its copies stay
	if eng, err := docker.Connect(); err == nil {
		defer func() { _ = eng.Close() }()
		brief, cancel := context.WithTimeout(ctx, engineTime)
		if _, err := eng.Info(brief); err == nil {
			asked = eng
		}
		cancel()
	}
	list, err := runtime.Copies(ctx, asked, k.dir)
	for _, c := range list {
		if k.o.Copies || c.Expired {
			k.remove(c.What, func() error { return c.Remove(ctx) })
		}
	}
	return err
}

// older parses the value of --older, which may also be in days.
func older(text string) (time.Duration, error) {
	if text == "" {
		return 0, nil
	}
	days, isDays := strings.CutSuffix(text, "d")
	if n, err := strconv.Atoi(days); isDays && err == nil && n >= 0 && n < 100_000 {
		return time.Duration(n) * 24 * time.Hour, nil
	}
	age, err := time.ParseDuration(text)
	if err != nil || age < 0 {
		return 0, console.Usage("runs", "--older: %q is not a time: write a number with its unit, such as 12h or 30d", ui.Printable(text))
	}
	return age, nil
}
