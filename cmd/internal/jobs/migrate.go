package jobs

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/console"

	"github.com/amlfix/amlfix/cmd/internal/check"
	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/fixers/migrate"
	"github.com/amlfix/amlfix/fixers/migrate/compose"
	"github.com/amlfix/amlfix/fixers/migrate/kubernetes"
	"github.com/amlfix/amlfix/fixers/migrate/skypilot"
	v1 "github.com/amlfix/amlfix/fixers/migrate/v1"
	v2 "github.com/amlfix/amlfix/fixers/migrate/v2"
	"github.com/amlfix/amlfix/fixers/transaction"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/escape"
)

// emitters returns the formats that can be written, in the order of the help.
func emitters() []migrate.Emitter {
	return []migrate.Emitter{v2.Emitter{}, v1.Emitter{}, compose.Emitter{}, kubernetes.Emitter{}, skypilot.Emitter{}}
}

// MigrationFormats returns the names of the formats that can be written.
func MigrationFormats() (formats []string) {
	for _, e := range emitters() {
		formats = append(formats, e.Format())
	}
	return formats
}

// MigrateOptions say what to migrate, and how.
type MigrateOptions struct {
	Paths   []string // of the project; none for the working directory
	To      string   // one of MigrationFormats
	Configs []string // run configurations; none for all
	Script  string   // for run configurations that name none
	Out     string   // the new folder; "" for one in the project's
	Answers []string // as ID=VALUE
	DryRun  bool     // only show what would be written
	Check   bool     // let a resolver check the new environments, over the network
	// RewriteScripts changes the scripts instead of writing a diff of them.
	RewriteScripts bool
}

// Migrate writes a project in another format.
func (c *Jobs) Migrate(ctx context.Context, o MigrateOptions) error {
	emitter, err := emitterNamed(o.To)
	if err != nil {
		return err
	}
	if len(o.Paths) > 1 {
		return console.Usage("migrate", "unexpected argument %q: give one project at a time", o.Paths[1])
	}
	if len(o.Paths) > 0 {
		info, err := os.Stat(c.Path(o.Paths[0]))
		if ext := strings.ToLower(filepath.Ext(o.Paths[0])); err == nil && !info.IsDir() && (ext == ".py" || ext == ".ipynb") {
			return console.Usage("migrate", "PATH is a folder: `amlfix migrate --to %s %s` also reads the programs in it that use SDK v1; --script names the script that run configurations lack",
				o.To, escape.Word(filepath.Dir(o.Paths[0])))
		}
	}
	c.Projects = migrate.Projects
	f := c.Discover(o.Paths)
	switch {
	case f.Unreadable():
		return console.Status(console.Failure)
	case len(f.Roots) == 0:
		return console.Status(console.Findings)
	}
	r, ok := c.theProject(f.Roots, o.Paths)
	if !ok {
		all := folders(c, f.Roots)
		return console.Usage("migrate", "there are several projects, %s: name one, as in amlfix migrate --to %s %s", ui.ShortList(all), emitter.Format(), escape.Word(all[0]))
	}
	opts := migrate.Options{Configs: o.Configs, Script: o.Script, RewriteScripts: o.RewriteScripts, Trees: c.Trees(o.Paths), Answers: map[string]migrate.Answer{}}
	for id, value := range r.Settings.Migrate {
		opts.Answers[id] = migrate.Answer{Value: value, From: filepath.Base(r.Settings.Path)}
	}
	for _, a := range o.Answers {
		id, value, ok := strings.Cut(a, "=")
		if !ok || id == "" || value == "" {
			return console.Usage("migrate", "--answer %s: write it as ID=VALUE", a)
		}
		opts.Answers[id] = migrate.Answer{Value: value, From: migrate.FromFlag}
	}
	if out := o.Out; out != "" {
		opts.Out, opts.Given = c.Identity(out), c.Path(out)
	}
	if o.Check {
		if opts.Resolve, err = resolver(ctx); err != nil {
			return err
		}
		c.Say("checking with uv against PyPI and the public indexes that the environments use")
	}
	project := schema.Load(r.Root, r.Options())
	m, err := migrate.New(project, emitter, opts)
	var answer *migrate.AnswerError
	var config *migrate.ConfigError
	if errors.As(err, &answer) || errors.As(err, &config) {
		return console.Usage("migrate", "%v", err)
	}
	if err != nil {
		return err
	}
	all := r.All(m.Read)
	c.sayErrors(r.Counting(all), m)
	c.sayHidden(r, all, f.Excluded)
	name := func(file string) string {
		rel := c.Rel(file)
		if below, ok := strings.CutPrefix(file+string(filepath.Separator), opts.Out+string(filepath.Separator)); ok && filepath.IsAbs(o.Out) && strings.HasPrefix(rel, "../") {
			return filepath.Join(o.Out, below)
		}
		return rel
	}
	return transaction.Renamed(c.migrated(m, o.DryRun, name), name)
}

// theProject returns the only project that can be migrated, or the one whose folder is named, which may contain others.
func (c *Jobs) theProject(roots []check.Root, named []string) (check.Root, bool) {
	dir := c.Dir
	if len(named) > 0 {
		dir = c.Identity(named[0])
	}
	older := slices.DeleteFunc(slices.Clone(roots), func(r check.Root) bool {
		return r.OnlyV2(r.Dir) || r.Dir != dir && migrate.Written(r.Dir, dir) // the result of an earlier migration is not a source
	})
	if len(older) > 0 {
		roots = older
	}
	i := slices.IndexFunc(roots, func(r check.Root) bool { return r.Dir == dir })
	if i < 0 && len(roots) > 1 {
		return check.Root{}, false
	}
	return roots[max(i, 0)], true
}

func emitterNamed(name string) (migrate.Emitter, error) {
	formats := MigrationFormats()
	also := map[string]string{"kubernetes": "k8s", "docker-compose": "compose", "sky": "skypilot"}
	if i := slices.Index(formats, cmp.Or(also[name], name)); i >= 0 {
		return emitters()[i], nil
	}
	if name == "" {
		return nil, console.Usage("migrate", "use --to to choose the target format: %s", strings.Join(formats, ", "))
	}
	return nil, console.Usage("migrate", "--to %s: unknown format; the formats are: %s%s", name, strings.Join(formats, ", "), ui.DidYouMean(name, formats))
}

func folders(c *Jobs, roots []check.Root) (list []string) {
	for _, r := range roots {
		list = append(list, c.Rel(r.Dir))
	}
	return list
}
