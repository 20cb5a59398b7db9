package migrate

import (
	"cmp"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate/yamlout"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/requirement"
)

// askPython decides which Python is installed.
func (k *cleaner) askPython() {
	if k.c.Spark {
		k.changed = true
		return
	}
	if k.cntk {
		k.python, k.changed = catalog.MigrationDefault("cntk-python").Value, true
		return
	}
	p, given := k.c.Source.Python()
	k.python = catalog.MigrationDefault("python").Value
	old := strings.TrimSuffix(strings.TrimLeft(strings.TrimSpace(p.Requirement.Constraint), "=> "), ".*")
	switch ended, isEnded := catalog.EndedPython(old); {
	case !given:
		k.c.Added = append(k.c.Added, Added{"python=" + k.python, "the source leaves the version to chance"})
		k.conda = append(k.conda, "python="+k.python)
		k.seen["python"], k.changed = true, false
	case isEnded:
		k.python, _ = k.m.Decide(Question{ID: "python", Scope: k.scope(), Ask: "Which Python?", Default: k.python, Example: ended.Version,
			Why: place(schema.Field{File: k.c.Source.File, Node: p.Node}) + " asks for " + old + ", whose support ended in " + ended.EndOfLife})
		k.changed = k.python != ended.Version && k.python != old
	default:
		k.python = cmp.Or(minor(old), k.python)
	}
}

// minor returns the first two numbers of a version, or "".
func minor(version string) string {
	parts := strings.SplitN(version, ".", 3)
	if len(parts) < 2 || strings.Trim(parts[0]+parts[1], "0123456789") != "" {
		return ""
	}
	return parts[0] + "." + parts[1]
}

func (k *cleaner) pythonItem(p schema.Package) {
	old := strings.TrimLeft(strings.TrimSpace(p.Requirement.Constraint), "= ")
	ended, isEnded := catalog.EndedPython(old)
	switch {
	case k.c.Spark:
		k.drop(p, "a Spark session has a Python of its own, which cannot be changed")
	case k.cntk && !strings.HasPrefix(old, k.python):
		k.put(p, requirement.Conda, "python="+k.python, "the last CNTK has wheels for it", "cntk")
	case isEnded && k.changed:
		k.put(p, requirement.Conda, "python="+k.python, "support ended in "+ended.EndOfLife, "python")
	case isEnded:
		k.put(p, requirement.Conda, p.Requirement.Raw, "", "python")
	default:
		k.put(p, requirement.Conda, p.Requirement.Raw, "", "")
	}
}

func isCNTK(r requirement.Requirement) bool {
	name := cmp.Or(r.Key, wheelName(r))
	return name == "cntk" || name == "cntk-gpu" || name == "cntk-gpu-1bit-sgd"
}

// askCNTK decides what becomes of CNTK.
func (k *cleaner) askCNTK() {
	i := slices.IndexFunc(k.c.Source.Packages, func(p schema.Package) bool { return p.Err == nil && isCNTK(p.Requirement) })
	if i < 0 || k.c.Spark {
		return
	}
	answer, _ := k.m.Decide(Question{ID: "cntk", Scope: k.scope(), Ask: "Keep CNTK?", Default: "keep", Choices: []string{"keep", "port"},
		Why: "its last release is of 2019 and needs Python 3.6 and Open MPI 1.10, so `keep` builds a container on Ubuntu 16.04, out of support; `port` leaves CNTK out, for a script that is rewritten"})
	k.cntk = answer == "keep"
	k.c.CNTK = k.cntk
}

func (k *cleaner) cntkItem(p schema.Package) {
	if !k.cntk {
		k.note(Decided, p.Node, "left out", "decision `cntk`")
		return
	}
	name := "cntk"
	if k.c.GPU {
		name = "cntk-gpu"
	}
	if k.seen[name] {
		k.drop(p, name+" is listed already")
		return
	}
	k.put(p, requirement.Pip, name+"=="+catalog.MigrationDefault("cntk-version").Value, "the last release", "cntk")
}

