package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/check"
	"github.com/amlfix/amlfix/cmd/internal/cli"
	"github.com/amlfix/amlfix/cmd/internal/report"

	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/secret"
	"github.com/amlfix/amlfix/schema/settings"
)

func (c *call) configCommand() *cli.Command {
	return &cli.Command{
		Name:      "config",
		Usage:     "show which settings apply, and why",
		ArgsUsage: "[FLAGS] [PATH...]",
		Description: `Shows, for the projects at or below PATH, which .amlfix.yaml applies, each
setting with the line that it comes from, and the rules that are off or have
another severity, with the setting that decides this. For a file, the settings under
"paths" that match it are included.`,
		UsageText: `amlfix config
amlfix config projects/digits
amlfix config projects/digits/aml_config/gpuvm.compute`,
		Flags: append(trustFlags(), cli.ColourFlags()...),
		Action: func(ctx *cli.Context) error {
			coloured, err := c.Coloured(ctx)
			if err != nil {
				return err
			}
			f := c.Discover(ctx.Args().Slice())
			c.showSettings(ui.NewStyle(coloured), f.Roots, c.oneFile(ctx.Args().Slice()))
			if f.Unreadable() {
				return cli.Status(cli.Failure)
			}
			return nil
		},
	}
}

// oneFile returns the path of the file if only one is named, or "".
func (c *call) oneFile(args []string) string {
	if len(args) != 1 {
		return ""
	}
	name := c.Identity(args[0])
	if list, err := schema.Discover([]string{c.Path(args[0])}); err != nil || len(list) != 1 || !list[0].Files.Contain(name) {
		return ""
	}
	return name
}

// showSettings describes the settings of projects, each file once.
func (c *call) showSettings(style ui.Style, roots []check.Root, file string) {
	for i, first := range roots {
		same := func(r check.Root) bool { return r.Settings.Path == first.Settings.Path }
		if slices.ContainsFunc(roots[:i], same) {
			continue
		}
		var where []string
		for _, r := range roots {
			if same(r) {
				where = append(where, orThisFolder(c.Rel(r.Dir)))
			}
		}
		if file != "" {
			where = []string{c.Rel(file)}
		}
		if i > 0 {
			_, _ = fmt.Fprintln(c.Out)
		}
		in := ui.Printable(ui.ShortList(where))
		if first.Settings.Path == "" {
			why := "There is no .amlfix.yaml for "
			if c.Trust.Isolated {
				why = "No .amlfix.yaml applies to "
			}
			_, _ = fmt.Fprintf(c.Out, "%s%s: the defaults apply.\n", why, in)
			if first.Baseline != "" {
				_, _ = fmt.Fprintf(c.Out, "The findings in %s are accepted.\n", ui.Printable(c.Rel(first.Baseline)))
			}
			continue
		}
		_, _ = fmt.Fprintf(c.Out, "%s applies to %s.\n\n", style.Bold(ui.Printable(c.Rel(first.Settings.Path))), in)
		c.settingsTable(style, first).Write(c.Out, "")
		c.decidedRules(style, first.Settings, file)
		c.sayFaults(first)
	}
}

// orThisFolder returns a path for use in a sentence.
func orThisFolder(path string) string {
	if path == "." {
		return "this folder"
	}
	return path
}

// settingsTable returns a table with a row for each setting.
func (c *call) settingsTable(style ui.Style, r check.Root) *ui.Table {
	table := cli.Heading(style, "SETTING", "VALUE", "FROM")
	for _, row := range r.Settings.Rows() {
		if row.Name == "baseline" && r.Baseline != "" { // even if no setting names it
			row.Value = c.Rel(r.Baseline)
		}
		table.Row(row.Name, secret.HideValue(row.Value), c.origin(r.Settings, "/"+row.Name))
	}
	return table
}

// origin returns where a setting is set, or that it is the default.
func (c *call) origin(s *settings.Settings, pointer string) string {
	path, line, ok := s.Origin(pointer)
	if !ok {
		return "default"
	}
	return fmt.Sprintf("%s:%d", c.Rel(path), line)
}

// decidedRules lists the rules that the settings affect.
func (c *call) decidedRules(style ui.Style, s *settings.Settings, file string) {
	if file == "" {
		file = filepath.Join(s.Folder, "any") // no pattern is meant to match it
	}
	table := cli.Heading(style, "RULE", "SEVERITY", "WHY")
	n := 0
	for _, r := range rules.All() {
		why := s.Why(r.ID, file)
		if why == "" {
			continue
		}
		n++
		severity, counts := s.Verdict(r.ID, file, r.Severity)
		word, paint := severity.String(), report.Paint(style, severity)
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
		_, _ = fmt.Fprintln(c.Out)
		table.Write(c.Out, "")
	}
}

// sayFaults reports if parts of a settings file do not apply.
func (c *call) sayFaults(r check.Root) {
	n, err := c.SettingsFaults(r)
	if err != nil {
		c.Say("%s: none of it applies: %v", c.Rel(r.Settings.Path), err)
	} else if n > 0 {
		c.Say("%s has %s, so some of it may not work as intended: see amlfix check", c.Rel(r.Settings.Path), ui.Count(n, "fault"))
	}
}
