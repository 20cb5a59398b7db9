package catalog

import (
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/amlfix/amlfix/schema/testkit"
)

// keys are the key columns of each table, as in doc.go.
var keys = map[string][]string{
	"images":             {"repo", "tag"},
	"repositories":       {"repo"},
	"systems":            {"os"},
	"wheels":             {"flavour", "dist", "version", "python_tag", "platform"},
	"package_variants":   {"id"},
	"conda_builds":       {"name"},
	"cuda_needs":         {"package", "versions"},
	"frameworks":         {"package", "version"},
	"kernels":            {"package", "cuda", "since"},
	"vm_series":          {"series"},
	"curated":            {"name"},
	"python_wheels":      {"package"},
	"source_only":        {"package"},
	"spark_runtimes":     {"version"},
	"azureml_mlflow":     {"version"},
	"conflicts":          {"package", "versions", "with"},
	"cntk":               {"version"},
	"cuda_drivers":       {"cuda"},
	"gpus":               {"model"},
	"vm_sizes":           {"size"},
	"log_patterns":       {"id"},
	"stdlib":             {"module"},
	"misspelt":           {"name", "manager"},
	"packages":           {"name"},
	"communicators":      {"communicator"},
	"namesakes":          {"name"},
	"credentials":        {"id"},
	"secret_shapes":      {"id"},
	"public_tokens":      {"host", "path"},
	"migration_defaults": {"id", "value"},
	"pythons":            {"version"},
	"retired_packages":   {"name"},
	"script_needs":       {"id"},
	"services":           {"id"},
	"limits":             {"id"},
	"modules":            {"module"},
	"brings":             {"package"},
	"endpoint_sizes":     {"family"},
	"spark_sizes":        {"size"},
	"windows_zones":      {"name"},
	"preinstalled":       {"module"},
	"dead_keys":          {"dialect", "key", "when"},
	"vm_families":        {"family"},
	"skypilot_gpus":      {"model", "memory_gb"},
	"vm_cpus":            {"size"},
	"wheel_indexes":      {"host", "folder"},
	"removed_tags":       {"repo", "tags"},
	"nccl":               {"variable"},
	"infiniband":         {"size"},
	"no_gpu":             {"name"},
	"lists":              {"list", "item"},
	"estimators":         {"class"},
	"time_zones":         {"name"},
}

func TestEveryTableIsListed(t *testing.T) {
	files, err := fs.Glob(tables, "tables/*.csv")
	testkit.OK(t, err)
	var got, want []string
	for _, f := range files {
		got = append(got, strings.TrimSuffix(path.Base(f), ".csv"))
	}
	for name := range keys {
		want = append(want, name)
	}
	slices.Sort(want)
	testkit.Same(t, want, got, "tables and key list differ")
}

func TestRows(t *testing.T) {
	for name, key := range keys {
		records := readTable(name)
		if len(records) == 0 {
			t.Errorf("%s.csv: no rows", name)
			continue
		}
		columns := records[0].columns
		if tail := columns[len(columns)-3:]; !slices.Equal(tail, []string{"source", "seen", "certainty"}) {
			t.Errorf("%s.csv: ends in columns %v, want source, seen and certainty", name, tail)
			continue
		}
		seen := map[string]int{}
		for _, r := range records {
			testkit.Same(t, "", checkRow(r, key, seen), "%s.csv, row %d", name, r.line)
		}
	}
}

// checkRow returns what is wrong with a row, or "", and adds its key to seen.
func checkRow(r record, key []string, seen map[string]int) string {
	var id []string
	for _, column := range key {
		id = append(id, r.text(column))
	}
	joined := strings.Join(id, " | ")
	first := seen[joined]
	seen[joined] = r.line
	o := r.origin()
	switch {
	case first != 0:
		return "same key as row " + r.cells[0]
	case r.text(key[0]) == "":
		return "empty key"
	case o.Source == "":
		return "no source"
	case o.Certainty != Sourced && o.Certainty != GeneralKnowledge:
		return "unknown certainty " + string(o.Certainty)
	case !isDay(o.Seen):
		return "seen on " + o.Seen + ", want a day such as 2026-11-20"
	}
	for i, cell := range r.cells {
		if cell != strings.TrimSpace(cell) {
			return "spaces around " + r.columns[i]
		}
	}
	return ""
}

