package rules

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/reference"
	"github.com/amlfix/amlfix/schema/template"
)

// definitions maps names to the files of a project that define them. If several files define a name, the last one
// counts.
type definitions struct {
	files map[string]*schema.File
	plain map[string]string // each name as plainName returns it
	// fold means that Azure ignores the case of the names, as it does with those of compute targets.
	fold bool
}

// definedAs returns the definitions of a kind.
func definedAs(project *schema.Project, kind schema.V2Kind) (d definitions) {
	d.fold = kind == "compute"
	for _, f := range project.Files {
		if f.V2 != kind || f.Broken() {
			continue
		}
		if name := f.Root().Get("name"); name.IsString() && possible(kind, name.Text()) {
			d.add(name.Text(), f)
		}
	}
	return d
}

func (d *definitions) add(name string, f *schema.File) {
	if d.files == nil {
		d.files, d.plain = map[string]*schema.File{}, map[string]string{}
	}
	d.files[name], d.plain[name] = f, plainName(name)
}

// possible reports whether Azure ML accepts a name: no message should advise one that it rejects.
func possible(kind schema.V2Kind, name string) bool {
	others := "-_."
	switch kind {
	case "online-endpoint", "batch-endpoint":
		others = "-"
	case "datastore", "component":
		others = "_"
	}
	return name != "" && !strings.ContainsFunc(name, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(others, r)
	})
}

// mostDefined is the maximum number of names that a project may define for others to be compared with each of them.
const mostDefined = 1000

// nearlyNamed reports a name that the project does not define if it defines exactly one similar name, which is most
// likely what was meant. with returns the field's text with the name replaced; nil if it cannot be changed.
func nearlyNamed(p *Pass, at schema.Field, name, what string, defined definitions, with func(name string) string) {
	if defined.files[name] != nil || len(defined.files) > mostDefined {
		return
	}
	found, own := "", plainName(name)
	for other, plain := range defined.plain {
		if !sameSlip(own, plain) || !belong(at.File.Dir(), defined.files[other].Dir(), name) {
			continue
		}
		if found != "" {
			return
		}
		found = other
	}
	if found == "" || defined.fold && strings.EqualFold(found, name) {
		return
	}
	var fix *finding.Fix
	if with != nil {
		fix = at.Fix(finding.Text(with(found)), finding.Unsafe, fmt.Sprintf("write %q", shown(with(found))))
	}
	file := defined.files[found]
	p.report(at.Location(fmt.Sprintf("the project defines %s %q, not %q: if you mean that one, write its name", what, shown(found), shown(name))), fix,
		schema.FieldAt(file, file.Root().Resolve(), "name").Location("it is defined here"))
}

// belong reports whether a name may mean the same thing in two folders: in a repository of examples, each example has
// its own names, and many have the same placeholders. One folder has to be inside the other or its parent; a
// placeholder counts only within its own folder.
func belong(user, definition, name string) bool {
	if generic(name) {
		return user == definition
	}
	inside := func(dir, around string) bool {
		return around == "." || dir == around || strings.HasPrefix(dir, around+"/")
	}
	return inside(user, path.Dir(definition)) || inside(definition, path.Dir(user))
}

// genericWords are the words that documentation uses in names.
var genericWords = []string{"my", "your", "the", "a", "test", "example", "sample", "demo", "new", "endpoint", "deployment", "environment", "env", "online", "batch", "model", "name"}

// generic reports whether a name consists of generic words.
func generic(name string) bool {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return !unicode.IsLetter(r) })
	return !slices.ContainsFunc(words, func(word string) bool { return !slices.Contains(genericWords, word) })
}

// minSlip is the minimum length of a name for a missing letter to count as a typo.
const minSlip = 6

