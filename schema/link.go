package schema

import (
	"cmp"
	"path"
	"slices"

	"github.com/amlfix/amlfix/schema/document"
)

// linked returns the project with its files linked. What a file defines that is read only while others are linked
// counts too, so they are then linked once more, as they would be in the next version. That is done a few times at
// most: of a long chain of files that name each other, each time would find the next one.
func (p *Project) linked() *Project {
	const most = 3
	p.link()
	for turn := 0; p.late && turn < most; turn++ {
		p = p.version(nil, nil)
		p.link()
	}
	return p
}

// link determines how the project's files belong together.
func (p *Project) link() {
	targets, jobs := 0, 0
	for _, f := range p.Files {
		switch f.Kind {
		case Compute:
			targets++
		case RunConfig:
			jobs++
		default:
		}
	}
	p.Targets, p.Jobs = slices.Grow(p.Targets, targets), slices.Grow(p.Jobs, jobs)
	for _, f := range p.Files {
		if f.Kind == Compute {
			p.Targets = append(p.Targets, p.targetOf(f))
		}
	}
	for _, f := range p.Files { // without those that are added here
		if f.Kind != RunConfig {
			continue
		}
		switch f.Dialect {
		case Workbench:
			p.linkWorkbench(p.jobOf(f))
		case SDKv1:
			p.linkSDK(f)
		case NoDialect, V2: // nobody knows what it means; v2 has none
		}
	}
	slices.SortStableFunc(p.Jobs, func(a, b *Job) int { return cmp.Compare(a.File.Rel, b.File.Rel) })
	p.configurations = slices.Clone(p.Jobs) // because p.Jobs is sorted below
	p.linkV2()
	p.files.of(p.Files) // before the sort order changes
	// Stable, because the things that one program builds have the same path.
	slices.SortStableFunc(p.Files, func(a, b *File) int { return cmp.Compare(a.Rel, b.Rel) })
	slices.SortStableFunc(p.Targets, func(a, b *Target) int { return cmp.Compare(a.File.Rel, b.File.Rel) })
	if len(p.Jobs) > len(p.configurations) {
		slices.SortFunc(p.Jobs, func(a, b *Job) int {
			return cmp.Or(cmp.Compare(a.File.Rel, b.File.Rel), cmp.Compare(startOf(a.Node).Start, startOf(b.Node).Start))
		})
	}
	for _, f := range p.Files {
		if f.Kind == CondaFile {
			p.environment(f, f.Root())
		}
	}
	slices.SortStableFunc(p.Environments, func(a, b *Environment) int { return cmp.Compare(a.File.Rel, b.File.Rel) })
	p.installations = slices.Concat(p.Environments, p.builtLists())
	for _, t := range p.Targets {
		p.sizeOlder(t)
		t.requested = slices.ContainsFunc(p.opts.GPU, t.Called)
		if t.declined = slices.ContainsFunc(p.opts.CPU, t.Called); t.declined {
			continue
		}
		t.Evidence = gpuEvidence(t)
	}
}

func (p *Project) linkWorkbench(j *Job) {
	p.Jobs = append(p.Jobs, j)
	for _, rel := range append([]string{j.File.Rel}, j.File.Also...) {
		if j.Target = p.targetNamed(folderOf(rel), j.TargetName.Text); j.Target != nil {
			j.Target.Jobs = append(j.Target.Jobs, j)
			break
		}
	}
	if f := p.refer(j.CondaPath.Text, CondaFile); f != nil {
		j.use(p.environment(f, f.Root()))
	}
	if j.Spark = p.refer(j.SparkPath.Text, SparkFile); j.Spark != nil {
		j.SparkSettings = p.sparkOf(j.Spark)
	}
}

func (p *Project) linkSDK(f *File) {
	in := p.sdkEnvironmentOf(f)
	j, t := sdkJob(f, in)
	if r := p.sdkRecipe(f, j.SDK.Dockerfile); r != nil {
		t.recipe = r
		if t.UserManaged.Bool { // otherwise the service installs its own environment
			j.recipe = r
			r.install(j)
		}
	}
	p.Jobs, p.Targets = append(p.Jobs, j), append(p.Targets, t)
	python := sdkGet(in.node, "python")
	if inline := sdkGet(python, "condaDependencies").Resolve(); inline.IsMapping() {
		j.use(p.environment(in.file, inline))
		return
	}
	if j.CondaPath.File.Broken() || f.Of != "" && !j.CondaPath.Explicit {
		return // programs have no such default
	}
	for _, rel := range j.CondaCandidates() {
		if file := p.refer(rel, CondaFile); file != nil {
			j.use(p.environment(file, file.Root()))
			return
		}
	}
}

// CondaCandidates returns where the conda file may be, from the project's root, best first: azureml-core reads the path
// from the project folder, and from the run configuration's own folder if that was loaded by its path.
func (j *Job) CondaCandidates() []string {
	if j.Dialect == Workbench {
		return []string{slashed(j.CondaPath.Text)}
	}
	list := sdkPaths(j.File, j.CondaPath.Text)
	if !j.CondaPath.Explicit {
		list = append(list, "aml_config/conda_dependencies.yml", ".azureml/conda_dependencies.yml")
	}
	return list
}

// LooseEnvironments returns the paths of files that look like SDK v1 environments but are not named by any run
// configuration.
func (p *Project) LooseEnvironments() (paths []string) {
	for _, f := range p.Files {
		if f.Kind == Unknown && (sdkGet(f.Root(), "docker").IsMapping() || sdkGet(f.Root(), "python").IsMapping()) {
			paths = append(paths, f.Rel)
		}
	}
	return paths
}

// sdkPaths returns where a file that an SDK v1 run configuration names may be, from the project's root, best first. One
// outside the configuration folders is loaded by a program, whose source folder may be any above it.
func sdkPaths(f *File, name string) []string {
	const most = 6 // places
	rel, dir := slashed(name), f.Dir()
	list := []string{rel, path.Join(dir, rel), path.Join(dir, "..", rel)}
	for up := "../.."; !isConfigFolder(path.Base(dir)) && len(list) < most; up += "/.." {
		list = append(list, path.Join(dir, up, rel))
	}
	return list
}

func (j *Job) use(e *Environment) {
	j.Environment, e.older = e, true
	e.Jobs = append(e.Jobs, j)
}

// environment returns the environment of a mapping, read once.
func (p *Project) environment(f *File, n *document.Node) *Environment {
	e := p.environments[inFile{f, n}]
	if e != nil {
		return e
	}
	e = NewEnvironment(f, n)
	if p.environments == nil {
		p.environments = map[inFile]*Environment{}
	}
	p.environments[inFile{f, n}] = e
	p.Environments = append(p.Environments, e)
	return e
}
