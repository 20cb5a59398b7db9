package rules

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/requirement"
	"github.com/amlfix/amlfix/schema/template"
)

var refEnvironment = Rule{
	ID:       "ref/environment",
	Severity: finding.Warning,
	Since:    "2026-11-22",
	Doc:      "An environment is superseded, misspelt or invented, has a name that is reserved or too long for Azure ML, or is used without a version.",
	Why: `Names that begin with AzureML or Microsoft are those of curated environments, and the service rejects them for
others; a name has at most 255 characters. The Azure ML client accepts "azureml:NAME" in a file, but stops when the job
is submitted: "Failed to extract version …, version must be provided". Curated environments that Microsoft has replaced
still resolve, but contain old packages on systems out of support. Others only look like them: no release after
scikit-learn 1.1 has an environment whose name continues with -ubuntu.`,
	Remedy: "With --unsafe, corrects the name, takes the latest version where none is given, or replaces a superseded environment with the curated environment that succeeded it. Try the job with its newer packages first.",
	Facts:  []string{"curated", "systems"},
	Bad: `
-- job.yml --
$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json
command: python -V
environment: azureml:training
compute: azureml:cpu-cluster
`,
	Good: `
-- job.yml --
$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json
command: python -V
environment: azureml:training@latest
compute: azureml:cpu-cluster
`,
	Check: func(p *Pass) {
		for _, e := range p.Project.V2Environments {
			checkEnvironmentName(p, schema.FieldAt(e.File, e.Node, "name"))
			checkCurated(p, e.Base())
		}
		for _, j := range p.Project.Jobs {
			// with a version it is a curated environment, as the SDK wrote it
			if !j.SDK.EnvironmentName.Explicit || j.SDK.EnvironmentVersion.Explicit || (j.Target == nil || !j.Target.Image.Explicit) && j.Environment == nil {
				continue
			}
			if _, curated := catalog.Curated(j.SDK.EnvironmentName.Text); !curated {
				checkEnvironmentName(p, j.SDK.EnvironmentName)
			}
		}
		for _, f := range p.shared.v2 {
			environmentKeys(f, f.Root(), func(at schema.Field) {
				checkVersionless(p, at)
				checkCurated(p, at)
			})
		}
	},
}

// maxEnvironmentName is the maximum length of an environment's name, in characters.
const maxEnvironmentName = 255

// reservedNames are the prefixes of curated environments' names; case matters.
var reservedNames = []string{"AzureML", "Microsoft"}

func checkEnvironmentName(p *Pass, name schema.Field) {
	if name.File == nil || name.File.Broken() || !name.Node.IsString() || template.In(name.Text) || strings.HasPrefix(name.Text, "azureml:") {
		return
	}
	for _, prefix := range reservedNames {
		if strings.HasPrefix(name.Text, prefix) {
			p.report(name.Location(fmt.Sprintf("names that begin with %q are reserved for Microsoft's environments, and the service rejects them: choose another name", prefix)), nil)
			return
		}
	}
	if n := utf8.RuneCountInString(name.Text); n > maxEnvironmentName {
		p.report(name.Location(fmt.Sprintf("the name has %d characters, but the service accepts at most %d: choose a shorter one", n, maxEnvironmentName)), nil)
	}
}

// environmentKeys calls check for every key "environment" with a string value in a v2 file, except among data.
func environmentKeys(f *schema.File, n *document.Node, check func(schema.Field)) {
	if n == nil {
		return
	}
	for _, item := range n.Items() {
		environmentKeys(f, item, check)
	}
	for _, e := range n.Entries() {
		switch e.Key.Value {
		case "inputs", "outputs", "tags", "properties", "environment_variables":
		case "environment":
			if e.Value.IsString() {
				check(schema.FieldAt(f, n, "environment"))
			}
		default:
			environmentKeys(f, e.Value, check)
		}
	}
}

// checkVersionless reports a reference to an environment without a version. Curated ones with their old prefix do not
// need one.
func checkVersionless(p *Pass, at schema.Field) {
	name, ok := strings.CutPrefix(strings.TrimSpace(at.Text), "azureml:")
	if !ok || template.In(at.Text) || strings.Contains(at.Text, "$") || strings.HasPrefix(name, "AzureML-") || name == "" || isRelative(name) {
		return
	}
	whole := !strings.HasPrefix(name, "/")
	if whole && strings.ContainsAny(name, ":@") || !whole && !inRegistry(name) {
		return
	}
	if base, version, ok := strings.Cut(name, "/versions/"); ok && whole {
		if name = base; version != "" {
			p.report(at.Location("the version of an environment comes after a colon, so the Azure ML client stops when the job is submitted: write azureml:"+shown(base+":"+version)), nil)
			return
		}
	}
	example := "azureml:" + shown(name) + "@latest"
	fix := at.Fix(finding.Text("azureml:"+name+"@latest"), finding.Unsafe, "take the latest version")
	if !whole {
		example, fix = "…/labels/latest", nil
	}
	p.report(at.Location("the environment has no version, so the Azure ML client stops when the job is submitted: add one, as in "+example), fix)
}

// inRegistry reports whether an address in a registry ends with the name.
func inRegistry(address string) bool {
	_, name, ok := strings.Cut(address, "/environments/")
	return ok && strings.HasPrefix(address, "//registries/") && !strings.ContainsAny(strings.TrimSuffix(name, "/"), "/:@")
}

