package review

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/amlfix/amlfix/cmd/internal/report"
	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/disk"
	"github.com/amlfix/amlfix/schema/plain"
)

// ParseOutputs parses values such as "text" and "sarif=FILE". Only one report can go to standard output, except for
// annotations, which come below one for people.
func ParseOutputs(values []string) (list []report.Output, _ error) {
	var open []report.Format // on standard output
	for _, v := range values {
		o, err := report.ParseOutput(v)
		if err != nil {
			return nil, err
		}
		if slices.Contains([]string{".compute", ".runconfig", ".yml", ".yaml"}, filepath.Ext(o.File)) { // no report is YAML
			return nil, fmt.Errorf("--format: %s is named as the files that amlfix checks, and a report would replace it: choose another name", o.File)
		}
		if o.File == "" {
			open = append(open, o.Format)
		} else if slices.ContainsFunc(list, func(other report.Output) bool { return filepath.Clean(other.File) == filepath.Clean(o.File) }) {
			return nil, fmt.Errorf("--format: two reports cannot be written to the same file, %s", o.File)
		}
		list = append(list, o)
	}
	slices.Sort(open)
	people := slices.ContainsFunc(open, report.Format.ForPeople)
	if len(open) > 2 || len(open) == 2 && (!people || !slices.Contains(open, report.GitHub)) {
		return nil, fmt.Errorf("--format: only one report can go to standard output: write the other one to a file, such as --format %s=FILE", open[1])
	}
	return list, nil
}

// outputs are the reports of one run.
type outputs struct {
	report.Several
	formats []report.Format
	files   []outputFile
}

// outputFile is a file to which a report is written.
type outputFile struct {
	*os.File
	name  string // as the user gave it
	path  string
	trees []string
	out   *ui.Output
}

// open opens the requested reports, by default the one for people; in a GitHub workflow it adds annotations, which
// GitHub shows next to the code.
func (k *Review) open() (*outputs, error) {
	k.Report.Version, k.Report.Dir, k.Report.Base, k.Report.Rules = k.Version, k.Dir, k.base(), rules.All()
	k.Report.Unsafe, k.Report.Applied = k.Unsafe, k.Write
	if len(k.Outputs) == 0 {
		k.Outputs = []report.Output{{Format: report.Text}}
		if k.Env("GITHUB_ACTIONS") == "true" {
			k.Outputs = append(k.Outputs, report.Output{Format: report.GitHub})
		}
	}
	o, to := &outputs{}, k.Out
	if k.Aside {
		to = k.Err
	}
	inFile := k.Report
	inFile.Style = ui.Style{}
	for _, w := range k.Outputs {
		o.formats = append(o.formats, w.Format)
		if w.File == "" {
			o.Several = append(o.Several, report.New(w.Format, to, k.Report))
			if w.Format == report.Text {
				k.columns = ui.Columns(to)
			}
			continue
		}
		path, trees := k.Path(w.File), k.Trees(k.Paths)
		file, err := disk.CreateNamed(path, trees...)
		if err != nil {
			return nil, fmt.Errorf("--format %s=%s: the file cannot be written: %w", w.Format, w.File, err)
		}
		written := outputFile{file, w.File, path, trees, ui.NewOutput(file)}
		o.files = append(o.files, written)
		o.Several = append(o.Several, report.New(w.Format, written.out, inFile))
	}
	return o, nil
}

// forPeople reports whether one of the reports is for people, and structured whether one is for programs.
func (o *outputs) forPeople() bool { return slices.ContainsFunc(o.formats, report.Format.ForPeople) }

func (o *outputs) structured() bool {
	return slices.ContainsFunc(o.formats, func(f report.Format) bool { return !f.ForPeople() })
}

// has reports whether one of the reports has one of the formats.
func (o *outputs) has(formats ...report.Format) bool {
	return slices.ContainsFunc(formats, func(f report.Format) bool { return slices.Contains(o.formats, f) })
}

// close ends the reports. The error is the first one about a file; cli.Program handles standard output.
func (o *outputs) close(s report.Summary) (err error) {
	o.Close(s)
	for _, f := range o.files {
		if failed := disk.CloseNamed(f.File, f.out.Err(), f.path, f.trees...); failed != nil && err == nil {
			err = fmt.Errorf("%s: the report could not be written: %w", f.name, plain.Cause(failed))
		}
	}
	return err
}

// base returns the path to the working directory from the root of the repository that a CI service has checked out; ""
// if there is no such service.
func (k *Review) base() string {
	for _, name := range []string{"GITHUB_WORKSPACE", "CI_PROJECT_DIR"} {
		if top := k.Env(name); top != "" {
			if rel, err := filepath.Rel(schema.Identity(top), k.Dir); err == nil && rel != "." && filepath.IsLocal(rel) {
				return filepath.ToSlash(rel)
			}
		}
	}
	return ""
}
