package tracking

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
