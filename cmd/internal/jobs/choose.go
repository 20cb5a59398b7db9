package jobs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/cmd/internal/flags"

	"github.com/amlfix/amlfix/cmd/internal/check"
	"github.com/amlfix/amlfix/cmd/internal/pool"
	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/runtime/record"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/escape"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/secret"
)

// chosen is a job to run, with its project.
type chosen struct {
	root    check.Root
	project *schema.Project
	job     *schema.Job
	// pipeline is the v2 pipeline to run instead of a job; only its file, mapping and name are set.
	pipeline *schema.Job
	// also lists other jobs whose files must have no errors. elsewhere means that Azure ML runs them, not a machine of
	// the user's.
	also      []*schema.Job
	elsewhere bool
	// without lists the steps of the pipeline that are not run, whose errors do not matter.
	without []*schema.Job
	// file is the v2 file that was named.
	file *schema.File
}

// Choice says which run configuration to use.
type Choice struct {
	Command string   // the command that asks, for its errors
	Config  string   // the name, or the file; "" if not specified
	Target  string   // the run configuration's target; "" if not specified
	GPU     []string // targets to treat as GPU targets
	script  string   // the path that was given; "" if none was
}

// byFile reports whether Config is a file.
func (o Choice) byFile() bool {
	return strings.HasSuffix(o.Config, ".runconfig") || strings.ContainsRune(filepath.ToSlash(o.Config), '/')
}

// choose finds the chosen run configuration. If there are several, or none, it returns a usage error that lists the
// possible ones.
func (c *Jobs) choose(ctx context.Context, choice Choice) (chosen, error) {
	command, name, target := choice.Command, choice.Config, choice.Target
	paths := []string{name}
	if !choice.byFile() {
		paths = c.around(false)
	} else if _, err := os.Stat(c.Path(name)); err != nil {
		return chosen{}, console.Usage(command, "-c %s: no such file", name)
	}
	f := c.Choices(paths)
	switch {
	case f.Unreadable():
		c.why(f.Problems...)
		return chosen{}, console.Status(console.Failure)
	case len(f.Roots) == 0:
		return chosen{}, console.Usage(command, "there is no run configuration to run; `amlfix run JOB.yml` runs a v2 job, and `amlfix attach` writes run configurations")
	}
	if len(choice.GPU) > 0 {
		asked, err := check.AskedNames(ctx, f.Roots)
		if err == nil {
			err = flags.KnownTargets(command, "gpu", choice.GPU, asked.Targets, nil)
		}
		if err != nil {
			return chosen{}, err
		}
	}
	all, newer, err := c.runnable(ctx, choice, f.Roots)
	if err != nil {
		return chosen{}, err
	}
	fitting := slices.DeleteFunc(slices.Clone(all), func(k chosen) bool {
		switch {
		case choice.byFile():
			return k.job.File.Path != c.Identity(name)
		case name != "" && !k.job.File.Called(name):
			return true
		}
		return target != "" && k.job.TargetName.Text != target
	})
	outputs := filepath.Join(c.Identity(paths[0]), "outputs") + string(filepath.Separator)
	below := func(path string) bool { return strings.HasPrefix(path, outputs) }
	copied := func(k chosen) bool { return below(k.job.File.Path) } // by a job, with its other files
	if own := slices.DeleteFunc(slices.Clone(fitting), copied); len(own) == 1 && !below(c.Identity(choice.script)) {
		if !slices.ContainsFunc(fitting, func(k chosen) bool { return k.job.File.Name() != own[0].job.File.Name() }) {
			fitting = own
		}
	}
	if len(fitting) == 1 {
		err := c.withKnown(&fitting[0])
		return fitting[0], err
	}
	if len(all) == 0 && len(newer) > 0 && command == "prepare" {
		return chosen{}, console.Usage(command, "there is no run configuration here; an Azure ML v2 job needs no preparation: amlfix run builds its environment and keeps it")
	}
	if len(all) == 0 && len(newer) > 0 && command == "run" {
		return chosen{}, console.Usage(command, "there is no run configuration here; to run an Azure ML v2 job, give its file:\n%s", fileList(newer))
	}
	return chosen{}, c.unclear(command, name, target, fitting, all)
}

// withKnown adds the known findings to the project of a job. The error is that its baseline cannot be used.
func (c *Jobs) withKnown(k *chosen) error {
	if problems := c.Known(&k.root); len(problems) > 0 {
		c.why(problems...)
		return console.Status(console.Failure)
	}
	return nil
}

