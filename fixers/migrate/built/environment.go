package built

import (
	"cmp"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/python"
	"github.com/amlfix/amlfix/schema/requirement"
	"github.com/amlfix/amlfix/schema/source"
)

// environment reads an Environment, however it is created.
func (b *builder) environment(th *Thing) {
	th.Kind = Environment
	o, root := th.object, th.Root
	switch o.method {
	case "", "from_conda_specification", "from_docker_image", "get", "from_pip_requirements", "from_dockerfile", "clone", "load_from_directory", "from_existing_conda_environment", "from_docker_build_context":
	default:
		th.Root = nil
		return
	}
	b.created(root, o)
	b.attributes(root, o.name, place(o), func(path string, v value) bool {
		switch {
		case path == "python.conda_dependencies":
			b.conda(root, "python.", v)
		case path == "docker" && v.object != nil && v.object.base == nil && v.object.class == "DockerSection":
			docker := mapping(v.tokens)
			b.attributes(docker, v.object.name, place(v.object), nil)
			put(root, "docker", docker)
		case path == "docker.base_image_registry":
			b.registry(root, v)
		case path == "docker.build_context":
			b.context(root, v)
		default:
			return false
		}
		return true
	})
	b.added(root, o, "", "")
	th.Got = o.method == "get"
	if o.method == "clone" {
		b.clone(th)
	}
}

// created reads the arguments of the call that creates an Environment.
func (b *builder) created(root *document.Node, o *object) {
	nameAt := 0
	if o.method == "get" {
		nameAt = 1
	}
	put1 := func(path, name string, place int) {
		b.take(root, path, o.call, name, place)
	}
	if o.method != "clone" && o.method != "load_from_directory" {
		put1("name", "name", nameAt)
	}
	switch o.method {
	case "from_conda_specification":
		put1("python.condaDependenciesFile", "file_path", 1)
	case "from_docker_image":
		put1("docker.baseImage", "image", 1)
		b.registry(root, b.arg(o.call, "container_registry", 2))
		put1("python.condaDependenciesFile", "conda_specification", 3)
		put1("pipRequirements", "pip_requirements", 4)
		if root.Get("python") == nil && root.Get("pipRequirements") == nil {
			put(root, "python.userManagedDependencies", scalar("!!bool", "true", o.tokens[:1]))
		}
	case "from_dockerfile":
		put1("docker.baseDockerfile", "dockerfile", 1)
		put1("python.condaDependenciesFile", "conda_specification", 2)
		put1("pipRequirements", "pip_requirements", 3)
	case "from_pip_requirements":
		put1("pipRequirements", "file_path", 1)
	case "get":
		put1("version", "version", 2)
	case "load_from_directory":
		put1("directory", "path", 0)
	case "from_existing_conda_environment":
		put1("python.installed", "conda_environment_name", 1)
	case "from_docker_build_context":
		b.context(root, b.arg(o.call, "docker_build_context", 1))
	}
}

// registry reads a ContainerRegistry, whose values are all attributes.
func (b *builder) registry(root *document.Node, v value) {
	if o := v.object; o != nil && o.base == nil && o.class == "ContainerRegistry" {
		n := mapping(v.tokens)
		b.attributes(n, o.name, place(o), nil)
		put(root, "docker.baseImageRegistry", n)
		return
	}
	b.put(root, "docker.baseImageRegistry", value{tokens: v.tokens})
}

// context reads a folder in which an image is built.
func (b *builder) context(root *document.Node, v value) {
	o := v.object
	if o == nil || o.base != nil || o.class != "DockerBuildContext" || o.method != "" && o.method != "from_local_directory" {
		b.put(root, "docker.buildContext", value{tokens: v.tokens})
		return
	}
	b.take(root, "docker.buildContext.location", o.call, map[string]string{"": "location", "from_local_directory": "path"}[o.method], 1)
	b.take(root, "docker.buildContext.dockerfilePath", o.call, "dockerfile_path", 2)
}

// open records an argument that has no counterpart in the new files.
func (b *builder) open(root *document.Node, c python.Call, name string, place int) {
	b.put(root, name, value{tokens: b.arg(c, name, place).tokens})
}

