package condaenv

import (
	"cmp"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/fixers/migrate/yamlout"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/requirement"
)

// askPython asks which Python version to install.
func (k *cleaner) askPython() {
	if k.in.Spark {
		k.changed = true
		return
	}
	if k.cntk {
		k.python, k.changed = catalog.MigrationDefault("cntk-python").Value, true
		return
	}
	p, given := k.in.Source.Python()
	if i := slices.IndexFunc(k.packages, isPython); i >= 0 {
		p, given = k.packages[i], true // a program's may be another
	}
	k.python = catalog.MigrationDefault("python").Value
	old := strings.TrimSuffix(strings.TrimLeft(strings.TrimSpace(p.Requirement.Constraint), "=> "), ".*")
	switch ended, isEnded := catalog.EndedPython(old, k.in.AsOf); {
	case !given:
		if k.in.Answered(k.scope(), "python") {
			k.python, _ = k.in.Decide(&account.Question{ID: "python", Scope: k.scope(), Ask: "Which Python?", Default: k.python, Example: k.python, Why: "the old file does not pin the version"})
		}
		k.out.Added = append(k.out.Added, Added{"python=" + k.python, "the old file does not pin the version"})
		k.conda = append(k.conda, "python="+k.python)
		k.seen["python"], k.changed, k.added = true, false, true
	case strings.ContainsAny(p.Requirement.Constraint, "<>!~|,"):
		k.askPythonOf(p)
	case isEnded:
		why := k.place(p) + " requires " + old + ", whose support ended in " + ended.EndOfLife
		if fit := k.newestFit(); fit != "" {
			k.python = fit
			why += "; " + fit + " is the newest version for which PyPI has wheels of all pinned packages"
		}
		k.python, _ = k.in.Decide(&account.Question{ID: "python", Scope: k.scope(), Ask: "Which Python?", Default: k.python, Example: ended.Version, Why: why})
		k.changed = k.python != ended.Version && k.python != old
	case k.in.Answered(k.scope(), "python"):
		old = cmp.Or(minor(old), k.python)
		k.python, _ = k.in.Decide(&account.Question{ID: "python", Scope: k.scope(), Ask: "Which Python?", Default: old, Example: old, Why: k.place(p) + " requires " + old})
		k.changed, k.chosen = k.python != old, true
	default:
		k.python = cmp.Or(minor(old), k.python)
	}
}

