package migrate

import (
	"bytes"
	"cmp"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/fixers/diff"
	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/fixers/migrate/tracking"
	"github.com/amlfix/amlfix/fixers/transaction"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/escape"
	"github.com/amlfix/amlfix/schema/secret"
)

// patchFile is the name of the diff that rewrites the scripts.
const patchFile = "scripts.patch"

// Rewritten is a script in which calls on SDK v1's run are rewritten.
type Rewritten struct {
	// File is its path relative to the project's folder.
	File     string
	Old, New []byte
	// Calls is the number of calls that are rewritten or removed.
	Calls int
}

// rewrite determines how the scripts' calls on the run are rewritten. If the user asks for it, the scripts are
// rewritten in place and everything else is based on the result; otherwise a diff is written.
func (m *Migration) rewrite() {
	if m.Emitter.Format() == "v1" {
		return // SDK v1 has the library
	}
	s := m.scripts
	s.rewritten = map[string]tracking.Result{}
	deploys := s.deploys()
	for _, file := range s.names {
		options := tracking.Options{
			Shared:   func(name string) bool { return s.shares(file, name) },
			Imported: s.isImported(file),
			Deploys:  deploys,
			Dataset:  func(name string) tracking.Dataset { return m.dataset(file, name) },
		}
		r := tracking.Rewrite([]byte(s.text[file]), options)
		old := []byte(s.text[file])
		if r.Text != nil && !m.Options.RewriteScripts && secret.Contains(string(diff.Unified(file, old, r.Text))) {
			r = tracking.Result{Skipped: []tracking.Skipped{{Line: 1, Why: "something that looks like a secret is next to its calls, and the diff would show it; --rewrite-scripts makes no diff"}}}
		}
		if r.Text == nil && len(r.Skipped) == 0 {
			continue
		}
		s.rewritten[file] = r
		if r.Text == nil {
			continue
		}
		m.Rewritten = append(m.Rewritten, Rewritten{file, old, r.Text, len(r.Calls)})
		if m.Options.RewriteScripts {
			s.text[file] = string(r.Text)
			s.rewritten[file] = tracking.Result{Skipped: tracking.Rewrite(r.Text, options).Skipped}
		}
	}
	clear(s.code)
}

// rewrittenAway reports whether a file concerns Azure ML only until it is rewritten, here or by applying the diff.
func (m *Migration) rewrittenAway(f Related) bool {
	i := slices.IndexFunc(m.Rewritten, func(r Rewritten) bool { return r.File == f.File })
	return i >= 0 && !slices.ContainsFunc(related(f.File, string(m.Rewritten[i].New)), func(now Related) bool { return now.What == f.What })
}

// importing returns the scripts that import a module with a script's name.
func (s *scripts) importing(file string) []string {
	if s.importers == nil {
		s.importers = map[string][]string{}
		for _, other := range s.names {
			for line := range strings.Lines(importLines(s.codeOf(other))) {
				for _, dotted := range strings.Fields(strings.NewReplacer(",", " ", "(", " ").Replace(line)) {
					if strings.HasPrefix(dotted, "azureml.") {
						continue // azureml.train is no train.py of the project
					}
					for word := range strings.SplitSeq(dotted, ".") {
						if list := s.importers[word]; len(list) == 0 || list[len(list)-1] != other {
							s.importers[word] = append(list, other)
						}
					}
				}
			}
		}
	}
	module := strings.TrimSuffix(path.Base(file), ".py")
	if module == "__init__" {
		module = path.Base(path.Dir(file))
	}
	return s.importers[module]
}

// isImported reports whether other scripts may import a script.
func (s *scripts) isImported(file string) bool {
	return slices.ContainsFunc(s.importing(file), func(other string) bool { return other != file })
}

// deploys reports whether a script opens registered models.
func (s *scripts) deploys() bool {
	return slices.ContainsFunc(s.names, func(name string) bool {
		return strings.Contains(s.text[name], "get_model_path") || strings.Contains(s.text[name], "AZUREML_MODEL_DIR")
	})
}

// shares reports whether other scripts may import a name from a script.
func (s *scripts) shares(file, name string) bool {
	return slices.ContainsFunc(s.importing(file), func(other string) bool {
		code := s.codeOf(other)
		return other != file && (indexName(code, name) >= 0 || strings.Contains(importLines(code), "*"))
	})
}

