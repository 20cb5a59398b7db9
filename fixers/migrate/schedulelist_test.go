package migrate_test

import "strings"

// scheduleSentences returns the reasons why an SDK v1 schedule is not written.
func scheduleSentences() []sentence {
	made := func(arguments string) string {
		return "-- pipe.py --\nfrom datetime import datetime\nfrom azureml.core import *\nfrom azureml.pipeline.core import *\nfrom azureml.pipeline.steps import *\n" +
			"ws = Workspace.from_config()\np = Pipeline(ws, steps=[PythonScriptStep(script_name='train.py', compute_target='cpu')])\n" +
			"Schedule.create(ws, 'nightly', p.publish('p').id, 'e', " + arguments + ")\n-- train.py --\n"
	}
	every := func(arguments string) string { return made("recurrence=ScheduleRecurrence(" + arguments + ")") }
	good := every("'Day', 1")
	const not = "no schedule is written, because "
	return []sentence{
		{text: "it starts a pipeline that is not migrated", yes: strings.Replace(good, "steps=[PythonScriptStep(script_name='train.py', compute_target='cpu')]", "f()", 1), no: good},
		{text: not, yes: every("'Day', n()"), no: good},
		{text: ": write it yourself, with trigger and create_job", yes: every("'Day', n()"), no: good},
		{text: not + "interval is not a literal", yes: every("'Day', n()"), no: good},
		{text: not + "the start time x is not in SDK v1's form, such as 2025-01-31T08:00:00", yes: every("'Day', 1, 'x'"), no: every("'Day', 1, '2020-01-01T10:00:00'")},
		{text: not + "start_time is not a literal", yes: every("'Day', 1, datetime.now()"), no: every("'Day', 1, datetime(2020, 1, 1)")},
		{text: not + "week_days is not a literal", yes: every("'Week', 1, week_days=[day()], time_of_day='1:30'"), no: every("'Week', 1, week_days=['Monday'], time_of_day='1:30'")},
		{text: not + "recurrence is not a literal", yes: made("recurrence=often()"), no: good},
		{text: not + "v2 has no trigger for changes of a datastore", yes: made("datastore=ws.get_default_datastore()"), no: good},
		{text: not + "frequency and interval are not those of a recurrence", yes: every("'Year', 1"), no: every("'month', 1")},
		{text: not + "the time zone Europe is not one of SDK v1's", yes: every("'Day', 1, time_zone=TimeZone.Europe"), no: every("'Day', 1, time_zone=TimeZone.WEuropeStandardTime")},
		{text: not + "SDK v1 took times of a day only for the frequencies Day and Week", yes: every("'Hour', 1, minutes=[5]"), no: every("'Hour', 1")},
		{text: not + "v2 needs both hours and minutes, and SDK v1 took the missing ones from the start time", yes: every("'Day', 1, hours=[5]"), no: every("'Day', 1, hours=[5], minutes=[0]")},
	}
}
