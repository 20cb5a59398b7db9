package migrate

import (
	"cmp"
	"fmt"
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
	"github.com/amlfix/amlfix/schema/source"
)

// Asset is a compute target, a model, a schedule or data that is described outside jobs, under SDK v1's names for its
// parameters.
type Asset struct {
	Kind built.Kind
	File *schema.File
	// Name is used in file names and scopes, and is unique among the assets of a kind.
	Name string
	// Experiment is the experiment of an AutoML job, or "".
	Experiment string
	// Again means that an asset before it has the same name and values, so that nothing more has to be written.
	Again bool
}

// Field returns a parameter of the asset.
func (a *Asset) Field(name string) schema.Field {
	return schema.FieldAt(a.File, a.File.Root(), name)
}

// ModelOf returns the path, relative to the project's root, that a model is registered from, if the project has it:
// programs and command lines name it relative to the folder that they are started in. It returns "" for a model that a
// job creates, and for computed names and paths.
func (m *Migration) ModelOf(f *schema.File) string {
	at, name := schema.FieldAt(f, f.Root(), "model_path"), schema.FieldAt(f, f.Root(), "model_name")
	if !at.Explicit || !name.Explicit || !plainText(name.Node) || !plainText(at.Node) {
		return ""
	}
	for _, folder := range []string{".", f.Dir()} {
		if rel := path.Join(folder, schema.Slashes(at.Text)); named(rel) && rel != "." && m.Project.Exists(rel) {
			return rel
		}
	}
	return ""
}

// Scheduled returns the pipeline that a schedule starts, or nil if it is not migrated.
func (m *Migration) Scheduled(a *Asset) *Pipeline { return m.scheduled(m.built[a.File]) }

func (m *Migration) scheduled(th *built.Thing) *Pipeline {
	i := slices.IndexFunc(m.Pipelines, func(p *Pipeline) bool { return th.Uses != nil && m.built[p.File] == th.Uses })
	if i < 0 {
		return nil
	}
	return m.Pipelines[i]
}

// madeAt returns the v2 command for the model or cluster that the command line at a position creates, or "" if it
// creates neither.
func (m *Migration) madeAt(at string) string {
	for _, a := range m.Assets {
		if f := a.File; at != f.Rel+":"+strconv.Itoa(f.Source.LineAt(f.Root().Span.Start)) || m.Emitter.Format() != "v2" {
			continue
		}
		if kind := map[built.Kind]string{built.Model: "model", built.Compute: "compute"}[a.Kind]; kind != "" {
			return "az ml " + kind + " create --file " + kind + "-" + a.Name + ".yml"
		}
	}
	return ""
}

// Open returns a parameter that is given but not a literal.
func (a *Asset) Open(name string) schema.Field { return a.Field(name + built.NotLiteral) }

func (m *Migration) isPart(f *schema.File) bool { return path.Ext(f.Rel) == account.PartEnding }

// all returns jobs and parts.
func (m *Migration) all() []*Job { return plain.Both(m.Jobs, m.Parts) }

// configurations returns the run configurations that are jobs.
func (m *Migration) configurations() []*schema.Job {
	return slices.DeleteFunc(slices.Clone(m.Project.RunConfigurations()), func(j *schema.Job) bool { return m.isPart(j.File) || m.isInStep(j.File) })
}

// isPipeline reports whether a part is the environment of a pipeline's steps.
func (m *Migration) isPipeline(f *schema.File) bool {
	for _, p := range m.pipelines {
		if p.Rel+account.PartEnding == f.Rel { // the path of a part is that of its program, which may also build other things
			return true
		}
	}
	return false
}

// bare reports whether there is something to migrate other than run configurations.
func (m *Migration) bare() bool {
	return m.Emitter.Format() == "v2" && (len(m.built)+len(m.made)+len(m.pipelines) > 0 || slices.ContainsFunc(m.Project.Files, func(f *schema.File) bool {
		return f.Kind == schema.Compute || f.Kind == schema.CondaFile && !m.isNew(f)
	}))
}

