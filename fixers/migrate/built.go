package migrate

import (
	"cmp"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/fixers/migrate/built"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/secret"
	"github.com/amlfix/amlfix/schema/source"
)

// readBuilt adds what Python programs build to the project; from here on, their jobs are run configurations. It adds
// the files that notebooks contain to those that were found.
func (m *Migration) readBuilt(found []Related) []Related {
	m.Read, m.built = m.Project, map[*schema.File]*built.Thing{}
	m.grafts = map[*built.Thing]*graft{}
	if m.Emitter.Format() == "v1" {
		return found // it is already SDK v1
	}
	var files []*schema.File
	names, sources, things := m.programs()
	found = append(found, m.take(things)...)
	for _, name := range names {
		src, made := sources[name], map[*built.Thing]*schema.File{}
		for _, th := range things[name] {
			f := &schema.File{Path: src.Path, Rel: name, Of: th.Of, Source: src, Stream: &document.Stream{Source: src, Documents: []*document.Node{th.Root}, Values: th.Values()}}
			if th.Kind == built.Model && m.ModelOf(f) == "" || th.Kind == built.AutoML && th.InStep {
				if at := f.Root().Get("model_path"); at != nil { // a job creates it, or a step runs it
					m.notRead(name, src, built.Unread{At: th.At.Start, What: "Model.register(model_path=" + secret.HideValue(at.Value) + ")"})
				}
				continue
			}
			made[th], m.built[f] = f, th
		}
		for _, th := range things[name] {
			f := made[th]
			if f == nil {
				continue
			}
			m.readRequirements(f, th.Root, nil, "")
			m.readRequirements(f, th.Root.Get("environment"), pipList(th.Root.Get("environment")), th.Code)
			switch th.Kind {
			case built.Job:
				f.Kind, f.Dialect, f.Uses = schema.RunConfig, schema.SDKv1, made[th.Uses]
			case built.Surroundings:
				f.Kind, f.Dialect, f.Uses = schema.RunConfig, schema.SDKv1, made[th.Uses]
			case built.Environment:
				f.Kind = schema.EnvironmentFile
			case built.Service:
				f.Kind, f.Uses = schema.V2File, made[th.Uses]
			case built.Compute, built.Data, built.Model, built.Pipeline, built.Schedule, built.AutoML:
			}
			m.scripts.starts(name, th.Kind)
			files = append(files, f)
		}
	}
	files = append(files, m.lineFiles()...)
	m.loaded = m.loadedFiles(files)
	if files = append(append(files, m.partFiles(files, found)...), m.loaded...); len(files) > 0 {
		m.Project = m.Project.Adding(files)
	}
	return found
}

// programs reads what the programs and notebooks that use SDK v1 build.
func (m *Migration) programs() (names []string, sources map[string]*source.Source, things map[string][]*built.Thing) {
	sources, things = map[string]*source.Source{}, map[string][]*built.Thing{}
	for _, name := range slices.Concat(m.scripts.names, m.scripts.notebooks) {
		if text := m.scripts.text[name]; strings.Contains(text, "azureml") {
			names, sources[name] = append(names, name), source.New(m.Project.PathOf(name), []byte(text))
			first, made := len(m.unread), built.Read(sources[name], path.Dir(name))
			if len(made) > 0 {
				for _, u := range made[0].Unread {
					m.notRead(name, sources[name], u)
				}
			}
			plain.SortFunc(m.unread[first:], func(a, b ScriptIssue) int {
				return cmp.Or(cmp.Compare(a.Line, b.Line), strings.Compare(a.What, b.What))
			})
			things[name] = usual(name, m.load(name, made))
		}
	}
	return names, sources, things
}

// notRead lists a part of a program as not carried over.
func (m *Migration) notRead(name string, src *source.Source, u built.Unread) {
	m.unread = append(m.unread, ScriptIssue{File: name, Line: src.LineAt(u.At), What: u.What})
}

