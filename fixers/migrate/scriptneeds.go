package migrate

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/fixers/migrate/tracking"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/requirement"
)

// ScriptIssue is a place in a script that will no longer work.
type ScriptIssue struct {
	File          string
	Line          int
	What, Instead string

	ofSDK bool   // it names a part of SDK v1
	works string // the versions that it works with; see catalog.ScriptNeed
}

// stillWorks reports whether every new environment has only versions with which a place in a script works.
func (m *Migration) stillWorks(n ScriptIssue) bool {
	name, limit, is := strings.Cut(n.works, "<")
	for _, j := range m.all() {
		is = is && j.Conda != nil && j.Conda.without(requirement.Requirement{Key: name, Constraint: ">=" + limit})
	}
	return is && len(m.all()) > 0
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
			needs = append(needs, ScriptIssue{File: name, Line: need.line, What: "`" + need.Pattern + "`: " + need.What, Instead: need.Instead, ofSDK: need.Imports == "azureml", works: need.Works})
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
		at := strings.Index(line, " import ")
		if at < 0 {
			return false
		}
		words := strings.Fields(line)
		return words[0] == "from" && (words[1] == module || strings.HasSuffix(words[1], "."+module)) && indexName(line[at+len(" import "):], name) >= 0
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

// fixedPaths returns the places in scripts with a path at which SDK v1 put data, which the job now gets elsewhere: the
// first place for each path and script.
func (m *Migration) fixedPaths() (list []ScriptIssue) {
	names := map[string]string{} // of the data, by path
	for _, j := range m.Jobs {
		for _, d := range plain.Both(j.Inputs, j.Outputs) {
			if at := d.Source.OnCompute.Text; strings.HasPrefix(at, "/") && names[path.Clean(at)] == "" {
				names[path.Clean(at)] = d.Name
			}
		}
	}
	delete(names, "/")
	for _, script := range m.scripts.names {
		if len(names) == 0 || m.scripts.starters[script] {
			continue
		}
		text, seen := m.scripts.text[script], map[string]bool{}
		for _, k := range quotedPath.Get().FindAllStringIndex(text, -1) {
			for at := path.Clean(text[k[0]+1 : k[1]]); at != "/"; at = path.Dir(at) {
				if name := names[at]; name != "" && !seen[at] {
					seen[at] = true
					list = append(list, ScriptIssue{File: script, Line: 1 + strings.Count(text[:k[0]], "\n"), What: "`" + account.Name(at) + "`: where SDK v1 put the data " + account.Name(name),
						Instead: "an option of the script: the job can pass the path of `" + account.Name(name) + "`"})
				}
			}
		}
	}
	return list
}

// quotedPath matches the beginning of a text in quotes that is a path.
var quotedPath = plain.Regexp{Text: `["']/[^"'\n]{1,200}`}
