package tracking

import "github.com/amlfix/amlfix/schema/python"

// idOfParent is the id of the parent of the job's run, in a pipeline or a sweep.
const idOfParent = `mlflow.get_run(` + idOfRun + `).data.tags["mlflow.parentRunId"]`

// client is the beginning of a call for a run other than the job's, whose id is the first argument.
const client = "mlflow.MlflowClient()."

// parent rewrites uses of the run's parent: its id, log and tag. at is the index of "parent".
func (w *writer) parent(s *python.Statement, begin, at int) (edits []Edit, why string) {
	t := s.Tokens
	method := at + 2
	if i0(t, at+1) != "." || i0(t, method) != "id" && i0(t, method+1) != "(" || w.commented(t[begin:min(method+2, len(t))]) {
		return nil, "the use of the parent run cannot be read"
	}
	start := t[begin].At
	if t[method].Text == "id" {
		if i0(t, method+1) == "=" {
			return nil, "it is assigned"
		}
		return []Edit{{start, t[method].End, idOfParent}}, ""
	}
	c, ok := newSite(s, begin, method)
	if !ok || c.open {
		return nil, "its arguments are not literals"
	}
	switch t[method].Text {
	case "tag":
		if why = w.whyNotTagged(c); why != "" {
			return nil, why
		}
		return []Edit{w.toParent(c, "set_tag")}, ""
	case "log":
		return w.logToParent(c)
	}
	return nil, ""
}

// toParent returns the edit that calls a method of MLflow's client for the parent.
func (w *writer) toParent(c *site, function string) Edit {
	t := c.s.Tokens
	return Edit{t[c.begin].At, t[c.method+1].End, client + function + "(" + idOfParent + ", "}
}

// logToParent rewrites run.parent.log(name, value).
func (w *writer) logToParent(c *site) (edits []Edit, why string) {
	given, why := c.take("name", "value", "description", "step")
	if why != "" {
		return nil, why
	}
	_, why = w.namedValue(c, given)
	step := given["step"]
	switch {
	case why == "" && numeric(w.kind(c.s, given["value"].value)):
		edits = append(edits, w.toParent(c, "log_metric"))
		if a := given["name"]; a.key != "" {
			edits = append(edits, Edit{a.name.At, a.name.End, "key"})
		}
	case why == "" || why == whyName && w.helps():
		if !w.helps() {
			return nil, whyNumber
		}
		w.helpedParent = true
		last := 0
		for _, key := range []string{"name", "value", "step"} {
			if a := given[key]; a != nil {
				last = max(last, a.value[len(a.value)-1].End)
			}
		}
		edits = append(edits, w.help(c), Edit{last, last, ", run_id=" + idOfParent})
	default:
		return nil, why
	}
	if step != nil && step.key == "" {
		edits = append(edits, Edit{c.s.Tokens[step.at].At, c.s.Tokens[step.at].At, "step="})
	}
	return w.undescribed(c, given, edits)
}
