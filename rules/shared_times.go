package rules

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/format"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/template"
)

// times reports a trigger's start and end that do not exist, or are in the wrong order.
func times(p *Pass, f *schema.File, trigger *document.Node) {
	var at [2]schema.Field
	var when [2]time.Time
	for i, key := range []string{"start_time", "end_time"} {
		at[i] = schema.FieldAt(f, trigger, key)
		if !at[i].Node.IsString() || !dateTime.Get().MatchString(at[i].Text) {
			return
		}
		var err error
		if when[i], err = moment(at[i].Text); err != nil {
			p.report(at[i].Location(shown(at[i].Text)+" does not exist: correct the date or the time"), nil)
			return
		}
	}
	if when[1].Before(when[0]) {
		p.report(at[1].Location("the schedule ends before it starts, so it never runs"), nil, at[0].Location("it starts then"))
	}
}

// dateTime matches the dates with times that the Azure ML client accepts, without time zones.
var dateTime = plain.Regexp{Text: `^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?$`}

func moment(text string) (time.Time, error) {
	text = strings.Replace(text, " ", "T", 1)
	return time.Parse("2006-01-02T15:04:05"[:len(text)], text)
}

// timeZone reports a trigger's time zone that the service does not know: it takes the names of Windows, and newer ones
// than the client lists may exist.
func timeZone(p *Pass, f *schema.File, trigger *document.Node) {
	zone := schema.FieldAt(f, trigger, "time_zone")
	known := catalog.TimeZones()
	if !zone.Node.IsString() || zone.Text == "" || template.In(zone.Text) || slices.ContainsFunc(known, func(name string) bool { return strings.EqualFold(name, zone.Text) }) {
		return
	}
	if near := format.Nearest(zone.Text, known); len(near) == 1 && !strings.HasPrefix(near[0], "UTC") { // a digit makes another zone
		p.report(zone.Location(fmt.Sprintf("%q is not a time zone: did you mean %q?", shown(zone.Text), near[0])), zone.Fix(finding.Text(near[0]), finding.Unsafe, fmt.Sprintf("write %q", near[0])))
	} else if !strings.HasSuffix(strings.ToLower(zone.Text), " time") {
		p.reportAs(finding.Warning, zone.Location(fmt.Sprintf("Azure ML uses the time zones of Windows, such as \"W. Europe Standard Time\", and may not know %q", shown(zone.Text))), nil)
	}
}
