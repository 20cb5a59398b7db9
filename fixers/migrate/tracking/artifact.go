package tracking

import (
	"path"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/python"
)

// logDocument rewrites tables and charts, which MLflow stores as JSON files.
func (w *writer) logDocument(c *site) (edits []Edit, why string) {
	given, why := c.take("name", "value", "description")
	if why != "" {
		return nil, why
	}
	name, why := w.namedValue(c, given)
	if why != "" {
		return nil, why
	}
	function, key := "mlflow.log_dict", "dictionary"
	if w.kind(c.s, given["value"].value) == text {
		function, key = "mlflow.log_text", "text"
	}
	edits = append(edits, w.calling(c, function), w.replace(given["name"], "artifact_file="+quote(name+".json")), w.key(given["value"], key))
	return w.undescribed(c, given, edits)
}

// replace replaces an argument with a text.
func (w *writer) replace(a *argument, text string) Edit {
	start := a.value[0].At
	if a.key != "" {
		start = a.name.At
	}
	return Edit{start, a.value[len(a.value)-1].End, text}
}

// key changes the keyword of an argument.
func (w *writer) key(a *argument, key string) Edit {
	if a.key != "" {
		return Edit{a.name.At, a.name.End, key}
	}
	return Edit{a.value[0].At, a.value[0].At, key + "="}
}

// logImage rewrites run.log_image(name, path) and run.log_image(name, plot=plt).
func (w *writer) logImage(c *site) (edits []Edit, why string) {
	given, why := c.take("name", "path", "plot", "description")
	switch {
	case why != "":
		return nil, why
	case given["description"] != nil:
		return nil, "it has a description"
	case given["path"] != nil && given["plot"] == nil:
		if w.commented(c.tokens()) {
			return nil, whyPart
		}
		return w.rebuild(c, "mlflow.log_artifact("+w.source(given["path"].value)+")", given["path"].value)
	case given["plot"] == nil || given["path"] != nil:
		return nil, "the artifact is not given as a literal"
	}
	name, why := w.named(c, given["name"])
	if why != "" {
		return nil, why
	}
	plot := given["plot"].value
	if len(plot) != 1 || w.moduleOf(c.s, plot[0]) != "matplotlib.pyplot" {
		return nil, "the plot is not the module matplotlib.pyplot: give log_figure the figure"
	}
	edits = append(edits, w.calling(c, "mlflow.log_figure"), w.replace(given["name"], "artifact_file="+quote(name+".png")))
	return append(edits, w.replace(given["plot"], "figure="+plot[0].Text+".gcf()")), ""
}

// moduleOf returns the module that a name certainly stands for, or "".
func (w *writer) moduleOf(s *python.Statement, t token) string {
	list, _ := w.bindings(s, t.Text)
	if len(list) != 1 || list[0].how != imported || w.starred(list[0].at) {
		return ""
	}
	if list[0].item == "" {
		return list[0].module
	}
	return list[0].module + "." + list[0].item
}

// rebuild replaces a call with a text; kept are tokens of the call that the text contains.
func (w *writer) rebuild(c *site, text string, kept ...[]token) (edits []Edit, why string) {
	for _, t := range kept {
		for _, k := range t {
			if k.Kind == python.Name && (k.Text == c.s.Tokens[c.begin].Text || slices.Contains(words, k.Text)) {
				return nil, "its arguments themselves use the run"
			}
		}
	}
	return []Edit{{c.s.Tokens[c.begin].At, c.s.Tokens[c.close].End, text}}, ""
}

