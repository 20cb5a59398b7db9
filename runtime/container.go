package runtime

import (
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/runtime/preflight"
	"github.com/amlfix/amlfix/runtime/prepare"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/requirement"
	"github.com/amlfix/amlfix/schema/secret"
)

// container fills in what a run in a container needs.
func (b *planner) container(p *Plan) error {
	image := b.target.Image
	p.Image = Field[string]{strings.TrimSpace(image.Text), b.at(image)}
	if p.Image.Value == "" {
		o := b.at(b.target.Type)
		if o.Path == "" {
			o.Path = b.name(b.target.File)
		}
		return &PlanError{Origin: o, Text: "the target names no image: add baseDockerImage, for example microsoft/mmlspark:plus-0.9.9"}
	}
	b.substitute(p)
	if err := b.recipe(p); err != nil {
		return err
	}
	p.GPUs = Field[GPURequest]{NoGPUs, b.at(b.target.GPUSwitch)}
	switch {
	case b.target.GPUSwitch.Bool:
		p.GPUs.Value = AllGPUs
	case b.target.Requested():
		p.GPUs = Field[GPURequest]{AllGPUs, Origin{Note: "command line: --gpu " + b.target.Name}}
	}
	p.Shared = Field[bool]{b.target.SharedVolumes.Bool, b.at(b.target.SharedVolumes)}
	if err := b.share(p, p.Shared.Value); err != nil {
		return err
	}
	if b.opts.Memory > 0 {
		p.Memory = Field[int64]{b.opts.Memory, commandLine}
	}
	if f := b.job.Docker.ShmSize; f.Explicit {
		n, ok := plain.Bytes(f.Text)
		if !ok {
			return &PlanError{Origin: b.at(f), Text: "shmSize " + strconv.Quote(f.Text) + " is no size: write a number with b, k, m or g, like 2g"}
		}
		p.Shm = Field[int64]{n, b.at(f)}
	}
	return b.dockerArguments(p)
}

// substitute puts the image in place that the settings name for the target's.
func (b *planner) substitute(p *Plan) {
	p.Named = p.Image.Value
	for _, named := range slices.Sorted(maps.Keys(b.opts.Images)) {
		if instead := strings.TrimSpace(b.opts.Images[named]); instead != "" && sameImage(named, p.Named) {
			p.Image = Field[string]{instead, Origin{Path: p.Image.Origin.Path, Line: p.Image.Origin.Line, Note: b.opts.ImagesFrom + " names it instead of " + quote(p.Named)}}
			return
		}
	}
}

// sameImage reports whether two names mean the same image: Docker Hub and the tag latest need not be written.
func sameImage(a, b string) bool {
	x, errx := requirement.ParseImage(a)
	y, erry := requirement.ParseImage(b)
	if errx != nil || erry != nil {
		return a == b
	}
	tag := func(m requirement.Image) string {
		if m.Tag == "" && m.Digest == "" {
			return "latest"
		}
		return m.Tag
	}
	return x.Name() == y.Name() && tag(x) == tag(y) && x.Digest == y.Digest
}

// recipe plans the environment that the service would have built.
func (b *planner) recipe(p *Plan) error {
	env := b.job.Environment
	if !b.job.UsesConda() || env == nil {
		return nil
	}
	p.Recipe = prepare.NewRecipe(env)
	if p.Recipe.Empty() {
		return nil
	}
	p.Conda = Field[string]{b.name(env.File), b.at(b.job.CondaPath)}
	f := b.job.PrepareEnvironment
	p.Prepare = Field[bool]{!f.Explicit || f.Bool, b.at(f)}
	folders, err := p.Recipe.Gather(env, p.Project)
	var named *prepare.NamedError
	if errors.As(err, &named) {
		return &PlanError{Origin: b.within(env.File, named.Node), Text: named.Text}
	}
	b.activation(p, env)
	for _, pkg := range env.Packages {
		if pkg.Manager == requirement.Conda && slices.Contains(p.Recipe.Conda, pkg.Node.Text()) {
			p.OnlyConda = b.within(env.File, pkg.Node)
			break
		}
	}
	for _, node := range folders {
		p.Notes = append(p.Notes, Field[string]{"whenever a file of this folder changes, the environment is made anew, which takes minutes", b.within(env.File, node)})
	}
	return err
}

// activation adds the variables that conda sets when the environment is activated: those that its file names, unless the
// run configuration says otherwise.
func (b *planner) activation(p *Plan, env *schema.Environment) {
	e, _ := env.Node.Entry("variables")
	if e.Value = e.Value.Resolve(); !e.Value.IsMapping() {
		return
	}
	for _, v := range e.Value.Entries {
		name, value := v.Key.Text(), v.Value.Text()
		if unsettable(name, value, Docker) == "" && !slices.ContainsFunc(p.Env, func(i Item) bool { return i.Name == name }) {
			p.Env = append(p.Env, Item{Name: name, Value: value, Origin: b.within(env.File, v.Key), Secret: secret.Variable(name, value)})
		}
	}
}

// within is the place of a node of a file.
func (b *planner) within(f *schema.File, node *document.Node) Origin {
	return Origin{Path: b.name(f), Line: f.Source.Position(node.Span.Start).Line}
}

// frameworks lists those of the conda file, for a target on which nothing is installed.
func (b *planner) frameworks(p *Plan) {
	env := b.job.Environment
	if env == nil || b.job.UsesSpark() {
		return
	}
	for _, pkg := range env.Packages {
		name := pkg.Requirement.Key
		if name == "" && pkg.Requirement.Wheel != nil {
			name = pkg.Requirement.Wheel.Dist
		}
		if _, ok := preflight.Framework(name); pkg.Err == nil && ok {
			p.Frameworks = append(p.Frameworks, Field[string]{name, b.within(env.File, pkg.Node)})
		}
	}
}
