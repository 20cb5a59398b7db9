package migrate

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/fixers/migrate/built"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/secret"
	"github.com/amlfix/amlfix/schema/template"
)

// hyperdriveFile is what Related calls a HyperDrive configuration.
const hyperdriveFile = "settings of HyperDrive"

// Sweep is a HyperDrive configuration, as "az ml run submit-hyperdrive" accepted it.
type Sweep struct {
	File *schema.File
	// Root has the usable keys of File, under the names that package built uses for those of HyperDriveConfig.
	Root *document.Node

	lines []submission // that name it
}

// findSweeps returns the sweeps of each run configuration: those that submissions name, and those that a decision
// assigns to it. Only v2 has sweeps.
func (m *Migration) findSweeps(found []Related, chosen []*schema.Job) map[*schema.Job][]*Sweep {
	if m.Emitter.Format() != "v2" {
		return nil
	}
	var files []*schema.File
	for _, r := range found {
		if r.What == hyperdriveFile {
			if f := m.hyperdrive(r.File); f != nil {
				files = append(files, f)
			}
		}
	}
	sweeps := map[*schema.Job][]*Sweep{}
	for _, f := range files {
		used := false
		for _, s := range chosen {
			lines := slices.DeleteFunc(m.linesOf(s), func(l submission) bool { return l.sweep == "" || meant(l.sweep, files) != f })
			if len(lines) > 0 && (s.File.Of == "" || s.File.Of == ofLine) {
				sweeps[s] = append(sweeps[s], &Sweep{File: f, lines: lines})
				used = true
			}
		}
		if s := m.askSwept(f, chosen); !used && s != nil {
			sweeps[s] = append(sweeps[s], &Sweep{File: f})
		}
	}
	for _, list := range sweeps {
		slices.SortStableFunc(list, func(a, b *Sweep) int { return cmp.Compare(len(b.lines), len(a.lines)) })
	}
	return sweeps
}

// hyperdrive reads a HyperDrive configuration, or returns nil for a file that the CLI v1 would have rejected.
func (m *Migration) hyperdrive(name string) *schema.File {
	f := m.Project.FileAt(way(m.Project.Root, name))
	if f == nil {
		f = m.parsed(name)
	}
	if f == nil || f.Err != nil || f.Broken() || f.Of != "" || len(f.Stream.Documents) != 1 || !f.Root().Get("sampling").IsMapping() {
		return nil
	}
	return f
}

// meant returns the file that a command line names: by its path or, as in the CLI v1, by the end of its name; nil if
// there is not exactly one.
func meant(name string, files []*schema.File) (found *schema.File) {
	for _, f := range files {
		if f.Rel == path.Clean(name) {
			return f
		}
	}
	for _, f := range files {
		if !strings.HasSuffix(path.Base(f.Rel), name) {
			continue
		}
		if found != nil {
			return nil
		}
		found = f
	}
	return found
}

// askSwept asks which run configuration belongs to a file that no command line names.
func (m *Migration) askSwept(f *schema.File, chosen []*schema.Job) *schema.Job {
	if len(m.Options.Configs) > 0 || slices.ContainsFunc(slices.Concat(m.submitted, m.alone), func(s submission) bool { return s.sweep != "" && meant(s.sweep, []*schema.File{f}) != nil }) {
		return nil
	}
	var names []string
	var jobs []*schema.Job
	for _, s := range chosen {
		if s.File.Of == "" && s.Dialect == schema.SDKv1 && !slices.Contains(names, s.Name) {
			names, jobs = append(names, s.Name), append(jobs, s)
		}
	}
	if len(jobs) == 0 {
		return nil
	}
	q := account.Question{ID: "sweep", Scope: f.Rel, Ask: "Which run configuration does " + account.Name(f.Rel) + " sweep?", Choices: append(slices.Clip(names), "none"), Default: "none",
		Why: "it contains HyperDrive settings, but no `az ml run submit-hyperdrive` uses it"}
	if len(names) == 1 {
		q.Default = names[0]
	}
	answer, _ := m.Decide(q)
	if i := slices.Index(names, answer); i >= 0 {
		return jobs[i]
	}
	return nil
}

