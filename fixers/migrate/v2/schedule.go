package v2

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/amlfix/amlfix/fixers/migrate"
	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/fixers/migrate/built"
	"github.com/amlfix/amlfix/fixers/migrate/yamlout"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/plain"
)

// schedule writes a schedule for a pipeline that is also written. If a value is not literal, it does not guess and
// writes nothing.
func (w *assetWriter) schedule() {
	p := w.m.Scheduled(w.a)
	trigger, why := w.trigger()
	if why != "" {
		all := []schema.Field{}
		for _, e := range w.a.File.Root().Entries() {
			all = append(all, w.a.Field(e.Key.Value))
		}
		why = "no schedule is written, because " + why + ": write it yourself, with trigger and create_job"
		w.m.Refused = append(w.m.Refused, migrate.Skipped{File: w.place(), Why: why, Job: true})
		w.m.Ledger.Drop(w.a.Name, why, all...)
		return
	}
	w.body = schemaOf("schedule")
	if name := w.a.Field("name"); name.Explicit && name.Text != w.a.Name {
		w.body = w.body.Set("name", w.a.Name).Set("display_name", name.Text)
		w.m.Ledger.Map(w.a.Name, "`display_name`", "", name)
	} else {
		w.name("schedule")
	}
	w.take("description", "description")
	job := yamlout.Map{}.Set("type", "pipeline").Set("job", "job-"+p.Name+".yml")
	if f := w.a.Field("experiment_name"); f.Explicit {
		job = job.Set("experiment_name", f.Text)
		w.m.Ledger.Map(w.a.Name, "`create_job.experiment_name`", "", f)
	}
	var inputs yamlout.Map
	for _, e := range w.a.Field("pipeline_parameters").Node.Own() {
		for _, in := range p.Inputs {
			if in.Of == e.Key.Value && e.Value.Kind == document.Scalar && e.Value.Tag() != built.Open {
				inputs = inputs.Set(in.Name, plainValue(e.Value))
				w.m.Ledger.Node(account.Note{For: w.a.Name, Disposition: account.Mapped, Result: "`create_job.inputs." + in.Name + "`"}, e.Value)
			}
		}
	}
	job = job.Fill("inputs", inputs)
	if f := w.a.Field("continue_on_step_failure"); f.Node != nil && f.Node.Tag() == "!!bool" {
		job = job.Set("settings", yamlout.Map{}.Set("continue_on_step_failure", f.Text == "true"))
		w.m.Ledger.Map(w.a.Name, "`create_job.settings.continue_on_step_failure`", "", f)
	}
	w.m.Write("schedule-"+w.a.Name+".yml", yamlout.Bytes(w.head, w.body.Set("trigger", trigger).Set("create_job", job)))
}

// frequencies are v2's frequencies, which are the same in SDK v1.
var frequencies = []string{"minute", "hour", "day", "week", "month"}

// timeOfDay matches hh:mm.
var timeOfDay = plain.Regexp{Text: `^([01]?\d|2[0-3]):([0-5]\d)$`}

