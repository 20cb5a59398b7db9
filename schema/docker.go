package schema

import (
	"bytes"
	"cmp"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/amlfix/amlfix/schema/dockerfile"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/requirement"
	"github.com/amlfix/amlfix/schema/source"
	"github.com/amlfix/amlfix/schema/template"
)

// recipe is what is known from a Dockerfile about the image that is built from it.
type recipe struct {
	// from is the image at the bottom, open reports that more than can be read may be installed on it.
	from Field
	open bool
	// lists are the packages of each command, and those of each file of requirements; condas the conda files. The first
	// is empty.
	lists, condas []*Environment
	files         map[string]int // of requirements, with the command that reads them
	jobs          []*Job         // that the packages are installed for
	asset         bool           // an environment of v2 is built by it, whether or not a job of the project uses that
	image         dockerfile.Image
	file          *File // the Dockerfile
}

// mostLists is the number of commands and files of one Dockerfile that are read, far more than people write.
const mostLists = 50

// mostBuilt is the maximum number of packages that the Dockerfiles of a project install, which one file of requirements
// in each of thousands of them would exceed.
const mostBuilt = 20_000

// recipeKey identifies the Dockerfile of a recipe, with its context: files are copied from there.
type recipeKey struct{ context, file string }

// recipe returns the recipe of a Dockerfile of the project, or nil if it cannot be read. context is the folder that
// files are copied from, "" for none.
func (p *Project) recipe(context, rel string) *recipe {
	key := recipeKey{context, rel}
	if r, known := p.recipes[key]; known {
		return r
	}
	if p.recipes == nil {
		p.recipes = map[recipeKey]*recipe{}
	}
	p.recipes[key] = nil
	src, ok := p.Code(rel)
	if !ok || len(src.Text) > dockerfile.MaxSize || bytes.IndexByte(src.Text, 0) >= 0 {
		return nil
	}
	f := &File{Path: src.Path, Rel: slashed(rel), Source: src, Stream: &document.Stream{Source: src}}
	p.recipes[key] = p.follow(dockerfile.Read(src.Text), f, context, func(s source.Span) source.Span { return s })
	return p.recipes[key]
}

// inlineRecipe returns the recipe of a Dockerfile that is written into another file. Everything in it is located where
// the text begins.
func (p *Project) inlineRecipe(at Field) *recipe {
	place := at.span()
	return p.follow(dockerfile.Read([]byte(at.Text)), at.File, "", func(source.Span) source.Span { return place })
}

// follow adds what the named files say.
func (p *Project) follow(image dockerfile.Image, f *File, context string, at func(source.Span) source.Span) *recipe {
	r := &recipe{open: image.MentionsCUDA, files: map[string]int{}, image: image, file: f}
	if from := image.From; from != "" && from != "scratch" && !template.In(from) {
		r.from = Field{Text: from, Explicit: true, Node: placed(from, at(image.FromSpan)), File: f}
	}
	command := 0
	r.lists = []*Environment{builtEnvironment(f)}
	for _, item := range image.Items {
		full := len(r.lists) > mostLists || p.built >= mostBuilt
		if r.open = r.open || full; full {
			break
		}
		switch item.Kind {
		case dockerfile.Requirement, dockerfile.Option:
			if item.Command != command {
				command, r.lists = item.Command, append(r.lists, builtEnvironment(f))
			}
			p.built++
			r.lists[len(r.lists)-1].take(item.Text, item.Manager, at(item.Span), item.Command)
		case dockerfile.Removal:
			r.remove(item)
		case dockerfile.RequirementFile:
			if !p.readRequirements(r, p.inContext(context, item.Paths), item.Command) {
				r.open = true
			}
		case dockerfile.CondaFile:
			if file := p.condaIn(context, item.Paths); file == nil {
				r.open = true
			} else if e := p.environment(file, file.Root()); !slices.Contains(r.condas, e) {
				r.condas = append(r.condas, e)
			}
		}
	}
	r.settle()
	var all []Package
	for _, e := range r.lists {
		all = append(all, e.Packages...)
	}
	for _, e := range r.lists {
		e.beside, e.together = r.lists, all
	}
	return r
}

// inContext returns the path from the project's root of the first of some files that is in a build context, or "".
func (p *Project) inContext(context string, paths []string) string {
	for _, name := range paths {
		if rel := path.Join(context, name); context != "" && p.Exists(rel) && !p.Folder(rel) {
			return rel
		}
	}
	return ""
}

func (p *Project) condaIn(context string, paths []string) *File {
	if rel := p.inContext(context, paths); rel != "" {
		return p.refer(rel, CondaFile)
	}
	return nil
}