// tensorflow decides about TensorFlow: its version has to fit the Python, and on
// a GPU the CUDA of the image.
func (k *cleaner) tensorflow(p schema.Package, retired string) {
	r := p.Requirement
	constraint := strings.TrimSpace(r.Constraint)
	if r.Wheel != nil && r.Name == "" {
		constraint = "==" + r.Wheel.Version
	}
	manager := p.Manager
	fitting := k.fittingTensorFlow()
	old := strings.TrimLeft(constraint, "= ")
	pinned := constraint != "" && !strings.ContainsAny(constraint, "<>!~|,")
	tf1 := k.usesTF1()
	name := "tensorflow"
	needsRightOne := k.c.GPU && k.c.base.CUDA != ""
	if needsRightOne {
		manager = requirement.Pip // conda's builds bring another CUDA along
	}
	if k.seen[name] {
		k.drop(p, name+" is listed already")
		return
	}
	spec := func(version string) string {
		if manager == requirement.Conda {
			return name + "=" + version
		}
		return name + "==" + version + ".*"
	}
	build, isKnown := catalog.TensorFlow(old)
	switch {
	case pinned && isKnown && k.python != "" && slices.Contains(build.Pythons, k.python) && (!needsRightOne || k.loads(build)) && r.Name != "":
		k.put(p, manager, strings.Replace(strings.TrimSpace(r.Raw), r.Name, name, 1), retired, "")
	case len(fitting) == 0 || !needsRightOne && !pinned && !tf1 && r.Kind == requirement.Package:
		k.put(p, manager, strings.Replace(strings.TrimSpace(r.Raw), r.Name, name, 1), retired, "")
	default:
		why := "no release that is pinned or old runs on Python " + k.python
		if needsRightOne {
			why = "the image holds CUDA " + k.c.base.CUDA + ", which this release was built for"
		}
		if tf1 {
			why += "; scripts use TensorFlow 1, and have to call tf.compat.v1"
		}
		version, _ := k.m.Decide(Question{ID: "tensorflow", Scope: k.scope(), Ask: "Which TensorFlow?", Default: fitting[len(fitting)-1].Version,
			Example: fitting[0].Version, Why: why})
		k.put(p, manager, spec(version), strings.TrimSuffix(cmp.Or(retired, "does not fit the new Python or CUDA"), "."), "tensorflow")
	}
}

// fittingTensorFlow lists the releases that fit the Python and the image, oldest
// first; on a CPU those that the GPU image would take too, so that both stay equal.
func (k *cleaner) fittingTensorFlow() (list []catalog.TFBuild) {
	for _, b := range catalog.TensorFlowBuilds() {
		if slices.Contains(b.Pythons, k.python) && k.loads(b) {
			list = append(list, b)
		}
	}
	return list
}

// loads reports whether the image's CUDA is the one a release was built for.
func (k *cleaner) loads(b catalog.TFBuild) bool {
	base := k.c.base
	if base.CUDA == "" {
		base = k.m.Emitter.Base(true)
	}
	loads, sure := catalog.CUDANeed{CUDA: b.CUDA, CUDNN: b.CUDNN}.LoadsWith(base.CUDA, base.CUDNN)
	return loads && sure && minor(b.CUDA) == minor(base.CUDA)
}

// otherCUDA reports whether every release that a requirement allows, as far as they
// are recorded, loads a CUDA that the image does not have.
func (k *cleaner) otherCUDA(r requirement.Requirement) bool {
	needs := catalog.CUDANeeds(r.Key)
	if !k.c.GPU || k.c.base.CUDA == "" || len(needs) == 0 {
		return false
	}
	allowed, err := r.Versions()
	if k.changed && k.exact(r) {
		allowed, err = requirement.ParseConstraint(requirement.Pip, "") // the pin goes
	}
	return err == nil && !slices.ContainsFunc(needs, func(n catalog.CUDANeed) bool {
		within, err := requirement.ParseConstraint(requirement.Pip, n.Versions)
		loads, sure := n.LoadsWith(k.c.base.CUDA, k.c.base.CUDNN)
		return err != nil || allowed.Overlaps(within) && (loads || !sure)
	})
}

func (k *cleaner) usesTF1() bool {
	for _, need := range k.m.scripts.needs() {
		if strings.Contains(need.What, "TensorFlow 1") {
			return true
		}
	}
	return false
}

// complete adds what the environment cannot do without.
func (k *cleaner) complete() {
	if k.m.scripts.anyImports("azureml.logging") || k.m.scripts.anyImports("azureml.core") {
		for _, name := range []string{"mlflow", "azureml-mlflow"} {
			k.add(name, requirement.Pip, "takes the place of the old logging calls")
		}
	}
	for _, j := range k.c.Jobs {
		if !strings.HasPrefix(j.Image.Old, "microsoft/mmlspark") {
			continue
		}
		for _, p := range catalog.PreinstalledModules() {
			if yes, _ := k.m.scripts.imports(j.Script, p.Module); yes {
				k.add(p.Package, requirement.Conda, j.Script+" imports it; the old image held it")
			}
		}
	}
	if len(k.pip) > 0 && !k.seen["pip"] {
		k.seen["pip"] = true
		k.conda = append(k.conda, "pip")
		k.c.Added = append(k.c.Added, Added{"pip", "conda warns when a pip list comes without it"})
	}
}

func (k *cleaner) add(name string, manager requirement.Manager, why string) {
	if k.seen[name] {
		return
	}
	k.seen[name] = true
	k.c.Added = append(k.c.Added, Added{name, why})
	item := yamlout.Item{Value: name, Above: append(k.pending, why)}
	k.pending = nil
	if manager == requirement.Conda {
		k.conda = append(k.conda, item)
	} else {
		k.pip = append(k.pip, item)
	}
}
