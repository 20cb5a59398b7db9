package migrate

import (
	"slices"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/fixers/migrate/built"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
)

// hyperdrivePolicies maps the lowercase names of the policies to their keys. Source: azureml-core 1.62
// azureml/_cli/run/run_commands.py.
func hyperdrivePolicies() map[string]hyperdrivePolicy {
	return map[string]hyperdrivePolicy{
		"banditpolicy":              {"bandit", []string{"evaluation_interval", "delay_evaluation", "slack_factor", "slack_amount"}},
		"medianstoppingpolicy":      {"median_stopping", []string{"evaluation_interval", "delay_evaluation"}},
		"truncationselectionpolicy": {"truncation_selection", []string{"evaluation_interval", "delay_evaluation", "truncation_percentage"}},
		"noterminationpolicy":       {"", nil},
	}
}

type hyperdrivePolicy struct {
	name string
	keys []string
}

// readSweep reads the sweep of a job.
func (m *Migration) readSweep(j *Job, s *Sweep) {
	m.Ledger.Add(s.File)
	root := s.File.Root()
	if j.Spark {
		m.Ledger.Node(account.Note{For: j.Name, Disposition: account.Dropped, Why: "v2 sweeps only command jobs, and this is a Spark job"}, root)
		return
	}
	s.Root = document.NewMapping(root.Span)
	j.Sweep = s
	t := tree{m: m, root: s.Root}
	m.sampled(j, t)
	m.stopped(j, t)
	if n := root.Get("primary_metric_name"); plainText(n) {
		t.put("primary_metric_name", n, n.Resolve())
	} else {
		m.Ledger.Decide(j.Name, "`objective`", "metric", schema.FieldAt(s.File, root, "primary_metric_name"))
	}
	if n := root.Get("primary_metric_goal"); plainText(n) && slices.Contains([]string{"maximize", "minimize"}, strings.ToLower(n.Resolve().Value)) {
		t.put("goal", n, text(strings.ToLower(n.Resolve().Value), n))
	} else {
		m.Ledger.Decide(j.Name, "`objective`", "goal", schema.FieldAt(s.File, root, "primary_metric_goal"))
	}
	for _, key := range []string{"max_total_runs", "max_concurrent_runs", "max_duration_minutes"} {
		switch n := root.Get(key); {
		case wholeNumber(n):
			t.put(key, n, n.Resolve())
		case key == "max_total_runs":
			m.askTrials(j, t)
		case n != nil && !n.Resolve().IsNull():
			m.Ledger.Drop(j.Name, "not a whole number", schema.FieldAt(s.File, root, key))
		}
	}
}

// askTrials asks for the number of trials if the file does not say.
func (m *Migration) askTrials(j *Job, t tree) {
	f := schema.FieldAt(j.Sweep.File, j.Sweep.File.Root(), "max_total_runs")
	trials, open := m.DecideNumber(&account.Question{ID: "max-trials", Scope: j.Name, Ask: "How many trials does the sweep run at most?", Example: "20",
		Why: "the CLI v1 required a whole number as max_total_runs in " + account.Name(j.Sweep.File.Rel)}, 1)
	m.Ledger.Decide(j.Name, "`limits.max_total_trials`", "max-trials", f)
	if open {
		return
	}
	n := text(strconv.Itoa(trials), j.Sweep.File.Root())
	n.SetTag("!!int")
	t.root.AddEntry(text("max_total_runs", n), n)
}

// stopped reads when runs end early.
func (m *Migration) stopped(j *Job, t tree) {
	f := j.Sweep.File
	policy := f.Root().Get("policy").Resolve()
	kind := policy.Get("type")
	if !policy.IsMapping() || kind == nil {
		return
	}
	known, ok := hyperdrivePolicies()[strings.ToLower(kind.Resolve().Text())]
	complete := ok
	has := map[string]bool{}
	for _, key := range known.keys {
		if n := policy.Get(key).Resolve(); n != nil && !n.IsNull() {
			has[key] = true
			complete = complete && built.IsNumber(n, !strings.HasPrefix(key, "slack_"))
		}
	}
	if complete && (known.name == "bandit" && !has["slack_factor"] && !has["slack_amount"] || known.name == "truncation_selection" && !has["truncation_percentage"]) {
		complete = false
	}
	if !complete {
		m.Decide(&account.Question{ID: "early-termination", Scope: j.Name, Ask: "When do trials of the sweep end early?", Choices: []string{"never"},
			Why: account.Name(f.Rel) + ":" + strconv.Itoa(f.Source.LineAt(policy.Span.Start)) + " has a policy that HyperDrive could not read: fix it there, or answer `never`"})
		m.Ledger.Node(account.Note{For: j.Name, Disposition: account.Decided, Result: "no `early_termination`", Why: "decision `early-termination`"}, policy)
		return
	}
	if known.name == "" {
		m.Ledger.Map(j.Name, "no `early_termination`", "", schema.FieldAt(f, policy, "type"))
		return
	}
	t.put(keys("policy", "type"), kind, text(known.name, kind))
	for _, key := range known.keys {
		if has[key] {
			t.put(keys("policy", key), policy.Get(key), policy.Get(key).Resolve())
		}
	}
}

// hyperdriveReader is the command that read HyperDrive configurations.
const hyperdriveReader = "`az ml run submit-hyperdrive`"

// tellSweeps records why keys of the sweeps were not used.
func (m *Migration) tellSweeps() {
	said := map[*schema.File]bool{}
	for _, j := range m.Jobs {
		if j.Sweep == nil || said[j.Sweep.File] {
			continue
		}
		f := j.Sweep.File
		said[f] = true
		m.tellUnread(f, f.Root(), hyperdriveReader, "sampling", "policy", "primary_metric_name", "primary_metric_goal", "max_total_runs", "max_concurrent_runs", "max_duration_minutes")
		m.tellUnread(f, f.Root().Get("sampling").Resolve(), hyperdriveReader, "type", "parameter_space")
		for _, item := range f.Root().Get("sampling").Get("parameter_space").List() {
			m.tellUnread(f, item.Resolve(), hyperdriveReader, "name", "expression", "values")
		}
		policy := f.Root().Get("policy").Resolve()
		m.tellUnread(f, policy, hyperdriveReader, append([]string{"type"}, hyperdrivePolicies()[strings.ToLower(policy.Get("type").Resolve().Text())].keys...)...)
	}
}

// tellUnread records, for the keys of a mapping other than names, that their reader did not read them.
func (m *Migration) tellUnread(f *schema.File, n *document.Node, reader string, names ...string) {
	for _, e := range n.Own() {
		if field := schema.FieldAt(f, n, e.Key.Value); !slices.Contains(names, e.Key.Value) && m.Ledger.Unknown(field) {
			m.Ledger.Node(account.Note{Disposition: account.Dropped, Why: "not a key that " + reader + " read (" + account.Place(field) + ")"}, e.Value)
		}
	}
}
