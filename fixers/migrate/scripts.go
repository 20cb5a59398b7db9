package migrate

import (
	"cmp"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate/built"
	"github.com/amlfix/amlfix/fixers/migrate/tracking"
	"github.com/amlfix/amlfix/schema/argparse"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/disk"
	"github.com/amlfix/amlfix/schema/plain"
)

// ScriptIssue is a place in a script that will no longer work.
type ScriptIssue struct {
	File          string
	Line          int
	What, Instead string

	ofSDK bool // it names a part of SDK v1
}

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
	if registers || what == built.Job || what == built.Compute || what == built.Service || what == built.Pipeline {
		s.starters[name] = true
	}
}

// readScripts reads the Python files below root, but not below out, virtual environments or hidden folders. Links are
// not followed.
func readScripts(root, out string) *scripts {
	s := &scripts{text: map[string]string{}, written: map[string][]writing{}, code: map[string]string{}, imported: map[string]bool{}, imports: map[string][]imported{}, refused: map[string]refusal{}, lacking: map[string][]string{}, parsers: map[string]*argparse.Parser{}, starters: map[string]bool{}}
	_ = filepath.WalkDir(root, func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil
		case e.IsDir() && name != root && (skipped(e.Name()) || filepath.Clean(name) == filepath.Clean(out) || isVirtual(name) || Written(name, name)):
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
	return strings.HasPrefix(name, ".") || name == "node_modules" || name == "__pycache__" || name == "site-packages"
}

func isVirtual(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "pyvenv.cfg"))
	return err == nil
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

// Imports reports whether a script imports a module; known is false if the script could not be read. Scripts that it
// imports are not followed.
func (s *scripts) Imports(script, module string) (yes, known bool) {
	text, known := s.text[script]
	if !known {
		return false, false
	}
	for line := range strings.Lines(text) {
		if importsModule(line, module) {
			return true, true
		}
	}
	return false, true
}

// AnyImports reports whether any script of the project imports a module.
func (s *scripts) AnyImports(module string) bool {
	yes, asked := s.imported[module]
	if !asked {
		yes = slices.ContainsFunc(s.names, func(n string) bool { yes, _ := s.Imports(n, module); return yes && !s.starters[n] })
		s.imported[module] = yes
	}
	return yes
}

func importsModule(line, module string) bool {
	words := strings.Fields(strings.ReplaceAll(line, ",", " , "))
	if len(words) < 2 || words[0] != "import" && words[0] != "from" {
		return false
	}
	for i, word := range words[1:] {
		if (i == 0 || words[0] == "import" && words[i] == ",") && (word == module || strings.HasPrefix(word, module+".")) {
			return true
		}
	}
	return false
}

// Any reports whether the project has scripts that could be read.
func (s *scripts) Any() bool { return len(s.names) > 0 }

// Runs reports whether a script gets SDK v1's run. Programs that start jobs do not count.
func (s *scripts) Runs() bool {
	return slices.ContainsFunc(s.names, func(n string) bool {
		return !s.starters[n] && (strings.Contains(s.text[n], "get_context") || strings.Contains(s.text[n], "get_submitted_run"))
	})
}

// UsesTensorFlow1 reports whether a script calls functions that only TensorFlow 1 has.
func (s *scripts) UsesTensorFlow1() bool {
	return slices.ContainsFunc(s.needs(), func(n ScriptIssue) bool { return strings.Contains(n.What, "TensorFlow 1") })
}

// needs returns what will no longer work in the scripts, by file and line.
func (s *scripts) needs() (needs []ScriptIssue) {
	if s.searched {
		return s.found
	}
	defer func() { s.found, s.searched = needs, true }()
	for _, name := range slices.Concat(s.names, s.notebooks) {
		first := len(needs)
		r := s.rewritten[name]
		for _, l := range r.Skipped {
			needs = append(needs, leftOver(name, l))
		}
		for _, need := range s.needsOf(name) {
			if s.answered(r, need) {
				continue
			}
			if need.Works == "@sdk" && slices.ContainsFunc(needs, func(o ScriptIssue) bool { return o.File == name && o.Line == need.line && o.ofSDK }) {
				continue // another pattern on the same line is more specific
			}
			needs = append(needs, ScriptIssue{File: name, Line: need.line, What: "`" + need.Pattern + "`: " + need.What, Instead: need.Instead, ofSDK: need.Imports == "azureml"})
		}
		plain.SortFunc(needs[first:], func(a, b ScriptIssue) int { return cmp.Compare(a.Line, b.Line) })
	}
	return needs
}

// frameAppend is the pattern of a row that cannot be searched as text, because lists have the same method.
const frameAppend = "DataFrame.append"

// need is a place in a script.
type need struct {
	catalog.ScriptNeed
	line int
}

// needsOf returns what will no longer work in one script, by line, the most specific first.
func (s *scripts) needsOf(name string) (list []need) {
	text, code := s.text[name], s.codeOf(name)
	imported := importLines(code)
	for _, row := range catalog.ScriptNeeds() {
		if row.Pattern == frameAppend {
			for _, n := range tracking.FrameAppends([]byte(text)) {
				list = append(list, need{row, n})
			}
			continue
		}
		in, quoted := code, row.Imports == "" && row.Works == ""
		if quoted {
			in = text // it may be in a string
		}
		if !strings.Contains(in, row.Pattern) && !strings.Contains(row.Pattern, "import ") || row.Imports != "" && indexName(imported, row.Imports) < 0 {
			continue
		}
		last := 0
		for n, line := range codeLines(in) {
			if quoted {
				line, _, _ = strings.Cut(line, "#")
			}
			if n != last && matches(line, row.Pattern) {
				list, last = append(list, need{row, n}), n
			}
		}
	}
	plain.SortFunc(list, func(a, b need) int { return cmp.Compare(a.line, b.line) })
	return list
}

// matches reports whether a line of a script matches a pattern of the catalog: "import MODULE" and "MODULE import NAME"
// match imports in any form.
func matches(line, pattern string) bool {
	if module, ok := strings.CutPrefix(pattern, "import "); ok {
		return importsModule(line, module)
	}
	if module, name, ok := strings.Cut(pattern, " import "); ok {
		words := strings.Fields(line)
		at := strings.Index(line, " import ")
		return at >= 0 && words[0] == "from" && (words[1] == module || strings.HasSuffix(words[1], "."+module)) && indexName(line[at+len(" import "):], name) >= 0
	}
	at := indexName(line, pattern)
	return at >= 0 && (at == 0 || line[at-1] != '.' || !strings.HasSuffix(pattern, "(") || strings.HasPrefix(pattern, "."))
}

// codeOf returns a script without its comments and the content of its strings, with the same lines.
func (s *scripts) codeOf(name string) string {
	code, known := s.code[name]
	if !known {
		code = pythonCode(s.text[name])
		s.code[name] = code
	}
	return code
}

// indexName returns the offset at which a text occurs as a separate name, or -1: nothing before or after it could be
// part of a name.
func indexName(text, name string) int {
	for at := 0; ; {
		i := strings.Index(text[at:], name)
		if i < 0 {
			return -1
		}
		i += at
		end := i + len(name)
		if (i == 0 || !partOfName(text[i-1], name[0])) && (end == len(text) || !partOfName(text[end], name[len(name)-1])) {
			return i
		}
		at = i + 1
	}
}

// partOfName reports whether the character next to an edge of a pattern makes it part of a longer name; a pattern that
// ends in "." or "(" ends there anyway.
func partOfName(c, edge byte) bool {
	letter := func(c byte) bool {
		return c == '_' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
	}
	return letter(edge) && letter(c)
}
