package condaenv

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/fixers/migrate/yamlout"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/requirement"
	"github.com/amlfix/amlfix/schema/secret"
)

// known drops an item that is already in the list, and reports whether it was.
func (k *cleaner) known(p schema.Package) bool {
	key := p.Requirement.Key
	if key == "" || !k.seen[key] || p.Requirement.Marker != "" { // which may hold where that of the other does not
		return false
	}
	k.note(account.Dropped, p.Node, "", key+" is already listed")
	return true
}

// item decides about one requirement.
func (k *cleaner) item(p schema.Package) {
	r := p.Requirement
	name := cmp.Or(r.Key, wheelName(*r))
	retired, isRetired := catalog.LookupRetiredPackage(name)
	switch {
	case isPython(p):
		k.pythonItem(p)
	case k.in.Spark && name == "pyspark":
		k.drop(p, "a Spark session has its own pyspark, which a second one would break")
	case isRetired && retired.Action == "drop":
		k.drop(p, retired.Why)
	case r.Kind != requirement.Package && r.Kind != requirement.Option && onGoneIndex(r.Raw) && !catalog.KnownPackage(name):
		k.drop(p, "a Workbench package, whose service ended in January 2019")
	case k.ofWindows(p), isRetired && k.gone(p, name, retired), k.answered(p), k.mlflowItem(p), k.sourceOnly(p):
	case isRetired && retired.Action == "sdk":
		k.oldSDK(p, retired)
	case isCNTK(*r):
		k.cntkItem(p)
	case k.cntk && (r.Key == "libpng" || r.Key == "jasper"):
		k.drop(p, "the image reader of CNTK 2.2 needed it")
	case name == "tensorflow" || name == "tensorflow-gpu":
		k.tensorflow(p, retired.Why)
	case r.Kind == requirement.Option:
		k.option(p)
	case r.Kind != requirement.Package:
		k.address(p, name)
	case p.Manager == requirement.Pip && k.otherCUDA(*r):
		why := "no allowed release loads with the image's CUDA " + k.base.CUDA
		if k.bare {
			why = "it does not include CUDA, and neither does the CNTK container"
		}
		k.decideItem(p, "package-"+account.Slug(r.Key), "What replaces "+r.Name+"?", why, "")
	default:
		k.plain(p, retired)
	}
}

// answered replaces a package with what the user's answer says, even if there is no question about it; false without
// such an answer.
func (k *cleaner) answered(p schema.Package) bool {
	r := p.Requirement
	id := "package-" + account.Slug(r.Key)
	if r.Kind != requirement.Package || !k.in.Answered(k.scope(), id) {
		return false
	}
	k.decideItem(p, id, "What replaces "+r.Name+"?", "replaced by your answer", "")
	return true
}

// oldSDK omits a package of SDK v1 unless a script imports azureml.
func (k *cleaner) oldSDK(p schema.Package, retired catalog.RetiredPackage) {
	if k.in.Scripts.AnyImports("azureml") {
		answer, _ := k.in.Decide(&account.Question{ID: "sdk", Scope: k.scope(), Ask: "Do the scripts need the SDK v1 packages?", Default: "yes", Choices: []string{"yes", "no"},
			Why: "a script imports azureml; SDK v1 is out of support, and scripts that log with mlflow do not need its packages"})
		if answer == "no" {
			k.note(account.Decided, p.Node, "left out", "decision `sdk`")
			return
		}
		if p.Requirement.Kind != requirement.Package {
			k.address(p, cmp.Or(p.Requirement.Key, wheelName(*p.Requirement)))
		} else if !k.pinned(p) {
			k.put(p, p.Manager, p.Requirement.Raw, retired.Why+", but a script imports azureml", "sdk")
		}
		return
	}
	if k.in.Scripts.Any() {
		k.drop(p, retired.Why+", and no script in the project imports azureml")
		return
	}
	answer, _ := k.in.Decide(&account.Question{ID: "sdk", Scope: k.scope(), Ask: "Do the scripts import azureml?", Default: "no", Choices: []string{"no", "yes"},
		Why: "the project has no scripts to check; SDK v1 is out of support, and its packages are left out unless a script needs them"})
	if answer == "no" {
		k.note(account.Decided, p.Node, "left out", "decision `sdk`")
		return
	}
	if !k.pinned(p) {
		k.put(p, p.Manager, p.Requirement.Raw, retired.Why, "sdk")
	}
}

// plain keeps a package under its current name, with its version if that is still available.
func (k *cleaner) plain(p schema.Package, retired catalog.RetiredPackage) {
	r := p.Requirement
	text, why := r.Raw, ""
	if r.SingleEquals {
		text, why = strings.Replace(text, "=", "==", 1), "pip requires =="
	}
	manager := p.Manager
	wrong, misspelt := catalog.Misspelt(r.Manager.String(), r.Name)
	if module, ok := catalog.Stdlib(r.Key); ok && module.In(cmp.Or(k.python, "3.11")) && !catalog.KnownPackage(r.Key) {
		k.drop(p, "a module of Python's standard library, which needs no installation")
		return
	}
	switch {
	case retired.Action == "replace":
		text, why = retired.Replacement, retired.Why
	case misspelt && wrong.Right != "":
		text, why = wrong.Right, "the correct name of the package"
	case k.pinned(p):
		return
	}
	if name := nameOf(manager, text); k.seen[name] && name != r.Key {
		k.drop(p, nameOf(manager, text)+" is already listed")
		return
	}
	k.put(p, manager, text, why, "")
}

