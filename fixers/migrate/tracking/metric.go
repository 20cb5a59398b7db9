package tracking

import (
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/python"
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

// log rewrites run.log(name, value).
func (w *writer) log(c *site) (edits []Edit, why string) {
	given, why := c.take("name", "value", "description", "step")
	if why != "" {
		return nil, why
	}
	name, why := w.namedValue(c, given)
	if why != "" && why != whyName {
		return nil, why
	}
	step := given["step"]
	kind := w.kind(c.s, given["value"].value)
	value, known := w.constant(c.s, given["value"].value)
	switch {
	case numeric(kind) || w.helps() && (why != "" || kind == unknown || kind == text && !known):
		if why != "" || !numeric(kind) {
			edits = append(edits, w.help(c))
		} else {
			edits = append(edits, w.calling(c, "mlflow.log_metric"))
		}
		if step != nil && step.key == "" {
			edits = append(edits, Edit{c.s.Tokens[step.at].At, c.s.Tokens[step.at].At, "step="})
		}
		if counter := w.counter(c.s); step == nil && counter != "" {
			last := given["value"].value[len(given["value"].value)-1]
			if given["name"].at > given["value"].at {
				last = given["name"].value[len(given["name"].value)-1]
			}
			edits = append(edits, Edit{last.End, last.End, ", step=" + counter})
		}
	case why != "":
		return nil, why
	case kind == text:
		if !known {
			return nil, whyText
		}
		if w.texts()[name] != value || step != nil {
			return nil, "MLflow keeps one text per name, but there are several"
		}
		edits = append(edits, w.calling(c, "mlflow.log_param"))
	case kind == numbers:
		return w.logList(c)
	default:
		return nil, whyNumber
	}
	if a := given["name"]; a.key != "" && edits[0].Text != helperName {
		edits = append(edits, Edit{a.name.At, a.name.End, "key"})
	}
	return w.undescribed(c, given, edits)
}

// severalTexts stands for more than one string.
const severalTexts = "\x00"

// texts returns the string that is logged under each name.
func (w *writer) texts() map[string]string {
	if w.params != nil {
		return w.params
	}
	w.params = map[string]string{}
	for _, s := range w.all {
		for i, k := range s.Tokens {
			if k.Text != "." || i0(s.Tokens, i+1) != "log" && i0(s.Tokens, i+1) != "log_param" || i0(s.Tokens, i+2) != "(" {
				continue
			}
			c, ok := newSite(s, i, i+1)
			if !ok || len(c.arguments) < 2 {
				continue
			}
			given, _ := c.take("name", "value", "description", "step")
			if given == nil || given["name"] == nil || given["value"] == nil || w.kind(s, given["value"].value) != text {
				continue
			}
			name, _ := w.constant(s, given["name"].value)
			value, known := w.constant(s, given["value"].value)
			if before, said := w.params[name]; !known || said && before != value {
				value = severalTexts
			}
			w.params[name] = value
		}
	}
	return w.params
}

// counter returns the name that counts the only loop around a statement, or the epochs in a Keras callback, or "".
func (w *writer) counter(s *python.Statement) string {
	found := ""
	for _, b := range slices.Backward(s.Blocks) {
		switch b.First() {
		case "def":
			if found == "" && b.Named() == "on_epoch_end" && class(b) != nil {
				return w.epoch(b)
			}
			return found
		case "class":
			return found
		case "while":
			return ""
		case "for":
			list, in := w.bindings(s, i0(b.Tokens, 1))
			if found != "" || len(list) != 1 || in != scope(s) || list[0].at != b || w.kindOfElement(list[0], 0) != whole && !w.enumerates(b) {
				return ""
			}
			found = b.Tokens[1].Text
		}
	}
	return found
}

// epoch returns the parameter of on_epoch_end that is the number of the epoch.
func (w *writer) epoch(def *python.Statement) string {
	head, ok := newSite(def, 1, 1)
	if !ok || head.open || len(head.arguments) < 2 || head.arguments[1].value[0].Kind != python.Name {
		return ""
	}
	name := head.arguments[1].value[0].Text
	if a := head.arguments[1]; a.key != "" || len(w.scopes[def][name]) != 1 {
		return ""
	}
	return name
}

// enumerates reports whether a loop is "for NAME, … in enumerate(…)".
func (w *writer) enumerates(b *python.Statement) bool {
	t := b.Tokens
	in := slices.IndexFunc(t, func(k token) bool { return k.Kind == python.Name && k.Text == "in" })
	if i0(t, 2) != "," || in < 0 || i0(t, in+1) != "enumerate" || i0(t, in+2) != "(" {
		return false
	}
	c, ok := python.CallAt(t, in+2)
	module, function := w.resolve(b, t[in+1:in+2])
	return ok && c.End == len(t)-2 && module == "" && function == "enumerate"
}

// logList rewrites run.log_list(name, value) as a loop.
func (w *writer) logList(c *site) (edits []Edit, why string) {
	given, why := c.take("name", "value", "description")
	if why != "" {
		return nil, why
	}
	_, why = w.namedValue(c, given)
	switch {
	case why != "" && why != whyName:
		return nil, why
	case w.helps() && (why != "" || w.kind(c.s, given["value"].value) != numbers || !c.whole || !w.ownLines(c.s) || w.commented(c.tokens()) || w.uses("_step") || w.uses("_value")):
		return w.undescribed(c, given, []Edit{w.help(c)})
	case why != "":
		return nil, why
	case w.kind(c.s, given["value"].value) != numbers:
		return nil, "it is not certain that these are numbers: log_metric accepts only numbers"
	case !c.whole || !w.ownLines(c.s):
		return nil, whyPlace
	case w.commented(c.tokens()):
		return nil, whyPart
	case w.uses("_step") || w.uses("_value"):
		return nil, "the names `_step` and `_value` are already used"
	}
	loop := "for _step, _value in enumerate(" + w.source(given["value"].value) + "): mlflow.log_metric(" + w.source(given["name"].value) + ", _value, step=_step)"
	return []Edit{{c.s.Tokens[0].At, c.s.Tokens[c.close].End, loop}}, ""
}

// uses reports whether the script uses a name.
func (w *writer) uses(name string) bool {
	if w.names == nil {
		w.names = map[string]bool{}
		for _, k := range w.tokens {
			w.names[k.Text] = w.names[k.Text] || k.Kind == python.Name
		}
	}
	return w.names[name]
}

// logRow rewrites run.log_row(name, a=1, b=2) as metrics "name.a" and "name.b".
func (w *writer) logRow(c *site) (edits []Edit, why string) {
	t := c.s.Tokens
	if len(c.arguments) < 2 || c.arguments[0].key != "" {
		return nil, "its first argument is not its name"
	}
	name, why := w.named(c, &c.arguments[0])
	if why != "" {
		return nil, why
	}
	if w.commented(t[c.method+1 : c.arguments[1].at+1]) {
		return nil, whyPart
	}
	if lines, ok := w.logCells(c, name); ok {
		return lines, ""
	}
	edits = append(edits, w.calling(c, "mlflow.log_metrics"), Edit{t[c.method+2].At, t[c.arguments[1].at].At, "{"})
	for i, a := range c.arguments[1:] {
		switch {
		case a.key == "" || a.key == "description":
			return nil, "it has a description"
		case !numeric(w.kind(c.s, a.value)):
			return nil, whyNumber
		}
		e := Edit{a.name.At, a.value[0].At, quote(name+"."+a.key) + ": "}
		if i == 0 {
			edits[1].Text += e.Text
			edits[1].End = e.End
			continue
		}
		edits = append(edits, e)
	}
	last := c.arguments[len(c.arguments)-1].value
	end := last[len(last)-1].End
	return append(edits, Edit{end, end, "}"}), ""
}

// logCells rewrites a row with values of unknown kind, cell by cell.
func (w *writer) logCells(c *site, name string) (edits []Edit, ok bool) {
	known := true
	var lines []string
	for _, a := range c.arguments[1:] {
		if a.key == "" || a.key == "description" {
			return nil, false
		}
		known = known && numeric(w.kind(c.s, a.value))
		lines = append(lines, helperName+"("+quote(name+"."+a.key)+", "+w.source(a.value)+")")
	}
	if known || !w.helps() || !c.whole || !w.ownLines(c.s) || w.commented(c.tokens()) {
		return nil, false
	}
	w.help(c)
	return []Edit{{c.s.Tokens[0].At, c.s.Tokens[c.close].End, strings.Join(lines, w.newline()+w.indent(c.s))}}, true
}

// tag rewrites run.tag(key, value).
func (w *writer) tag(c *site) (edits []Edit, why string) {
	if why = w.whyNotTagged(c); why != "" {
		return nil, why
	}
	return []Edit{w.calling(c, "mlflow.set_tag")}, ""
}

// whyNotTagged says why the arguments of a call of tag do not fit MLflow's function.
func (w *writer) whyNotTagged(c *site) string {
	given, why := c.take("key", "value")
	if why != "" {
		return why
	}
	if _, why = w.named(c, given["key"]); why != "" {
		return why
	}
	if given["value"] == nil {
		return whyNoTag
	}
	return ""
}

// setTags rewrites run.set_tags(TAGS).
func (w *writer) setTags(c *site) (edits []Edit, why string) { return w.labels(c, "tags") }

// addProperties rewrites run.add_properties(PROPERTIES): MLflow only has tags.
func (w *writer) addProperties(c *site) (edits []Edit, why string) { return w.labels(c, "properties") }

func (w *writer) labels(c *site, parameter string) (edits []Edit, why string) {
	given, why := c.take(parameter)
	if why != "" || given[parameter] == nil {
		return nil, "it has no " + parameter
	}
	edits = append(edits, w.calling(c, "mlflow.set_tags"))
	if a := given[parameter]; a.key != "" {
		edits = append(edits, w.key(a, "tags"))
	}
	return edits, ""
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
