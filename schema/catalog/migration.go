package catalog

import (
	"strings"
	"sync"
)

// Default is a value that a migration writes where the old files say nothing
// that is still good.
type Default struct {
	ID, Value string
	// Kind says what the value is where its support can end: image, size, spark, python.
	Kind, Note string
	Origin
}

// ends returns the day or month in which the value's support ends, "" for never.
func (d Default) ends() string {
	switch d.Kind {
	case "size":
		size, _ := VMSize(d.Value)
		return size.RetiredOn
	case "spark":
		runtime, _ := SparkRuntime(d.Value)
		return runtime.EndedOn
	case "python":
		release, _ := PythonEnd(d.Value)
		return release.EndOfLife
	case "image":
		image, _ := LookupImage(d.Value, "latest")
		if image.Status == "current" {
			return image.Retired
		}
		return image.Since
	}
	return ""
}

// ScriptNeed is something in a script that will not work after a migration.
type ScriptNeed struct {
	// Pattern is the text to look for; signs that can be part of a name must not be
	// before or after it.
	ID, Pattern, What, Instead string
	// Imports is a text that a line with an import has in a file that is meant, such
	// as "numpy as np"; empty for every file.
	Imports string
	// Works says with what the text still works: a pip requirement, as "numpy<1.24",
	// "none" when with nothing, "@sdk" with a package of SDK v1, "@NAME" with the package NAME; empty when a script
	// with it can work anyway.
	Works string
	Origin
}

// DeadKey is a key of an old file without a counterpart.
type DeadKey struct {
	// Dialect is "compute", "workbench", "sdk", "environment" (of SDK v1, from its
	// mapping on), or "spark".
	Dialect, Key, Why string
	// When is what has to hold for Why to be true, of all jobs that the file is of:
	// words that migrations know, separated by semicolons; empty when nothing has to.
	When string
	Origin
}

var (
	defaultRows = load("migration_defaults", func(r record) Default {
		return Default{ID: r.text("id"), Value: r.text("value"), Kind: r.text("kind"), Note: r.text("note"), Origin: r.origin()}
	})
	defaultIndex = sync.OnceValue(func() map[string]Default { return supported(defaultRows()) })
	scriptNeeds  = load("script_needs", func(r record) ScriptNeed {
		return ScriptNeed{ID: r.text("id"), Pattern: r.text("pattern"), Imports: r.text("imports"), Works: r.text("works"), What: r.text("what"), Instead: r.text("instead"), Origin: r.origin()}
	})
	deadRows = load("dead_keys", func(r record) DeadKey {
		return DeadKey{Dialect: r.text("dialect"), Key: r.text("key"), When: r.text("when"), Why: r.text("why"), Origin: r.origin()}
	})
	deadIndex = sync.OnceValue(func() map[[2]string][]DeadKey {
		groups := map[[2]string][]DeadKey{}
		for _, k := range deadRows() {
			groups[[2]string{k.Dialect, k.Key}] = append(groups[[2]string{k.Dialect, k.Key}], k)
		}
		return groups
	})
)

// supported takes the row of each id whose support lasts longest on the day
// AsOf: the first that lasts for more than a year, or the first that lasts.
func supported(rows []Default) map[string]Default {
	chosen, phases := map[string]Default{}, map[string]Phase{}
	for _, d := range rows {
		phase := PhaseOf(d.ends(), AsOf)
		if d.Kind == "python" && phase == Ending {
			phase = Lasting // a job outlives its Python's last year
		}
		if best, listed := phases[d.ID]; !listed || phase < best {
			chosen[d.ID], phases[d.ID] = d, phase
		}
	}
	return chosen
}

// MigrationDefault returns the row of an id that is supported on the day AsOf, the
// first of several. Asking for an id that is not there is a bug and panics.
func MigrationDefault(id string) Default {
	d, ok := defaultIndex()[id]
	if !ok {
		panic("catalog: migration_defaults.csv has no row " + id)
	}
	return d
}

// Preinstalled is a module that the mmlspark images held, and the package, of conda
// and pip alike, that holds it.
type Preinstalled struct {
	Module, Package string
	Origin
}

var preinstalledRows = load("preinstalled", func(r record) Preinstalled {
	return Preinstalled{Module: r.text("module"), Package: r.text("package"), Origin: r.origin()}
})

// PreinstalledModules lists the modules that projects could import without naming
// their packages.
func PreinstalledModules() []Preinstalled { return preinstalledRows() }

// SparkSize is a size of machine that serverless Spark runs on.
type SparkSize struct {
	Size            string
	Cores, MemoryGB int
	Origin
}

var sparkSizeRows = load("spark_sizes", func(r record) SparkSize {
	return SparkSize{Size: r.text("size"), Cores: number(r, "cores"), MemoryGB: number(r, "memory_gb"), Origin: r.origin()}
})

// SparkSizes lists the sizes of serverless Spark, smallest first.
func SparkSizes() []SparkSize { return sparkSizeRows() }

// ScriptNeeds lists what to look for in scripts, in the order of the table.
func ScriptNeeds() []ScriptNeed { return scriptNeeds() }

// DeadKeys lists the rows, in the order of the table.
func DeadKeys() []DeadKey { return deadRows() }

// LookupDeadKey finds a key by its path of keys, the most exact row first whose
// condition holds: a row "history/*" stands for everything below history.
func LookupDeadKey(dialect string, path []string, holds func(when string) bool) (DeadKey, bool) {
	keys := []string{strings.Join(path, "/")}
	for n := len(path); n > 0; n-- {
		keys = append(keys, strings.Join(path[:n], "/")+"/*")
	}
	for _, key := range keys {
		for _, k := range deadIndex()[[2]string{dialect, key}] {
			met := true
			for when := range strings.SplitSeq(k.When, ";") {
				met = met && (when == "" || holds(when))
			}
			if met {
				return k, true
			}
		}
	}
	return DeadKey{}, false
}