// patch returns the diff of the scripts, or nil if there is none.
func (m *Migration) patch() []byte {
	if m.Options.RewriteScripts {
		return nil
	}
	var b bytes.Buffer
	for _, r := range m.Rewritten {
		b.Write(diff.Unified(r.File, r.Old, r.New))
	}
	return b.Bytes()
}

// leftOver returns the issue for a use of the run that is not rewritten, with what to write instead.
func leftOver(file string, l tracking.Skipped) ScriptIssue {
	if l.Code == "" {
		return ScriptIssue{File: file, Line: l.Line, What: "its calls of the run are not rewritten: " + l.Why, Instead: "rewrite them by hand, or fix that and migrate again", ofSDK: true}
	}
	what, instead := "", "keep the SDK v1 run for it, or take it from mlflow.active_run() or mlflow.start_run()"
	for _, n := range catalog.ScriptNeeds() {
		if _, last, found := strings.Cut(n.Pattern, "."); n.Imports == "azureml" && found && l.Name != "" && strings.TrimSuffix(last, "(") == l.Name {
			what, instead = n.What, n.Instead
			break
		}
	}
	if l.Why != "" {
		what = strings.TrimPrefix(what+"; "+l.Why, "; ")
	}
	return ScriptIssue{File: file, Line: l.Line, What: "`" + l.Code + "`: " + cmp.Or(what, "a part of the SDK v1 run"), Instead: cmp.Or(l.Instead, instead), ofSDK: true}
}

// answered reports whether a place that a row of the catalog matches is rewritten, or listed with the reason why it is
// not.
func (s *scripts) answered(r tracking.Result, n need) bool {
	if n.Imports == "azureml" {
		return slices.Contains(r.Changed, n.line) || slices.ContainsFunc(r.Skipped, func(l tracking.Skipped) bool { return l.Line == n.line })
	}
	return (n.Works == "@sdk" || n.Pattern == "azureml.logging") && slices.Contains(r.Changed, n.line) && !bytes.Contains(r.Text, []byte(n.Pattern))
}

// reportRewritten says what the diff does.
func (m *Migration) reportRewritten(p printer) {
	if len(m.Rewritten) == 0 || m.Options.RewriteScripts {
		return
	}
	p("\n## Rewritten scripts\n\n`%s` replaces the scripts' calls to the SDK v1 run with MLflow calls, where that is certain. Review it, and run this in the project's folder:\n\n```sh\ngit apply %s\n```\n\nThen migrate again. `amlfix migrate --rewrite-scripts` does both in one step, and `amlfix undo` reverts it.\n\n| script | calls |\n|---|---|\n",
		patchFile, escape.Word(path.Join(m.down(), patchFile)))
	for _, r := range m.Rewritten {
		p("| %s | %d |\n", cell(account.Name(r.File)), r.Calls)
	}
}

// scriptFiles returns the scripts to rewrite; none unless Options.RewriteScripts is set.
func (m *Migration) scriptFiles() (files []transaction.File) {
	if !m.Options.RewriteScripts {
		return nil
	}
	for _, r := range m.Rewritten {
		files = append(files, transaction.File{Path: filepath.Join(m.Project.Root, filepath.FromSlash(r.File)), Old: r.Old, New: r.New})
	}
	return files
}

// RewriteScripts rewrites the scripts of a migration to a new folder in one transaction, which "amlfix undo" can
// revert; store is the store of transaction.Folder. It does nothing unless Options.RewriteScripts is set; for an
// existing folder, Update.Commit does it. The recovery says what was done first about an earlier process that was
// killed.
func (m *Migration) RewriteScripts(store string) (*transaction.Recovery, error) {
	files := m.scriptFiles()
	if len(files) == 0 {
		return nil, nil
	}
	s, recovery, err := transaction.Open(store, m.home, m.further(m.Project.Root)...)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	if err := s.Commit(files); err != nil {
		return recovery, fmt.Errorf("the scripts were not rewritten: %w", err)
	}
	return recovery, nil
}

// further returns a list with a folder if it is neither the one where the project was found nor below it.
func (m *Migration) further(folder string) []string {
	if rel, err := filepath.Rel(m.home, folder); err != nil || !filepath.IsLocal(rel) {
		return []string{folder}
	}
	return nil
}
