package schema

import (
	"bytes"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/source"
)

// V2Job is a command or Spark job of Azure ML v2. It is no Job: nothing runs or
// migrates it.
type V2Job struct {
	File *File
	// Environment is what the job says inline, or the environment file it names;
	// nil when it names a registered one.
	Environment *V2Environment
	// Compute is the compute's name as written, Size the size of the machines:
	// resources.instance_type, or the size of the compute of that name in the
	// project.
	Compute, Size Field
	// Code is the folder that is uploaded.
	Code Field
	// Variables are the environment variables, in file order.
	Variables []Variable
}

// V2Environment is an environment of Azure ML v2: a file, or part of a job.
type V2Environment struct {
	File *File
	// Node is the mapping that holds the keys.
	Node *document.Node
	// Image is the Docker image, CondaPath the conda file, Build the folder to
	// build an image from.
	Image, CondaPath, Build Field
	// Conda is the conda environment, nil when it is not there.
	Conda *Environment
}

// V2Compute is a compute of Azure ML v2.
type V2Compute struct {
	File             *File
	Name, Type, Size Field
	// Password is ssh_settings.admin_password.
	Password Field
}

// Path returns the path from the project's root that a field of a v2 file means:
// such paths start at the file's own folder. ok is false for what is no path of
// this computer: an address, a reference to the workspace, or nothing.
func (f Field) Path() (rel string, ok bool) {
	text := strings.TrimPrefix(f.Text, "file:")
	if !f.Explicit || !f.Node.IsString() || text == "" || strings.Contains(text, "${{") || strings.Contains(strings.SplitN(text, "/", 2)[0], ":") {
		return "", false
	}
	if text = filepath.ToSlash(text); path.IsAbs(text) {
		return text, true
	}
	return path.Join(f.File.Dir(), text), true
}

// linkV2 reads the files of v2 and joins them: a job with its environment and
// its compute, an environment with its conda file.
func (p *Project) linkV2() {
	for _, f := range slices.Clone(p.Files) {
		switch f.Kind {
		case V2EnvironmentFile:
			p.v2Environment(f, f.Root())
		case V2ComputeFile:
			root := f.Root()
			p.V2Computes = append(p.V2Computes, &V2Compute{File: f, Name: field(f, root, "name"), Type: field(f, root, "type"),
				Size: field(f, root, "size"), Password: field(f, root.Get("ssh_settings"), "admin_password")})
		default: // jobs are read below, when these are known
		}
	}
	for _, f := range slices.Clone(p.Files) {
		if f.Kind == V2JobFile {
			p.V2Jobs = append(p.V2Jobs, p.v2Job(f))
		}
		if f.V2 == "job" || f.V2 == "component" {
			p.v2Components(f, f.Root().Get("jobs"))
		}
	}
}

// v2Components reads the files of the components that the jobs of a pipeline name,
// those of pipelines inside it and of pipelines that they name too. Aliases are not
// followed: one may stand for what it is in.
func (p *Project) v2Components(f *File, jobs *document.Node) {
	for _, job := range jobs.Own() {
		for _, key := range []string{"component", "trial"} {
			at := field(f, job.Value, key)
			if inline := at.Node; inline != nil && inline.Kind == document.Mapping && inline.Parent == job.Value {
				p.v2Components(f, inline.Get("jobs"))
			}
			rel, ok := at.Path()
			if !ok || p.FileAt(rel) != nil {
				continue
			}
			if file := p.refer(rel, V2File); file != nil && (file.V2 == "job" || file.V2 == "component") {
				p.v2Components(file, file.Root().Get("jobs"))
			}
		}
	}
}

func (p *Project) v2Job(f *File) *V2Job {
	root := f.Root()
	j := &V2Job{File: f, Compute: field(f, root, "compute"), Code: field(f, root, "code"), Size: field(f, root.Get("resources"), "instance_type"),
		Variables: variables(f, root.Get("environment_variables"))}
	environment := field(f, root, "environment")
	switch {
	case environment.Node.Resolve().IsMapping():
		j.Environment = p.v2Environment(f, environment.Node.Resolve())
	case strings.HasPrefix(environment.Text, "file:"):
		if rel, ok := environment.Path(); ok {
			if file := p.refer(rel, V2EnvironmentFile); file != nil {
				j.Environment = p.v2Environment(file, file.Root())
			}
		}
	default:
		j.Environment = p.registered(environment.Text)
	}
	if j.Size.Explicit {
		return j
	}
	name := strings.TrimPrefix(j.Compute.Text, "azureml:")
	for _, c := range p.V2Computes {
		if j.Compute.Explicit && c.Name.Text == name {
			j.Size = c.Size
		}
	}
	return j
}