// readCode finds the folder of the script of a job that a program starts. Its path is relative to where the program is
// started: the project's folder or the program's own.
func (m *Migration) readCode(j *Job) {
	th := m.built[j.Source.File]
	if th == nil {
		return
	}
	j.Experiment = th.Experiment
	root := j.Source.File.Root()
	from := schema.FieldAt(j.Source.File, root, "sourceDirectory")
	code := path.Clean(cmp.Or(schema.Slashes(th.Code), "."))
	if !filepath.IsLocal(filepath.FromSlash(code)) {
		if code = path.Join(j.Source.File.Dir(), code); !filepath.IsLocal(filepath.FromSlash(code)) {
			code = "."
		}
	}
	j.Code = code
	for dir, script := j.Source.File.Dir(), schema.Slashes(j.Source.Script.Text); dir != "." && !m.has(path.Join(code, script)); dir = path.Dir(dir) {
		beside := path.Join(dir, code) // the program was started in its folder, or in one above
		if m.has(path.Join(beside, script)) || !m.Project.Folder(code) && m.Project.Folder(beside) {
			j.Code = beside
			break
		}
	}
	if !m.Project.Folder(j.Code) {
		j.Code, j.noFolder = ".", from // it is created before the job is submitted
	}
	m.Ledger.Map(j.Name, "the folder of the code", "", from)
	m.Ledger.Map(j.Name, "`experiment_name`", "", schema.FieldAt(j.Source.File, root, "experiment"))
}

// scriptArgument names an argument, counted from 1.
func scriptArgument(n int) string { return "argument " + strconv.Itoa(n) + " of the script" }

// openWord returns the word for an argument that is not a literal in the program that starts the job, and that the
// question calls what; open is false for others.
func (m *Migration) openWord(j *Job, f schema.Field, what string, n int) (w Word, open bool) {
	if f.Node != nil && f.Node.Tag() == built.Open {
		option := optionBefore(f.Node)
		if option != "" && secret.NameIsSecret(strings.TrimLeft(option, "-")) {
			return m.secretWord(j.Source, f), true
		} else if takesNext(option) {
			what += ", after " + account.Name(option)
		}
	}
	text, open := m.openText(j, f, "argument-"+strconv.Itoa(n), what)
	return m.wordOf(j, text), open
}

// optionBefore returns the option before an argument, such as --epochs, or "".
func optionBefore(n *document.Node) string {
	if n.Parent == nil {
		return ""
	}
	at := slices.Index(n.Parent.Items(), n)
	if at < 1 || n.Parent.Items()[at-1].Tag() != "!!str" || !strings.HasPrefix(n.Parent.Items()[at-1].Value, "-") {
		return ""
	}
	return n.Parent.Items()[at-1].Value
}

// takesNext reports whether an argument that begins with "-" may be an option whose value is the next one: it has none
// yet, and is not a number.
func takesNext(option string) bool {
	_, err := strconv.ParseFloat(option, 64)
	return err != nil && strings.Trim(option, "-") != "" && !strings.Contains(option, "=")
}

// openText returns the text for a value that is not a literal in the program; open is false for others.
func (m *Migration) openText(j *Job, f schema.Field, id, what string) (text string, open bool) {
	if f.Node == nil || f.Node.Tag() != built.Open {
		return "", false
	}
	return m.answerText(j, f, m.Computed(account.Question{ID: id, Scope: j.Name, Ask: "What is " + what + "?", Example: "VALUE"}, f)), true
}

// askText asks for the text of a value, and returns the marker while nobody has answered.
func (m *Migration) askText(j *Job, f schema.Field, id, what, why string) string {
	return m.answerText(j, f, account.Question{ID: id, Scope: j.Name, Ask: "What is " + what + "?", Example: "VALUE", Why: why})
}

func (m *Migration) answerText(j *Job, f schema.Field, q account.Question) string {
	answer, open := m.Decide(&q)
	m.Ledger.Decide(j.Name, answer, q.ID, f)
	if open {
		return account.Marker
	}
	return answer
}

// tellOpen records, for values that are not literals, that only their author can carry them over.
func (m *Migration) tellOpen() {
	notLiteral := account.Note{Disposition: account.Dropped, Why: "not a literal, so you have to write it into the new files"}
	var walk func(n *document.Node)
	walk = func(n *document.Node) {
		if n.Tag() == built.Open && m.Ledger.Unknown(schema.Field{Node: n}) {
			m.Ledger.Node(notLiteral, n)
		}
		for _, e := range n.Entries() {
			walk(e.Value)
		}
		for _, item := range n.Items() {
			walk(item)
		}
	}
	for f, th := range m.built {
		if m.Ledger.Has(f) {
			walk(th.Root)
			for _, e := range th.Root.Get("dataReferences").Own() {
				if store := e.Value.Get("dataStoreName"); store != nil && m.Ledger.Unknown(schema.Field{Node: store}) { // of a step
					m.Ledger.Node(notLiteral, e.Value)
				}
			}
			m.tellUnused(th.Root.Get("python").Get(built.AddedPackages))
		}
	}
	for _, a := range m.Assets {
		walk(a.File.Root())
	}
}
