package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/cli"

	"github.com/amlfix/amlfix/cmd/internal/baseline"
	"github.com/amlfix/amlfix/cmd/internal/report"
	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/disk"
	"github.com/amlfix/amlfix/schema/plain"
)

// outputs are the reports of one run.
type outputs struct {
	report.Several
	formats []report.Format
	files   []outputFile
	aside   bool // reports go to standard error, because repaired text goes to standard output
}

// outputFile is a file to which a report is written.
type outputFile struct {
	name string
	file *os.File
	out  *ui.Output
}

// outputFlag returns the flag, which can be repeated for several reports.
func outputFlag() cli.Flag {
	return &cli.StringSliceFlag{Name: "format", Usage: "write the report as `FORMAT`, or to a file as FORMAT=FILE; may be given several times: " + strings.Join(report.Formats(), ", ")}
}

// outputs opens the requested reports, by default the one for people; in a GitHub workflow it adds annotations, which
// GitHub shows next to the code.
func (c *call) outputs(ctx *cli.Context, wanted []report.Output, opts report.Options) (*outputs, error) {
	if len(wanted) == 0 {
		wanted = []report.Output{{Format: report.Text}}
		if c.Env("GITHUB_ACTIONS") == "true" {
			wanted = append(wanted, report.Output{Format: report.GitHub})
		}
	}
	o := &outputs{}
	to := c.Out
	if o.aside = ctx.IsSet("stdin-filename") && (ctx.Bool("apply") || ctx.Bool("add-ignores")); o.aside {
		to = c.Err
	}
	for _, w := range wanted {
		o.formats = append(o.formats, w.Format)
		if w.File == "" {
			o.Several = append(o.Several, report.New(w.Format, to, opts))
			continue
		}
		file, err := disk.CreateNamed(c.Path(w.File), c.Trees(ctx.Args().Slice())...)
		if err != nil {
			return nil, fmt.Errorf("--format %s=%s: the file cannot be written: %w", w.Format, w.File, err)
		}
		written := outputFile{name: w.File, file: file, out: ui.NewOutput(file)}
		o.files = append(o.files, written)
		plain := opts
		plain.Coloured, plain.Linked = false, false
		o.Several = append(o.Several, report.New(w.Format, written.out, plain))
	}
	return o, nil
}

// wantedOutputs parses the values of --format. Only one report can go to standard output, except for annotations, which
// come below one for people.
func wantedOutputs(values []string) (list []report.Output, _ error) {
	var open []report.Format // on standard output
	for _, v := range values {
		o, err := report.ParseOutput(v)
		if err != nil {
			return nil, cli.Usage("check", "%v", err)
		}
		if ext := filepath.Ext(o.File); ext == ".compute" || ext == ".runconfig" || schema.IsSettings(o.File) || filepath.Base(o.File) == baseline.Name {
			return nil, cli.Usage("check", "--format: %s is a file that amlfix checks, and a report would replace it: choose another file", o.File)
		}
		if o.File == "" {
			open = append(open, o.Format)
		} else if slices.ContainsFunc(list, func(other report.Output) bool { return filepath.Clean(other.File) == filepath.Clean(o.File) }) {
			return nil, cli.Usage("check", "--format: two reports cannot be written to the same file, %s", o.File)
		}
		list = append(list, o)
	}
	slices.Sort(open)
	people := slices.ContainsFunc(open, report.Format.ForPeople)
	if len(open) > 2 || len(open) == 2 && (!people || !slices.Contains(open, report.GitHub)) {
		return nil, cli.Usage("check", "--format: only one report can go to standard output: write the other one to a file, such as --format %s=FILE", open[1])
	}
	return list, nil
}

// forPeople reports whether one of the reports is for people.
func (o *outputs) forPeople() bool { return slices.ContainsFunc(o.formats, report.Format.ForPeople) }

// has reports whether one of the reports has a format.
func (o *outputs) has(f report.Format) bool { return slices.Contains(o.formats, f) }

// close ends the reports. The error is about files; Command.Run handles standard output.
func (o *outputs) close(s report.Summary) (err error) {
	o.Close(s)
	for _, f := range o.files {
		failed := f.out.Err()
		if closed := f.file.Close(); failed == nil {
			failed = closed
		}
		if failed != nil && err == nil {
			err = fmt.Errorf("%s: the report could not be written: %w", f.name, plain.Cause(failed))
		}
	}
	return err
}

// base returns the path to the working directory from the root of the repository that a CI service has checked out; ""
// if there is no such service.
func (c *call) base() string {
	for _, name := range []string{"GITHUB_WORKSPACE", "CI_PROJECT_DIR"} {
		if top := c.Env(name); top != "" {
			if rel, err := filepath.Rel(schema.Identity(top), c.Dir); err == nil && rel != "." && filepath.IsLocal(rel) {
				return filepath.ToSlash(rel)
			}
		}
	}
	return ""
}