// namesCurated reports whether a reference names one of Microsoft's environments: in the registry, in a workspace by
// name or address, or by its image. Names that begin with AzureML- are reserved for them.
func namesCurated(reference string) bool {
	switch {
	case strings.HasPrefix(reference, "azureml:/subscriptions/"):
		return strings.HasPrefix(catalog.CuratedName(reference), "AzureML-")
	case strings.HasPrefix(reference, "azureml:AzureML-"), strings.HasPrefix(reference, "azureml://registries/azureml/environments/"):
		return true
	}
	return strings.HasPrefix(reference, "mcr.microsoft.com/azureml/curated/")
}

// checkCurated reports an environment of Microsoft's that no longer gets updates, given by its name in the registry or
// in this workspace, or by its image. Such names still resolve.
func checkCurated(p *Pass, at schema.Field) {
	text := strings.TrimSpace(at.Text)
	if !at.Explicit || !at.Node.IsString() || at.File.Broken() || !namesCurated(text) {
		return
	}
	e, ok := catalog.Curated(text)
	if name := catalog.CuratedName(text); !ok && strings.HasPrefix(text, "azureml:") && !template.In(text) && !strings.Contains(text, "${{") {
		misspeltCurated(p, at, name)
		return
	}
	current := e.Status == "current"
	if !ok || current && e.Successor == "" || e.Since != "" && catalog.PhaseOf(e.Since, p.Project.AsOf()) < catalog.Ended {
		return
	}
	message := shown(catalog.CuratedName(text)) + " is superseded and gets no updates"
	if current {
		p.reportAs(finding.Info, at.Location(fmt.Sprintf("%s is built on an operating system that is out of support: use %s", shown(e.Name), e.Successor)), nil)
		return
	}
	if e.Successor == "" {
		p.report(at.Location(message), nil)
		return
	}
	if other := differs(e); other != "" {
		p.report(at.Location(message+"; its successor, "+e.Successor+", "+other), nil)
		return
	}
	var fix *finding.Fix
	address := "azureml://registries/azureml/environments/" + e.Successor + "/labels/latest"
	if strings.HasPrefix(text, "azureml:") {
		fix = at.Fix(finding.Text(address), finding.Unsafe, "use "+e.Successor)
	}
	advice := address
	if !strings.HasPrefix(text, "azureml:") {
		advice = "the environment " + e.Successor + " in place of the image"
	}
	p.report(at.Location(message+": use "+advice), fix)
}

// differs says what the successor of a curated environment does not have, or "" if the one can take the other's place.
func differs(e catalog.CuratedEnvironment) string {
	next, _ := catalog.Curated(e.Successor)
	framework, _, _ := strings.Cut(strings.ToLower(e.Name), "-")
	switch {
	case next.GPU && !e.GPU:
		return "contains CUDA, which a CPU job does not need: use it, or an environment of your own"
	case strings.HasPrefix(next.Name, "minimal-") && framework != "minimal":
		return "has no " + framework + ": use an environment of your own that adds it"
	}
	return ""
}

// misspeltCurated reports a name that only one of Microsoft's environments resembles. There may be others with other
// numbers in their names that are not recorded.
func misspeltCurated(p *Pass, at schema.Field, name string) {
	bare := strings.TrimPrefix(name, "AzureML-")
	if last := lastOfForm(bare); last != "" {
		right := catalog.CuratedFor(name)
		address := "azureml://registries/azureml/environments/" + right + "/labels/latest"
		p.report(at.Location(fmt.Sprintf("Microsoft has no environment %s (the last of this form is %s): use %s", shown(name), last, address)),
			at.Fix(finding.Text(address), finding.Unsafe, "use "+right))
		return
	}
	near := p.nearest(bare, catalog.CuratedNames())
	if len(near) != 1 || digits(near[0]) != digits(bare) || strings.EqualFold(near[0], bare) {
		return
	}
	right := strings.Replace(name, bare, near[0], 1)
	p.report(at.Location(fmt.Sprintf("Microsoft has no environment %s: did you mean %s?", shown(name), right)),
		at.Fix(finding.Text(strings.Replace(at.Text, name, right, 1)), finding.Unsafe, "write "+right))
}

// lastOfForm returns the FRAMEWORK-VERSION of the last environment with a name of the form FRAMEWORK-VERSION-ubuntu… if
// another name of that form has a later version: Microsoft has given the framework's later versions other names. It
// returns "" for other names.
func lastOfForm(bare string) (last string) {
	framework, version, ofForm := curatedForm(bare)
	v, err := requirement.ParseVersion(version)
	if !ofForm || err != nil {
		return ""
	}
	var newest, newestOther requirement.Version
	for _, name := range catalog.CuratedNames() {
		f, text, form := curatedForm(name)
		if !strings.EqualFold(f, framework) {
			continue
		}
		w, err := requirement.ParseVersion(text)
		switch {
		case err != nil:
		case form && (last == "" || w.Compare(newest) > 0):
			last, newest = f+"-"+text, w
		case !form && w.Compare(newestOther) > 0:
			newestOther = w
		}
	}
	if last == "" || v.Compare(newest) <= 0 || newestOther.Compare(newest) <= 0 {
		return ""
	}
	return last
}

// curatedForm splits the name of a curated environment, without AzureML-, into its framework and version, and reports
// whether its system follows.
func curatedForm(bare string) (framework, version string, system bool) {
	framework, rest, _ := strings.Cut(bare, "-")
	version, rest, _ = strings.Cut(rest, "-")
	return framework, version, strings.HasPrefix(rest, "ubuntu")
}
