package built

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/amlfix/amlfix/schema/python"
)

// schedule reads Schedule.create for a pipeline of the program; Root remains nil for another pipeline.
func (b *builder) schedule(th *Thing) {
	c := th.object.call
	v := b.arg(c, map[string]string{"create": "pipeline_id", "create_for_pipeline_endpoint": "pipeline_endpoint_id"}[th.object.method], 2)
	if th.Uses = b.scheduled(v.object); th.Uses == nil {
		return
	}
	th.Kind, th.Root = Schedule, mapping(th.object.tokens)
	for place, name := range scheduleParameters {
		if name != "" && name != "recurrence" {
			b.take(th.Root, name, c, name, place+1)
		}
	}
	v = b.arg(c, "recurrence", 4)
	if v.object == nil || v.object.class != "ScheduleRecurrence" || v.object.base != nil {
		b.put(th.Root, "recurrence", value{tokens: v.tokens})
		return
	}
	for place, name := range recurrenceParameters {
		part := b.arg(v.object.call, name, place)
		if t := python.Bare(part.tokens); name == "time_zone" && len(t) == 3 && (b.classes[t[0].Text] == "TimeZone" || b.any && t[0].Text == "TimeZone") && t[1].Text == "." {
			part.literal = scalar("!!str", t[2].Text, t)
		}
		if at := b.date(part.tokens); name == "start_time" && at != "" {
			part.literal = scalar("!!str", at, part.tokens)
		}
		b.put(th.Root, name, part)
	}
}

// date returns the time given by a call of datetime with literal numbers, in SDK v1's format, or "" for anything else.
func (b *builder) date(t []python.Token) string {
	t = python.Bare(t)
	at := slices.IndexFunc(t, func(k python.Token) bool { return k.Text == "(" })
	if at < 1 || t[at-1].Text != "datetime" || at > 3 || len(b.set["datetime"]) > 0 {
		return ""
	}
	c, ok := python.CallAt(t, at)
	parts := []any{0, 0, 0, 0, 0, 0}
	if !ok || c.End != len(t)-1 || c.Open || len(c.Keywords) > 0 || len(c.Positional) < 3 || len(c.Positional) > len(parts) {
		return ""
	}
	for i, p := range c.Positional {
		n, err := strconv.Atoi(p[0].Text)
		if err != nil || len(p) > 1 {
			return ""
		}
		parts[i] = n
	}
	return fmt.Sprintf("%04d-%02d-%02dT%02d:%02d:%02d", parts...)
}

// scheduleParameters lists the parameters of Schedule.create in azureml-pipeline-core 1.62, in order and without the
// leading workspace; "" for those that do not describe the schedule.
var scheduleParameters = []string{
	"name", "", "experiment_name", "recurrence", "description", "pipeline_parameters", "", "", "datastore", "polling_interval", "data_path_parameter_name",
	"continue_on_step_failure", "path_on_datastore",
}

// recurrenceParameters are those of ScheduleRecurrence in the same package, in order.
var recurrenceParameters = []string{"frequency", "interval", "start_time", "time_zone", "hours", "minutes", "week_days", "time_of_day"}

// scheduled returns the pipeline that a published pipeline, its endpoint or its id belongs to.
func (b *builder) scheduled(o *object) *Thing {
	for range maxDepth {
		switch {
		case o == nil:
			return nil
		case o.base != nil:
			o = o.base
		case o.class == "PipelineEndpoint" && o.method == "publish":
			o = b.arg(o.call, "pipeline", 2).object
		default:
			i := slices.IndexFunc(b.pipelines, func(th *Thing) bool { return place(th.object) == place(o) && th.Root != nil })
			if i < 0 {
				return nil
			}
			return b.pipelines[i]
		}
	}
	return nil
}
