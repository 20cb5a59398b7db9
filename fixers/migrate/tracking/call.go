package tracking

import (
	"fmt"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/python"
)

// writer collects the changes to a script.
type writer struct {
	*program
	options Options

	edits   []Edit
	done    []int // offsets of the calls that are rewritten
	skipped []Skipped
	kept    map[owner]bool             // owners that are still needed
	owners  []owner                    // whose uses were examined
	known   map[owner]bool             // the set of owners
	names   map[string]bool            // used by uses
	outside map[string]bool            // used by seen
	removed []removal                  // statements
	params  map[string]string          // what texts returned
	gone    map[*python.Statement]bool // statements that are removed as a whole
	needs   bool                       // mlflow is called
	data    []datum                    // where datasets are used
	passes  []pass                     // where the run is passed on
	flags   map[string]bool            // options that the script defines
	logged  map[string]bool            // where MLflow models are saved
	dumped  map[string][]dump          // what is written to files
	preamble
	clashes string // why MLflow cannot be used
	guarded bool   // something tests whether the optional run is set
}

type token = python.Token

// removal is a statement, or part of one, that is removed.
type removal struct {
	s          *python.Statement
	start, end int
}

// argument is one argument of a call.
type argument struct {
	key   string // "" for a positional one
	name  token  // the keyword's token
	value []token
	at    int // the index of its first token, which may be the keyword's
}

// site is a call of one of the run's methods.
type site struct {
	s                    *python.Statement
	begin, method, close int // indices of tokens
	arguments            []argument
	open                 bool   // an argument has "*" in front
	whole                bool   // it is the whole statement
	instead              string // what to write if it is not rewritten, "" for the default
}

func (c *site) tokens() []token { return c.s.Tokens[c.begin : c.close+1] }

// looksLikeRun reports whether a receiver's name suggests a run, so that its calls are listed even if that is not
// certain.
func looksLikeRun(name string) bool { return strings.Contains(strings.ToLower(name), "run") }

// calls examines every use of the run.
func (w *writer) calls() {
	w.kept, w.known, w.gone = map[owner]bool{}, map[owner]bool{}, map[*python.Statement]bool{}
	w.clashes = w.clash()
	for _, s := range w.all {
		if f := s.First(); f == "import" || f == "from" || f == "global" || f == "nonlocal" {
			continue
		}
		for i := 0; i < len(s.Tokens); i++ {
			found, ok := w.subjectAt(s, i)
			if !ok {
				w.stranger(s, i)
				continue
			}
			if parameter(s, i) {
				continue
			}
			if found.name != "" && !w.known[found.owner] {
				w.known[found.owner] = true
				w.owners = append(w.owners, found.owner)
			}
			if found.name != "" && i == 0 && isTarget(s, found.last) {
				i = found.last
				continue
			}
			if w.clashes != "" {
				found.why = w.clashes
			}
			w.use(s, i, found)
			i = found.last
		}
	}
	w.inTexts()
}

// parameter reports whether a token in the head of a function names a parameter.
func parameter(s *python.Statement, at int) bool {
	if s.First() != "def" || at == 0 || !slices.Contains([]string{"(", ",", "*", "**"}, s.Tokens[at-1].Text) {
		return false
	}
	depth := 0
	for _, k := range s.Tokens[:at] {
		depth += python.Bracket(k)
	}
	return depth == 1
}

// clash says why the name mlflow cannot be used in the script, or returns "".
func (w *writer) clash() string {
	for in, names := range w.scopes {
		for _, b := range names["mlflow"] {
			if b.how != imported || b.module != "mlflow" && !strings.HasPrefix(b.module, "mlflow.") || b.item != "" || in != nil || !alone(b.at) {
				return "the script uses the name `mlflow` for something else"
			}
		}
	}
	for i, k := range w.tokens {
		if k.Text == "start_run" && k.Kind == python.Name && (i < 3 || w.tokens[i-1].Text != "." || w.tokens[i-2].Text != "mlflow" || w.tokens[i-3].Text != "or") {
			return "the script starts an MLflow run itself, which fails if something was logged before: log in that run"
		}
	}
	return ""
}

// use decides about one use of the run.
func (w *writer) use(s *python.Statement, begin int, found subject) {
	t := s.Tokens
	if found.last+2 >= len(t) || t[found.last+1].Text != "." {
		w.useItself(s, begin, found)
		return
	}
	method := found.last + 2
	name := t[method].Text
	if (name == "input_datasets" || name == "output_datasets") && found.why == "" {
		if why, instead := w.dataset(s, begin, method, found); why != "" {
			w.leave(s, begin, found, name, why)
			last := &w.skipped[len(w.skipped)-1]
			last.Instead, last.Unfed = instead, name == "input_datasets" && slices.Contains([]string{whyTable, whySort, whyWhich}, why) && w.always(s)
		}
		return
	}
	if name == "parent" && found.why == "" {
		if edits, why := w.parent(s, begin, method); len(edits) > 0 {
			w.edits, w.done, w.needs = append(w.edits, edits...), append(w.done, t[begin].At), true
		} else {
			w.leave(s, begin, found, name, why)
		}
		return
	}
	if found.why == "" {
		if e, ok := w.attribute(s, begin, method); ok {
			w.edits, w.done, w.needs = append(w.edits, e), append(w.done, t[begin].At), true
			return
		}
	}
	w.useCall(s, begin, method, found)
}

