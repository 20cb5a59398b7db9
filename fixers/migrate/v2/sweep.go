package v2

import (
	"slices"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/fixers/migrate/built"
	"github.com/amlfix/amlfix/fixers/migrate/shell"
	"github.com/amlfix/amlfix/fixers/migrate/yamlout"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
)

// sweeps reports whether HyperDrive started the job.
func (w *jobWriter) sweeps() bool { return w.tuned() != nil && !w.j.Spark }

// tuned returns the HyperDrive settings, from a file or a program.
func (w *jobWriter) tuned() *document.Node {
	switch {
	case w.j.Sweep != nil:
		return w.j.Sweep.Root
	case w.j.Source.File.Of == "" || w.j.Alone:
		return nil
	}
	return w.j.Source.File.Root().Get("sweep")
}

func (w *jobWriter) tune(n *document.Node, name string) schema.Field {
	switch {
	case n == nil:
		return schema.Field{}
	case w.j.Sweep != nil:
		return schema.FieldAt(w.j.Sweep.File, n, name)
	}
	return schema.FieldAt(w.j.Source.File, n, name)
}

// untold says why a setting of the sweep is not known.
func (w *jobWriter) untold() string {
	if w.j.Sweep != nil {
		return account.Name(w.j.Sweep.File.Rel) + " does not give it in a form that HyperDrive could read"
	}
	return "the program computes it"
}

// trialKeys are the keys of a command job that belong to the trial of a sweep.
var trialKeys = []string{"code", "command", "environment", "environment_variables", "distribution", "resources"}

// sweep turns a command job into a sweep job with the command as its trial.
func (w *jobWriter) sweep(command yamlout.Map) (m yamlout.Map) {
	ledger, n := w.m.Ledger, w.tuned()
	ledger.Map(w.j.Name, "`type: sweep`", "", w.tune(n, "class"))
	space, words := w.space(n)
	var trial yamlout.Map
	m = m.Set("type", "sweep")
	var rest yamlout.Map
	for _, e := range command {
		switch {
		case e.Key == "type" || e.Key == "limits":
		case slices.Contains(trialKeys, e.Key):
			if text, ok := e.Value.(string); ok && e.Key == "command" {
				e.Value = strings.Join(append([]string{text}, words...), " ")
			}
			trial = append(trial, e)
		default:
			rest = append(rest, e)
		}
	}
	m = append(m.Set("trial", trial), rest...)
	m = append(m, w.sampling(n))
	m = m.Fill("search_space", space)
	m = append(m, w.objective(n))
	m = m.Fill("early_termination", w.policy(n.Get("policy")))
	return m.Set("limits", w.limits(n))
}

// sampling returns how parameters are chosen.
func (w *jobWriter) sampling(n *document.Node) yamlout.Entry {
	f := w.tune(n, "sampling")
	name := "random"
	if f.Explicit {
		name = f.Text
	}
	w.m.Ledger.Map(w.j.Name, "`sampling_algorithm`", "", f)
	return yamlout.Entry{Key: "sampling_algorithm", Value: name}
}

// space returns the search space, and the arguments that pass it to the script: v1 passed each parameter as an argument
// with its name.
func (w *jobWriter) space(n *document.Node) (m yamlout.Map, words []string) {
	var taken []string
	for _, e := range n.Get("space").Own() {
		name := strings.ReplaceAll(strings.TrimLeft(e.Key.Value, "-"), "-", "_")
		option := e.Key.Value
		if !strings.HasPrefix(option, "-") {
			option = "--" + option
		}
		if slices.Contains(taken, name) || strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") != "" {
			name = "parameter_" + strconv.Itoa(len(taken)+1)
		}
		taken = append(taken, name)
		value := "${{search_space." + name + "}}"
		if texts := listed(e.Value.Get("values")); slices.ContainsFunc(texts, func(s string) bool { return shell.Quote(s) != s }) {
			value = shell.Expansion(value, texts)
		}
		words = append(words, option, value)
		var drawn yamlout.Map
		for _, p := range e.Value.Entries() {
			drawn = append(drawn, yamlout.Entry{Key: p.Key.Value, Value: drawnValue(p.Value)})
		}
		why := ""
		if ascend(drawn) {
			why = "the bounds are swapped: v1 drew from between them, and v2 finds nothing there"
		}
		w.m.Ledger.Node(account.Note{For: w.j.Name, Disposition: account.Mapped, Result: "`search_space." + name + "`", Why: why}, e.Value)
		m = m.Set(name, drawn)
	}
	lost, why := w.lostParameters(), w.untold()
	if len(m) > 0 && len(lost) > 0 {
		why = account.Place(lost[0]) + " computes a parameter"
	}
	if len(m) == 0 || len(lost) > 0 {
		answer, open := w.m.Decide(&account.Question{ID: "search-space", Scope: w.j.Name, Ask: "Which search space does the sweep use?", Choices: []string{"later"},
			Why: why + ": write it into search_space, and add its arguments to the command"})
		w.m.Ledger.Decide(w.j.Name, answer, "search-space", lost...)
		if open {
			w.head = append(w.head, account.Marker+": the search space is not known; see "+account.Report)
			if len(m) == 0 { // Azure ML rejects a sweep without any
				m = m.Set(account.Marker, yamlout.Map{{Key: "type", Value: "choice"}, {Key: "values", Value: yamlout.List{account.Marker}}})
			}
		}
	}
	return m, words
}