// useEnvironment gives a job its environment.
func (b *builder) useEnvironment(th *Thing, v value) {
	var used *Thing
	switch o := v.object; {
	case o == nil:
	case o.base == nil && o.class == "Environment":
		used = b.asMade(b.make(o))
	case len(v.tokens) == 3 && o.base != nil && o.base.class == "RunConfiguration" && o.base.method == "" && o.steps[0].name == "environment" && !b.renamed(v.tokens):
		used = b.ofConfig(o.base)
	}
	if used == nil {
		b.put(th.Root, "environment", value{tokens: v.tokens})
		return
	}
	th.Uses, b.uses[th.Root] = used, used
	put(th.Root, "environment", scalar("!!str", used.Of, v.tokens))
}

// renamed reports whether another name stands for the same attribute, through which the program may change it.
func (b *builder) renamed(attribute []python.Token) bool {
	for _, list := range b.set {
		if !b.spend(len(list)) || slices.ContainsFunc(list, func(s setting) bool { return python.Written(s.tokens) == python.Written(attribute) }) {
			return true
		}
	}
	return false
}

// ofConfig returns the environment of a RunConfiguration, or nil if the program sets nothing in it.
func (b *builder) ofConfig(o *object) *Thing {
	if made := b.make(o); made != nil {
		return made
	}
	config := &Thing{object: o, Root: mapping(o.tokens)}
	b.readConfig(config, o)
	if config.Uses != nil {
		return config.Uses
	}
	th := &Thing{Kind: Environment, Of: cmp.Or(o.name, o.class), At: source.Span{Start: o.tokens[0].At, End: o.tokens[len(o.tokens)-1].End}, object: o, Root: mapping(o.tokens)}
	for _, e := range config.Root.Get("environment").Entries() {
		add(th.Root, e.Key, e.Value)
	}
	for _, e := range config.Root.Entries() {
		if rest, is := strings.CutPrefix(e.Key.Value, "environment."); is { // a value that is not literal
			add(th.Root, key(rest, e.Value), e.Value)
		}
	}
	if len(th.Root.Entries()) == 0 {
		return nil
	}
	b.things = append(b.things, th)
	return th
}

// cloned returns the environment that environment.clone(name) yields, or nil if the steps are not that.
func cloned(o *object, steps []step, t []python.Token) *object {
	if o.base == nil || o.base.base != nil || o.base.class != "Environment" || len(steps) != 1 || steps[0].name != "clone" || steps[0].call == nil {
		return nil
	}
	return &object{class: "Environment", method: "clone", call: *steps[0].call, tokens: t, copied: o.base}
}

// clone reads the name of a copy after the attributes that the program sets: its own if they replace the image and the
// packages, and that of the registered environment if they replace neither. Any other copy is not known.
func (b *builder) clone(th *Thing) {
	root, from := th.Root, th.object.copied
	packages, docker := root.Get("python").Get("condaDependencies"), root.Get("docker")
	switch {
	case packages.IsMapping() && (docker.Get("baseImage").Text() != "" || docker.Get("baseDockerfile").Text() != ""):
		b.take(root, "name", th.object.call, "new_name", 0)
	case from.method == "get" && len(b.during(b.calls[th.object.name], th.object.name, place(th.object))) == 0 && !slices.ContainsFunc(root.Entries(), func(e document.Entry) bool {
		return e.Key.Value != "environmentVariables" && (e.Key.Value != "docker" || len(e.Value.Entries()) > 1 || e.Value.Get("enabled") == nil)
	}):
		b.take(root, "name", from.call, "name", 1)
		b.take(root, "version", from.call, "version", 2)
		th.Got = true
	default:
		th.Root = nil
	}
}

// asMade returns, for the newest version of a registered environment, the one that the program has registered under its
// name; for others, it returns the environment itself.
func (b *builder) asMade(th *Thing) *Thing {
	if th == nil || th.object.method != "get" || th.Root.Get("version") != nil {
		return th
	}
	for _, made := range slices.Backward(b.things) {
		if made.Kind != Environment || made.object.method == "get" || made.At.Start > th.At.Start || made.Root.Get("name").Text() != th.Root.Get("name").Text() || !b.spend(len(b.calls[made.Of])) {
			continue
		}
		if slices.ContainsFunc(b.calls[made.Of], func(s setting) bool {
			return s.path == "register" && made.At.Start < s.at.Tokens[0].At && s.at.Tokens[0].At < th.At.Start
		}) {
			return made
		}
	}
	return th
}

