package migrate

import (
	"slices"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/fixers/migrate/built"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/requirement"
	"github.com/amlfix/amlfix/schema/secret"
)

// builtFiles are the job's file and that of its environment, as far as a program builds them.
func (m *Migration) builtFiles(j *Job) []*schema.File {
	return slices.DeleteFunc([]*schema.File{j.Source.File, j.Source.File.Uses}, func(f *schema.File) bool { return f == nil || m.built[f] == nil })
}

// morePackages returns what a program adds to the packages of the file that a job installs, or nil.
func (m *Migration) morePackages(j *Job) *schema.Environment {
	for _, f := range m.builtFiles(j) {
		if n := f.Root().Get("python").Get(built.AddedPackages); n != nil {
			return schema.NewEnvironment(f, n)
		}
	}
	return nil
}

// askPackages asks for the packages that a program computes, or installs on a condition only, and returns the answer.
func (m *Migration) askPackages(j *Job) []string {
	var open []schema.Field
	for _, f := range m.builtFiles(j) {
		for _, e := range f.Root().Entries() {
			if e.Value.Tag() == built.Open && slices.ContainsFunc(built.ComputedPackages[:], func(end string) bool { return strings.HasSuffix(e.Key.Value, end+built.NotLiteral) }) {
				open = append(open, schema.Field{File: f, Node: e.Value, Explicit: true})
			}
		}
	}
	if len(open) == 0 {
		return nil
	}
	answer, _ := m.Decide(&account.Question{ID: "packages", Scope: j.Name, Ask: "Which other packages does the job need?", Example: "'NAME OTHER==VERSION'", OrNone: true, About: account.Place(open[0]),
		Why: account.Place(open[0]) + " computes them, or installs them on a condition; `none` for none"})
	m.Ledger.Decide(j.Name, "", "packages", open...)
	if answer == "none" {
		return nil
	}
	return m.packages(answer)
}

// packages returns the requirements of an answer, in which there may be spaces around operators and after commas.
func (m *Migration) packages(answer string) (list []string) {
	for word := range strings.FieldsSeq(answer) {
		if last := len(list) - 1; last < 0 {
			list = append(list, word)
		} else if between, joins := joint(list[last], word); joins {
			list[last] += between + word
		} else {
			list = append(list, word)
		}
	}
	for i, text := range list {
		list[i] = strings.TrimRight(text, ",")
		r, err := requirement.Pip.Parse(list[i])
		switch {
		case err == nil && (r.Kind == requirement.Path || isFile(r.URL) || slices.Contains(ofFile, r.Option) || isLocalIndex(r)):
			m.Refuse("packages", answer, strconv.Quote(secret.HideValue(list[i]))+" names files of one machine, and the environment is built without them; write the names or addresses of packages")
			return nil
		case err != nil:
			m.Refuse("packages", answer, "pip cannot read "+strconv.Quote(secret.HideValue(list[i]))+"; write requirements such as 'pandas>=2 numpy'")
			return nil
		}
	}
	return list
}

// ofFile are the options that read a file, and withValue those besides requirement.IndexOptions whose value may be the
// next word.
var (
	ofFile    = []string{"-r", "--requirement", "-c", "--constraint"}
	withValue = []string{"-e", "--editable", "--no-binary", "--only-binary", "--trusted-host"}
)

// isLocalIndex reports whether an option makes pip look for packages in a folder of this computer.
func isLocalIndex(r requirement.Requirement) bool {
	const filledIn = "${"
	return slices.Contains(requirement.IndexOptions, r.Option) && r.OptionValue != "" && (isFile(r.OptionValue) || !strings.Contains(r.OptionValue, "://") && !strings.HasPrefix(r.OptionValue, filledIn))
}

// isFile reports whether an address, which may be of a version control system, names a file of this computer.
func isFile(address string) bool {
	scheme, _, _ := strings.Cut(strings.ToLower(address), ":")
	return scheme == "file" || strings.HasSuffix(scheme, "+file")
}

// joint reports whether a word continues the requirement before it, and what is between them: nothing around operators,
// a space around the others, and before the marker of an address, of which a semicolon could be a part.
func joint(before, word string) (between string, joins bool) {
	last := before[strings.LastIndexByte(before, ' ')+1:]
	operators, begin := "=<>!~;", "=<>!~;,["
	if strings.Contains(before, "://") && !strings.Contains(before, " ;") {
		operators, begin, between = ";", ";", " "
	}
	inMarker := []string{"and", "or", "in", "not"}
	switch {
	case strings.ContainsAny(word[:1], begin) || strings.ContainsAny(last[len(last)-1:], operators):
		return between, true
	case before[0] == '-':
		return " ", word[0] != '-' && slices.ContainsFunc([][]string{ofFile, withValue, requirement.IndexOptions}, func(list []string) bool { return slices.Contains(list, before) })
	case strings.Contains(before, ";"):
		return " ", slices.Contains(inMarker, word) || slices.Contains(inMarker, last)
	}
	return " ", word[0] == '@' || last[len(last)-1] == '@'
}

// lostCalls returns the calls of a program that change what a job installs in a way that is not carried over. Hundreds
// of jobs may share thousands of them, which are looked up and recorded once.
func (m *Migration) lostCalls(j *Job) (calls []string) {
	for _, f := range m.builtFiles(j) {
		if _, known := m.lostOf[f]; !known {
			m.lostOf[f] = m.lostIn(j, f)
		}
		calls = append(calls, m.lostOf[f]...)
	}
	return calls
}

// lostIn is lostCalls for what changes one file.
func (m *Migration) lostIn(j *Job, f *schema.File) (calls []string) {
	for _, e := range f.Root().Entries() {
		key := strings.TrimSuffix(e.Key.Value, built.NotLiteral)
		call := key[strings.LastIndexByte(key, '.')+1:]
		if e.Value.Tag() == built.Open && !slices.Contains(built.ComputedPackages[:], call) && slices.ContainsFunc([]string{"add_", "remove_", "set_"}, func(begin string) bool { return strings.HasPrefix(call, begin) }) {
			at := schema.Field{File: f, Node: e.Value}
			m.Ledger.Drop(j.Name, "not carried over: change the packages of the new file by hand", at)
			calls = append(calls, account.Place(at)+" calls "+call)
		}
	}
	return calls
}

// tellUnused records what a program adds to an environment that no job installs.
func (m *Migration) tellUnused(n *document.Node) {
	if n == nil {
		return
	}
	if n.Kind == document.Scalar && m.Ledger.Unknown(schema.Field{Node: n}) {
		m.Ledger.Node(account.Note{Disposition: account.Dropped, Why: "the program adds it to an environment that is not written here: add it there"}, n)
	}
	for _, e := range n.Entries() {
		m.tellUnused(e.Value)
	}
	for _, item := range n.Items() {
		m.tellUnused(item)
	}
}