// useCall rewrites a call of the run's method, or says why it stays.
func (w *writer) useCall(s *python.Statement, begin, method int, found subject) {
	t := s.Tokens
	name := t[method].Text
	if i0(t, method+1) != "(" {
		w.leave(s, begin, found, name, found.why)
		return
	}
	c, ok := newSite(s, begin, method)
	if !ok {
		w.leave(s, begin, found, name, "its arguments cannot be read")
		return
	}
	if found.why != "" {
		w.leave(s, begin, found, name, found.why)
		return
	}
	rewrite, known := methods.Get()[name]
	if !known {
		w.leave(s, begin, found, name, "")
		return
	}
	if c.open {
		w.leave(s, begin, found, name, "its arguments are not literals")
		return
	}
	edits, why := rewrite(w, c)
	if why != "" {
		w.leave(s, begin, found, name, why)
		w.skipped[len(w.skipped)-1].Instead = c.instead
		return
	}
	w.edits = append(w.edits, edits...)
	w.done = append(w.done, t[begin].At)
	if slices.ContainsFunc(edits, func(e Edit) bool {
		return strings.Contains(e.Text, "mlflow.") || strings.Contains(e.Text, helperName+"(") || e.Text == helperName
	}) {
		w.needs = true
	}
}

// useItself rewrites or lists a use of the run that calls no method and reads no attribute.
func (w *writer) useItself(s *python.Statement, begin int, found subject) {
	t := s.Tokens
	if found.why == "" && begin > 0 {
		if w.handOn(s, begin, found) {
			return
		}
		if w.optional != nil && found.owner == w.optional.owner && guards(t, begin, found.last) {
			w.guarded = true
			return
		}
		if e, ok := w.itself(s, begin, found.last); ok {
			w.edits, w.done = append(w.edits, e), append(w.done, t[begin].At)
			w.needs = w.needs || strings.Contains(e.Text, "mlflow.")
			return
		}
	}
	if found.name != "" && i0(t, found.last+1) != "=" || found.name == "" && !w.values[t[begin].At] { // a keyword is not a use
		w.leave(s, begin, found, "", "the run itself is used here")
	}
}

func i0(t []token, at int) string {
	if at < len(t) {
		return t[at].Text
	}
	return ""
}

// leave lists a use that is not rewritten.
func (w *writer) leave(s *python.Statement, begin int, found subject, name, why string) {
	w.kept[found.owner] = true
	code := w.source(s.Tokens[begin : found.last+1])
	if name != "" {
		code += "." + name
	}
	w.skipped = append(w.skipped, Skipped{Line: w.line(s.Tokens[begin].At), Name: name, Code: code, Why: why})
}

// stranger lists a call on something that has a run's name and methods but is not known to be one.
func (w *writer) stranger(s *python.Statement, i int) {
	t, last := s.Tokens, i
	if i0(t, i) == "self" && i0(t, i+1) == "." {
		last = i + 2
	}
	if t[i].Kind != python.Name || i > 0 && t[i-1].Text == "." || !looksLikeRun(i0(t, last)) || i0(t, last+1) != "." || i0(t, last+3) != "(" {
		return
	}
	name, code := t[last+2].Text, w.source(t[i:last+1])
	if _, known := methods.Get()[name]; known {
		w.skipped = append(w.skipped, Skipped{Line: w.line(t[i].At), Name: name, Code: code + "." + name, Why: "it is not certain that `" + code + "` is the job's run"})
	}
}

// wordsOf returns the possible names in a string, because the expressions of an f-string are not parsed.
func wordsOf(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r < 0x80 && !wordByte(byte(r&0x7f)) })
}

func wordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// newSite reads a call of a method.
func newSite(s *python.Statement, begin, method int) (c *site, ok bool) {
	t := s.Tokens
	call, ok := python.CallAt(t, method+1)
	if !ok {
		return nil, false
	}
	c = &site{s: s, begin: begin, method: method, close: call.End, open: call.Open}
	c.whole = begin == 0 && call.End == len(t)-1
	depth, from := 0, method+2
	for i := method + 1; i <= call.End; i++ {
		depth += python.Bracket(t[i])
		if depth > 1 || depth == 1 && t[i].Text != "," || i == method+1 {
			continue
		}
		if i > from {
			a := argument{value: t[from:i], at: from}
			if i-from > 2 && t[from].Kind == python.Name && t[from+1].Text == "=" && t[from+1].Kind == python.Operator {
				a.key, a.name, a.value = t[from].Text, t[from], t[from+2:i]
			}
			c.arguments = append(c.arguments, a)
		}
		from = i + 1
	}
	return c, true
}

// take maps parameter names to the arguments of a call; why says what does not fit.
func (c *site) take(parameters ...string) (given map[string]*argument, why string) {
	given = map[string]*argument{}
	for i := range c.arguments {
		a := &c.arguments[i]
		key := a.key
		if key == "" {
			if i >= len(parameters) {
				return nil, "it has more arguments than SDK v1 defined"
			}
			key = parameters[i] //nolint:gosec // i is smaller
		}
		if !slices.Contains(parameters, key) || given[key] != nil {
			return nil, fmt.Sprintf("its argument `%s` is not known", key)
		}
		given[key] = a
	}
	return given, ""
}

// commented reports whether there is a comment between the tokens of a call.
func (w *writer) commented(t []token) bool {
	for i := 1; i < len(t); i++ {
		if strings.Contains(w.text[t[i-1].End:t[i].At], "#") {
			return true
		}
	}
	return false
}