// askPythonOf asks which of several Python versions that an item allows to install: conda would take the newest, for
// which the packages may have no builds.
func (k *cleaner) askPythonOf(p schema.Package) {
	allowed, err := p.Requirement.Versions()
	why := k.place(p) + " requires " + strings.TrimSpace(p.Requirement.Constraint)
	fits := ""
	for _, python := range catalog.Pythons() {
		v, bad := requirement.ParseVersion(python + ".1")
		if _, ended := catalog.EndedPython(python, k.in.AsOf); err == nil && bad == nil && !ended && allowed.Allows(v) && (fits == "" || catalog.CompareVersions(python, k.python) <= 0) {
			fits = python
		}
	}
	if fits == "" {
		why += ", and support for all of these has ended"
	}
	k.python, _ = k.in.Decide(&account.Question{ID: "python", Scope: k.scope(), Ask: "Which Python?", Default: cmp.Or(fits, k.python), Example: k.python, Why: why})
	k.changed, k.chosen = fits == "", true
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
	ended, isEnded := catalog.EndedPython(old, k.in.AsOf)
	switch {
	case k.in.Spark:
		k.drop(p, "the Spark runtime determines the Python version of Spark jobs")
	case k.cntk && !strings.HasPrefix(old, k.python):
		k.put(p, requirement.Conda, "python="+k.python, "the last CNTK needs "+k.python, "cntk")
	case k.chosen:
		k.put(p, requirement.Conda, "python="+k.python, "", "python")
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

// askCNTK asks what to do about CNTK.
func (k *cleaner) askCNTK() {
	i := slices.IndexFunc(k.packages, func(p schema.Package) bool { return p.Err == nil && isCNTK(*p.Requirement) })
	if i < 0 || k.in.Spark {
		return
	}
	answer, _ := k.in.Decide(&account.Question{ID: "cntk", Scope: k.scope(), Ask: "Keep CNTK?", Default: "keep", Choices: []string{"keep", "port"},
		Why: "its last release is from 2019 and needs Python 3.6 and Open MPI 1.10, so `keep` builds a container on Ubuntu 16.04, which is out of support; `port` leaves CNTK out, for a script that you rewrite"})
	k.cntk = answer == "keep"
	k.out.CNTK = k.cntk
	if k.cntk && k.in.Replaced {
		k.bare, k.base = true, Base{Image: catalog.MigrationDefault("cntk-system-image").Value}
	}
}

func (k *cleaner) cntkItem(p schema.Package) {
	if !k.cntk {
		k.note(account.Decided, p.Node, "left out", "decision `cntk`")
		return
	}
	name := "cntk"
	if k.in.GPU {
		name = "cntk-gpu"
	}
	if k.seen[name] {
		k.drop(p, name+" is already listed")
		return
	}
	last := catalog.MigrationDefault("cntk-version").Value
	k.put(p, requirement.Pip, name+"=="+last, last+" is the last release", "cntk")
}

// otherCUDA reports whether every recorded release that a requirement allows loads a CUDA version that the image does
// not have.
func (k *cleaner) otherCUDA(r requirement.Requirement) bool {
	needs := catalog.CUDANeeds(r.Key)
	switch {
	case !k.in.GPU || len(needs) == 0:
		return false
	case k.bare:
		return true
	case k.base.CUDA == "":
		return false
	}
	allowed, err := r.Versions()
	if k.changed && k.exact(r) {
		allowed, err = requirement.ParseConstraint(requirement.Pip, "") // the pin will be removed
	}
	return err == nil && !slices.ContainsFunc(needs, func(n catalog.CUDANeed) bool {
		within, err := requirement.ParseConstraint(requirement.Pip, n.Versions)
		loads, sure := n.LoadsWith(k.base.CUDA, k.base.CUDNN)
		return err != nil || allowed.Overlaps(within) && (loads || !sure)
	})
}

// inferenceServer is the package that runs entry scripts in managed endpoints.
const inferenceServer = "azureml-inference-server-http"

// complete adds what the environment needs.
func (k *cleaner) complete() {
	for _, text := range k.in.Named {
		k.add(nameOf(requirement.Pip, text), text, requirement.Pip, "your answer")
	}
	logs := k.in.Scripts.AnyImports("azureml.logging") || k.in.Scripts.AnyImports("azureml.core") && k.in.Scripts.Runs()
	if logs || k.in.Scripts.AnyImports(mlflow) {
		why := "replaces the old logging calls"
		if !logs {
			why = "a script imports mlflow"
		}
		k.add(mlflow, mlflow, requirement.Pip, why)
		if text, note := k.working(); text != "" {
			k.add(azuremlMLflow, text, requirement.Pip, why+"; "+note)
		} else {
			k.add(azuremlMLflow, azuremlMLflow, requirement.Pip, why)
		}
	}
	if k.in.Serves {
		// Source: azure-ai-docs how-to-deploy-online-endpoints.md
		k.add(inferenceServer, inferenceServer, requirement.Pip, "managed online endpoints start the entry script with it")
	}
	for _, script := range k.in.Preinstalled {
		for _, p := range catalog.PreinstalledModules() {
			if yes, _ := k.in.Scripts.Imports(script, p.Module); yes {
				k.add(p.Package, p.Package, requirement.Conda, script+" imports it; the old image contained it")
			}
		}
	}
	if len(k.pip) > 0 && !k.seen["pip"] {
		k.seen["pip"] = true
		k.conda = append(k.conda, "pip")
		k.out.Added = append(k.out.Added, Added{"pip", "conda prints a warning if there is a pip list without it"})
	}
}

// add adds a package that is in no source file; text is the requirement and name the package's name.
func (k *cleaner) add(name, text string, manager requirement.Manager, why string) {
	if k.seen[name] {
		return
	}
	k.seen[name] = true
	k.out.Added = append(k.out.Added, Added{text, why})
	k.append(manager, yamlout.Item{Value: text, Above: append(k.pending, why)})
	k.pending = nil
}
