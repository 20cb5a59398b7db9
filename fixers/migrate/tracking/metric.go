package tracking

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
