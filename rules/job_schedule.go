package rules

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/reference"
)

var jobSchedule = Rule{
	ID:       "job/schedule",
	Severity: finding.Error,
	Since:    "2026-11-26",
	Doc:      "A schedule runs a job that is not a pipeline, has an invalid time or time zone, or names days or months that Azure ML ignores.",
	Why: `Azure ML reads five fields of a cron expression: minutes, hours, days, months and days of the week. It ignores
days and months without a word, so "0 9 1 * *", meant for the first of each month, runs the job every day. The client
does not check the times of a schedule, and takes any text for its time zone. It stops at jobs other than pipelines.`,
	Remedy: "With --unsafe, writes the time zone that a misspelled one resembles.",
	Facts:  []string{"limits", "windows_zones"},
	Bad: `
-- schedule.yml --
$schema: https://azuremlschemas.azureedge.net/latest/schedule.schema.json
name: nightly
trigger:
  type: cron
  expression: "0 25 * * *"
create_job: azureml:training
`,
	Good: `
-- schedule.yml --
$schema: https://azuremlschemas.azureedge.net/latest/schedule.schema.json
name: nightly
trigger:
  type: cron
  expression: "0 23 * * *"
create_job: azureml:training
`,
	Check: func(p *Pass) {
		for _, f := range p.shared.v2 {
			root := f.Root().Resolve()
			switch f.V2 {
			case "schedule":
				scheduled(p, f)
				triggered(p, f, root.Get("trigger").Resolve())
			case "feature-set":
				triggered(p, f, root.Get("materialization_settings").Resolve().Get("schedule").Resolve())
			case "compute":
				for _, one := range root.Get("schedules").Resolve().Get("compute_start_stop").Resolve().List() {
					triggered(p, f, one.Resolve().Get("trigger").Resolve())
				}
			}
		}
	},
}

// triggered reports the times of a trigger that do not exist or are ignored.
func triggered(p *Pass, f *schema.File, trigger *document.Node) {
	cron(p, f, trigger.Get("expression").Resolve())
	times(p, f, trigger)
	timeZone(p, f, trigger)
	pattern := trigger.Get("schedule").Resolve()
	for _, part := range []timePart{hours, minutes, monthDays} {
		recurring(p, f, part, pattern.Get(part.name).Resolve())
	}
}

// timePart is a part of a time, and the row of table limits with the last number that it can be; Azure ML ignores parts
// without one.
type timePart struct{ name, limit string }

func (t timePart) last() int {
	l, _ := catalog.LookupLimit(t.limit)
	return l.Most
}

func (t timePart) first() int {
	l, _ := catalog.LookupLimit(t.limit)
	return l.Least
}

var (
	minutes    = timePart{"minutes", "schedule-minutes"}
	hours      = timePart{"hours", "schedule-hours"}
	monthDays  = timePart{"month_days", "schedule-month-days"}
	cronFields = []timePart{minutes, hours, {name: "days"}, {name: "months"}, {"days of the week", "schedule-weekdays"}}
)

// scheduled reports a job that the client does not schedule, if its file is in the project.
func scheduled(p *Pass, f *schema.File) {
	at := schema.FieldAt(f, f.Root(), "create_job")
	if own := at.Node.Resolve(); own.IsMapping() {
		at = schema.FieldAt(f, own, "job")
		if strings.HasPrefix(at.Text, "azureml:") && own.Get("type") == nil && !own.Merges() && !nearly(own, []string{"type"}) {
			p.report(at.Location(`"type" is missing above or below this, and Azure ML needs it for a job that is not in a file: write type: pipeline, command or spark, as the job has it`), nil)
		}
	}
	job := p.Project.Linked("job", at)
	if job == nil || job.V2 != "job" || job.Broken() || reference.Parse(at.Text).Kind != reference.Path {
		return
	}
	kind := strings.ToLower(job.Root().Get("type").Text())
	if kind == "" && job.Root().Get("command") != nil {
		kind = "command"
	}
	if slices.Contains([]string{"command", "sweep", "automl", "spark"}, kind) {
		p.report(at.Location(fmt.Sprintf("the Azure ML client schedules only pipelines, and %q is a job of type %s: make the job a step of a pipeline", shown(at.Text), kind)), nil)
	}
}

// cron reports what is wrong with a cron expression.
func cron(p *Pass, f *schema.File, n *document.Node) {
	if !n.IsString() || strings.ContainsAny(n.Value, "${") {
		return
	}
	at := finding.Location{Source: f.Source, Span: n.Span}
	fields := strings.Fields(n.Value)
	if len(fields) != len(cronFields) {
		at.Message = fmt.Sprintf("a cron expression has five fields, but this one has %d: write minutes, hours, *, * and days of the week", len(fields))
		p.report(at, nil)
		return
	}
	for i, field := range fields {
		part := cronFields[i]
		switch bad := beyond(field, part.last()); {
		case part.limit == "" && field != "*" && field != "?" && f.V2 == "schedule":
			at.Message = fmt.Sprintf("Azure ML ignores the %s of a cron expression and reads %s as *: write *, or a trigger of type recurrence", part.name, shown(field))
			p.reportAs(finding.Warning, at, nil)
			return
		case strings.HasPrefix(field, "*") && strings.Trim(field, "*0123456789") == "" && field != "*":
			at.Message = fmt.Sprintf("a cron expression cannot have %s as its %s: write *, a number, or */N for every Nth", shown(field), part.name)
			p.report(at, nil)
			return
		case part.limit != "" && bad != "":
			at.Message = fmt.Sprintf("the %s of a cron expression are 0 to %d, not %s", part.name, part.last(), shown(bad))
			p.report(at, nil)
			return
		}
	}
}

var (
	cronNumber = plain.Regexp{Text: `\d+`}
	cronStep   = plain.Regexp{Text: `/\d+`}
)

// beyond returns the first number in a field of a cron expression that is greater than the last one possible, or "".
// The number after a slash is a step.
func beyond(field string, last int) string {
	for _, number := range cronNumber.Get().FindAllString(cronStep.Get().ReplaceAllString(field, ""), -1) {
		if n, err := strconv.Atoi(number); err != nil || n > last {
			return number
		}
	}
	return ""
}

// recurring reports hours, minutes or days of a recurrence that do not exist.
func recurring(p *Pass, f *schema.File, part timePart, n *document.Node) {
	list := []*document.Node{n}
	if n.IsSequence() {
		list = n.Items()
	}
	for _, item := range list {
		number, err := strconv.Atoi(item.Resolve().Text())
		if part == monthDays && number < 0 {
			continue // days from the end of the month
		}
		if err == nil && (number < part.first() || number > part.last()) {
			p.report(finding.Location{Source: f.Source, Span: item.Span, Message: fmt.Sprintf("the %s of a schedule are %d to %d, not %d", strings.ReplaceAll(part.name, "_", " "), part.first(), part.last(), number)}, nil)
		}
	}
}
