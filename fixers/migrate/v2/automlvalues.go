package v2

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/fixers/migrate/built"
	"github.com/amlfix/amlfix/fixers/migrate/yamlout"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
)

// verbosity sets how much is logged.
func (w *assetWriter) verbosity() {
	f := w.a.Open("verbosity")
	level := strings.ToLower(strings.TrimPrefix(f.Text, "logging."))
	if level = strings.TrimSuffix(level, "ing"); level == "warn" {
		level = "warning"
	}
	if slices.Contains([]string{"critical", "error", "warning", "info", "debug"}, level) && strings.HasPrefix(f.Text, "logging.") {
		w.body = w.body.Set("log_verbosity", level)
		w.m.Ledger.Map(w.a.Name, "`log_verbosity`", "", f)
	}
}

// limits sets how long the job runs, and how many models it tries.
func (w *assetWriter) limits() {
	m := w.values("limits", learnLimits)
	if f := w.a.Field("experiment_timeout_hours"); f.Explicit && f.Node.Tag() != built.Open {
		if hours, err := strconv.ParseFloat(f.Text, 64); m.Has("timeout_minutes") {
			w.m.Ledger.Drop(w.a.Name, twice, f)
		} else if err == nil && hours > 0 && hours < math.MaxInt16 {
			m = m.Set("timeout_minutes", int(math.Ceil(hours*60)))
			w.m.Ledger.Map(w.a.Name, "`limits.timeout_minutes`", "", f)
		}
	}
	w.body = w.body.Fill("limits", m)
}

// twice is why an old name of a parameter is dropped beside the current one.
const twice = "another parameter sets the same"

// values returns the parameters that have the type that v2 takes; section is where they are in the file.
func (w *assetWriter) values(section string, names [][3]string) (m yamlout.Map) {
	root := w.a.File.Root()
	if section == "forecasting" {
		root = root.Get(section)
	}
	for _, name := range names {
		f := schema.FieldAt(w.a.File, root, name[0])
		if !f.Explicit {
			continue
		}
		if !fits(f.Node, name[2]) {
			w.m.Ledger.Drop(w.a.Name, "not a value that AutoML of v2 takes", f)
			continue
		}
		if m.Has(name[1]) {
			w.m.Ledger.Drop(w.a.Name, twice, f)
			continue
		}
		value := plainValue(f.Node)
		if name[1] == "use_stl" {
			value = strings.ReplaceAll(f.Text, "_", "") // as the client reads it
		}
		m = m.Set(name[1], value)
		w.m.Ledger.Map(w.a.Name, "`"+strings.TrimPrefix(section+"."+name[1], ".")+"`", "", f)
	}
	return m
}

// fits reports whether a value has a type.
func fits(n *document.Node, kind string) bool {
	each := func(kind string) bool {
		return n.Kind == document.Sequence && len(n.Items()) > 0 && !slices.ContainsFunc(n.Items(), func(item *document.Node) bool { return !fits(item, kind) })
	}
	switch kind {
	case "text":
		return n.IsString()
	case "int":
		return n.Tag() == "!!int"
	case "number":
		return n.Kind == document.Scalar && built.IsNumber(n, false)
	case "bool":
		return n.Tag() == "!!bool"
	case "texts":
		return each("text")
	case "text or texts":
		return n.IsString() || each("text")
	case "count":
		return n.Tag() == "!!int" || n.IsString() && n.Value == "auto"
	case "counts":
		return fits(n, "count") || each("int")
	}
	return n.IsString() && slices.Contains(strings.Split(kind, "|"), n.Value)
}

// algorithms returns the models that v2 knows.
func (w *assetWriter) algorithms(name, key string, known []string) (list yamlout.List) {
	f := w.a.Field(name)
	if !f.Explicit || !f.Node.IsSequence() {
		return nil
	}
	for _, item := range f.Node.Items() {
		model := item.Value
		if model == "ForecastTCN" {
			model = "TCNForecaster"
		}
		one := schema.Field{File: w.a.File, Node: item}
		if !slices.Contains(known, model) {
			w.m.Ledger.Drop(w.a.Name, "v2 does not try this model for this task", one)
			continue
		}
		list = append(list, model)
		w.m.Ledger.Map(w.a.Name, "`training."+key+"`", "", one)
	}
	return list
}

// rest says why other parameters are dropped, and names those that the program computes.
func (w *assetWriter) rest() {
	w.m.Ledger.DropRest(w.a.Name, "the service keeps the job's files and its log", account.Given(w.a.Field("path"), w.a.Field("debug_log"))...)
	var lost []string
	for _, e := range w.a.File.Root().Entries() {
		if name, is := strings.CutSuffix(e.Key.Value, built.NotLiteral); is && w.m.Ledger.Unknown(schema.Field{Node: e.Value}) {
			lost = append(lost, name)
		}
	}
	if len(lost) > 0 {
		w.head = append(w.head, "Not carried over, because the program computes it: "+strings.Join(lost, ", ")+". See "+account.Report+".")
	}
}