// trigger returns when the pipeline is started, or why that is not known.
func (w *assetWriter) trigger() (m yamlout.Map, why string) {
	f := w.a.Field
	if f("datastore").Explicit || w.a.Open("datastore").Explicit {
		return nil, "v2 has no trigger for changes of a datastore"
	}
	for _, e := range w.a.File.Root().Entries() {
		if isOpen(e.Value) && e.Key.Value != "pipeline_parameters" && !strings.HasPrefix(e.Key.Value, "name ") {
			name, _, _ := strings.Cut(e.Key.Value, " ")
			return nil, account.Name(name) + " is not a literal"
		}
	}
	frequency, interval := strings.ToLower(f("frequency").Text), f("interval")
	n, err := strconv.Atoi(interval.Text)
	zone, known := zoneOf(f("time_zone").Text)
	switch {
	case !slices.Contains(frequencies, frequency) || err != nil || n < 1:
		return nil, "frequency and interval are not those of a recurrence"
	case f("start_time").Explicit && !isTime(f("start_time").Text):
		return nil, "the start time " + account.Name(f("start_time").Text) + " is not in SDK v1's form, such as 2025-01-31T08:00:00"
	case !known:
		return nil, "the time zone " + account.Name(f("time_zone").Text) + " is not one of SDK v1's"
	}
	m = m.Set("type", "recurrence").Set("frequency", frequency).Set("interval", n)
	pattern, why := w.pattern(frequency)
	if why != "" {
		return nil, why
	}
	m = m.Fill("schedule", pattern)
	w.m.Ledger.Map(w.a.Name, "`trigger`", "", account.Given(f("frequency"), interval, f("start_time"), f("time_zone"))...)
	if start := f("start_time"); start.Explicit {
		m = m.Set("start_time", start.Text)
	}
	m = m.Fill("time_zone", zone)
	return m, ""
}

// isTime reports whether a text is a time as SDK v1 took it.
func isTime(text string) bool {
	return slices.ContainsFunc([]string{"2006-01-02T15:04:05", "2006-01-02T15:04"}, func(form string) bool {
		_, err := time.Parse(form, text)
		return err == nil
	})
}

// pattern returns the times of a day or week; v2 accepts hours only with minutes.
func (w *assetWriter) pattern(frequency string) (m yamlout.Map, why string) {
	hours, minutes, days, at := w.a.Field("hours"), w.a.Field("minutes"), w.a.Field("week_days"), w.a.Field("time_of_day")
	hm := timeOfDay.Get().FindStringSubmatch(at.Text)
	given := account.Given(hours, minutes, days, at)
	switch {
	case len(given) == 0:
		return nil, ""
	case frequency != "day" && frequency != "week":
		return nil, "SDK v1 took times of a day only for the frequencies Day and Week"
	case hm != nil && !hours.Explicit && !minutes.Explicit:
		m = m.Set("hours", yamlout.List{number(hm[1])}).Set("minutes", yamlout.List{number(hm[2])})
	case hours.Explicit && minutes.Explicit && !at.Explicit:
		m = m.Set("hours", items(hours)).Set("minutes", items(minutes))
	default:
		return nil, "v2 needs both hours and minutes, and SDK v1 took the missing ones from the start time"
	}
	if days.Explicit {
		m = m.Set("week_days", items(days))
	}
	w.m.Ledger.Map(w.a.Name, "`trigger.schedule`", "", given...)
	return m, ""
}

// isOpen reports whether a value, or an item of it, is not literal.
func isOpen(n *document.Node) bool {
	return n.Tag() == built.Open || slices.ContainsFunc(n.Items(), isOpen)
}

// items returns the numbers or days in a list, or a single one.
func items(f schema.Field) (list yamlout.List) {
	nodes := f.Node.Items()
	if f.Node.Kind == document.Scalar {
		nodes = []*document.Node{f.Node}
	}
	for _, n := range nodes {
		if i, err := strconv.Atoi(n.Value); err == nil {
			list = append(list, i)
		} else {
			list = append(list, strings.ToLower(n.Value))
		}
	}
	return list
}

// zoneOf returns v2's name for a time zone of SDK v1: the same words, except those in the catalog.
func zoneOf(name string) (zone string, known bool) {
	if name == "" || name == "UTC" || strings.Contains(name, " ") {
		return name, true
	}
	if zone, known = catalog.TimeZone(name); known {
		return zone, true
	}
	return wordEnd.Get().ReplaceAllString(name, "$1 $2"), zoneWords.Get().MatchString(name)
}

var (
	wordEnd   = plain.Regexp{Text: `([a-z])([A-Z])`}
	zoneWords = plain.Regexp{Text: `^([A-Z][a-z]+)+StandardTime$`}
)