// runnable returns the run configurations of projects, and the v2 files that describe a job. The error says why the
// file that was named cannot be read.
func (c *Jobs) runnable(ctx context.Context, choice Choice, roots []check.Root) (all []chosen, newer []string, err error) {
	type found struct {
		configurations []chosen
		files          []string
		closed         error
	}
	var closed error
	err = pool.Each(ctx, roots, func(r check.Root) (here found) {
		project := r.Load(check.Answers{GPU: choice.GPU})
		for _, j := range project.RunConfigurations() {
			here.configurations = append(here.configurations, chosen{root: r, project: project, job: j})
		}
		here.files = c.jobFiles(project)
		for _, f := range project.Files {
			if choice.byFile() && f.Err != nil && f.Path == c.Identity(choice.Config) {
				here.closed = &schema.PathError{Path: choice.Config, Err: errors.Unwrap(f.Err)}
			}
		}
		return here
	}, func(here found) bool {
		all, newer = append(all, here.configurations...), append(newer, here.files...)
		closed = cmp.Or(closed, here.closed)
		return true
	})
	return all, newer, cmp.Or(err, closed)
}

// around returns the path from which projects are found: the enclosing project folder, as projectAbove finds it, or the
// working directory.
func (c *Jobs) around(records bool) []string { return []string{cmp.Or(c.projectAbove(records), ".")} }

// projectAbove returns the enclosing project folder if there is no project in the working directory, as git does; ""
// otherwise. A folder with only v2 files does not count, unless records are looked for and it has some.
func (c *Jobs) projectAbove(records bool) string {
	hasRecords := func(dir string) bool { return records && record.Own(filepath.Join(dir, record.Folder, "runs")) == nil }
	if hasRecords(c.Dir) {
		return ""
	}
	config := func(dir string) bool {
		return hasRecords(dir) || slices.ContainsFunc(schema.ConfigFolders, func(name string) bool {
			info, err := os.Stat(filepath.Join(dir, name))
			return err == nil && info.IsDir()
		})
	}
	home := schema.Identity(c.Env("HOME"))
	for dir := filepath.Dir(c.Dir); dir != filepath.Dir(dir) && dir != home; dir = filepath.Dir(dir) {
		if !config(dir) {
			continue
		}
		list, err := schema.Discover([]string{c.Dir})
		if err != nil || slices.ContainsFunc(list, func(r schema.Root) bool { return !r.OnlyV2(r.Dir) }) {
			return ""
		}
		return dir
	}
	return ""
}

// unclear explains why no single run configuration was chosen.
func (c *Jobs) unclear(command, name, target string, fitting, all []chosen) error {
	var names []string
	for _, k := range all {
		names = append(names, k.job.Name)
	}
	switch {
	case len(all) == 0:
		return console.Usage(command, "there is no run configuration: write one, or run amlfix attach")
	case len(fitting) > 1 && name != "":
		return console.Usage(command, "-c %s: several run configurations have this name; give the file of one of them:\n%s", name, c.list(fitting))
	case len(fitting) > 1:
		return console.Usage(command, "there are several run configurations; choose one with -c:\n%s", c.list(fitting))
	case name != "" && !slices.Contains(names, name) && !strings.HasSuffix(name, ".runconfig"):
		return console.Usage(command, "-c %s: there is no run configuration of this name%s\nThere are:\n%s", name, ui.DidYouMean(name, names), c.list(all))
	case target != "" && name != "":
		return console.Usage(command, "run configuration %s does not run on target %s\nThere are:\n%s", name, target, c.list(all))
	case target != "":
		return console.Usage(command, "-t %s: no run configuration runs on this target\nThere are:\n%s", target, c.list(all))
	}
	return console.Usage(command, "-c %s: this file is not a run configuration\nThere are:\n%s", name, c.list(all))
}

// choices lists n choices, one per line: row adds one of the first to the table.
func choices(n int, row func(table *ui.Table, i int)) string {
	const most = 20
	table := new(ui.Table)
	for i := range min(n, most) {
		row(table, i)
	}
	var b strings.Builder
	table.Write(&b, "  ")
	if n > most {
		_, _ = fmt.Fprintf(&b, "  and %s\n", plain.Count(n-most, "other"))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// fileList lists the commands that run v2 files.
func fileList(files []string) string {
	return choices(len(files), func(table *ui.Table, i int) { table.Row("amlfix run " + escape.Word(files[i])) })
}

// list lists run configurations.
func (c *Jobs) list(list []chosen) string {
	return choices(len(list), func(table *ui.Table, i int) {
		k := list[i]
		table.Row(k.job.Name, "runs on "+secret.HideValue(k.job.TargetName.Text), c.Rel(k.job.File.Path))
	})
}
