package tracking

import (
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/python"
)

const (
	// current is the run that MLflow logs to: one that is open already, or the job's.
	current = "(mlflow.active_run() or mlflow.start_run())"
	// idOfRun and nameOfExperiment hold no quotes and no braces: an f-string may have
	// them.
	idOfRun          = current + ".info.run_id"
	nameOfExperiment = "mlflow.get_experiment(" + current + ".info.experiment_id).name"
	// outside is true where there is no job, as Run.get_context says by another kind of
	// run.
	outsideOfJob = `("MLFLOW_RUN_ID" not in os.environ)`
)

// attribute rewrites what is asked of the run without a call: run.id, and
// run.experiment.name. at is the index of the attribute.
func (w *writer) attribute(s *python.Statement, begin, at int) (e Edit, ok bool) {
	t := s.Tokens
	start, next := t[begin].At, i0(t, at+1)
	switch {
	case next == "=" || w.commented(t[begin:at+1]):
	case t[at].Text == "id" && next == ".":
		if end := offline(t, at+1); end > 0 && !w.commented(t[begin:end+1]) && w.module("os", start) {
			text := outsideOfJob
			if (begin == 0 || slices.Contains([]string{"(", "=", "if", "elif", "return"}, t[begin-1].Text)) && (end == len(t)-1 || t[end+1].Text == ")" || t[end+1].Text == ":") {
				text = text[1 : len(text)-1] // nothing else is beside it
			}
			return Edit{start, t[end].End, text}, true
		}
		return Edit{start, t[at].End, idOfRun}, true
	case t[at].Text == "id":
		return Edit{start, t[at].End, idOfRun}, true
	case t[at].Text == "experiment" && next == "." && i0(t, at+2) == "name" && i0(t, at+3) != "=" && !w.commented(t[begin:at+3]):
		return Edit{start, t[at+2].End, nameOfExperiment}, true
	}
	return e, false
}

// offline returns the index of the last token of .startswith("OfflineRun"), which
// begins at a place; 0 for anything else.
func offline(t []token, at int) (end int) {
	if i0(t, at) == "." && i0(t, at+1) == "lower" && i0(t, at+2) == "(" && i0(t, at+3) == ")" {
		at += 4
	}
	if i0(t, at) != "." || i0(t, at+1) != "startswith" || i0(t, at+2) != "(" || i0(t, at+4) != ")" {
		return 0
	}
	if prefix, ok := python.Literal(t[at+3 : at+4]); !ok || !strings.EqualFold(strings.TrimSuffix(prefix, "_"), "OfflineRun") {
		return 0
	}
	return at + 4
}