// ascend swaps the bounds of a distribution if the first is greater, and reports whether it was.
func ascend(drawn yamlout.Map) bool {
	at := func(key string) int {
		return slices.IndexFunc(drawn, func(e yamlout.Entry) bool { return e.Key == key })
	}
	low, high := at("min_value"), at("max_value")
	if low < 0 || high < 0 || float(drawn[low].Value) <= float(drawn[high].Value) {
		return false
	}
	drawn[low].Value, drawn[high].Value = drawn[high].Value, drawn[low].Value
	return true
}

func float(value any) float64 {
	if n, ok := value.(int); ok {
		return float64(n)
	}
	f, _ := value.(float64)
	return f
}

// lostParameters returns the parameters of the search space that the program computes.
func (w *jobWriter) lostParameters() (lost []schema.Field) {
	if w.j.Sweep != nil {
		return nil
	}
	for _, e := range w.j.Source.File.Root().Entries() {
		if e.Key.Value == "sweep.parameter"+built.NotLiteral {
			lost = append(lost, schema.Field{File: w.j.Source.File, Node: e.Value, Explicit: true})
		}
	}
	return lost
}

// listed returns the texts among the values of a choice.
func listed(n *document.Node) (texts []string) {
	if n == nil {
		return nil
	}
	for _, item := range n.Items() {
		if s, ok := plainValue(item).(string); ok {
			texts = append(texts, s)
		}
	}
	return texts
}

// drawnValue is plainValue for the values of a parameter. The client rejects booleans, and the script gets texts in any
// case.
func drawnValue(n *document.Node) any {
	switch v := plainValue(n).(type) {
	case bool:
		return strings.ToUpper(n.Value[:1]) + n.Value[1:]
	case yamlout.List:
		for i, item := range n.Items() {
			v[i] = drawnValue(item)
		}
		return v
	default:
		return v
	}
}

// plainValue returns a scalar or a list of them as YAML.
func plainValue(n *document.Node) any {
	if n.Kind == document.Sequence {
		list := yamlout.List{}
		for _, item := range n.Items() {
			list = append(list, plainValue(item))
		}
		return list
	}
	switch n.Tag() {
	case "!!int":
		if i, err := strconv.ParseInt(strings.ReplaceAll(n.Value, "_", ""), 0, 64); err == nil {
			return int(i)
		}
	case "!!float":
		if f, err := strconv.ParseFloat(strings.ReplaceAll(n.Value, "_", ""), 64); err == nil {
			return f
		}
	case "!!bool":
		return n.Value == "true"
	}
	return n.Value
}

// objective returns the metric and goal.
func (w *jobWriter) objective(n *document.Node) yamlout.Entry {
	metric, goal := w.tune(n, "primary_metric_name"), w.tune(n, "goal")
	entry := yamlout.Entry{Key: "objective"}
	ask := func(id, question, example string, choices []string, f schema.Field) string {
		if f.Explicit {
			w.m.Ledger.Map(w.j.Name, "`objective`", "", f)
			return f.Text
		}
		answer, open := w.m.Decide(&account.Question{ID: id, Scope: w.j.Name, Ask: question, Example: example, Choices: choices, Why: w.untold()})
		if open {
			entry.Above = []string{account.Marker + ": the objective of the sweep is not known; see " + account.Report}
			return account.Marker
		}
		return answer
	}
	how := ask("goal", "Should the metric be maximized or minimized?", "", []string{"maximize", "minimize"}, goal)
	if how == account.Marker {
		how = "maximize"
	}
	entry.Value = yamlout.Map{{Key: "goal", Value: how}, {Key: "primary_metric", Value: ask("metric", "Which metric does the sweep compare?", "accuracy", nil, metric)}}
	return entry
}

// policy returns when a run ends early.
func (w *jobWriter) policy(n *document.Node) (m yamlout.Map) {
	for _, e := range n.Own() {
		if e.Value.Tag() != built.Open {
			m = append(m, yamlout.Entry{Key: e.Key.Value, Value: plainValue(e.Value)})
			w.m.Ledger.Node(account.Note{For: w.j.Name, Disposition: account.Mapped, Result: "`early_termination." + e.Key.Value + "`"}, e.Value)
		}
	}
	return m
}

// limits returns the limits on the number and duration of trials.
func (w *jobWriter) limits(n *document.Node) (m yamlout.Map) {
	for _, names := range [][2]string{{"max_total_runs", "max_total_trials"}, {"max_concurrent_runs", "max_concurrent_trials"}, {"max_duration_minutes", "timeout"}} {
		f := w.tune(n, names[0])
		if !f.Explicit || f.Node.Tag() != "!!int" {
			continue
		}
		value := number(f.Text)
		if names[1] == "timeout" {
			value *= 60 // to seconds
		}
		m = m.Set(names[1], value)
		w.m.Ledger.Map(w.j.Name, "`limits."+names[1]+"`", "", f)
	}
	m = m.Fill("trial_timeout", w.j.Timeout)
	if len(m) == 0 || m[0].Key != "max_total_trials" {
		m = append(yamlout.Map{{Key: "max_total_trials", Value: mostTrials}}, m...)
	}
	return m
}

// mostTrials is v2's maximum number of trials, and its default. Source: azure-ai-docs reference-yaml-job-sweep.md.
const mostTrials = 1000
