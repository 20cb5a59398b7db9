package tracking

import (
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/python"
)

// registerModel rewrites run.register_model(model_name, model_path) if the model is certainly an MLflow model, or can
// become one: MLflow cannot register anything else in Azure ML.
func (w *writer) registerModel(c *site) (edits []Edit, why string) {
	given, why := c.take("model_name", "model_path", "tags", "properties", "model_framework", "model_framework_version", "description")
	switch {
	case why != "":
		return nil, why
	case given["model_name"] == nil:
		return nil, "it has no name"
	}
	name := given["model_name"].value
	file := name
	if given["model_path"] != nil {
		file = given["model_path"].value
	}
	path, known := w.constant(c.s, file)
	c.instead = w.registering(c.s, name, path)
	switch {
	case !known:
		return nil, "the location of the model is known only at run time"
	case !c.whole:
		return nil, "its return value is used"
	case w.commented(c.tokens()):
		return nil, whyPart
	case given["properties"] != nil:
		return nil, "model versions in MLflow have only tags"
	}
	if w.logsModel(path) {
		tags := ""
		if a := given["tags"]; a != nil {
			tags = ", tags=" + w.source(a.value)
		}
		return w.rebuild(c, "mlflow.register_model("+quote("runs:/")+" + "+idOfRun+" + "+quote("/"+path)+", "+w.source(name)+tags+")", name)
	}
	model := w.estimator(c.s, path)
	switch {
	case model == "":
		return nil, "it is not certain that MLflow supports the model"
	case w.options.Deploys:
		return nil, "a scoring script opens the file, but MLflow stores a folder"
	case given["tags"] != nil:
		return nil, "a model that is logged and registered in one step gets no tags"
	}
	folder := "model"
	if text, known := w.constant(c.s, name); known && plainName.Get().MatchString(text) {
		folder = text
	}
	// MLflow's own format needs another package, and rejects unknown classes
	return w.rebuild(c, "mlflow.sklearn.log_model("+model+", "+quote(folder)+", registered_model_name="+w.source(name)+", serialization_format="+quote("cloudpickle")+")", name)
}

// plainName matches a name that is also valid for a folder.
var plainName = plain.Regexp{Text: `^\w[\w-]*$`}

// registering says how to register a model by hand.
func (w *writer) registering(s *python.Statement, name []token, path string) string {
	model, known := w.constant(s, name)
	if !known || path == "" || strings.ContainsAny(model+path, "`|\n") {
		return ""
	}
	return "mlflow.FLAVOR.log_model(MODEL, \"model\", registered_model_name=" + quote(model) + "); or, to register the file unchanged, `az ml model create --name " + model +
		" --type custom_model --path azureml://jobs/JOB/outputs/artifacts/paths/" + path + "` after the job"
}

// logsModel reports whether the script saves an MLflow model under a path.
func (w *writer) logsModel(path string) bool {
	if w.logged != nil {
		return w.logged[path]
	}
	w.logged = map[string]bool{}
	for _, s := range w.all {
		for i, k := range s.Tokens {
			if k.Text != "log_model" || i < 4 || s.Tokens[i-1].Text != "." || s.Tokens[i-4].Text != "mlflow" {
				continue
			}
			c, ok := python.CallAt(s.Tokens, i+1)
			if !ok || c.Open {
				continue
			}
			places := [][]token{c.Keywords["artifact_path"], c.Keywords["name"]}
			at := 1 // after the model, which pyfunc only takes by keyword
			if s.Tokens[i-2].Text == "pyfunc" {
				at = 0
			}
			if len(c.Positional) > at {
				places = append(places, c.Positional[at])
			}
			for _, place := range places {
				if at, known := w.constant(s, place); known {
					w.logged[at] = true
				}
			}
		}
	}
	return w.logged[path]
}

// dump is something that joblib or pickle writes to a file.
type dump struct {
	s    *python.Statement
	what []token
}

// dumps records what the script writes to files.
func (w *writer) dumps() {
	w.dumped = map[string][]dump{}
	for _, s := range w.all {
		for i, k := range s.Tokens {
			if k.Text != "dump" || i0(s.Tokens, i+1) != "(" || i < 2 {
				continue
			}
			module, _ := w.resolve(s, s.Tokens[i-2:i+1])
			c, ok := python.CallAt(s.Tokens, i+1)
			if !ok || c.Open || module != "joblib" && module != "pickle" && module != "sklearn.externals.joblib" {
				continue
			}
			model, file := c.Keywords["value"], c.Keywords["filename"]
			if len(c.Positional) > 0 {
				model = c.Positional[0]
			}
			if len(c.Positional) > 1 {
				file = c.Positional[1]
			}
			if module == "pickle" {
				file = w.opened(s, file)
			}
			if to, known := w.constant(s, file); known {
				w.dumped[to] = append(w.dumped[to], dump{s, model})
			}
		}
	}
}

// estimator returns the name of what the script writes to a file if it is certainly a scikit-learn model, or "".
func (w *writer) estimator(at *python.Statement, path string) string {
	if w.dumped == nil {
		w.dumps()
	}
	list := w.dumped[path]
	if len(list) != 1 || list[0].s.Tokens[0].At > at.Tokens[0].At {
		return ""
	}
	if what := list[0].what; len(what) == 1 && what[0].Kind == python.Name && w.isEstimator(at, what[0].Text) {
		return what[0].Text
	}
	return ""
}

// opened returns what the with around a statement opens under a name.
func (w *writer) opened(s *python.Statement, name []token) []token {
	for _, b := range slices.Backward(s.Blocks) {
		t := b.Tokens
		if len(name) == 1 && len(t) > 5 && t[0].Text == "with" && t[1].Text == "open" && t[len(t)-2].Text == name[0].Text && t[len(t)-3].Text == "as" {
			if c, ok := python.CallAt(t, 2); ok && len(c.Positional) > 0 {
				return c.Positional[0]
			}
		}
	}
	return nil
}

// isEstimator reports whether a name is only set to scikit-learn models.
func (w *writer) isEstimator(s *python.Statement, name string) bool {
	list, _ := w.bindings(s, name)
	for _, b := range list {
		open := slices.IndexFunc(b.value, func(k token) bool { return k.Kind == python.Operator && k.Text == "(" })
		if b.how != assigned || open < 1 || w.starred(b.at) {
			return false
		}
		module, class := w.resolve(b.at, b.value[:open])
		c, ok := python.CallAt(b.value, open)
		if !ok || !strings.HasPrefix(module, "sklearn.") || class[0] < 'A' || class[0] > 'Z' {
			return false
		}
		if rest := b.value[c.End+1:]; len(rest) > 0 { // .fit returns the model
			if i0(rest, 0) != "." || i0(rest, 1) != "fit" || i0(rest, 2) != "(" {
				return false
			}
			if c, ok := python.CallAt(rest, 2); !ok || c.End != len(rest)-1 {
				return false
			}
		}
	}
	return len(list) > 0
}
