package migrate

import (
	"cmp"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/fixers/migrate/built"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/format"
	"github.com/amlfix/amlfix/schema/source"
)

// WebService is an SDK v1 web service: an inference configuration, and how it is deployed.
type WebService struct {
	// Job is the part with its environment.
	Job *Job
	// Name is used in file names and scopes.
	Name string
	// Inference and Deployment have the keys of an inference and a deployment configuration; Deployment is nil if it is
	// not known how the service is deployed.
	Inference, Deployment *document.Node
	// File is the inference configuration or the program that creates it; DeployFile is the same for the deployment
	// configuration.
	File, DeployFile *schema.File
	// Code is the folder of the code, relative to the project's root; Script is relative to Code.
	Code, Script string
	// Fails means that Script certainly fails in the new environment, and that the question about it is open.
	Fails bool
}

// Field returns a key of the inference configuration.
func (s *WebService) Field(name string) schema.Field {
	return schema.FieldAt(s.File, s.Inference, name)
}

// Deploy returns the key of the deployment configuration at a path of names.
func (s *WebService) Deploy(names ...string) schema.Field {
	n := s.Deployment
	for _, name := range names[:len(names)-1] {
		n = n.Get(name)
	}
	if n == nil {
		return schema.Field{}
	}
	return schema.FieldAt(s.DeployFile, n, names[len(names)-1])
}

// What Related calls the files.
const (
	inferenceFile  = "an inference configuration"
	deploymentFile = "a deployment configuration"
)

// serviceFiles finds the services of a project, and returns the parts with their environments.
func (m *Migration) serviceFiles(files []*schema.File, found []Related) (parts []*schema.File) {
	for _, f := range files {
		if th := m.built[f]; th.Kind == built.Service {
			parts = append(parts, m.service(f, f, f.Root().Get("deployment"), f.Uses, f.Dir()))
		}
	}
	var deployments []*schema.File
	for _, r := range found {
		if r.What == deploymentFile {
			if f := m.parsed(r.File); f != nil {
				deployments = append(deployments, f)
			}
		}
	}
	for _, r := range found {
		f := (*schema.File)(nil)
		if r.What == inferenceFile {
			f = m.parsed(r.File)
		}
		if f == nil {
			continue
		}
		var deployment *schema.File
		for _, d := range deployments {
			if d.Dir() == f.Dir() && (deployment == nil || strings.Contains(strings.ToLower(d.Rel), "aci")) {
				deployment = d
			}
		}
		root := (*document.Node)(nil)
		if deployment != nil {
			m.Ledger.Add(deployment)
			root = deployment.Root()
		}
		parts = append(parts, m.service(f, deployment, root, nil, f.Dir()))
	}
	return parts
}

// parsed reads a file of the repository that does not belong to a project.
func (m *Migration) parsed(name string) *schema.File {
	rel := way(m.Project.Root, name)
	text, ok := readText(name)
	if !ok || !filepath.IsLocal(filepath.FromSlash(rel)) {
		return nil
	}
	src := source.New(schema.Identity(name), []byte(text))
	f := &schema.File{Path: src.Path, Rel: rel, Kind: schema.V2File, Source: src, Stream: document.Parse(src)}
	if !f.Root().IsMapping() || f.Broken() || format.Boundless(f.Root()) {
		return nil
	}
	return f
}

// service adds a service, and returns the part with its environment.
func (m *Migration) service(f, deployFile *schema.File, deployment *document.Node, uses *schema.File, dir string) *schema.File {
	s := &WebService{File: f, DeployFile: deployFile, Inference: f.Root(), Deployment: deployment}
	code, script := schema.Slashes(s.Field("sourceDirectory").Text), schema.Slashes(s.Field("entryScript").Text)
	for _, from := range []string{".", dir} {
		if s.Code = path.Join(from, code); m.has(path.Join(s.Code, script)) {
			break
		}
	}
	if code == "" && path.Dir(script) != "." && m.has(path.Join(s.Code, script)) {
		s.Code, script = path.Join(s.Code, path.Dir(script)), path.Base(script)
	}
	s.Script = script
	s.Name = m.called("service", account.Slug(cmp.Or(s.Field("name").Text, strings.TrimSuffix(s.Script, path.Ext(s.Script)), "service")))
	root := document.NewMapping(f.Root().Span)
	t := tree{m: m, root: root}
	conda := s.Field("condaFile")
	rel, there := m.condaOfService(s, conda, dir)
	if m.built[f] != nil && there { // what the program writes to it is what it has
		f.Root().SetEntries(slices.DeleteFunc(f.Root().Entries(), func(e document.Entry) bool { return e.Key.Value == "environment" && e.Value.IsMapping() }))
	}
	m.Ledger.Add(f)
	n := f.Root().Get("environment")
	if n != nil {
		t.put("environment", n, n.Resolve())
	}
	if written := n.IsMapping() && m.built[f] != nil; written || n == nil && uses == nil {
		if written {
			m.Ledger.Drop(s.Name, "the program writes its packages to it, which are in the new file", conda)
		} else if rel != "" {
			t.put(keys("environment", "python", "condaDependenciesFile"), conda.Node, text(rel, conda.Node))
		}
		if image := s.Field("baseImage"); image.Explicit {
			t.put(keys("environment", "docker", "baseImage"), image.Node, image.Node)
		}
		if gpu := s.Field("enableGpu"); gpu.Explicit {
			t.put(keys("environment", "docker", "gpuSupport"), gpu.Node, gpu.Node)
		}
	}
	part := m.part(f, path.Join(path.Dir(f.Rel), s.Name), schema.SDKv1, root, uses)
	m.Services = append(m.Services, s)
	m.serving[part] = s
	return part
}

// condaOfService returns the path of the conda file of a service, or "", and whether it exists.
func (m *Migration) condaOfService(s *WebService, f schema.Field, dir string) (rel string, there bool) {
	if !f.Explicit || f.Node.Tag() == built.Open {
		return "", false
	}
	name := schema.Slashes(f.Text)
	for _, from := range []string{s.Code, ".", dir} {
		if m.has(path.Join(from, name)) {
			return path.Join(from, name), true
		}
	}
	return path.Join(s.Code, name), false
}

// isEntry reports whether a file is the entry script of a service.
func (m *Migration) isEntry(rel string) bool {
	return slices.ContainsFunc(m.Services, func(s *WebService) bool { return path.Join(s.Code, s.Script) == rel }) ||
		slices.ContainsFunc(m.Jobs, func(j *Job) bool { return j.Step != nil && j.Script == rel })
}