func TestCheckRowRefuses(t *testing.T) {
	columns := []string{"id", "source", "seen", "certainty"}
	tests := map[string]struct {
		cells []string
		want  string
	}{
		"good":         {[]string{"b", "s", "2026-11-20", "sourced"}, ""},
		"duplicate":    {[]string{"a", "s", "2026-11-20", "sourced"}, "same key as row a"},
		"no key":       {[]string{"", "s", "2026-11-20", "sourced"}, "empty key"},
		"no source":    {[]string{"b", "", "2026-11-20", "sourced"}, "no source"},
		"no certainty": {[]string{"b", "s", "2026-11-20", ""}, "unknown certainty "},
		"certainty":    {[]string{"b", "s", "2026-11-20", "probable"}, "unknown certainty probable"},
		"no day":       {[]string{"b", "s", "", "sourced"}, "seen on , want a day such as 2026-11-20"},
		"month":        {[]string{"b", "s", "2026-11", "sourced"}, "seen on 2026-11, want a day such as 2026-11-20"},
		"spaces":       {[]string{"b", "s ", "2026-11-20", "sourced"}, "spaces around source"},
	}
	for name, test := range tests {
		got := checkRow(record{columns: columns, cells: test.cells}, []string{"id"}, map[string]int{"a": 1})
		testkit.Same(t, test.want, got, name)
	}
}

func isDay(text string) bool {
	_, err := time.Parse(time.DateOnly, text)
	return err == nil
}

