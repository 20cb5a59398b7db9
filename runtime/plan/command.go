package plan

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/escape"
)

// chosenFile, in a run configuration, stands for the script named when the job is started.
const chosenFile = "$file"

// command combines the script and its arguments. In an ArgumentVector, $file becomes the script from the command line,
// whose arguments follow; without $file, that script replaces the whole vector.
func (d *Draft) command(root string) (Field[string], []Item, error) {
	vector := d.Job.Arguments
	if s := d.Job.Script; s.Text != "" {
		vector = append([]schema.Field{s}, vector...)
	}
	chooses := false
	for _, f := range vector {
		chooses = chooses || f.Text == chosenFile
	}
	given := d.Options.Script
	switch {
	case d.Options.NoScript && given == "" && (chooses || len(vector) == 0):
		return Field[string]{}, nil, nil
	case given == "" && len(vector) == 0 && d.Job.HasCommand():
		return Field[string]{}, nil, &Error{Origin: d.At(d.Job.Command), Text: "amlfix runs a command only in an Azure ML v2 job: rewrite the run configuration with `amlfix migrate --to v2` and run the new job file, or name its script on the command line"}
	case given == "" && (chooses || len(vector) == 0):
		return Field[string]{}, nil, &Error{Usage: true, Text: fmt.Sprintf("run configuration %s has no script: give one on the command line, as in `amlfix run -c %s train.py`", d.Job.Name, escape.Word(d.Job.Name))}
	case given != "" && !chooses:
		vector = nil
	}
	var argv []Item
	var script Field[string]
	var named string // passed as an argument, a name that begins with - would be a flag of the interpreter
	if given != "" {
		given = d.inProject(root, given)
		if named = given; strings.HasPrefix(given, "-") {
			named = "./" + given
		}
	}
	if given != "" && !chooses {
		argv = append(argv, Item{Value: named, Origin: CommandLine})
		script = Field[string]{given, CommandLine}
	}
	for i, f := range vector {
		item := Item{Value: f.Text, Origin: d.At(f)}
		if f.Text == chosenFile {
			item.Value, item.Origin.Note = named, "$file is the script of the command line"
		}
		if i == 0 {
			item.Value = schema.Slashes(item.Value)
			script = Field[string]{path.Clean(filepath.ToSlash(item.Value)), item.Origin}
		}
		argv = append(argv, item)
	}
	for _, a := range d.Options.Args {
		argv = append(argv, Item{Value: a, Origin: CommandLine})
	}
	for _, a := range argv {
		if why := Unpassable(a.Value); why != "" {
			return Field[string]{}, nil, &Error{Origin: a.Origin, Text: fmt.Sprintf("the argument %.40q %s", a.Value, why)}
		}
	}
	MarkSecrets(argv)
	return script, argv, nil
}

// inProject returns the script from the command line as a path relative to the project's root; it may also be given
// relative to the working directory.
func (d *Draft) inProject(root, script string) string {
	abs := script
	if !filepath.IsAbs(script) {
		if _, err := os.Stat(filepath.Join(root, script)); err == nil {
			return path.Clean(filepath.ToSlash(script))
		}
		a, err := filepath.Abs(script)
		if err != nil {
			return script
		}
		abs = a
	}
	rel, err := filepath.Rel(root, abs)
	if _, serr := os.Stat(abs); err != nil || serr != nil || !filepath.IsLocal(rel) {
		return path.Clean(filepath.ToSlash(script))
	}
	return filepath.ToSlash(rel)
}
