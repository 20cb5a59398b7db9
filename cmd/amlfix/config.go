package main

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/secret"
	"github.com/amlfix/amlfix/schema/settings"
)

func (c *Command) configCommand() *cli.Command {
	return &cli.Command{
		Name:      "config",
		Usage:     "show which settings are in force, and why",
		ArgsUsage: "[FLAGS] [PATH...]",
		Description: `Shows, for the projects at or below PATH, which .amlfix.yaml is in force, each
setting with the line it comes from, and the rules that do not count as amlfix
rules lists them, with the setting that decides. For a file, the settings under
"paths" that match it are taken in.`,
		UsageText: `amlfix config
amlfix config projects/digits
amlfix config projects/digits/aml_config/gpuvm.compute`,
		Flags: append(trustFlags(), colourFlags()...),
		Action: func(ctx *cli.Context) error {
			coloured, err := c.coloured(ctx)
			if err != nil {
				return err
			}
			f := c.discover(ctx.Args().Slice())
			c.showSettings(ui.NewStyle(coloured), f.roots, c.oneFile(ctx.Args().Slice()))
			if f.unreadable() {
				return status(statusFailure)
			}
			return nil
		},
	}
}

// oneFile returns the path of the only file that is named, or "".
func (c *Command) oneFile(args []string) string {
	if len(args) != 1 {
		return ""
	}
	name := c.identity(args[0])
	if list, err := schema.Discover([]string{c.path(args[0])}); err != nil || len(list) != 1 || !slices.Contains(list[0].Files, name) {
		return ""
	}
	return name
}

// showSettings describes the settings of projects, each file once.
func (c *Command) showSettings(style ui.Style, roots []root, file string) {
	for i, first := range roots {
		same := func(r root) bool { return r.settings.Path == first.settings.Path }
		if slices.ContainsFunc(roots[:i], same) {
			continue
		}
		var where []string
		for _, r := range roots {
			if same(r) {
				where = append(where, orThisFolder(c.rel(r.Dir)))
			}
		}
		if file != "" {
			where = []string{c.rel(file)}
		}
		if i > 0 {
			_, _ = fmt.Fprintln(c.out)
		}
		in := ui.Printable(shortList(where))
		if first.settings.Path == "" {
			why := "There is no .amlfix.yaml for "
			if c.trust.isolated {
				why = "No .amlfix.yaml counts for "
			}
			_, _ = fmt.Fprintf(c.out, "%s%s: the defaults are in force.\n", why, in)
			if first.known != "" {
				_, _ = fmt.Fprintf(c.out, "The findings in %s are put up with.\n", ui.Printable(c.rel(first.known)))
			}
			continue
		}
		_, _ = fmt.Fprintf(c.out, "%s is in force for %s.\n\n", style.Bold(ui.Printable(c.rel(first.settings.Path))), in)
		c.settingsTable(style, first).Write(c.out, "")
		c.decidedRules(style, first.settings, file)
		c.sayFaults(first)
	}
}

// orThisFolder returns a path as a word of a sentence.
func orThisFolder(path string) string {
	if path == "." {
		return "this folder"
	}
	return path
}

// settingsTable has a row for each setting.
func (c *Command) settingsTable(style ui.Style, r root) *ui.Table {
	s := r.settings
	table := heading(style, "SETTING", "VALUE", "FROM")
	row := func(name, value, otherwise string) {
		if value == "" {
			value = otherwise
		}
		if value != "" {
			table.Row(name, secret.HideValue(value), c.origin(s, "/"+name))
		}
	}
	row("select", strings.Join(s.Select, ", "), "all rules")
	row("ignore", strings.Join(s.Ignore, ", "), "no rule")
	row("severity", severityList(s.Severity), "as the rules say")
	row("exclude", strings.Join(s.Exclude, ", "), "nothing")
	for i, p := range s.Paths {
		value := strings.Join(p.Match, ", ") + ":"
		if len(p.Ignore) > 0 {
			value += " ignore " + strings.Join(p.Ignore, ", ")
		}
		if len(p.Severity) > 0 {
			value += " " + severityList(p.Severity)
		}
		row("paths/"+strconv.Itoa(i), value, "")
	}
	row("gpu", strings.Join(s.GPU, ", "), "by their files")
	row("cpu", strings.Join(s.CPU, ", "), "")
	row("choices", pairList(s.Choices), "")
	row("images", pairList(s.Images), "")
	row("migrate", pairList(s.Migrate), "")
	row("fail-on", failOnWord(s.FailOn), "error")
	limit := ""
	if s.MaxWarnings >= 0 {
		limit = strconv.Itoa(s.MaxWarnings)
	}
	row("max-warnings", limit, "no limit")
	file := ""
	if r.known != "" {
		file = c.rel(r.known)
	}
	row("baseline", file, "none")
	return table
}

// origin returns where a setting stands, or that it is the default.
func (c *Command) origin(s *settings.Settings, pointer string) string {
	path, line, ok := s.Origin(pointer)
	if !ok {
		return "default"
	}
	return fmt.Sprintf("%s:%d", c.rel(path), line)
}

// decidedRules lists the rules that settings have a say in.
func (c *Command) decidedRules(style ui.Style, s *settings.Settings, file string) {
	if file == "" {
		file = filepath.Join(s.Folder, "any") // no pattern is meant to match it
	}
	table := heading(style, "RULE", "SEVERITY", "WHY")
	n := 0
	for _, r := range rules.All() {
		why := s.Why(r.ID, file)
		if why == "" {
			continue
		}
		n++
		severity, counts := s.Verdict(r.ID, file, r.Severity)
		word, paint := severity.String(), severityPaint(style, severity)
		if !counts {
			word, paint = "off", style.Dim
		}
		setting := why[1:]
		if before, _, found := strings.Cut(why, "severity/"); found {
			setting = before[1:] + "severity"
		}
		table.Row(r.ID, word, setting+", "+c.origin(s, why))
		table.Paint(1, paint)
	}
	if n > 0 {
		_, _ = fmt.Fprintln(c.out)
		table.Write(c.out, "")
	}
}

// sayFaults says when not all of a settings file is in force.
func (c *Command) sayFaults(r root) {
	if c.trust.settings != nil {
		return // it has none, or we would not be here
	}
	text, err := c.trust.read(r.Boundary, r.settings.Path)
	if err != nil {
		c.say("%s: nothing of it is in force: %s", c.rel(r.settings.Path), (&schema.File{Err: err}).ReadError())
	} else if n := len(settingsFaults(text)); n > 0 {
		c.say("%s has %s, so not all of it works as it was meant: see amlfix check", c.rel(r.settings.Path), ui.Count(n, "fault"))
	}
}

func severityList(m map[string]settings.Severity) string {
	words := map[string]string{}
	for name, severity := range m {
		if words[name] = severity.String(); severity == settings.Off {
			words[name] = "off"
		}
	}
	return pairList(words)
}

func pairList(m map[string]string) string {
	var list []string
	for _, key := range slices.Sorted(maps.Keys(m)) {
		list = append(list, key+": "+m[key])
	}
	return strings.Join(list, ", ")
}

func failOnWord(severity settings.Severity) string {
	switch severity {
	case 0:
		return ""
	case settings.Never:
		return "never"
	}
	return severity.String()
}
