package migrate

import (
	"path"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/fixers/migrate/built"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/format"
	"github.com/amlfix/amlfix/schema/plain"
)

// Keys of things that a program loads from files: a run configuration, and an environment saved in a folder. The files
// are those of azureml-core 1.62, Environment.save_to_directory.
const (
	configKey      = "runConfig"
	directoryKey   = "directory"
	definitionFile = "azureml_environment.json"
)

// graft is what a thing has from the files that the program loads.
type graft struct {
	th    *built.Thing
	files []*schema.File
	// copies are at the place in the program that loads the files; of has their originals.
	copies, of []*document.Node
	lost       []*document.Node // that the program replaces
}

// load adds to things what the program loads from files. What it sets itself counts.
func (m *Migration) load(program string, things []*built.Thing) []*built.Thing {
	for _, th := range things {
		g := &graft{th: th}
		switch th.Kind {
		case built.Job, built.Surroundings:
			g.config(m, th, path.Dir(program))
		case built.Environment:
			g.directory(m, th, path.Dir(program))
		case built.Compute, built.Data, built.Model, built.Service, built.Pipeline, built.Schedule, built.AutoML:
		}
		if len(g.files) > 0 {
			m.grafts[th] = g
		}
	}
	return things
}

// config adds the run configuration that a job starts with.
func (g *graft) config(m *Migration, th *built.Thing, dir string) {
	at := th.Root.Get(configKey)
	if at == nil {
		return
	}
	s := m.configAt(at.Value, dir)
	if s == nil || format.Boundless(s.File.Root()) || s.EnvironmentFile != nil && format.Boundless(s.EnvironmentFile.Root()) {
		return
	}
	g.files = append(g.files, s.File)
	g.merge(th.Root, th.Root, s.File.Root(), at, "")
	if in := s.EnvironmentFile; in != nil && th.Uses == nil && th.Root.Get("environment"+built.NotLiteral) == nil {
		g.files = append(g.files, in)
		own := th.Root.Get("environment")
		if !own.IsMapping() {
			th.Root.SetEntries(slices.DeleteFunc(th.Root.Entries(), func(e document.Entry) bool { return e.Key.Value == "environment" }))
			own = lineNodes{at.Span}.mapping()
			lineNodes{at.Span}.add(th.Root, "environment", own)
		}
		g.merge(th.Root, own, in.Root(), at, "environment")
	}
	if e := s.Environment; e != nil && e.File.Kind == schema.CondaFile && th.Uses == nil {
		g.conda(th.Root, at, e.File.Rel)
	}
}

// conda names the conda file by its path in the project, unless the program sets the packages itself.
func (g *graft) conda(root, at *document.Node, rel string) {
	n := lineNodes{at.Span}
	python := root.Get("environment").Get("python")
	if file := python.Get("condaDependenciesFile"); file != nil {
		if slices.Contains(g.copies, file) {
			file.Value = rel
		}
		return
	}
	environment := root.Get("environment")
	if environment != nil && !environment.IsMapping() || !lacksPackages(root, environment, "environment") {
		return
	}
	if environment == nil {
		environment = n.mapping()
		n.add(root, "environment", environment)
	}
	if python == nil {
		python = n.mapping()
		n.add(environment, "python", python)
	}
	n.add(python, "condaDependenciesFile", n.node("!!str", rel))
}

// directory adds an environment that is saved in a folder.
func (g *graft) directory(m *Migration, th *built.Thing, dir string) {
	at := th.Root.Get(directoryKey)
	if at == nil {
		return
	}
	for _, from := range []string{".", dir} {
		folder := path.Join(from, schema.Slashes(at.Value))
		f := m.parsed(m.Project.PathOf(path.Join(folder, definitionFile)))
		if !named(folder) || f == nil {
			continue
		}
		f.Kind = schema.EnvironmentFile
		g.files = append(g.files, f)
		for _, beside := range [][3]string{{"python", "condaDependenciesFile", "conda_dependencies.yml"}, {"docker", "baseDockerfile", "BaseDockerfile"}} {
			if rel := path.Join(folder, beside[2]); m.has(rel) && !sets(th.Root, beside[0]+"."+beside[1]) {
				n := lineNodes{at.Span}
				section := th.Root.Get(beside[0])
				if section == nil {
					section = n.mapping()
					n.add(th.Root, beside[0], section)
				}
				n.add(section, beside[1], n.node("!!str", rel))
			}
		}
		g.merge(th.Root, th.Root, f.Root(), at, "")
		return
	}
}

// namedByUsers are the sections whose keys are names that users choose.
var namedByUsers = []string{"environmentVariables", "dataReferences", "data", "outputData", "tags"}

