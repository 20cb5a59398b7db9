package tracking

import (
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/plain"
)

// methods maps the run's methods to functions that rewrite their calls; why says what is not certain.
var methods = plain.Once[map[string]method]{Make: func() map[string]method {
	return map[string]method{
		"log": (*writer).log, "log_list": (*writer).logList, "log_row": (*writer).logRow, "log_table": (*writer).logDocument,
		"log_confusion_matrix": (*writer).logDocument, "log_accuracy_table": (*writer).logDocument, "log_residuals": (*writer).logDocument, "log_predictions": (*writer).logDocument,
		"log_image": (*writer).logImage, "upload_file": (*writer).uploadFile, "upload_files": (*writer).uploadFiles, "upload_folder": (*writer).uploadFolder,
		"tag": (*writer).tag, "set_tags": (*writer).setTags, "add_properties": (*writer).addProperties, "register_model": (*writer).registerModel, "complete": (*writer).end, "flush": (*writer).end,
	}
}}

type method func(w *writer, c *site) (edits []Edit, why string)

// metricName matches what MLflow allows as the name of a metric, a parameter or a tag.
var metricName = plain.Regexp{Text: `^[/\w.\- :]*$`}

const (
	whyName   = "its name is computed at run time: MLflow allows letters, digits and `_-.:/ ` in names"
	whyNumber = "it is not certain that the value is a number: log_metric accepts only numbers, log_param accepts text"
	whyText   = "the value is text that is not known in advance: log_param keeps one text per name, set_tag the last one"
	whyNoTag  = "it has no value, but MLflow tags need one"
	whyPart   = "there is a comment in the code that would be changed"
	whyPlace  = "it is not a statement on its own lines"
)

// named returns the constant name in an argument of a call.
func (w *writer) named(c *site, a *argument) (name, why string) {
	if a == nil {
		return "", "it has no name"
	}
	name, ok := w.constant(c.s, a.value)
	switch {
	case !ok:
		return "", whyName
	case !metricName.Get().MatchString(name) || !clean(name):
		return "", "MLflow allows only letters, digits and `_-.:/ ` in names"
	}
	return name, ""
}

// namedValue is like named, for a call that also has a value.
func (w *writer) namedValue(c *site, given map[string]*argument) (name, why string) {
	if given["value"] == nil {
		return "", "it has no value"
	}
	return w.named(c, given["name"])
}

// clean reports whether MLflow accepts a name as a path.
func clean(name string) bool {
	return name != "" && !slices.ContainsFunc(strings.Split(name, "/"), func(part string) bool { return part == "" || part == "." || part == ".." })
}

// calling returns the edit that changes the called function.
func (w *writer) calling(c *site, function string) Edit {
	t := c.s.Tokens
	return Edit{t[c.begin].At, t[c.method].End, function}
}

// drop returns the edit that removes an argument from a call.
func (w *writer) drop(c *site, a *argument) (e Edit, why string) {
	t := c.s.Tokens
	last := a.at
	for last < c.close && t[last].At < a.value[len(a.value)-1].At {
		last++
	}
	first := a.at
	if first > c.method+2 {
		first-- // the comma before it
	} else if t[last+1].Text == "," {
		last++
	}
	if w.commented(t[first-1 : last+2]) {
		return e, whyPart
	}
	return Edit{t[first].At, t[last].End, ""}, ""
}

// undescribed adds to the edits of a call the removal of its description, for which MLflow has no place.
func (w *writer) undescribed(c *site, given map[string]*argument, edits []Edit) ([]Edit, string) {
	a := given["description"]
	if a == nil {
		return edits, ""
	}
	e, why := w.drop(c, a)
	if why != "" {
		return nil, why
	}
	return append(edits, e), ""
}

// end removes run.complete() and run.flush(): the job ends with its process, and MLflow does not buffer.
func (w *writer) end(c *site) (edits []Edit, why string) {
	if len(c.arguments) > 0 || c.begin > 0 && headEnd(c.s.Tokens) != c.begin-1 || c.close != len(c.s.Tokens)-1 {
		return nil, "it is part of something else"
	}
	w.remove(c.s, c.begin)
	return nil, ""
}

// quote returns a text as a Python string literal.
func quote(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}
