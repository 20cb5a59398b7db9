package catalog

import (
	"strings"

	"github.com/amlfix/amlfix/schema/plain"
)

// Default is a value that a migration writes if the old files have no usable value.
type Default struct {
	ID, Value string
	// Kind is image, size, spark or python for a value whose support can end; empty for others.
	Kind, Note string
	Origin
}

// ends returns the day or month in which the value's support ends, or "" if it does not.
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
	// Pattern is the text to look for; no character that can be part of a name may precede or follow it.
	ID, Pattern, What, Instead string
	// Imports is text that an import line of the file must contain, such as "numpy as np"; empty if the row applies to
	// every file.
	Imports string
	// Works says what the text still works with: a pip requirement such as "numpy<1.24", "@sdk" for any package of SDK
	// v1, "@NAME" for the package NAME, or "none" for nothing. It is empty if a script with the text can work anyway.
	Works string
	Origin
}

// DeadKey is a key of an old file that has no counterpart.
type DeadKey struct {
	// Dialect is "compute", "workbench", "sdk", "environment" (of SDK v1, from its mapping on), or "spark".
	Dialect, Key, Why string
	// When lists the conditions, separated by semicolons, that all jobs of the file must meet for Why to be true, in
	// words that migrations define; empty if Why is always true.
	When string
	Origin
}

var (
	defaultRows  = &table[Default]{name: "migration_defaults"}
	defaultIndex = plain.Once[map[string]Default]{Make: func() map[string]Default { return supported(defaultRows.all()) }}
	scriptNeeds  = &table[ScriptNeed]{name: "script_needs"}
	deadRows     = &table[DeadKey]{name: "dead_keys"}
	deadIndex    = &groups[[2]string, DeadKey]{rows: deadRows, keys: func(k *DeadKey) [][2]string { return [][2]string{{k.Dialect, k.Key}} }}
)

// supported returns, for each id, the row with the best support on the day AsOf: the first that lasts for more than a
// year, or else the first that is still supported.
func supported(rows []Default) map[string]Default {
	chosen, phases := map[string]Default{}, map[string]Phase{}
	for _, d := range rows {
		phase := PhaseOf(d.ends(), AsOf)
		if d.Kind == "python" && phase == Ending {
			phase = Lasting // jobs may use a Python that is in its last year
		}
		if best, listed := phases[d.ID]; !listed || phase < best {
			chosen[d.ID], phases[d.ID] = d, phase
		}
	}
	return chosen
}

// MigrationDefault returns the first row of an id that is supported on the day AsOf. It panics if there is no such id.
func MigrationDefault(id string) Default {
	d, ok := defaultIndex.Get()[id]
	if !ok {
		panic("catalog: migration_defaults.csv has no row " + id)
	}
	return d
}

// Preinstalled is a module that the mmlspark images held, with the package that provides it in both conda and pip.
type Preinstalled struct {
	Module, Package string
	Origin
}

var preinstalledRows = &table[Preinstalled]{name: "preinstalled"}

// PreinstalledModules returns the modules that projects could import without listing their packages.
func PreinstalledModules() []Preinstalled { return preinstalledRows.all() }

// SparkSize is a machine size that serverless Spark runs on.
type SparkSize struct {
	Size            string
	Cores, MemoryGB int
	Origin
}

var sparkSizeRows = &table[SparkSize]{name: "spark_sizes"}

// SparkSizes returns the sizes of serverless Spark, smallest first.
func SparkSizes() []SparkSize { return sparkSizeRows.all() }

// ScriptNeeds returns what to look for in scripts, in the order of the table.
func ScriptNeeds() []ScriptNeed { return scriptNeeds.all() }

// DeadKeys returns the rows in the order of the table.
func DeadKeys() []DeadKey { return deadRows.all() }

// LookupDeadKey returns the most specific row for a path of keys whose condition holds; "history/*" stands for
// everything below history. holds reports whether a condition (see DeadKey.When) is met.
func LookupDeadKey(dialect string, path []string, holds func(when string) bool) (DeadKey, bool) {
	keys := []string{strings.Join(path, "/")}
	for n := len(path); n > 0; n-- {
		keys = append(keys, strings.Join(path[:n], "/")+"/*")
	}
	for _, key := range keys {
		for _, k := range deadIndex.find([2]string{dialect, key}) {
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
