package tracking

import (
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/python"
)

// helperName is the function that logs a value whose kind is known only at run time.
const helperName = "log_value"

// helper does what run.log did with each kind of value. Its tabs stand for the script's indentation.
const helper = `def log_value(name, value, step=None):
	"""Log what run.log took: a number, numbers with a step each, or a text."""
	name = "".join(c if c.isalnum() or c in "_-.:/ " else "_" for c in str(name))
	value = value.tolist() if hasattr(value, "tolist") else value
	if isinstance(value, (list, tuple)):
		for i, one in enumerate(value):
			log_value(name, one, i)
	elif hasattr(value, "__float__"):
		mlflow.log_metric(name, float(value), step=step)
	else:
		mlflow.set_tag(name, value)`

// helperOfRuns is the helper for scripts that also log to the parent of their run.
const helperOfRuns = `def log_value(name, value, step=None, run_id=None):
	"""Log what run.log took, to this run or another: a number, numbers with a step each, or a text."""
	name = "".join(c if c.isalnum() or c in "_-.:/ " else "_" for c in str(name))
	value = value.tolist() if hasattr(value, "tolist") else value
	run_id = run_id or (mlflow.active_run() or mlflow.start_run()).info.run_id
	if isinstance(value, (list, tuple)):
		for i, one in enumerate(value):
			log_value(name, one, i, run_id)
	elif hasattr(value, "__float__"):
		mlflow.MlflowClient().log_metric(run_id, name, float(value), step=step)
	else:
		mlflow.MlflowClient().set_tag(run_id, name, value)`

// preamble is what a script needs at its beginning.
type preamble struct {
	helped bool // the helper
	// helpedParent means that the helper also logs to the parent.
	helpedParent bool
	modules      map[string]int // modules of the standard library, with the offset of their first use
	reader       string         // code that reads the inputs of the job, one statement per line
	first        int            // the offset of the first use of any of these; 0 for none
}

// needsAt records that the preamble is used at an offset.
func (p *preamble) needsAt(at int) {
	if p.first == 0 || at < p.first {
		p.first = at
	}
}

// helps reports whether a call may be replaced with one of the helper.
func (w *writer) helps() bool { return !w.uses(helperName) }

// help returns the edit that calls the helper.
func (w *writer) help(c *site) Edit {
	w.helped = true
	w.needsAt(c.s.Tokens[c.begin].At)
	return w.calling(c, helperName)
}

// module reports whether a module of the standard library can be used at an offset. It will be imported if needed.
func (w *writer) module(name string, at int) bool {
	for in, names := range w.scopes {
		for _, b := range names[name] {
			if in != nil || b.how != imported || b.item != "" || b.module != name && !strings.HasPrefix(b.module, name+".") || w.starred(b.at) {
				return false
			}
		}
	}
	if len(w.scopes[nil][name]) == 0 && w.star > 0 {
		return false
	}
	if w.modules == nil {
		w.modules = map[string]int{}
	}
	if before, known := w.modules[name]; !known || at < before {
		w.modules[name] = at
	}
	w.needsAt(at)
	return true
}

// lead returns the last of the imports that a script begins with and that precede all uses of the preamble, or nil.
// first is the first other statement.
func (w *writer) lead() (last, first *python.Statement) {
	const most = 3 // other statements between imports
	between := 0
	for i, s := range w.all {
		f := s.First()
		switch {
		case i == 0 && len(s.Tokens) == 1 && s.Tokens[0].Kind == python.String: // the docstring
			continue
		case len(s.Blocks) == 0 && (f == "import" || f == "from") && s.Tokens[0].At < w.first:
			if last, between = s, 0; !w.ownLines(s) {
				return nil, cmpFirst(first, s)
			}
			continue
		case first == nil:
			first = s
		}
		if len(s.Blocks) == 0 && !slices.Contains([]string{"try", "except", "else", "finally", "if", "import", "from"}, f) {
			between++
		}
		if between > most || s.Tokens[0].At >= w.first || f == "def" || f == "class" || f == "for" || f == "while" || f == "with" || f == "@" {
			break
		}
	}
	return last, first
}

func cmpFirst(a, b *python.Statement) *python.Statement {
	if a != nil {
		return a
	}
	return b
}

// writePreamble makes the edit that adds the preamble.
func (w *writer) writePreamble() {
	if w.first == 0 {
		return
	}
	last, first := w.lead()
	at := 0
	if last != nil { // after the last import: a comment stays with what follows
		end := last.Tokens[len(last.Tokens)-1].End
		if n := w.line(end); n < len(w.lines) {
			at = w.lines[n]
		}
	} else {
		i := slices.Index(w.all, first)
		for i > 0 && strings.Trim(w.indent(w.all[i]), " \t\f") != "" { // it shares its line with others
			i--
		}
		if at = w.lines[w.line(w.all[i].Tokens[0].At)-1]; at == 0 && strings.HasPrefix(w.text, "\ufeff") {
			at = len("\ufeff")
		}
	}
	var lines []string
	for name, used := range w.modules {
		there := slices.ContainsFunc(w.scopes[nil][name], func(b binding) bool {
			return len(b.at.Blocks) == 0 && b.at.Tokens[0].At < used && (w.reader == "" || b.at.Tokens[0].At < at)
		})
		if !there {
			lines = append(lines, "import "+name)
		}
	}
	slices.Sort(lines)
	if w.reader != "" {
		if last != nil || len(lines) > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, w.reader)
	}
	if w.helped {
		if last != nil || len(lines) > 0 {
			lines = append(lines, "", "")
		}
		text := helper
		if w.helpedParent {
			text = helperOfRuns
		}
		lines = append(lines, strings.ReplaceAll(text, "\t", w.unit()))
		rest := w.text[at:min(at+len("\r\n\r\n"), len(w.text))]
		for have := len(w.newline()); have <= 2*len(w.newline()); have += len(w.newline()) {
			if !strings.HasPrefix(rest, strings.Repeat(w.newline(), have/len(w.newline()))) {
				lines = append(lines, "")
			}
		}
	}
	if len(lines) == 0 {
		return
	}
	text := strings.ReplaceAll(strings.Join(lines, "\n")+"\n", "\n", w.newline())
	w.edits = append(w.edits, Edit{at, at, text})
}

// unit returns the script's unit of indentation.
func (w *writer) unit() string {
	for _, s := range w.all {
		if len(s.Blocks) > 0 && strings.HasPrefix(w.indent(s), "\t") {
			return "\t"
		}
	}
	return "    "
}
