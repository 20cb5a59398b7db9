package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/amlfix/amlfix/cmd/internal/pool"
	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/secret"
)

// chosen is a job to be run, with the project it belongs to.
type chosen struct {
	root    root
	project *schema.Project
	job     *schema.Job
}

// choose finds the run configuration that is meant. That there are several, or
// none, is an error of usage that lists what there is.
func (c *Command) choose(ctx *cli.Context) (chosen, error) {
	command, name, target := ctx.Command.Name, ctx.String("config"), ctx.String("target")
	paths, byFile := []string{"."}, false
	if strings.HasSuffix(name, ".runconfig") || strings.ContainsRune(filepath.ToSlash(name), '/') {
		if _, err := os.Stat(c.path(name)); err != nil {
			return chosen{}, usage(command, "-c %s: no such file", name)
		}
		paths, byFile = []string{name}, true
	} else if up := c.projectAbove(); up != "" {
		paths = []string{up}
	}
	f := c.discover(paths)
	if f.unreadable() || len(f.roots) == 0 {
		return chosen{}, usage(command, "there is no run configuration to run")
	}
	if err := c.named(ctx.Context, command, "gpu", f.roots, ctx.StringSlice("gpu")); err != nil {
		return chosen{}, err
	}
	var all []chosen
	err := pool.Each(ctx.Context, f.roots, func(r root) (list []chosen) {
		project := r.load(answers{gpu: ctx.StringSlice("gpu")})
		for _, j := range project.Jobs {
			list = append(list, chosen{r, project, j})
		}
		return list
	}, func(list []chosen) bool { all = append(all, list...); return true })
	if err != nil {
		return chosen{}, err
	}
	fitting := slices.DeleteFunc(slices.Clone(all), func(k chosen) bool {
		switch {
		case byFile:
			return k.job.File.Path != c.identity(name)
		case name != "" && !k.job.File.Called(name):
			return true
		}
		return target != "" && k.job.TargetName.Text != target
	})
	if len(fitting) == 1 {
		return fitting[0], nil
	}
	return chosen{}, c.unclear(command, name, target, fitting, all)
}

// configFolders are the folders that hold a project's configuration.
var configFolders = []string{"aml_config", ".azureml"}

// projectAbove returns the project folder above the working directory when
// there is no project in it, as git does; "" otherwise.
func (c *Command) projectAbove() string {
	config := func(dir string) bool {
		for _, name := range configFolders {
			if info, err := os.Stat(filepath.Join(dir, name)); err == nil && info.IsDir() {
				return true
			}
		}
		return false
	}
	if list, err := schema.Discover([]string{c.path(".")}); err != nil || len(list) > 0 {
		return ""
	}
	home := schema.Identity(c.Env("HOME"))
	for dir := filepath.Dir(c.dir()); dir != filepath.Dir(dir) && dir != home; dir = filepath.Dir(dir) {
		if config(dir) {
			return dir
		}
	}
	return ""
}

// unclear says why no single run configuration is meant.
func (c *Command) unclear(command, name, target string, fitting, all []chosen) error {
	var names []string
	for _, k := range all {
		names = append(names, k.job.Name)
	}
	switch {
	case len(all) == 0:
		return usage(command, "there is no run configuration: write one, or let amlfix attach write it")
	case len(fitting) > 1 && name != "":
		return usage(command, "-c %s: several run configurations have this name; give the file of one:\n%s", name, c.choices(fitting))
	case len(fitting) > 1:
		return usage(command, "which run configuration? name one with -c:\n%s", c.choices(fitting))
	case name != "" && !slices.Contains(names, name) && !strings.HasSuffix(name, ".runconfig"):
		return usage(command, "-c %s: there is no run configuration of this name%s\nThere are:\n%s", name, didYouMean(name, names, asIs), c.choices(all))
	case target != "" && name != "":
		return usage(command, "run configuration %s does not run on target %s\nThere are:\n%s", name, target, c.choices(all))
	case target != "":
		return usage(command, "-t %s: no run configuration runs on this target\nThere are:\n%s", target, c.choices(all))
	}
	return usage(command, "-c %s: this file is no run configuration\nThere are:\n%s", name, c.choices(all))
}

// choices lists run configurations, a line each.
func (c *Command) choices(list []chosen) string {
	const most = 20
	table := new(ui.Table)
	for _, k := range list[:min(len(list), most)] {
		table.Row(k.job.Name, "runs on "+secret.HideValue(k.job.TargetName.Text), c.rel(k.job.File.Path))
	}
	var b strings.Builder
	table.Write(&b, "  ")
	if len(list) > most {
		_, _ = fmt.Fprintf(&b, "  and %s\n", ui.Count(len(list)-most, "other"))
	}
	return strings.TrimSuffix(b.String(), "\n")
}
