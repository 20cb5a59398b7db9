package tracking

import (
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/python"
)

const (
	// current is the run that MLflow logs to: an open one, or the job's.
	current = "(mlflow.active_run() or mlflow.start_run())"
	// idOfRun and nameOfExperiment contain no quotes or braces, so that they can be used in an f-string.
	idOfRun          = current + ".info.run_id"
	nameOfExperiment = "mlflow.get_experiment(" + current + ".info.experiment_id).name"
	// outsideOfJob is true outside a job, where Run.get_context returns another kind of run; azureml-mlflow itself uses
	// this test (_is_remote).
	outsideOfJob = `"MLFLOW_RUN_ID" not in os.environ`
	insideOfJob  = `"MLFLOW_RUN_ID" in os.environ`
)

// attribute rewrites run.id, run.get_details()["runId"] and run.experiment.name. at is the index of the attribute.
func (w *writer) attribute(s *python.Statement, begin, at int) (e Edit, ok bool) {
	t := s.Tokens
	start, next := t[begin].At, i0(t, at+1)
	switch {
	case next == "=" || w.commented(t[begin:at+1]):
	case t[at].Text == "id" && next == ".":
		if end := offline(t, at+1); end > 0 && !w.commented(t[begin:end+1]) && w.module("os", start) {
			return Edit{start, t[end].End, besides(t, begin, end, outsideOfJob)}, true
		}
		return Edit{start, t[at].End, idOfRun}, true
	case t[at].Text == "id":
		if first, text := offlineIn(t, begin); text != "" && !w.commented(t[first:at+1]) && w.module("os", start) {
			return Edit{t[first].At, t[at].End, besides(t, first, at, text)}, true
		}
		return Edit{start, t[at].End, idOfRun}, true
	case t[at].Text == "get_details" && next == "(" && i0(t, at+2) == ")" && i0(t, at+3) == "[" && i0(t, at+4) == "runId" && i0(t, at+5) == "]":
		return Edit{start, t[at+5].End, idOfRun}, true
	case t[at].Text == "experiment" && next == "." && i0(t, at+2) == "name" && i0(t, at+3) != "=" && !w.commented(t[begin:at+3]):
		return Edit{start, t[at+2].End, nameOfExperiment}, true
	}
	return e, false
}

// offline returns the index of the last token of .startswith("OfflineRun") that begins at an index; 0 for anything
// else.
func offline(t []token, at int) (end int) {
	if i0(t, at) == "." && i0(t, at+1) == "lower" && i0(t, at+2) == "(" && i0(t, at+3) == ")" {
		at += 4
	}
	if i0(t, at) != "." || i0(t, at+1) != "startswith" || i0(t, at+2) != "(" || i0(t, at+4) != ")" {
		return 0
	}
	if !isOfflineName(t[at+3]) {
		return 0
	}
	return at + 4
}

// offlineIn returns the condition for "OfflineRun" in, or not in, what begins at an index, and where it begins.
func offlineIn(t []token, begin int) (first int, text string) {
	if begin < 2 || t[begin-1].Text != "in" {
		return 0, ""
	}
	if first, text = begin-2, outsideOfJob; t[first].Text == "not" && first > 0 {
		first, text = first-1, insideOfJob
	}
	if !isOfflineName(t[first]) || first > 0 && !slices.Contains([]string{"(", "=", "if", "elif", "return", "not", "and", "or"}, t[first-1].Text) {
		return 0, ""
	}
	return first, text
}

// isOfflineName reports whether a token is the text that the ids of runs outside jobs begin with, or its first word.
func isOfflineName(t token) bool {
	text, ok := python.Literal([]token{t})
	return ok && (strings.EqualFold(strings.TrimSuffix(text, "_"), "OfflineRun") || strings.EqualFold(text, "Offline"))
}

// besides returns a condition, in parentheses unless it is the whole expression.
func besides(t []token, begin, end int, text string) string {
	if (begin == 0 || slices.Contains([]string{"(", "=", "if", "elif", "return"}, t[begin-1].Text)) && (end == len(t)-1 || t[end+1].Text == ")" || t[end+1].Text == ":") {
		return text
	}
	return "(" + text + ")"
}

// itself rewrites uses of the run as a whole: printing it, or testing whether it belongs to a job.
func (w *writer) itself(s *python.Statement, begin, last int) (e Edit, ok bool) {
	t := s.Tokens
	if begin < 2 || t[begin-1].Text != "(" || begin > 2 && t[begin-3].Text == "." {
		return e, false
	}
	first := begin - 2
	switch name := t[first].Text; {
	case name == "print" && i0(t, last+1) == ")":
		return Edit{t[begin].At, t[last].End, current[1 : len(current)-1]}, true
	case name == "isinstance" && i0(t, last+1) == ",":
		c, ok := python.CallAt(t, first+1)
		if !ok || len(c.Positional) != 2 || !w.isOffline(s, c.Positional[1]) || w.commented(t[first:c.End+1]) || !w.module("os", t[first].At) {
			return e, false
		}
		if first > 0 && t[first-1].Text == "not" {
			return Edit{t[first-1].At, t[c.End].End, besides(t, first-1, c.End, insideOfJob)}, true
		}
		return Edit{t[first].At, t[c.End].End, besides(t, first, c.End, outsideOfJob)}, true
	case name == "type" && i0(t, last+1) == ")":
		text, from := outsideOfJob, last+3
		switch i0(t, last+2) {
		case "==", "is":
			if i0(t, from) == "not" {
				text, from = insideOfJob, from+1
			}
		case "!=":
			text = insideOfJob
		default:
			return e, false
		}
		end := from
		for i0(t, end+1) == "." {
			end += 2
		}
		if end >= len(t) || !w.isOffline(s, t[from:end+1]) || w.commented(t[first:end+1]) || !w.module("os", t[first].At) {
			return e, false
		}
		return Edit{t[first].At, t[end].End, besides(t, first, end, text)}, true
	}
	return e, false
}

// isOffline reports whether a class is that of runs outside jobs.
func (w *writer) isOffline(s *python.Statement, class []token) bool {
	module, name := w.resolve(s, class)
	return name == "_OfflineRun" && module == "azureml.core.run"
}
