package tracking

import (
	"slices"

	"github.com/amlfix/amlfix/schema/python"
)

// optional is a run that a script also works without: its import and Run.get_context are in a try of the module, whose
// except sets the run to None or does nothing.
type optional struct {
	owner
	imports, makes *python.Statement
}

// findOptional returns the script's only run if it is optional, or nil.
func (p *program) findOptional() *optional {
	var o *optional
	for name, list := range p.scopes[nil] {
		for _, b := range list {
			if b.how != assigned || !b.simple || len(b.value) == 0 || len(b.at.Blocks) != 1 || b.at.Blocks[0].First() != "try" {
				continue
			}
			p.within = b.at.Blocks[0]
			makes := p.makes(b.at, b.value, 0) == len(b.value)
			if p.within = nil; makes {
				if o != nil {
					return nil
				}
				o = &optional{owner: owner{nil, name}, makes: b.at}
			}
		}
	}
	if o == nil {
		return nil
	}
	for _, b := range p.scopes[nil][o.name] {
		none := b.how == assigned && b.simple && len(b.value) == 1 && b.value[0].Text == "None"
		if b.at != o.makes && (!none || len(b.at.Blocks) > 1 || len(b.at.Blocks) == 1 && b.at.Blocks[0].First() != "except") || p.starred(b.at) {
			return nil
		}
	}
	for _, s := range p.all {
		f := s.First()
		ofRunAlone := (f == "import" || f == "from") && !slices.ContainsFunc(importsOf(s.Tokens), func(n name) bool { return !ofRun(n.module) || n.item != "Run" })
		switch {
		case ofRunAlone && len(s.Blocks) == 1 && s.Blocks[0] == o.makes.Blocks[0] && o.imports == nil:
			o.imports = s
		case (f == "import" || f == "from") && slices.ContainsFunc(importsOf(s.Tokens), func(n name) bool { return ofRun(n.module) || n.as == "mlflow" }):
			return nil // the run also comes from somewhere else
		case s != o.makes && slices.ContainsFunc(s.Tokens, func(k token) bool { return slices.Contains(words, k.Text) }):
			return nil
		}
	}
	if o.imports == nil {
		return nil
	}
	return o
}

// guards reports whether a use of a name only tests whether it is set: "if run:", "run is not None".
func guards(t []token, begin, last int) bool {
	before, after := t[begin-1].Text, i0(t, last+1)
	if after == "is" || after == "!=" || after == "==" {
		if i0(t, last+2) == "not" {
			last++
		}
		return i0(t, last+2) == "None" && slices.Contains([]string{"if", "elif", "and", "or", "not", "(", "while", "="}, before)
	}
	return slices.Contains([]string{"if", "elif", "and", "not", "while"}, before) && slices.Contains([]string{":", "and", ")", "else", ""}, after)
}

// swap makes the edits for an optional run, so that now MLflow is what may be missing.
func (w *writer) swap() {
	o := w.optional
	whole := func(s *python.Statement, text string) {
		w.edits = append(w.edits, Edit{s.Tokens[0].At, s.Tokens[len(s.Tokens)-1].End, text})
	}
	whole(o.imports, "import mlflow")
	if w.guarded {
		value := w.source(o.makes.Tokens[:1]) + " = mlflow"
		whole(o.makes, value)
		return
	}
	for _, b := range w.scopes[nil][o.name] {
		w.remove(b.at, 0)
	}
}