// conda reads CondaDependencies into a conda environment.
func (b *builder) conda(root *document.Node, prefix string, v value) {
	o := v.object
	if o == nil || o.base != nil || o.class != "CondaDependencies" || o.method != "" && o.method != "create" {
		put(root, prefix+"condaDependencies", b.node(value{tokens: v.tokens}))
		return
	}
	if o.method == "" {
		if file := b.arg(o.call, "conda_dependencies_file_path", 0); !file.absent() {
			b.put(root, prefix+"condaDependenciesFile", file)
			b.more(root, o, "")
			return
		}
	}
	n := mapping(o.tokens)
	packages := &condaLists{conda: list(o.tokens), pip: list(o.tokens), channels: list(o.tokens)}
	if b.arg(o.call, "pip_packages", 1).absent() { // CondaDependencies has no such parameter
		packages.defaults(o.tokens)
	}
	if o.method == "create" {
		packages.python(b, root, b.arg(o.call, "python_version", 3))
		packages.add(b, root, packages.conda, "conda_packages", b.arg(o.call, "conda_packages", 2))
		packages.add(b, root, packages.pip, "pip_packages", b.arg(o.call, "pip_packages", 1))
		if v := b.arg(o.call, "pip_indexurl", 0); v.text() != nil {
			url := clone(v.literal)
			url.Value = "--index-url " + url.Value
			attach(packages.pip, url)
		} else {
			b.put(root, "pip_indexurl", v)
		}
	}
	packages.calls(b, root, o.name, place(o), "")
	if len(packages.channels.Items()) > 0 {
		put(n, "channels", packages.channels)
	}
	packages.nest(o.tokens)
	put(n, "dependencies", packages.conda)
	put(root, prefix+"condaDependencies", n)
}

// condaLists are the lists of a conda environment.
type condaLists struct{ conda, pip, channels *document.Node }

func list(t []python.Token) *document.Node {
	n := scalar("!!seq", "", t)
	n.Kind, n.Style = document.Sequence, document.Flow
	return n
}

// attach adds an item to a list.
func attach(to, n *document.Node) {
	n.Parent = to
	to.AddItem(n)
}

// defaults adds the package that SDK v1 installs in addition to those that the program names. Source: azureml-core 1.62
// and azureml-train-core 1.40, CondaDependencies and _create_conda_dependencies.
func (l *condaLists) defaults(at []python.Token) {
	attach(l.pip, scalar("!!str", "azureml-defaults", at[:1]))
}

// nest adds pip's list to conda's, unless it is empty.
func (l *condaLists) nest(at []python.Token) {
	Distinct(l.conda, requirement.Conda)
	Distinct(l.pip, requirement.Pip)
	if len(l.pip.Items()) > 0 {
		pip := mapping(at)
		put(pip, "pip", l.pip)
		attach(l.conda, pip)
	}
}

// python adds the version of Python.
func (l *condaLists) python(b *builder, root *document.Node, v value) {
	if v.literal == nil || v.literal.Kind != document.Scalar || v.literal.Tag() == "!!bool" || v.literal.Tag() == "!!null" {
		b.put(root, "python_version", value{tokens: v.tokens})
		return
	}
	n := clone(v.literal) // a text, or a number
	n.SetTag("!!str")
	n.Value = "python=" + n.Value
	attach(l.conda, n)
}

// add adds a list of packages; what is not literal is recorded in the root.
func (l *condaLists) add(b *builder, root, to *document.Node, name string, v value) {
	if v.absent() {
		return
	}
	n := b.node(v)
	if n.Kind != document.Sequence {
		n.SetTag(Open)
		put(root, name, n)
		return
	}
	for _, item := range n.Items() {
		if item.Tag() == "!!str" {
			attach(to, item)
		} else {
			put(root, name, item)
		}
	}
}
