package catalog

import (
	"cmp"
	"slices"
	"strings"
)

// CuratedEnvironment is one environment that Microsoft publishes in the registry azureml. Its contents are read from
// its Dockerfile, not from its name, which can mislead. Registry versions are not recorded: Image, Python, CUDA and
// Packages describe the newest version when the row was last checked, or the last one before its sources were removed.
type CuratedEnvironment struct {
	// Name is without the prefix AzureML-, as in the registry.
	Name string
	// GPU is true if the environment contains CUDA.
	GPU bool
	// Status is current (still built), removed (from the sources: published versions still resolve but get no updates),
	// renamed or superseded (hidden from lists, still resolves).
	Status string
	// Since is the day (2006-01-02) on which it was removed or renamed; empty if not recorded.
	Since string
	// Image is the base image; OS, Python, CUDA and CUDNN are the versions inside.
	Image, OS, Python, CUDA, CUDNN string
	// Packages are the frameworks with their pinned versions, such as torch=2.8.0.
	Packages []string
	// Successor is the Name of its replacement, or empty. A current environment can have one if its base image is out
	// of support.
	Successor string
	// SuccessorBy is vendor if Microsoft itself replaced it with Successor in its examples or sources; otherwise
	// Successor is the current environment of the same framework.
	SuccessorBy string
	// Note says where the name or a tag misleads.
	Note string
	Origin
}

var (
	curatedRows  = &table[CuratedEnvironment]{name: "curated"}
	curatedIndex = &index[string, CuratedEnvironment]{rows: curatedRows, key: func(e CuratedEnvironment) string { return curatedKey(e.Name) }}
)

// Version returns the pinned version of a framework, or "" if the environment lacks it.
func (e CuratedEnvironment) Version(framework string) string {
	for _, p := range e.Packages {
		if version, ok := strings.CutPrefix(p, framework+"="); ok {
			return version
		}
	}
	return ""
}

// Pins returns the packages as a person writes them, such as "torch 2.8.0".
func (e CuratedEnvironment) Pins() []string {
	list := make([]string, len(e.Packages))
	for i, p := range e.Packages {
		list[i] = strings.Replace(p, "=", " ", 1)
	}
	slices.Sort(list)
	return list
}

// Curated returns the curated environment that a reference in any notation names: its name with or without AzureML-,
// azureml:NAME@latest, azureml:NAME:3, its address in a registry, or the image
// mcr.microsoft.com/azureml/curated/NAME:3. Case is ignored here, but Azure ML is case-sensitive: compare with Name.
func Curated(reference string) (CuratedEnvironment, bool) {
	return curatedIndex.find(curatedKey(CuratedName(reference)))
}

// CuratedByName returns the curated environment that a job names in Microsoft's registry, or with the prefix that is
// reserved for them.
func CuratedByName(reference string) (CuratedEnvironment, bool) {
	name := strings.TrimSpace(reference)
	if !strings.HasPrefix(name, "azureml:AzureML-") && !strings.HasPrefix(name, "azureml://registries/azureml/environments/") {
		return CuratedEnvironment{}, false
	}
	return Curated(name)
}

// ImageAt returns the image in Microsoft's public registry that contains the environment's given version, or its newest
// version for "". Whether the registry still has it is not known.
func (e CuratedEnvironment) ImageAt(version string) string {
	return "mcr.microsoft.com/azureml/curated/" + strings.ToLower(strings.TrimPrefix(e.Name, "AzureML-")) + ":" + cmp.Or(version, "latest")
}

// CuratedFor returns the Name of the current curated environment closest to an SDK v1 one: its recorded replacement, or
// else the newest one for the framework in the name, with a GPU if the name says so.
func CuratedFor(name string) string {
	e, known := Curated(name)
	for range 8 { // no chain is longer
		if !known || e.Successor == "" {
			break
		}
		e, known = Curated(e.Successor)
	}
	if known && e.Status == "current" {
		return e.Name
	}
	name = strings.ToLower(name)
	gpu := strings.Contains(name, "gpu") || strings.Contains(name, "cuda")
	framework := "sklearn"
	for _, word := range []string{"pytorch", "tensorflow", "lightgbm"} {
		if strings.Contains(name, word) {
			framework = word
		}
	}
	best, fits := "", false
	for _, e := range curatedRows.all() {
		words := strings.Split(e.Name, "-")
		if e.Status != "current" || e.Successor != "" || words[0] != framework && (words[0] != "acpt" || len(words) < 2 || words[1] != framework) {
			continue
		}
		if best == "" || e.GPU == gpu || !fits {
			best, fits = e.Name, e.GPU == gpu
		}
	}
	return best
}

// CuratedName returns the name in a reference to an environment, as written.
func CuratedName(reference string) string {
	name := strings.TrimSpace(reference)
	// older clients capitalized this part of the address
	if _, after, ok := strings.Cut(strings.Replace(name, "/Environments/", "/environments/", 1), "/environments/"); ok {
		name, _, _ = strings.Cut(after, "/")
	} else if _, after, ok := strings.Cut(name, "/azureml/curated/"); ok {
		name = after
	} else {
		name = strings.TrimPrefix(name, "azureml:")
	}
	if i := strings.IndexAny(name, ":@"); i >= 0 {
		name = name[:i]
	}
	return name
}

func curatedKey(name string) string { return strings.TrimPrefix(strings.ToLower(name), "azureml-") }

// CuratedNames returns the recorded names, without AzureML-, for suggestions.
func CuratedNames() []string {
	return namesOf(curatedRows.all(), func(e CuratedEnvironment) string { return e.Name })
}
