package main

import (
	"errors"
	"os"
	"path/filepath"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/secret"
	"github.com/amlfix/amlfix/schema/settings"
	"github.com/amlfix/amlfix/schema/source"
)

// trust says which settings, baselines and comments count. Those in the tree are
// as trustworthy as whoever wrote the tree; a pull request brings its own.
type trust struct {
	settings *settings.Settings // of --settings; nil when it is not given
	copy     string             // the folder of --settings-from; "" when it is not given
	top      string             // the folder in the tree that the copy is one of
	isolated bool               // --isolated: nothing in the tree counts
	updates  bool               // but the baseline in the tree is to be written
}

func trustFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "settings", Usage: "take the settings of all projects from `FILE`, and none from the tree"},
		&cli.StringFlag{Name: "settings-from", Usage: "take settings and baselines from `FOLDER`, another copy of the tree, such as that of the commit to merge into"},
		&cli.BoolFlag{Name: "isolated", Usage: "heed no settings, baselines and comments that are in the tree"},
	}
}

// readTrust reads the flags, before the command that they belong to does anything.
func (c *Command) readTrust(ctx *cli.Context) error {
	command, file, folder := ctx.Command.Name, ctx.String("settings"), ctx.String("settings-from")
	c.trust.isolated = ctx.Bool("isolated") || slices.Contains([]string{"undo", "runs"}, command) // records are there whatever the settings say
	c.trust.updates = c.trust.isolated && command == "baseline" && file == ""
	switch {
	case ctx.IsSet("settings") && ctx.IsSet("settings-from"):
		return usage(command, "--settings names one file and --settings-from a folder of them: give one of them")
	case ctx.IsSet("settings") && file == "":
		return usage(command, "--settings: a file name is missing")
	case ctx.IsSet("settings-from") && folder == "":
		return usage(command, "--settings-from: the name of a folder is missing")
	case file != "":
		return c.trustFile(command, file)
	case folder != "":
		return c.trustCopy(folder)
	}
	return nil
}

// trustFile takes all settings from a file. Half of what is asked for would be
// another gate than the one that is meant, so a fault in it is an error.
func (c *Command) trustFile(command, name string) error {
	path := filepath.Clean(c.path(name))
	text, err := c.readNamed(path)
	if err != nil {
		return &schema.PathError{Path: "--settings " + name, Err: plain.Cause(err)}
	}
	if list := settingsFaults(text); len(list) > 0 {
		at := list[0].Source.Position(list[0].Span.Start)
		return usage(command, "--settings %s: line %d, column %d: %s", name, at.Line, at.Column, secret.Hide(list[0].Message))
	}
	s := settings.Read(document.Parse(source.New(path, text)))
	if top := c.treeTop(); !schema.IsSettings(path) || !holds(top, path) {
		s.Folder = top
	}
	c.trust.settings = s
	return nil
}

// trustCopy takes settings and baselines from a copy of the tree.
func (c *Command) trustCopy(folder string) error {
	c.trust.copy, c.trust.top = filepath.Clean(c.path(folder)), c.treeTop()
	info, err := os.Stat(c.trust.copy)
	if err == nil && !info.IsDir() {
		err = errors.New("it is no folder")
	}
	if err != nil {
		return &schema.PathError{Path: "--settings-from " + folder, Err: err}
	}
	return nil
}

// treeTop returns the top of the repository that amlfix is started in, or this
// folder outside of one.
func (c *Command) treeTop() string {
	if top := schema.Repository(c.path(".")); top != "" {
		return top
	}
	return c.path(".")
}

// standsIn returns the folder that a settings file or baseline counts as being in:
// its own, or for one from elsewhere that in the tree for which it was written.
func (t *trust) standsIn(path string) string {
	dir := filepath.Dir(path)
	switch {
	case t.settings != nil:
		return filepath.Join(t.settings.Folder, relTo(filepath.Dir(t.settings.Path), dir))
	case t.copy != "":
		return filepath.Join(t.top, relTo(t.copy, dir))
	}
	return dir
}

// finder bounds the search of a finder by the copy of the tree, if there is one.
func (t *trust) finder(finder *schema.Finder) *schema.Finder {
	if t.copy != "" {
		return finder.Below(t.copy)
	}
	return finder
}

// find returns the file that is in force in a folder: of the tree, or of its copy;
// "" when there is none, or none that counts.
func (t *trust) find(finder *schema.Finder, dir string) string {
	switch {
	case t.copy != "":
		if rel := relTo(t.top, dir); filepath.IsLocal(rel) {
			return finder.Find(filepath.Join(t.copy, rel))
		}
		return ""
	case t.settings != nil || t.isolated:
		return ""
	}
	return finder.Find(dir)
}

// read reads a file that find has found for a project.
func (t *trust) read(boundary, path string) ([]byte, error) {
	if t.copy != "" {
		return source.ReadWithin(t.copy, path)
	}
	return schema.ReadOwn(boundary, path)
}

// trustWords returns the flags as they are written on a command line.
func trustWords(ctx *cli.Context, word func(string) string) (words []string) {
	for _, name := range []string{"settings", "settings-from"} {
		if ctx.IsSet(name) {
			words = append(words, "--"+name, word(ctx.String(name)))
		}
	}
	if ctx.Bool("isolated") {
		words = append(words, "--isolated")
	}
	return words
}

// settingsFaults returns what keeps a text from being settings that are all in
// force.
func settingsFaults(text []byte) []finding.Finding {
	const name = ".amlfix.yaml"
	project := schema.Load(schema.Root{Dir: "."}, schema.Options{}).With(map[string][]byte{name: text})
	return slices.DeleteFunc(rules.Check(project), func(f finding.Finding) bool { return f.Severity < finding.Warning })
}

// readNamed reads a file that the command line names. Whoever wrote the tree may have
// made a link of it there.
func (c *Command) readNamed(path string) ([]byte, error) {
	if top := c.treeTop(); holds(top, path) {
		return source.ReadWithin(top, path)
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, err
	}
	return source.ReadWithin(filepath.Dir(real), real)
}

// holds reports whether a path is a folder or lies in it.
func holds(folder, path string) bool { return filepath.IsLocal(relTo(folder, path)) }

// relTo returns a path from a folder, ".." when there is no way.
func relTo(folder, path string) string {
	folder, err1 := filepath.Abs(folder)
	path, err2 := filepath.Abs(path)
	rel, err3 := filepath.Rel(folder, path)
	if errors.Join(err1, err2, err3) != nil {
		return ".."
	}
	return rel
}
