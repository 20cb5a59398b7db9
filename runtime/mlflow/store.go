package mlflow

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/schema/plain"
)

// StoreDir is the folder in which MLflow's client stores what a v2 job logs, relative to the job's working directory.
// It is inside the folder that is copied back.
const StoreDir = "outputs/mlruns"

// Limits on what is read from a store: more is not meant for people.
const (
	storeFiles = 10_000
	storeBytes = 64 << 20
)

// logged is one metric or parameter.
type logged struct {
	run   string  // the folder of the run of MLflow that logged it
	time  float64 // seconds since 1970
	name  string
	value any
}

// ReadStore reads the metrics and parameters of all runs in an MLflow file store, and returns them as lines in the
// format of package shim, oldest first. If there are several runs, the names of all but the only one that is not nested
// begin with the run's own name, so that their series are kept apart. Parameters are text, with the time of the first
// metric. It skips anything that is not in the store's format.
func ReadStore(store fs.FS) []byte {
	var list []logged
	runs := storeRuns{}
	files, left := 0, int64(storeBytes)
	_ = fs.WalkDir(store, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return nil //nolint:nilerr // unreadable entries are skipped
		}
		if files++; files > storeFiles {
			return fs.SkipAll
		}
		parts := strings.SplitN(name, "/", 4) // EXPERIMENT/RUN/metrics/NAME, and NAME may have more parts
		if len(parts) < 4 || parts[2] != "metrics" && parts[2] != "params" && !slices.Contains(runTags, path.Join(parts[2:]...)) {
			return nil
		}
		info, err := d.Info()
		if err != nil || info.Size() > left {
			return nil //nolint:nilerr // likewise
		}
		left -= info.Size()
		text, err := fs.ReadFile(store, path.Clean(name))
		if err != nil {
			return nil //nolint:nilerr // likewise
		}
		run, value := path.Join(parts[:2]...), strings.TrimRight(string(text), "\n")
		runs.add(run)
		switch {
		case parts[2] == "metrics":
			list = append(list, metricsIn(run, parts[3], text)...)
		case parts[2] == "params":
			list = append(list, logged{run: run, name: parts[3], value: value})
		case path.Join(parts[2:]...) == nameTag:
			runs[run].name = value
		default:
			runs[run].nested = true
		}
		return nil
	})
	for i := range list {
		list[i].name = runs.prefix(list[i].run) + list[i].name
	}
	return linesOf(list)
}

// The tags that name a run and the run in which it is nested.
const (
	nameTag   = "tags/mlflow.runName"
	parentTag = "tags/mlflow.parentRunId"
)

var runTags = []string{nameTag, parentTag}

// storeRuns are the runs of MLflow in a store, by folder.
type storeRuns map[string]*storeRun

type storeRun struct {
	name   string
	nested bool
}

func (r storeRuns) add(run string) {
	if r[run] == nil {
		r[run] = &storeRun{name: path.Base(run)}
	}
}

// prefix returns what to put before the names of a run's metrics and parameters. Of runs with the same name it includes
// the beginning of the ID.
func (r storeRuns) prefix(run string) string {
	own, top, same := r[run], 0, 0
	for _, other := range r {
		if !other.nested {
			top++
		}
		if other.name == own.name {
			same++
		}
	}
	switch id := path.Base(run); {
	case !own.nested && top == 1:
		return ""
	case same > 1:
		return own.name + "-" + id[:min(8, len(id))] + "/"
	}
	return own.name + "/"
}

// metricsIn reads the lines of a metric: the time in milliseconds, the value and the step.
func metricsIn(run, name string, text []byte) (list []logged) {
	in := bufio.NewScanner(bytes.NewReader(text))
	for in.Scan() {
		fields := strings.Fields(in.Text())
		if len(fields) < 2 {
			continue
		}
		at, err := strconv.ParseFloat(fields[0], 64)
		value, verr := strconv.ParseFloat(fields[1], 64)
		if err != nil || verr != nil || at < 0 {
			continue
		}
		m := logged{run: run, time: at / 1000, name: name, value: value}
		switch fields[1] {
		case "nan", "NaN":
			m.value = "NaN"
		case "inf", "Infinity":
			m.value = "Infinity"
		case "-inf", "-Infinity":
			m.value = "-Infinity"
		}
		list = append(list, m)
	}
	return list
}

func linesOf(list []logged) []byte {
	plain.SortFunc(list, func(a, b logged) int { return cmp.Compare(a.time, b.time) })
	first := 0.0
	for _, m := range list {
		if first = m.time; first > 0 {
			break
		}
	}
	var out bytes.Buffer
	for _, m := range list {
		m.time = max(m.time, first)
		line, err := json.Marshal(map[string]any{"t": m.time, "name": m.name, "value": m.value})
		if err == nil { // false for numbers that JSON cannot represent
			_, _ = out.Write(append(line, '\n'))
		}
	}
	return out.Bytes()
}
