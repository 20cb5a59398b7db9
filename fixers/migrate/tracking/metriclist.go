package tracking

import (
	"strings"

	"github.com/amlfix/amlfix/schema/python"
)

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
