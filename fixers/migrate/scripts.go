package migrate

import (
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate/built"
	"github.com/amlfix/amlfix/fixers/migrate/tracking"
	"github.com/amlfix/amlfix/schema/argparse"
	"github.com/amlfix/amlfix/schema/disk"
)

const (
	// maxScripts is the maximum number of a project's Python files that are read. They are read only for advice, which
	// has to be fast.
	maxScripts = 2000
	// maxScriptSize is the maximum size of such a file in bytes. Larger ones are data.
	maxScriptSize = 1 << 20
	// maxNotebookSize is the same for notebooks, which also contain pictures.
	maxNotebookSize = 16 << 20
)

// scripts are the Python files of a project.
type scripts struct {
	left  unsearched
	text  map[string]string // by slash-separated path from the root
	code  map[string]string // what codeOf returned
	names []string          // sorted; without those of notebooks

	notebooks []string             // their code is in text
	written   map[string][]writing // by notebook

	starters map[string]bool // programs that start jobs and do not run in one
	found    []ScriptIssue   // what needs returned
	searched bool
	imported map[string]bool // what AnyImports returned

	rewritten map[string]tracking.Result // by path, of scripts that use a run
	importers map[string][]string        // scripts by the last name of the modules that they import
	imports   map[string][]imported      // what importsOf returned
	refused   map[string]refusal         // what refusedBy returned
	lacking   map[string][]string        // what Migration.lacking returned
	parsers   map[string]*argparse.Parser
}

// starts records that a program creates jobs, compute targets, services or pipelines, or registers models, from outside
// jobs.
func (s *scripts) starts(name string, what built.Kind) {
	registers := what == built.Model && !strings.Contains(s.text[name], "get_context")
	if registers || what == built.Job || what == built.Compute || what == built.Service || what == built.Pipeline || what == built.AutoML {
		s.starters[name] = true
	}
}

// readScripts reads the Python files below root, but not what amlfix wrote, virtual environments or hidden folders.
// Links are not followed.
func readScripts(folders listing, root string) *scripts {
	s := &scripts{text: map[string]string{}, written: map[string][]writing{}, code: map[string]string{}, imported: map[string]bool{}, imports: map[string][]imported{}, refused: map[string]refusal{}, lacking: map[string][]string{}, parsers: map[string]*argparse.Parser{}, starters: map[string]bool{}}
	folders.walk(root, func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil
		case e.IsDir() && name != root && (skipped(e.Name()) || folders.isVirtual(name) || folders.written(name)):
			return filepath.SkipDir
		case !e.Type().IsRegular():
			return nil
		}
		ext := strings.ToLower(filepath.Ext(name))
		if (ext == ".py" || ext == ".ipynb") && len(s.text) >= maxScripts {
			s.left.beyond++
			return nil
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return nil
		}
		rel = filepath.ToSlash(rel)
		if ext != ".py" && ext != ".ipynb" {
			return nil
		}
		switch text, ok := readText(name); {
		case !ok:
			s.left.files = append(s.left.files, name)
		case ext == ".py":
			s.text[rel] = text
			s.names = append(s.names, rel)
		case strings.Contains(text, "azureml"):
			s.text[rel] = notebook(text)
			s.written[rel] = writings(rel, text)
			s.notebooks = append(s.notebooks, rel)
		}
		return nil
	})
	slices.Sort(s.names)
	slices.Sort(s.notebooks)
	return s
}

func skipped(name string) bool {
	return strings.HasPrefix(name, ".") && name != ".azureml" || name == "node_modules" || name == "__pycache__" || name == "site-packages"
}

// sizeLimit returns the maximum size in bytes of a file that is searched.
func sizeLimit(name string) int {
	if strings.EqualFold(filepath.Ext(name), ".ipynb") {
		return maxNotebookSize
	}
	return maxScriptSize
}

func readText(name string) (string, bool) {
	text, size, err := disk.ReadUpTo(name, sizeLimit(name))
	return string(text), err == nil && int(size) <= sizeLimit(name)
}

// propose returns the script that a run configuration most likely runs, with the reason, or "" and why there is none.
func (s *scripts) propose(own []submission, why string) (script, reason string) {
	for _, sub := range own {
		if _, ok := s.text[sub.script]; !ok {
			continue
		}
		var others []string
		for _, o := range own {
			if o.script != sub.script && o.script != "" && !slices.Contains(others, o.script) {
				others = append(others, o.script)
			}
		}
		reason = why + "; " + sub.at + " submits " + sub.script
		if len(others) > 0 {
			reason += " (elsewhere " + strings.Join(others, ", ") + ")"
		}
		return sub.script, reason
	}
	var root []string
	for _, name := range s.names {
		if !strings.Contains(name, "/") && name != "setup.py" {
			root = append(root, name)
		}
	}
	if len(root) == 1 {
		return root[0], why + "; " + root[0] + " is the only script in the project's folder"
	}
	return "", why
}

// called returns the scripts with a name, in any folder.
func (s *scripts) called(name string) (list []string) {
	for _, n := range s.names {
		if strings.EqualFold(path.Base(n), path.Base(name)) {
			list = append(list, n)
		}
	}
	return list
}

// mentions reports whether the script, or any script of the project if that one is not known, contains a text as a
// separate name.
func (s *scripts) mentions(script, name string) bool {
	if text, ok := s.text[script]; ok {
		return indexName(text, name) >= 0
	}
	return slices.ContainsFunc(s.names, func(n string) bool { return indexName(s.text[n], name) >= 0 })
}

// Any reports whether the project has scripts that could be read.
func (s *scripts) Any() bool { return len(s.names) > 0 }

// Runs reports whether a script gets SDK v1's run. Programs that start jobs do not count.
func (s *scripts) Runs() bool {
	return slices.ContainsFunc(s.names, func(n string) bool {
		return !s.starters[n] && (strings.Contains(s.text[n], "get_context") || strings.Contains(s.text[n], "get_submitted_run"))
	})
}