// merge copies the values of a file that the program does not set; prefix is the path of to in the root.
func (g *graft) merge(root, to, from, at *document.Node, prefix string) {
	n := lineNodes{at.Span}
	for _, e := range entriesOf(from.Resolve()) {
		key, value := e.Key.Value, e.Value.Resolve()
		if to.Get(key) == nil && !slices.Contains(namedByUsers, prefix[strings.LastIndexByte(prefix, '.')+1:]) {
			key = plain.CamelCase(key) // as azureml-core reads it
		}
		place := strings.TrimPrefix(prefix+"."+key, ".")
		own := to.Get(key)
		switch {
		case value.IsNull() || prefix == "" && (key == "version" || key == "assetId"): // of the registered environment
		case own.IsMapping() && value.IsMapping() && !g.th.Replaces(own):
			g.merge(root, own, value, at, place)
		case own != nil || sets(root, place):
			g.lost = append(g.lost, e.Value)
		default:
			n.add(to, key, g.copied(e.Value, at))
		}
	}
}

// entriesOf returns the entries of a mapping, with those that merge keys add.
func entriesOf(n *document.Node) []document.Entry {
	list := n.Own()
	for _, from := range n.Merged() {
		for _, e := range from.Own() {
			if !slices.ContainsFunc(list, func(own document.Entry) bool { return own.Key.Value == e.Key.Value }) {
				list = append(list, e)
			}
		}
	}
	return list
}

// sets reports whether a program sets a value, or one that replaces it.
func sets(root *document.Node, place string) bool {
	n := root
	for part := range strings.SplitSeq(place, ".") {
		n = n.Get(part)
	}
	packages := strings.TrimSuffix(place, "File")
	return n != nil || root.Get(place+built.NotLiteral) != nil || packages != place && sets(root, packages)
}

// copied copies a value to the place in the program that loads it.
func (g *graft) copied(of, at *document.Node) *document.Node {
	n := of.Resolve()
	c := text(n.Value, at)
	c.Kind, c.Style = n.Kind, n.Style
	c.SetTag(n.Tag())
	g.copies, g.of = append(g.copies, c), append(g.of, of)
	for _, e := range entriesOf(n) {
		c.AddEntry(text(e.Key.Value, at), g.copied(e.Value, at))
	}
	for _, item := range n.Items() {
		c.AddItem(g.copied(item, at))
	}
	return c
}

// enter adds a file to the ledger, after those that it has values from.
func (m *Migration) enter(f *schema.File) {
	if g := m.grafts[m.built[f]]; g != nil && !m.Ledger.Has(f) {
		for _, from := range g.files {
			m.Ledger.Add(from)
		}
		for i, c := range g.copies {
			m.Ledger.Stands(c, g.of[i])
		}
		for _, n := range g.lost {
			m.Ledger.Node(account.Note{For: f.Of, Disposition: account.Dropped, Why: account.Name(f.Rel) + " sets its own value"}, n)
		}
	}
	m.Ledger.Add(f)
	if g := m.grafts[m.built[f]]; g != nil {
		m.Ledger.Map("", account.Name(g.files[0].Rel)+"; see its own keys", "", schema.FieldAt(f, f.Root(), configKey), schema.FieldAt(f, f.Root(), directoryKey))
	}
}

// withoutLoaded returns the run configurations without those that no command line submits, and that programs load for
// their jobs or, if no script is named, for steps.
func (m *Migration) withoutLoaded(chosen []*schema.Job) []*schema.Job {
	if len(m.Options.Configs) > 0 {
		return chosen
	}
	return slices.DeleteFunc(slices.Clone(chosen), func(s *schema.Job) bool {
		for th, g := range m.grafts {
			if g.files[0] == s.File && (th.Kind == built.Job && !th.InStep || !s.Script.Explicit && !s.Command.Explicit) {
				return len(m.submissionsOf(s)) == 0
			}
		}
		return false
	})
}

// configAt returns the run configuration that a program in a folder loads, or nil.
func (m *Migration) configAt(name, dir string) *schema.Job {
	for _, rel := range loadable(name, dir) {
		for _, rel := range []string{rel, rel + ".runconfig"} {
			if f := m.Project.FileAt(rel); f != nil && f.Kind == schema.RunConfig {
				return configIn(m.Project, f)
			}
			if !m.has(rel) {
				continue
			}
			if f := m.parsed(m.Project.PathOf(rel)); f != nil {
				f.Kind, f.Dialect = schema.RunConfig, schema.SDKv1
				return configIn(m.Project.Adding([]*schema.File{f}), f)
			}
		}
	}
	return nil
}

// configIn returns the job of a file.
func configIn(p *schema.Project, f *schema.File) *schema.Job {
	for _, s := range p.RunConfigurations() {
		if s.File == f {
			return s
		}
	}
	return nil
}