// partFiles returns the environments that programs build but no job uses and, for a project without run configurations,
// its conda files and compute targets; next to run configurations, these would just be unused.
func (m *Migration) partFiles(files []*schema.File, found []Related) (parts []*schema.File) {
	if m.Emitter.Format() != "v2" || len(m.Options.Configs) > 0 {
		return nil
	}
	used := map[*schema.File]bool{}
	for _, f := range files {
		used[f.Uses] = true
	}
	m.serving = map[*schema.File]*WebService{}
	services := m.serviceFiles(files, found)
	parts = append(parts, services...)
	for _, f := range files {
		if th := m.built[f]; th.Kind == built.Environment && !used[f] && th.Root.Get("version") == nil && len(f.Root().Entries()) > 1 { // more than its name
			parts = append(parts, m.part(f, path.Join(f.Dir(), account.Slug(cmp.Or(th.Root.Get("name").Text(), th.Of))), schema.SDKv1, entry("environment", f.Of), f))
		}
	}
	parts = append(parts, m.pipelineFiles(files, found)...)
	if len(m.Read.RunConfigurations()) == 0 {
		parts = append(parts, m.looseFiles(slices.Concat(files, parts), found)...)
	}
	return parts
}

// readParts reads what is written in addition to jobs.
func (m *Migration) readParts() {
	if m.Emitter.Format() != "v2" || len(m.Options.Configs) > 0 {
		return
	}
	for _, f := range m.Project.Files {
		if th := m.built[f]; th != nil && (th.Kind == built.Compute || th.Kind == built.Data || th.Kind == built.Model || th.Kind == built.AutoML || th.Kind == built.Schedule && m.scheduled(th) != nil) {
			m.asset(th.Kind, f)
		}
	}
	m.readMade()
	for _, s := range m.Project.RunConfigurations() {
		if m.isPart(s.File) && !m.isPipeline(s.File) {
			m.source(s)
			j := m.readPart(s)
			if service := m.serving[s.File]; service != nil {
				if m.Ledger.Add(service.File); service.DeployFile != nil {
					m.Ledger.Add(service.DeployFile)
				}
				service.Job, j.Serves, j.Variables = j, true, m.variables(j)
			}
			m.Parts = append(m.Parts, j)
		}
	}
}

// looseFiles returns parts for the compute targets and conda files of a project without run configurations.
func (m *Migration) looseFiles(made []*schema.File, found []Related) (files []*schema.File) {
	var condas []string
	for _, f := range m.Project.Files {
		switch {
		case m.isNew(f) || f.Err != nil || f.Root() == nil:
		case f.Kind == schema.Compute:
			files = append(files, m.part(f, path.Join(f.Dir(), f.Name()), schema.Workbench, entry("Target", f.Name()), nil))
		case f.Kind == schema.CondaFile:
			condas = append(condas, f.Rel)
		}
	}
	for _, r := range found {
		if rel := way(m.Project.Root, r.File); r.What == looseConda && filepath.IsLocal(filepath.FromSlash(rel)) && !slices.Contains(condas, rel) {
			condas = append(condas, rel)
		}
	}
	for _, rel := range condas {
		f := m.Project.FileAt(rel)
		if takes(rel, slices.Concat(made, files)) || f != nil && m.isNew(f) {
			continue
		}
		at := &schema.File{Path: m.Project.PathOf(rel), Rel: rel, Source: source.New(m.Project.PathOf(rel), nil)}
		python := entry("python", "")
		python.Entries()[0].Value = entry("condaDependenciesFile", rel)
		root := entry("environment", "")
		root.Entries()[0].Value = python
		files = append(files, m.part(at, strings.TrimSuffix(rel, path.Ext(rel)), schema.SDKv1, root, nil))
	}
	return files
}