// put adds an item to a list.
func (k *cleaner) put(p schema.Package, manager requirement.Manager, text, why, decision string) {
	old := strings.TrimSpace(p.Requirement.Raw)
	above := slices.Concat(k.pending, k.said.above[p.Node])
	k.pending = nil
	if text != old {
		was := "was: " + secret.HideValue(old)
		if why != "" {
			was += " (" + why + ")"
		}
		above = append(above, was)
	}
	k.append(manager, yamlout.Item{Value: text, Above: trimEnd(above), Beside: k.said.beside[p.Node]})
	if name := nameOf(manager, text); name != "pip" || manager == requirement.Conda { // pip's own copy is not conda's
		k.seen[name] = true
	}
	switch {
	case decision != "":
		k.note(account.Decided, p.Node, "`"+text+"`", "decision `"+decision+"`")
	case text == old && manager != p.Manager:
		k.note(account.Mapped, p.Node, "`"+text+"` in the list of "+manager.String(), why)
	case text == old:
		k.note(account.Mapped, p.Node, "kept", why)
	default:
		k.note(account.Mapped, p.Node, "`"+text+"`", why)
	}
}

// append adds an item to a manager's list.
func (k *cleaner) append(manager requirement.Manager, item yamlout.Item) {
	if manager == requirement.Conda {
		k.conda = append(k.conda, item)
	} else {
		k.pip = append(k.pip, item)
	}
}

// drop omits an item and the comments that describe it.
func (k *cleaner) drop(p schema.Package, why string) {
	k.note(account.Dropped, p.Node, "", why)
}

// nameOf returns the normalised name in a requirement.
func nameOf(manager requirement.Manager, text string) string {
	r, err := manager.Parse(text)
	if err != nil || r.Key == "" {
		return text
	}
	return r.Key
}

func wheelName(r requirement.Requirement) string {
	if r.Wheel == nil {
		return ""
	}
	return r.Wheel.Key()
}

// rest accounts for the items that are not requirements.
func (k *cleaner) rest(root *document.Node) {
	for _, p := range k.packages {
		if p.Err != nil {
			name, _, _ := strings.Cut(strings.TrimSpace(secret.HideValue(p.Node.Text())), "=")
			id := "package-" + account.Slug(path.Base(strings.ReplaceAll(name, `\`, "/")))
			why := "neither conda nor pip accepts this item"
			if p.Manager == requirement.Conda && hasExtras(p.Node.Text()) {
				why = "conda does not accept extras; pip installs an answer that has them"
			}
			k.decideItem(p, id, "What is to be installed for `"+secret.HideValue(p.Node.Text())+"`?", why, "")
		}
	}
	list := root.Get("dependencies")
	for _, n := range list.List() {
		if n.IsNull() {
			k.note(account.Dropped, n, "", account.WhyEmpty)
		}
	}
}

// decideItem asks what to install instead of an item. The answer "none" omits it.
func (k *cleaner) decideItem(p schema.Package, id, ask, why, byDefault string) {
	example := "'NAME==VERSION'"
	switch {
	case id == "pip-option":
		example = "'--extra-index-url ADDRESS'"
	case strings.HasSuffix(why, unimported):
		example = "none"
	}
	answer, open := k.in.Decide(&account.Question{ID: id, Scope: k.scope(), Ask: ask, Default: byDefault, Example: example, OrNone: true,
		Why: k.place(p) + ": " + why + "; `none` leaves it out"})
	above := k.said.above[p.Node]
	switch {
	case open:
		k.pending = append(append(k.pending, above...), account.Marker+": "+secret.HideValue(strings.TrimSpace(p.Node.Text()))+" ("+why+"; see "+account.Report+")")
		k.note(account.Decided, p.Node, "", "decision `"+id+"`")
	case answer == "none":
		k.note(account.Decided, p.Node, "left out", "decision `"+id+"`")
	default:
		if id == "pip-option" && (!strings.HasPrefix(answer, "-") || strings.Contains(answer, "index-url") && !strings.Contains(answer, "://")) {
			k.in.Refuse(id, answer, "write an option of pip, such as --extra-index-url https://ADDRESS/simple")
		}
		manager := p.Manager
		if hasExtras(answer) {
			manager = requirement.Pip // conda has no extras
		}
		k.put(p, manager, answer, why, id)
	}
}

// hasExtras reports whether an item is one that pip accepts, with extras, as in ray[tune].
func hasExtras(item string) bool {
	r, err := requirement.Pip.Parse(item)
	return err == nil && len(r.Extras) > 0
}
