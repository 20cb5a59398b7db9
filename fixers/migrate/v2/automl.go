package v2

import (
	"slices"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate"
	"github.com/amlfix/amlfix/fixers/migrate/yamlout"
	"github.com/amlfix/amlfix/schema"
)

// automl writes a job that tries models. What cannot be carried over is named in its first lines.
func (w *assetWriter) automl() {
	task := w.a.Field("task")
	known, is := learners()[task.Text]
	if !is {
		const why = "no job is written: amlfix writes AutoML jobs for the tasks classification, regression and forecasting, given as a literal"
		var all []schema.Field
		for _, e := range w.a.File.Root().Entries() {
			all = append(all, w.a.Field(e.Key.Value))
		}
		w.m.Refused = append(w.m.Refused, migrate.Skipped{File: w.place(), Why: why, Job: true})
		w.m.Ledger.Drop(w.a.Name, why, all...)
		return
	}
	w.body = schemaOf("autoMLJob").Set("type", "automl").Set("display_name", w.a.Name).Set("experiment_name", w.m.ExperimentOf(w.a.Name, w.a.Experiment, w.a.File))
	w.runsOn()
	w.body = w.body.Set("task", task.Text)
	w.m.Ledger.Map(w.a.Name, "`task`", "", task)
	w.verbosity()
	if f := w.a.Field("primary_metric"); slices.Contains(known.metrics, strings.ToLower(f.Text)) {
		w.body = w.body.Set("primary_metric", strings.ToLower(f.Text))
		w.m.Ledger.Map(w.a.Name, "`primary_metric`", "", f)
	} else {
		w.m.Ledger.Drop(w.a.Name, "v2 optimizes other metrics for this task", f)
	}
	w.body = append(w.body, w.values("", learnKeys)...)
	w.label()
	for _, key := range []string{"training_data", "validation_data", "test_data"} {
		w.table(key)
	}
	w.limits()
	w.featurization()
	training := w.values("training", learnTraining)
	for _, names := range [][2]string{{"allowed_models", "allowed_training_algorithms"}, {"whitelist_models", "allowed_training_algorithms"}, {"blocked_models", "blocked_training_algorithms"}, {"blacklist_models", "blocked_training_algorithms"}} {
		if f := w.a.Field(names[0]); f.Explicit && training.Has(names[1]) {
			w.m.Ledger.Drop(w.a.Name, twice, f)
			continue
		}
		training = training.Fill(names[1], w.algorithms(names[0], names[1], known.models))
	}
	w.body = w.body.Fill("training", training)
	if task.Text == "forecasting" {
		w.body = w.body.Fill("forecasting", w.timed(w.values("forecasting", learnForecasts)))
	}
	w.body = w.submitted(w.body, w.a.Name, w.a.File)
	w.rest()
	w.m.Write("job-"+w.a.Name+".yml", yamlout.Bytes(w.head, w.body))
}
