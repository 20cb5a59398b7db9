package tracking

import (
	"slices"

	"github.com/amlfix/amlfix/schema/python"
)

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