// registered returns the project's environment file that a reference to the
// workspace, azureml:NAME:VERSION or azureml:NAME@latest, was registered from,
// as far as names tell; nil when no file or several have the name.
func (p *Project) registered(reference string) (found *V2Environment) {
	name, ok := strings.CutPrefix(reference, "azureml:")
	if !ok || strings.HasPrefix(name, "//") {
		return nil
	}
	name, _, _ = strings.Cut(name, "@")
	name, _, _ = strings.Cut(name, ":")
	for _, e := range p.V2Environments {
		if e.File.Kind == V2EnvironmentFile && e.Node.Get("name").Text() == name {
			if found != nil {
				return nil
			}
			found = e
		}
	}
	return found
}

// v2Environment returns the environment of a mapping, read once.
func (p *Project) v2Environment(f *File, n *document.Node) *V2Environment {
	for _, e := range p.V2Environments {
		if e.File == f && e.Node == n {
			return e
		}
	}
	e := &V2Environment{File: f, Node: n, Image: field(f, n, "image"), CondaPath: field(f, n, "conda_file"), Build: field(f, n.Get("build"), "path")}
	p.V2Environments = append(p.V2Environments, e)
	if inline := e.CondaPath.Node.Resolve(); inline.IsMapping() {
		e.Conda = p.environment(f, inline)
	} else if rel, ok := e.CondaPath.Path(); ok {
		if file := p.refer(rel, CondaFile); file != nil {
			e.Conda = p.environment(file, file.Root())
		}
	}
	return e
}

// v2Head is how far into a file the address of its schema is looked for.
const v2Head = 4 << 10

// saysV2 reports whether a file on disk is one of v2, by what its beginning says.
func saysV2(name string) (bool, error) {
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() {
		return false, err
	}
	f, err := os.Open(name)
	if err != nil {
		return false, err
	}
	defer f.Close() //nolint:errcheck // only read from
	head := make([]byte, v2Head)
	n, _ := io.ReadFull(f, head)
	if head = head[:n]; v2Address(head) != "" {
		return true, nil
	}
	if !v2Likely(head, n == v2Head) || info.Size() > source.MaxSize {
		return false, nil
	}
	text, err := appendAll(head, io.LimitReader(f, source.MaxSize))
	return v2ByKeys(document.Parse(source.New(name, text)).Root()) != "", err
}

// v2Address returns the address of a schema of v2 that "$schema" at the beginning
// of a text names, "" when none does. It is a key of the whole: at the beginning of
// a line, in JSON inside the first brace.
func v2Address(text []byte) string {
	text = text[:min(len(text), v2Head)]
	key := []byte("$schema")
	for at := 0; ; at += len(key) {
		i := bytes.Index(text[at:], key)
		if i < 0 {
			return ""
		}
		at += i
		line, _, _ := bytes.Cut(text[at+len(key):], []byte("\n"))
		value := strings.TrimLeft(string(line), " \t\"':")
		if value, _, _ = strings.Cut(value, " "); outermost(text, at) && isV2Address(value) {
			return strings.TrimRight(value, "\r\"',}")
		}
	}
}

// outermost reports whether a key after the first bytes of a text is
// one of the whole file.
func outermost(text []byte, before int) bool {
	spaces, flow := firstIndent(text)
	if flow {
		return bytes.Count(text[:before], []byte("{"))-bytes.Count(text[:before], []byte("}")) == 1
	}
	line := text[bytes.LastIndexByte(text[:before], '\n')+1 : before]
	line = bytes.TrimRight(bytes.TrimPrefix(line, []byte("\ufeff")), "\"'")
	return bytes.Equal(line, spaces) || bytes.Equal(bytes.TrimRight(line, " "), []byte("-")) // a slip
}