// readRequirements adds the lines of a requirements file, and of those that it names; it returns false if one cannot be
// read.
func (p *Project) readRequirements(r *recipe, rel string, command int) bool {
	if rel == "" {
		return false
	}
	if r.files[rel] == command {
		return true // two may name each other
	}
	if len(r.lists) > mostLists {
		return false
	}
	r.files[rel] = command
	src, ok := p.Code(rel)
	if !ok || len(src.Text) > dockerfile.MaxSize || bytes.IndexByte(src.Text, 0) >= 0 {
		return false
	}
	e := builtEnvironment(&File{Path: src.Path, Rel: slashed(rel), Source: src, Stream: &document.Stream{Source: src}})
	r.lists = append(r.lists, e)
	all := true
	for _, line := range dockerfile.Requirements(src.Text) {
		if line.Kind == dockerfile.RequirementFile {
			all = p.readRequirements(r, path.Join(path.Dir(slashed(rel)), slashed(line.Text)), command) && all
			continue
		}
		if p.built++; p.built > mostBuilt {
			return false
		}
		e.take(line.Text, requirement.Pip, line.Span, command)
	}
	return all
}

func builtEnvironment(f *File) *Environment {
	e := &Environment{File: f, built: true}
	e.targets = sync.OnceValue(e.distinctTargets)
	return e
}

// placed returns a node with a value at a place of a text that is not YAML. It is an alias, since nothing can be
// written there.
func placed(value string, at source.Span) *document.Node {
	return document.AliasOf(document.NewScalar("!!str", value, at), at)
}

// take adds a requirement that a command installs.
func (e *Environment) take(text string, manager requirement.Manager, at source.Span, command int) {
	q, err := manager.Parse(text)
	e.Packages = append(e.Packages, Package{Node: placed(text, at), Manager: manager, Requirement: &q, Err: err, Command: command})
}

// remove removes what a command uninstalls.
func (r *recipe) remove(item dockerfile.Item) {
	gone := builtEnvironment(nil)
	gone.take(item.Text, item.Manager, item.Span, item.Command)
	key := gone.Packages[0].Requirement.Key
	for _, e := range r.lists {
		e.Packages = slices.DeleteFunc(e.Packages, func(p Package) bool { return p.Manager == item.Manager && p.Requirement.Key == key })
	}
}

// settle keeps, of packages that several commands install, the one that takes effect: a later command replaces what it
// installs in another version, and keeps the rest.
func (r *recipe) settle() {
	type name struct {
		manager requirement.Manager
		key     string
	}
	last := map[name]Package{}
	for _, e := range r.lists {
		for _, p := range e.Packages {
			if p.Err != nil || p.Requirement.Kind != requirement.Package {
				continue
			}
			n := name{p.Manager, p.Requirement.Key}
			if had, again := last[n]; !again || had.Command < p.Command && p.Requirement.Constraint != "" || had.Command > p.Command && had.Requirement.Constraint == "" {
				last[n] = p
			}
		}
	}
	for _, e := range r.lists {
		e.Packages = slices.DeleteFunc(e.Packages, func(p Package) bool {
			counts, known := last[name{p.Manager, p.Requirement.Key}]
			return known && p.Err == nil && p.Requirement.Kind == requirement.Package && p.Command != counts.Command
		})
	}
}

// install records that a job's image is built by a recipe.
func (r *recipe) install(j *Job) {
	r.jobs = append(r.jobs, j)
	for _, e := range r.condas {
		e.Jobs = append(e.Jobs, j)
	}
	for _, e := range r.lists {
		e.Jobs = r.jobs // which they share: there may be thousands
	}
}

// builtLists returns what Dockerfiles install for jobs and in environments of v2, sorted.
func (p *Project) builtLists() (all []*Environment) {
	keys := make([]recipeKey, 0, len(p.recipes))
	for key := range p.recipes {
		keys = append(keys, key)
	}
	plain.SortFunc(keys, func(a, b recipeKey) int {
		return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.context, b.context))
	})
	for _, key := range keys {
		r := p.recipes[key]
		if r == nil {
			continue
		}
		for _, e := range r.lists {
			if len(r.jobs) > 0 || r.asset {
				all = append(all, e)
			}
			if p.unwritable == nil {
				p.unwritable = map[*source.Source]bool{}
			}
			p.unwritable[e.File.Source] = true
		}
	}
	for _, e := range p.inlined {
		if len(e.Jobs) > 0 {
			all = append(all, e)
		}
	}
	slices.SortStableFunc(all, func(a, b *Environment) int { return cmp.Compare(a.File.Rel, b.File.Rel) })
	return all
}

// recipeOf returns the recipe of a v2 environment that is built.
func (p *Project) recipeOf(build, file Field) *recipe {
	folder, ok := build.Path()
	if !ok || template.In(build.Text) || template.In(file.Text) || strings.Contains(file.Text, "${{") {
		return nil
	}
	return p.recipe(folder, path.Join(folder, slashed(file.Text)))
}

// sdkRecipe returns the recipe of baseDockerfile: a text, or the path of a file. No folder is uploaded with it.
func (p *Project) sdkRecipe(f *File, at Field) *recipe {
	text := strings.TrimSpace(at.Text)
	if !at.Explicit || !at.Node.IsString() || text == "" {
		return nil
	}
	if strings.Contains(text, "\n") || strings.HasPrefix(strings.ToUpper(text), "FROM ") {
		r := p.inlineRecipe(at)
		p.inlined = append(p.inlined, r.lists...)
		return r
	}
	for _, rel := range sdkPaths(f, text) {
		if r := p.recipe("", rel); r != nil {
			return r
		}
	}
	return nil
}