// TestClosedSets checks the values of every column with a closed set, and the form of every date and version.
func TestClosedSets(t *testing.T) {
	const version, month = `\d+(\.\d+){0,2}`, `\d{4}-(0[1-9]|1[0-2])`
	const release = `\d[\w.]*?`
	const wheels = `\d\.\d+( ` + release + `(\.\.` + release + `)?( !` + release + `(\.\.` + release + `)?)*)?( <=` + release + `)?`
	forms := map[string]map[string]string{
		"images": {
			"evidence": `used|documented|built`, "released": `|` + month + `(-\d\d)?`, "cuda": `|\d+\.\d+`, "cudnn": `|\d`,
			"spark": `|` + version, "python": `|` + version, "twin": `|[a-z./\d-]+:[\w.*-]+`,
		},
		"systems": {"end_of_support": month},
		"wheels": {
			"flavour": `CPU-Only|GPU|GPU-1bit-SGD`, "dist": `cntk|cntk_gpu`, "python_tag": `cp\d\d`, "abi_tag": `cp\d\dmu?`,
			"platform": `linux_x86_64|win_amd64`,
		},
		"package_variants": {
			"manager": `pip|conda`, "safety": `safe|choice|report|none`, "unpinned": `same|pin|no`, "cpu": `[a-z0-9-]*`,
			"gpu": `[a-z0-9.-]*(\[[a-z0-9-]+\])?`, "local": `|cpu`, "python": `|((<|>=)\d\.\d+)`,
			"versions": `|(==|!=|<=|>=|<|>)\d[\d.]*(\.\*)?(,(==|!=|<=|>=|<|>)\d[\d.]*(\.\*)?)*`,
		},
		"conda_builds": {"name": `[a-z0-9_-]+`, "gpu_package": `[a-z0-9-]*`, "since": `|\d\.\d+`},
		"cuda_needs":   {"cuda": `\d+(\.\d+)?`, "cudnn": `|\d+(\.\d+)?`, "cusolver": `yes|no`},
		"frameworks": {
			"version": version, "released": `|` + month + `(-\d\d)?`, "cuda": `|\d+(\.\d)?`, "cudnn": `|` + version,
			"pythons": `|\d\.\d+(;\d\.\d+)*`, "selector": `|feature|cudatoolkit|pytorch-cuda`, "cudas": `|\d+(\.\d)?(;\d+(\.\d)?)*`,
			"gpu": `included|image|extra|package|opencl`,
		},
		"kernels":   {"cuda": `\d+\.\d`, "since": version, "until": version, "capabilities": `\d+\.\d(;\d+\.\d)*`, "ptx": `|\d+\.\d`},
		"vm_series": {"status": `announced|retired`, "retired_on": month + `-\d\d`},
		"curated": {
			"status": `current|removed|renamed|superseded`, "since": `|` + month + `-\d\d`, "python": `|\d\.\d+`, "cuda": `|\d+(\.\d+)?`,
			"cudnn": `|\d`, "packages": `|[a-z-]+=[^;=]+(;[a-z-]+=[^;=]+)*`, "successor_by": `|vendor|framework`,
		},
		"python_wheels":      {"status": `current|ended`, "pythons": wheels + `(;` + wheels + `)*`},
		"spark_runtimes":     {"status": `current|unsupported|disabled`, "ended_on": `|` + month + `-\d\d`},
		"migration_defaults": {"kind": `|image|size|spark|python`},
		"limits":             {"least": `0|1`, "most": `0|[1-9]\d*`, "unit": `[a-zA-Z]+`, "of": `|sweep|parallel|deployment|managed|kubernetes|flow`, "key": `[a-z_.]+`},
		"endpoint_sizes":     {"sizes": `[a-z]+\d+[a-z]*(_[a-z0-9]+)*(;[a-z]+\d+[a-z]*(_[a-z0-9]+)*)*`},
		"services":           {"ended_on": month + `-\d\d`},
		"pythons":            {"version": `\d\.\d+`, "end_of_life": month},
		"repositories":       {"status": `|current|deprecated|replaced`, "since": `|\d{4}(-\d\d(-\d\d)?)?`},
		"retired_packages": {
			"action": `|drop|keep|replace|sdk`, "status": `stub|absent|unbuilt|renamed|retired|alias|other-product|workbench|sdk-v1|unneeded|current`,
			"name": `[a-z0-9]+(-[a-z0-9]+)*(-\*)?`, "replacement": `|[a-z0-9]+(-[a-z0-9]+)*`,
		},
		"cuda_drivers": {"cuda": `\d+(\.\d)?`, "min_driver": version, "min_driver_compat": `|` + version},
		"gpus":         {"capability": `\d+\.\d`, "first_cuda": `\d+\.\d`, "last_cuda_major": `|\d+`, "last_driver_branch": `|\d{3}`},
		"vm_sizes": {
			"size": `Standard_N\w+`, "gpus": `\d+|1/\d`, "gpu_memory_gb": `|\d+`, "retired_on": `|` + month + `-\d\d`,
			"status": `current|preview|announced|retired`,
		},
		"log_patterns": {
			"lines": `[1-9]`,
			"verdict": `gpu-used|gpu-present|gpu-libs-ok|cpu-only|cpu-build|cpu-fallback|missing-lib|no-driver|driver-too-old|` +
				`no-gpu|arch-unsupported|out-of-memory|not-nvidia|engine-error|inconclusive|other`,
		},
		"stdlib":        {"since": `|3\.\d+`, "removed": `|3\.\d+`, "managers": `|pip|conda|pip;conda`},
		"misspelt":      {"manager": `|pip|conda`, "kind": `misspelt|import-name|wrong-manager|stub`, "right": `[a-z0-9-]+`},
		"packages":      {"name": `[a-z0-9]+([.-][a-z0-9]+)*`},
		"modules":       {"module": `[a-z][a-z0-9]*(\.[a-z]+)?`, "packages": `[a-z0-9-]+(;[a-z0-9-]+)*`},
		"brings":        {"package": `[a-z0-9-]+`, "brings": `([a-z0-9-]+(;[a-z0-9-]+)*)?`},
		"communicators": {"communicator": `[a-z]+`, "frameworks": `[a-z]+( [a-z]+)*`},
		"namesakes":     {"name": `[a-z0-9]+(-[a-z0-9]+)*`, "conda": `.+`, "pip": `.+`},
		"credentials":   {"kind": `reference|placeholder`},
		"lists":         {"list": `windows-(runtime|leftover|module)|spark-template|gone-index|gone-repository|horovod-framework|conda-cuda|launcher|sdk-serving|sdk-series|sdk-family|without-mlflow|(random|grid|bayesian)-sampling|logs-no-metric|logs-metrics|without-server|open(-[a-z-]+)?|mac-build|windows-build|conda-channel|flow-(node-)?type(-[a-z]+)?|component-attribute|unread-scheme`, "item": `[A-Za-z0-9._-]+`},
		"time_zones":    {"name": `[A-Z][A-Za-z0-9]+`},
	}
	for table, columns := range forms {
		for _, r := range readTable(table) {
			for column, form := range columns {
				if v := r.text(column); !regexp.MustCompile(`^(?:` + form + `)$`).MatchString(v) {
					t.Errorf("%s.csv, row %d: %s is %q, want the form %s", table, r.line, column, v, form)
				}
			}
		}
	}
}
