package migrate

import (
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/fixers/migrate/built"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/source"
	"github.com/amlfix/amlfix/schema/template"
)

// ofLine marks the file that stands for a job that only a command line describes.
const ofLine = "submission"

// alone splits submissions into those that name a run configuration and those that do not.
func alone(list []submission) (with, without []submission) {
	for _, s := range list {
		if s.config == "" {
			without = append(without, s)
		} else {
			with = append(with, s)
		}
	}
	return with, without
}

// withoutFile returns the command lines that name a run configuration that is not in the project.
func (m *Migration) withoutFile() (list []submission) {
	there := map[string]bool{}
	at := func(s submission) string { return s.file + ":" + strconv.Itoa(s.line) }
	for _, j := range m.Project.RunConfigurations() {
		for _, s := range m.submissionsOf(j) {
			there[at(s)] = true
		}
	}
	for _, s := range m.submitted {
		if s.command && s.sdk && named(s.config) && !there[at(s)] {
			list = append(list, s)
		}
	}
	return list
}

// lineFiles returns run configurations made from the command lines that name none, for which the CLI v1 used the
// default one, or one that is missing.
func (m *Migration) lineFiles() (files []*schema.File) {
	seen, values := map[string]bool{}, 0
	sources := map[string]*source.Source{} // a file may have thousands of lines
	m.lines = map[*schema.File]submission{}
	for _, s := range plain.Both(m.alone, m.withoutFile()) {
		src, read := sources[s.file]
		if !read {
			if text, ok := readText(s.file); ok {
				src = source.New(schema.Identity(s.file), []byte(text))
			}
			sources[s.file] = src
		}
		rel := way(m.Project.Root, s.file)
		if len(s.words) == 0 || s.filled && len(m.Project.RunConfigurations()) > 0 || s.sweep != "" && m.Emitter.Format() != "v2" || src == nil || !filepath.IsLocal(filepath.FromSlash(rel)) && !m.has(s.script) {
			continue
		}
		said := strings.Join(append([]string{s.config, s.sweep, s.target, s.conda, s.folder, s.experiment}, s.words...), "\x00")
		if seen[said] {
			continue
		}
		seen[said] = true
		at := src.Line(s.line)
		n := lineNodes{at}
		root := n.mapping()
		n.put(root, "script", s.words[0])
		n.put(root, "target", s.target)
		n.put(root, "experiment", s.experiment)
		n.put(root, "sourceDirectory", s.folder)
		if len(s.words) > 1 {
			list := n.sequence()
			for _, word := range s.words[1:] {
				list.AddItem(n.value(word))
			}
			n.add(root, "arguments", list)
		}
		if s.conda != "" {
			python, environment := n.mapping(), n.mapping()
			conda := s.conda
			if below := path.Join(s.folder, conda); !m.Project.Exists(conda) && m.Project.Exists(below) {
				conda = below
			}
			n.put(python, "condaDependenciesFile", conda)
			n.add(environment, "python", python)
			n.add(root, "environment", environment)
		}
		for _, key := range s.lost {
			n.add(root, key+built.NotLiteral, n.node(built.Open, key))
		}
		th := &built.Thing{Kind: built.Job, Of: ofLine, At: at, Root: root, Code: s.folder, Experiment: s.experiment}
		f := &schema.File{Path: src.Path, Rel: rel, Of: ofLine, Kind: schema.RunConfig, Dialect: schema.SDKv1, Source: src, Stream: &document.Stream{Source: src, Documents: []*document.Node{root}, Values: th.Values()}}
		m.built[f] = th
		m.lines[f] = s
		files = append(files, f)
		if values += f.Stream.Values; values > MaxValues {
			break // it is too large
		}
	}
	return files
}