// linesOf returns the lines that submit a job.
func (m *Migration) linesOf(s *schema.Job) []submission {
	if line, ok := m.lines[s.File]; ok {
		return []submission{line}
	}
	return m.submissionsOf(s)
}

// readSwept reads a run configuration, and again for each of its sweeps. If all lines sweep it, there is no job without
// a sweep.
func (m *Migration) readSwept(s *schema.Job, sweeps []*Sweep) {
	if l := m.lowered[s.File]; l != nil {
		m.Jobs = append(m.Jobs, m.read(s, l.name, nil))
		return
	}
	submitted := m.linesOf(s)
	alone := len(submitted) == 0 || slices.ContainsFunc(submitted, func(l submission) bool { return l.sweep == "" })
	named := slices.ContainsFunc(sweeps, func(w *Sweep) bool { return len(w.lines) > 0 })
	if plain := alone || !named; plain {
		j := m.read(s, m.nameOf(s), submitted)
		m.Jobs = append(m.Jobs, j)
		m.askLine(j, submitted, named)
	}
	for _, w := range sweeps {
		name, lines := m.nameOf(s), w.lines
		if len(m.Jobs) > 0 && m.Jobs[len(m.Jobs)-1].Source == s {
			name += "-sweep"
		}
		if len(lines) == 0 {
			lines = submitted
		}
		j := m.read(s, name, lines)
		m.Jobs = append(m.Jobs, j)
		m.askLine(j, lines, true)
		m.readSweep(j, w)
	}
}

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
	s.Root = &document.Node{Kind: document.Mapping, Tag: "!!map", Dash: -1, Span: root.Span}
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
	answer, open := m.Decide(account.Question{ID: "max-trials", Scope: j.Name, Ask: "How many trials does the sweep run at most?", Example: "20",
		Why: "the CLI v1 required a whole number as max_total_runs in " + account.Name(j.Sweep.File.Rel)})
	m.Ledger.Decide(j.Name, "`limits.max_total_trials`", "max-trials", f)
	if open {
		return
	}
	if n, err := strconv.Atoi(answer); err != nil || n < 1 {
		m.fail(&AnswerError{"max-trials=" + secret.HideValue(answer) + ": the answer must be a whole number, at least 1"})
		return
	}
	n := text(answer, j.Sweep.File.Root())
	n.Tag = "!!int"
	t.root.Entries = append(t.root.Entries, document.Entry{Key: text("max_total_runs", n), Value: n})
}

// sampled reads how parameters are sampled, and from which space.
func (m *Migration) sampled(j *Job, t tree) {
	f := j.Sweep.File
	sampling := f.Root().Get("sampling").Resolve()
	kind := sampling.Get("type")
	choices := []string{"random", "grid", "bayesian"}
	name := ""
	if plainText(kind) {
		name = strings.ToLower(kind.Resolve().Value)
	}
	if slices.Contains(choices, name) {
		t.put("sampling", kind, text(name, kind))
	} else {
		answer, open := m.Decide(account.Question{ID: "sampling", Scope: j.Name, Ask: "How does the sweep choose parameters?", Choices: choices,
			Why: account.Name(f.Rel) + " contains no sampling method that HyperDrive supported"})
		m.Ledger.Decide(j.Name, "`sampling_algorithm`", "sampling", schema.FieldAt(f, sampling, "type"))
		if !open {
			n := text(answer, sampling)
			t.root.Entries = append(t.root.Entries, document.Entry{Key: text("sampling", n), Value: n})
		}
	}
	if list := sampling.Get("parameter_space").Resolve(); list.IsSequence() {
		if space := m.space(list); space != nil {
			t.root.Entries = append(t.root.Entries, document.Entry{Key: text("space", list), Value: space})
			return
		}
	}
	m.Ledger.Decide(j.Name, "`search_space`", "search-space", schema.FieldAt(f, sampling, "parameter_space"))
}