// folder returns the folder, among the run's files, that a file is uploaded to, or "" for the top; MLflow keeps the
// file's own name.
func (w *writer) folder(c *site, name, file []token) (folder, why string) {
	to, known := w.constant(c.s, name)
	from, also := w.constant(c.s, file)
	to = path.Clean(strings.ReplaceAll(to, `\`, "/"))
	switch {
	case !known || !also:
		return "", "the names of its files are computed at run time"
	case path.Base(to) != path.Base(strings.ReplaceAll(from, `\`, "/")):
		return "", "MLflow keeps a file under its own name, but this one is renamed"
	case path.IsAbs(to) || strings.HasPrefix(to, ".."):
		return "", "it is not uploaded to a folder of the run"
	}
	if folder = path.Dir(to); folder == "." {
		folder = ""
	}
	return folder, ""
}

func (w *writer) artifact(file []token, folder string) string {
	if folder == "" {
		return "mlflow.log_artifact(" + w.source(file) + ")"
	}
	return "mlflow.log_artifact(" + w.source(file) + ", " + quote(folder) + ")"
}

// uploadFile rewrites run.upload_file(name, path).
func (w *writer) uploadFile(c *site) (edits []Edit, why string) {
	given, why := c.take("name", "path_or_stream")
	switch {
	case why != "":
		return nil, why
	case given["name"] == nil || given["path_or_stream"] == nil:
		return nil, "it does not contain a file name"
	case !c.whole:
		return nil, whyPlace
	case w.commented(c.tokens()):
		return nil, whyPart
	}
	file := given["path_or_stream"].value
	folder, why := w.folder(c, given["name"].value, file)
	if why != "" {
		if text, ok := w.computed(c, given["name"].value, file); ok {
			return w.rebuild(c, text, file)
		}
		return nil, why
	}
	return w.rebuild(c, w.artifact(file, folder), file)
}

// computed returns the call for a file that is uploaded under its own path, possibly in a literal folder, if the path
// is known only when the script runs.
func (w *writer) computed(c *site, name, file []token) (text string, ok bool) {
	name = python.Bare(name)
	at := len(name) - len(file)
	if at < 0 || python.Written(name[at:]) != python.Written(file) || slices.ContainsFunc(file, func(k token) bool { return k.Kind != python.Name && k.Text != "." }) {
		return "", false
	}
	folder := ""
	if at > 0 {
		if folder, ok = w.constant(c.s, name[:at-1]); !ok || name[at-1].Text != "+" || !strings.HasSuffix(folder, "/") || strings.Contains(folder, "..") || strings.HasPrefix(folder, "/") {
			return "", false
		}
		folder = strings.TrimPrefix(path.Clean(folder)+"/", "./")
	}
	if !w.module("os", c.s.Tokens[c.begin].At) {
		return "", false
	}
	below := w.source(file)
	if folder != "" {
		below = quote(folder) + " + " + below
	}
	return "mlflow.log_artifact(" + w.source(file) + ", os.path.dirname(" + below + "))", true
}

// uploadFiles rewrites run.upload_files([names], [paths]) file by file.
func (w *writer) uploadFiles(c *site) (edits []Edit, why string) {
	given, why := c.take("names", "paths")
	switch {
	case why != "":
		return nil, why
	case given["names"] == nil || given["paths"] == nil:
		return nil, "it does not contain file names"
	case !c.whole || !w.ownLines(c.s):
		return nil, whyPlace
	case w.commented(c.tokens()):
		return nil, whyPart
	}
	names, ok := elements(given["names"].value)
	files, also := elements(given["paths"].value)
	if !ok || !also || len(names) != len(files) || len(names) == 0 {
		return nil, "its lists are not literals"
	}
	var lines []string
	for i := range names {
		folder, why := w.folder(c, names[i], files[i])
		if why != "" {
			return nil, why
		}
		lines = append(lines, w.artifact(files[i], folder))
	}
	return w.rebuild(c, strings.Join(lines, w.newline()+w.indent(c.s)), files...)
}

// elements returns the values of a literal list.
func elements(t []token) (list [][]token, ok bool) {
	if t = python.Bare(t); len(t) == 0 || t[0].Text != "[" {
		return nil, false
	}
	c, ok := python.CallAt(t, 0)
	if !ok || c.Open || c.End != len(t)-1 || len(c.Keywords) > 0 {
		return nil, false
	}
	return c.Positional, true
}

// uploadFolder rewrites run.upload_folder(name, path).
func (w *writer) uploadFolder(c *site) (edits []Edit, why string) {
	given, why := c.take("name", "path")
	switch {
	case why != "":
		return nil, why
	case given["name"] == nil || given["path"] == nil:
		return nil, "it does not contain a folder name"
	case !c.whole:
		return nil, whyPlace
	case w.commented(c.tokens()):
		return nil, whyPart
	}
	name, known := w.constant(c.s, given["name"].value)
	if name = path.Clean(name); !known || path.IsAbs(name) || strings.HasPrefix(name, "..") {
		return nil, "the name of its folder is computed at run time"
	}
	file := given["path"].value
	if name == "." {
		return w.rebuild(c, "mlflow.log_artifacts("+w.source(file)+")", file)
	}
	return w.rebuild(c, "mlflow.log_artifacts("+w.source(file)+", "+quote(name)+")", file)
}