// takes reports whether a conda file belongs to a Workbench compute target next to it, or is named by a program.
func takes(rel string, files []*schema.File) bool {
	return slices.ContainsFunc(files, func(f *schema.File) bool {
		if f.Dialect == schema.Workbench {
			return path.Join(f.Dir(), "conda_dependencies.yml") == rel
		}
		return namesFile(f, rel)
	})
}

// namesFile reports whether an environment that a program builds installs a file.
func namesFile(f *schema.File, rel string) bool {
	file := schema.Slashes(cmp.Or(f.Root().Get("python").Get("condaDependenciesFile").Text(), f.Root().Get("environment").Get("python").Get("condaDependenciesFile").Text()))
	return file != "" && (path.Clean(file) == rel || path.Join(f.Dir(), file) == rel)
}

// part returns a run configuration for a single thing; the files that it names are the sources.
func (m *Migration) part(at *schema.File, rel string, dialect schema.Dialect, root *document.Node, uses *schema.File) *schema.File {
	return &schema.File{Path: at.Path + account.PartEnding, Rel: rel + account.PartEnding, Of: at.Rel, Kind: schema.RunConfig, Dialect: dialect, Source: at.Source, Uses: uses,
		Stream: &document.Stream{Source: at.Source, Documents: []*document.Node{root}}}
}

// entry returns a mapping with one entry.
func entry(key, value string) *document.Node {
	n := document.NewMapping(source.Span{})
	n.AddEntry(text(key, n), text(value, n))
	return n
}

// readPart reads the environment and the target of a part.
func (m *Migration) readPart(s *schema.Job) *Job {
	j := &Job{Name: m.uniqueName(s.Name), Source: s, Nodes: 1, Code: ".", Interpreter: "python", Target: s.TargetName.Text, Part: true}
	if t := s.Target; t != nil {
		j.GPU, j.Place = t.GPU(), placeOf(s)
	}
	return j
}

// asset adds a compute target or data.
func (m *Migration) asset(kind built.Kind, f *schema.File) {
	m.Ledger.Add(f)
	a := &Asset{Kind: kind, File: f}
	if kind == built.AutoML {
		a.Name, a.Experiment = m.uniqueName(jobName(f)), m.built[f].Experiment
		m.Assets = append(m.Assets, a)
		return
	}
	group := strconv.Itoa(int(kind))
	values, known := valuesOf([]byte(group), f.Root())
	if a.Name, a.Again = m.known[string(values)]; !a.Again {
		a.Name = m.called(group, account.Slug(cmp.Or(a.Field("name").Text, a.Field("model_name").Text, f.Of)))
	}
	if known && kind != built.Schedule {
		m.known[string(values)] = a.Name
	}
	m.Assets = append(m.Assets, a)
}

// valuesOf appends the keys and values of a tree to a text, without descriptions and tags that the program computes,
// which are not carried over; known is false if one of the others is not known.
func valuesOf(text []byte, n *document.Node) (all []byte, known bool) {
	text, known = fmt.Appendf(text, "%d %s %q (", n.Kind, n.Tag(), n.Value), n.Tag() != built.Open
	for _, item := range n.Items() {
		var ok bool
		text, ok = valuesOf(text, item)
		known = known && ok
	}
	for _, e := range n.Entries() {
		if e.Key.Value == "description"+built.NotLiteral || e.Key.Value == "tags"+built.NotLiteral {
			continue
		}
		if e.Key.Value == "tags" && e.Value.Tag() != built.Open {
			for _, tag := range e.Value.Entries() {
				if tag.Value.Tag() != built.Open {
					text = fmt.Appendf(text, "%q %q ", tag.Key.Value, tag.Value.Text())
				}
			}
			continue
		}
		var ok bool
		text, ok = valuesOf(fmt.Appendf(text, "%q ", e.Key.Value), e.Value)
		known = known && ok
	}
	return append(text, ')'), known
}
