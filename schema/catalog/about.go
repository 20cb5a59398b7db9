package catalog

import (
	"cmp"
	"maps"
	"slices"
)

// tableAbout describes, in a few words, each table that a verdict can rest on.
func tableAbout() map[string]string {
	return map[string]string{
		"azureml_mlflow":   "which mlflow each release of azureml-mlflow works with",
		"cntk":             "the builds of CNTK, and their CUDA",
		"communicators":    "the communicators of SDK v1, and their frameworks",
		"conda_builds":     "conda packages whose build string says CPU or GPU",
		"conflicts":        "packages that do not work together",
		"credentials":      "what references to a secret and placeholders look like",
		"cuda_drivers":     "the driver that each CUDA needs",
		"cuda_needs":       "the CUDA that wheels load from the image",
		"curated":          "curated environments: what they contain, and what replaced them",
		"frameworks":       "the builds of frameworks: their Pythons and their CUDA",
		"gpus":             "GPUs: their capability, and which CUDA has code for them",
		"images":           "base images: GPU, CUDA, Python and system",
		"infiniband":       "VM sizes with InfiniBand",
		"kernels":          "the GPUs for which builds of frameworks contain code",
		"misspelt":         "wrong names of packages, and the right ones",
		"limits":           "the ranges of numbers that the service accepts",
		"endpoint_sizes":   "VM sizes that Microsoft lists for managed online endpoints",
		"namesakes":        "names that mean one thing in conda and another in pip",
		"nccl":             "settings of NCCL that slow jobs down or stop them",
		"no_gpu":           "packages that use no GPU",
		"package_variants": "the CPU and GPU builds of packages",
		"packages":         "names of packages",
		"public_tokens":    "signed addresses that vendors have published themselves",
		"python_wheels":    "which releases of a package each Python can install",
		"pythons":          "when support for each Python version ends",
		"removed_tags":     "tags of images that can no longer be pulled, although their repository is still there",
		"repositories":     "repositories of images: whether they are still built, and what replaced them",
		"retired_packages": "packages that are gone, or that have another name",
		"secret_shapes":    "what vendors' tokens look like",
		"services":         "services and tools, and when their support ends",
		"source_only":      "pip packages that have to be built, and whether conda-forge has them",
		"spark_runtimes":   "versions of Spark, and when their support ends",
		"spark_sizes":      "the machines of serverless Spark",
		"windows_zones":    "the time zones that schedules know",
		"stdlib":           "the modules of Python's standard library",
		"systems":          "when support for each operating system ends",
		"vm_families":      "families of VM sizes without GPUs",
		"vm_series":        "series of VM sizes without GPUs, and when they are retired",
		"vm_sizes":         "VM sizes with GPUs, and when they are retired",
		"wheel_indexes":    "places for pip besides PyPI, and whether their builds are for CPUs or GPUs",
		"wheels":           "the wheels of CNTK that were published",
	}
}

// Table is one of the tables that a verdict can rest on.
type Table struct {
	// Name is the base name of the table's file; About says in a few words what it holds.
	Name, About string
	// Rows is the number of rows; Unread is how many of them are general knowledge.
	Rows, Unread int
	// First and Last are the days (2006-01-02) between which its rows were seen.
	First, Last string
	// Sources are the places the rows come from, the most frequent first.
	Sources []string
	// Asked is true if Facts answers from the table.
	Asked bool
}

// silent are the tables that Facts does not answer from: lists of names, and patterns.
var silent = []string{
	"cntk", "communicators", "conda_builds", "credentials", "endpoint_sizes", "infiniband", "kernels", "namesakes", "no_gpu", "packages", "public_tokens", "repositories", "secret_shapes", "source_only", "spark_sizes", "systems", "vm_families", "windows_zones",
	"wheel_indexes",
}

// LookupTable returns the description of the named table. ok is false if there is no such table or no verdict rests on
// it.
func LookupTable(name string) (t Table, ok bool) {
	about := tableAbout()[name]
	if about == "" {
		return Table{}, false
	}
	t = summary(name)
	t.About, t.Asked = about, !slices.Contains(silent, name)
	return t, true
}

// summary counts the rows of a table and their sources, or returns what was counted for its literal.
func summary(name string) Table {
	if i := slices.IndexFunc(summaries, func(t Table) bool { return t.Name == name }); i >= 0 && ready(name) != nil {
		return summaries[i]
	}
	t, count := Table{Name: name}, map[string]int{}
	for _, r := range readTable(name) {
		o := r.origin()
		count[o.Source]++
		if t.Rows++; o.Certainty != Sourced {
			t.Unread++
		}
		if t.First == "" || o.Seen < t.First {
			t.First = o.Seen
		}
		t.Last = max(t.Last, o.Seen)
	}
	t.Sources = slices.SortedFunc(maps.Keys(count), func(a, b string) int {
		return cmp.Or(count[b]-count[a], cmp.Compare(a, b))
	})
	return t
}