// plainName returns a name in lower case without hyphens, underscores, periods and spaces.
func plainName(name string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("-_. ", r) {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
}

// sameSlip reports whether two plain names differ only by a typo, an extra or missing letter, or two swapped letters,
// or by a word's ending -ing or -ion. env1 and env2, or gpu and cpu, are different things.
func sameSlip(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if a == b {
		return true
	}
	if len(a) < minSlip || len(b)-len(a) > 3 {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	if len(b) == len(a)+3 { // train and training, predict and prediction; i may be past the beginning of the ending
		return i > 3 && slices.ContainsFunc([]string{"ing", "ion"}, func(ending string) bool {
			at := strings.Index(b[i-2:], ending)
			return at >= 0 && at <= 2 && b[:i-2+at]+b[i+1+at:] == a
		})
	}
	if len(b) > len(a)+1 {
		return false
	}
	if len(b) == len(a)+1 {
		return a[i:] == b[i+1:] && unicode.IsLetter(rune(b[i]))
	}
	return i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
}

// assetNames reports the assets and datastores in v2 files whose names are nearly those that the project defines.
func assetNames(p *Pass) {
	kinds, defined := assetKinds(), map[schema.V2Kind]definitions{}
	near := func(at schema.Field, kind schema.V2Kind, what, name string, with func(name string) string) {
		if kind == "" || name == "" || template.In(name) || len(p.Project.Named(kind, name)) > 0 {
			return
		}
		if _, met := defined[kind]; !met {
			defined[kind] = definedAs(p.Project, kind)
		}
		nearlyNamed(p, at, name, what, defined[kind], with)
	}
	whats := map[schema.V2Kind]string{"environment": "an environment", "data": "a data asset", "model": "a model", "component": "a component"}
	addressed := func(at schema.Field) {
		if rest, ok := strings.CutPrefix(at.Text, "azureml://datastores/"); ok && at.Node.IsString() {
			name, paths, _ := strings.Cut(rest, "/")
			near(at, "datastore", "a datastore", name, func(other string) string { return "azureml://datastores/" + other + "/" + paths })
		}
	}
	for _, at := range p.shared.assets {
		addressed(at.Field)
		if name, rest := referenceName(at.Text); !strings.HasPrefix(name, "/") {
			kind := kinds[at.asset]
			near(at.Field, kind, whats[kind], name, func(other string) string { return "azureml:" + other + rest })
		}
	}
	compute := func(at schema.Field) {
		if name := strings.TrimPrefix(at.Text, "azureml:"); at.Node.IsString() && name != "serverless" && name != "local" && !strings.ContainsAny(name, ":/$") {
			near(at, "compute", "a compute target", name, func(other string) string { return strings.TrimSuffix(at.Text, name) + other })
		}
	}
	for _, f := range p.shared.v2 {
		root := f.Root().Resolve()
		switch {
		case f.V2 == "data" || f.V2 == "model":
			addressed(schema.FieldAt(f, root, "path"))
		case f.V2 == "feature-set" && root.Get("entities").IsSequence():
			for _, item := range root.Get("entities").Resolve().Items() {
				at := schema.Field{File: f, Node: item, Text: item.Text(), Explicit: true}
				if r := reference.Parse(at.Text); r.Kind == reference.Workspace && !otherEntity(p, at, r) {
					near(at, entityKind, "an entity", r.Name, nil)
				}
			}
		case strings.HasSuffix(string(f.V2), "batch-deployment"):
			compute(schema.FieldAt(f, root, "compute"))
		}
	}
	for _, b := range p.shared.bodies {
		for _, at := range computes(b) {
			compute(at)
		}
		for _, e := range b.Outputs.Node.Resolve().Own() {
			addressed(schema.FieldAt(b.File, e.Value, "path"))
		}
	}
}

const entityKind schema.V2Kind = "feature-store-entity"

// otherEntity reports, as a note, an entity of a feature set in another version than that of the project.
func otherEntity(p *Pass, at schema.Field, r reference.Reference) bool {
	files := p.Project.Named(entityKind, r.Name)
	if len(files) == 0 || r.Version == "" || len(p.Project.Versioned(entityKind, r.Name, r.Version)) > 0 {
		return false
	}
	version := fixedVersion(files[0])
	if !version.Explicit {
		return false
	}
	p.reportAs(finding.Info, at.Location(fmt.Sprintf("the project does not define this version of the entity %q, which has to be in the feature store already", shown(r.Name))), nil,
		version.Location("the version in the project"))
	return true
}

// defaultNames reports a default deployment of a batch endpoint whose name is nearly that of one that the project
// defines for it.
func defaultNames(p *Pass) {
	var defined map[string]*definitions // by endpoint
	for _, f := range p.shared.v2 {
		if f.V2 != "batch-endpoint" {
			continue
		}
		root := f.Root().Resolve()
		at := schema.FieldAt(f, root.Get("defaults"), "deployment_name")
		if !at.Node.IsString() || template.In(at.Text) {
			continue
		}
		if defined == nil {
			defined = batchDeployments(p.Project)
		}
		if of := defined[root.Get("name").Text()]; of != nil {
			nearlyNamed(p, at, at.Text, "a deployment", *of, func(name string) string { return name })
		}
	}
}

// batchDeployments returns the definitions of batch deployments by the names of their endpoints.
func batchDeployments(project *schema.Project) map[string]*definitions {
	of := map[string]*definitions{}
	for _, f := range project.Files {
		root := f.Root().Resolve()
		if name := root.Get("name"); strings.HasSuffix(string(f.V2), "batch-deployment") && !f.Broken() && name.IsString() {
			endpoint := root.Get("endpoint_name").Text()
			if of[endpoint] == nil {
				of[endpoint] = new(definitions)
			}
			of[endpoint].add(name.Text(), f)
		}
	}
	return of
}

// endpointNames reports endpoints in deployments whose names are nearly those that the project defines.
func endpointNames(p *Pass) {
	online, batch := definedAs(p.Project, "online-endpoint"), definedAs(p.Project, "batch-endpoint")
	for _, f := range p.shared.v2 {
		if !strings.HasSuffix(string(f.V2), "deployment") {
			continue
		}
		defined, others, other := batch, online, "an online"
		if f.V2 == "online-deployment" {
			defined, others, other = online, batch, "a batch"
		}
		at := schema.FieldAt(f, f.Root().Resolve(), "endpoint_name")
		if file := others.files[at.Text]; file != nil && defined.files[at.Text] == nil && belong(f.Dir(), file.Dir(), at.Text) {
			p.report(at.Location(fmt.Sprintf("%q is %s endpoint in this project, which takes no such deployment: write the name of another, or change the schema of one of the files", shown(at.Text), other)), nil,
				schema.FieldAt(file, file.Root().Resolve(), "name").Location("the endpoint"))
		} else if at.Node.IsString() && !template.In(at.Text) {
			nearlyNamed(p, at, at.Text, "an endpoint", defined, func(name string) string { return name })
		}
	}
}