// askLine asks about the missing files that the line submitting a job names: its run configuration and, unless swept,
// the settings of its sweep.
func (m *Migration) askLine(j *Job, lines []submission, swept bool) {
	ask := func(id, what, why, without string) {
		_, open := m.Decide(&account.Question{ID: id, Scope: j.Name, Ask: "Where is " + what + "?", Choices: []string{"none"},
			Why: why + ", and migrate again; or answer `none`, and the job " + without})
		j.Lacks = j.Lacks || open
	}
	switch s := m.lines[j.Source.File]; {
	case s.filled:
		ask("configuration", "the run configuration of "+s.at, "something fills in its name there: write it", "is what the line says")
	case s.config != "":
		file := account.Name(s.config) + ".runconfig"
		ask("configuration", "the run configuration "+file, s.at+" names it, and it is not in the project: put it there", "is what the line says")
	}
	for _, s := range lines {
		if s.sweep == "" || swept || m.Emitter.Format() != "v2" {
			continue
		}
		why := s.at + " names it, and it is not in the project: put it there"
		for _, folder := range []string{".", ".azureml", "aml_config"} {
			if at := path.Join(folder, s.sweep); m.has(at) {
				why = account.Name(at) + ", which " + s.at + " names, is not in a form that HyperDrive would have read: repair it"
			}
		}
		ask("settings", "the HyperDrive configuration "+account.Name(s.sweep), why, "runs once")
		return
	}
}

// lineNodes creates nodes that are positioned at one line.
type lineNodes struct{ at source.Span }

func (n lineNodes) node(tag, value string) *document.Node {
	return document.NewScalar(tag, value, n.at)
}

func (n lineNodes) mapping() *document.Node {
	m := n.node("!!map", "")
	m.Kind = document.Mapping
	return m
}

func (n lineNodes) sequence() *document.Node {
	s := n.node("!!seq", "")
	s.Kind = document.Sequence
	return s
}

// value returns the node of a word, which is open if it is filled in elsewhere.
func (n lineNodes) value(word string) *document.Node {
	if word == "" || strings.HasPrefix(word, "<") || template.In(word) {
		return n.node(built.Open, word)
	}
	return n.node("!!str", word)
}

func (n lineNodes) add(to *document.Node, key string, value *document.Node) {
	k := n.node("!!str", key)
	k.Span.End = k.Span.Start
	to.AddEntry(k, value)
}

// put adds a word to a mapping, unless it is empty; a word that is filled in elsewhere goes next to its key.
func (n lineNodes) put(to *document.Node, key, word string) {
	v := n.value(word)
	switch {
	case word == "" && key != "script":
		return
	case v.Tag() == built.Open:
		key += built.NotLiteral
	}
	n.add(to, key, v)
}

// nameOf returns the name that a job gets: that of its file, or of the script in the line that submits it.
func (m *Migration) nameOf(s *schema.Job) string {
	if s.File.Of == ofLine && s.Script.Explicit {
		return stem(s.Script.Text)
	}
	return s.Name
}

// stem returns the name of a script without its folder and ending.
func stem(script string) string {
	base := script[strings.LastIndexAny(script, "/\\")+1:]
	return strings.TrimSuffix(base, filepath.Ext(base))
}

// submittedTo returns the experiment that command lines submit the pipeline in a file to, or "".
func (m *Migration) submittedTo(f *schema.File) string {
	for _, s := range m.alone {
		if s.pipeline != "" && s.experiment != "" && (s.pipeline == f.Rel || strings.HasSuffix("/"+f.Rel, "/"+s.pipeline)) {
			return s.experiment
		}
	}
	return ""
}

// ofLine returns the file of the job that a command line became, or "".
func (m *Migration) ofLine(at string) string {
	for _, j := range m.Jobs {
		if f := j.Source.File; f.Of == ofLine && m.Emitter.Format() == "v2" && at == f.Rel+":"+strconv.Itoa(f.Source.LineAt(f.Root().Span.Start)) {
			return "job-" + j.Name + ".yml"
		}
	}
	return ""
}