// space returns the parameters with their distributions, or nil if one of them is not known, because an incomplete
// space is a different sweep.
func (m *Migration) space(list *document.Node) *document.Node {
	space := &document.Node{Kind: document.Mapping, Tag: "!!map", Dash: -1, Span: list.Span}
	for _, item := range list.Items {
		name, drawn := m.drawn(item.Resolve())
		if drawn == nil || space.Get(name) != nil {
			return nil
		}
		space.Entries = append(space.Entries, document.Entry{Key: text(name, item), Value: drawn})
	}
	return space
}

// drawn returns the name of a parameter and its distribution with v2's keys, or nil if HyperDrive would have rejected
// it.
func (m *Migration) drawn(item *document.Node) (name string, drawn *document.Node) {
	key, expression, values := item.Get("name"), item.Get("expression"), item.Get("values")
	if !plainText(key) || !plainText(expression) || built.Arguments(expression.Resolve().Value) == nil || !values.Resolve().IsSequence() {
		return "", nil
	}
	kind, given := expression.Resolve().Value, values.Resolve().Items
	drawn = &document.Node{Kind: document.Mapping, Tag: "!!map", Dash: -1, Span: item.Span}
	add := func(key string, n *document.Node) {
		drawn.Entries = append(drawn.Entries, document.Entry{Key: text(key, item), Value: n})
	}
	add("type", text(kind, expression))
	if kind == "choice" {
		if len(given) == 1 && given[0].Resolve().IsSequence() {
			given = given[0].Resolve().Items
		}
		list := &document.Node{Kind: document.Sequence, Tag: "!!seq", Dash: -1, Span: values.Span}
		for _, v := range given {
			if v = v.Resolve(); v.Kind != document.Scalar || v.IsNull() || open(v) {
				return "", nil
			}
			list.Items = append(list.Items, v)
		}
		add("values", list)
	} else {
		names := built.Arguments(kind)
		if len(names) != len(given) {
			return "", nil
		}
		for i, v := range given {
			v = v.Resolve()
			if v.Tag != "!!int" && v.Tag != "!!float" {
				return "", nil
			}
			add(names[i], v)
		}
	}
	if len(given) == 0 {
		return "", nil
	}
	m.Ledger.Stands(drawn, key, expression, values)
	return key.Resolve().Value, drawn
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
			complete = complete && (n.Tag == "!!int" || n.Tag == "!!float")
		}
	}
	if complete && (known.name == "bandit" && !has["slack_factor"] && !has["slack_amount"] || known.name == "truncation_selection" && !has["truncation_percentage"]) {
		complete = false
	}
	if !complete {
		m.Decide(account.Question{ID: "early-termination", Scope: j.Name, Ask: "When do trials of the sweep end early?", Choices: []string{"never"},
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

// open reports whether a value is filled in before the file is used, or must not be copied.
func open(n *document.Node) bool {
	return n.Kind == document.Scalar && (template.In(n.Value) || secret.Contains(n.Value))
}

// plainText reports whether a node is a literal string.
func plainText(n *document.Node) bool {
	n = n.Resolve()
	return n != nil && n.Kind == document.Scalar && n.Tag == "!!str" && n.Value != "" && !open(n)
}

// wholeNumber reports whether a node is a positive decimal integer.
func wholeNumber(n *document.Node) bool {
	if n = n.Resolve(); n == nil || n.Kind != document.Scalar || n.Tag != "!!int" {
		return false
	}
	i, err := strconv.Atoi(n.Value)
	return err == nil && i > 0
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
		for _, item := range items(f.Root().Get("sampling").Get("parameter_space")) {
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
