package tracking

import (
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/python"
)

// remove removes a statement, starting at one of its tokens.
func (w *writer) remove(s *python.Statement, from int) {
	w.removed = append(w.removed, removal{s, s.Tokens[from].At, s.Tokens[len(s.Tokens)-1].End})
	if from == 0 {
		w.gone[s] = true
	}
}

// tidy removes what is no longer needed: names that held the run, and imports. It imports mlflow if that is called.
func (w *writer) tidy() {
	if len(w.done) == 0 {
		w.edits = nil
		return
	}
	w.settle()
	if w.optional != nil {
		w.swap()
	}
	for _, o := range w.owners {
		if w.kept[o] || w.seen(o) || w.optional != nil && w.optional.owner == o {
			continue
		}
		if w.isParameter(o) {
			w.dropParameter(o)
			continue
		}
		for _, b := range w.scopes[o.in][o.name] {
			w.remove(b.at, 0)
		}
	}
	covered := w.covered()
	place, inPlace := w.dropImports(covered)
	if w.needs && w.optional == nil && !w.hasMLflow() {
		w.importMLflow(place, inPlace)
	}
	w.writePreamble()
	w.removals()
}

// seen reports whether something outside the script may use a name.
func (w *writer) seen(o owner) bool {
	if w.outside == nil {
		w.outside = map[string]bool{}
		for i, k := range w.tokens {
			if i > 1 && k.Kind == python.Name && w.tokens[i-1].Text == "." && w.tokens[i-2].Text != "self" {
				w.outside["self."+k.Text] = true
			}
		}
		for _, s := range w.all {
			for _, k := range s.Tokens {
				if k.Kind == python.String && s.Tokens[0].Text == "__all__" {
					w.outside[k.Text] = true
				}
			}
		}
	}
	name, attribute := strings.CutPrefix(o.name, "self.")
	return w.outside[o.name] || (attribute || o.in == nil) && w.shared != nil && w.shared(name)
}

// covered returns a function that reports whether a token is replaced or removed.
func (w *writer) covered() func(k token) bool {
	spans := slices.Clone(w.edits)
	for _, r := range w.removed {
		spans = append(spans, Edit{Start: r.start, End: r.end})
	}
	plain.SortFunc(spans, func(a, b Edit) int { return a.Start - b.Start })
	return func(k token) bool {
		n, _ := slices.BinarySearchFunc(spans, k.At+1, func(e Edit, at int) int { return e.Start - at })
		for i := n - 1; i >= 0 && i >= n-2; i-- {
			if spans[i].Start <= k.At && k.End <= spans[i].End {
				return true
			}
		}
		return false
	}
}

// ofRun reports whether a module is only needed for the run.
func ofRun(module string) bool {
	return module == "azureml.core" || module == "azureml.core.run" || module == "azureml.logging"
}

// dropImports removes unused names of the run's modules from imports. It returns the first such import of the module,
// preferably a changed one, and whether it is removed.
func (w *writer) dropImports(covered func(token) bool) (place *python.Statement, inPlace bool) {
	used := w.namesUsed(covered)
	goes := func(s *python.Statement, n name) bool {
		again, _ := w.bindings(s, n.as)
		several := n.item != "" && slices.ContainsFunc(again, func(b binding) bool { return b.at != s && b.how != imported })
		return ofRun(n.module) && alone(s) && !used[n.as] && !several && (w.shared == nil || len(s.Blocks) > 0 || !w.shared(n.as))
	}
	all := true // nothing of azureml remains, so that unused imports have to be removed too
	for _, s := range w.all {
		if f := s.First(); f == "import" || f == "from" {
			for _, n := range importsOf(s.Tokens) {
				all = all && (n.module != "azureml" && !strings.HasPrefix(n.module, "azureml.") || goes(s, n))
			}
		}
	}
	var before *python.Statement // the first of these imports
	for _, s := range w.all {
		if f := s.First(); f != "import" && f != "from" || !alone(s) {
			continue
		}
		names := importsOf(s.Tokens)
		if before == nil && len(s.Blocks) == 0 && slices.ContainsFunc(names, func(n name) bool { return ofRun(n.module) }) {
			before = s
		}
		var drop []int
		for i, n := range names {
			if goes(s, n) && (all || n.item == "Run" || n.module == "azureml.logging") {
				drop = append(drop, i)
			}
		}
		if len(drop) == 0 || w.commented(s.Tokens) && len(drop) < len(names) {
			continue
		}
		if place == nil && len(s.Blocks) == 0 {
			place, inPlace = s, len(drop) == len(names)
			if inPlace {
				w.gone[s] = true
				continue // it is replaced or removed later
			}
		}
		if len(drop) == len(names) {
			w.remove(s, 0)
			continue
		}
		w.dropNames(names, drop)
	}
	if inPlace && (!w.needs || w.hasMLflow()) {
		w.remove(place, 0)
	}
	if place == nil {
		place = before
	}
	return place, inPlace
}

// namesUsed returns the names that the script uses outside of its imports and of what is covered.
func (w *writer) namesUsed(covered func(token) bool) map[string]bool {
	used := map[string]bool{}
	for _, s := range w.all {
		if f := s.First(); f == "import" || f == "from" {
			continue
		}
		for i, k := range s.Tokens {
			switch {
			case k.Kind == python.Name && (i == 0 || s.Tokens[i-1].Text != ".") && !covered(k):
				used[k.Text] = true
			case k.Kind == python.Other:
				list, _ := fields(w.text[k.At:k.End])
				for _, f := range list {
					for _, word := range wordsOf(w.text[k.At+f[0] : k.At+f[1]]) {
						used[word] = true
					}
				}
			case k.Kind == python.String && s.Tokens[0].Text == "__all__":
				used[k.Text] = true
			}
		}
	}
	return used
}

// dropNames removes names from an import.
func (w *writer) dropNames(names []name, drop []int) {
	for _, i := range drop {
		first, last := names[i].tokens[0], names[i].tokens[len(names[i].tokens)-1]
		keptBefore := slices.ContainsFunc(names[:i], func(n name) bool {
			return !slices.ContainsFunc(drop, func(d int) bool { return names[d].tokens[0].At == n.tokens[0].At })
		})
		if keptBefore { // with the comma before it
			before := names[i-1].tokens
			w.edits = append(w.edits, Edit{before[len(before)-1].End, last.End, ""})
		} else { // with the comma after it
			w.edits = append(w.edits, Edit{first.At, names[i+1].tokens[0].At, ""})
		}
	}
}

// hasMLflow reports whether the module imports mlflow before it is called.
func (w *writer) hasMLflow() bool {
	at := slices.Min(w.done)
	return slices.ContainsFunc(w.scopes[nil]["mlflow"], func(b binding) bool { return b.how == imported && b.at.Tokens[0].At < at })
}

// importMLflow imports mlflow: in place of a removed import, or before it, or before the first statement that may
// follow an import.
func (w *writer) importMLflow(place *python.Statement, inPlace bool) {
	const line = "import mlflow"
	if place != nil && inPlace {
		w.edits = append(w.edits, Edit{place.Tokens[0].At, place.Tokens[len(place.Tokens)-1].End, line})
		return
	}
	if place == nil {
		for i, s := range w.all {
			docstring := i == 0 && len(s.Tokens) == 1 && s.Tokens[0].Kind == python.String
			future := s.Tokens[0].Text == "from" && i0(s.Tokens, 1) == "__future__"
			if !docstring && !future {
				place = s
				break
			}
		}
	}
	at := place.Tokens[0].At
	if w.lines[w.line(at)-1] == at || strings.HasPrefix(w.text, "\ufeff") && at == len("\ufeff") {
		w.edits = append(w.edits, Edit{at, at, line + w.newline()})
		return
	}
	w.edits = append(w.edits, Edit{at, at, line + "; "})
}

// removals makes the edits that remove statements, with their lines if these contain nothing else. A statement that
// would leave its block empty becomes pass.
func (w *writer) removals() {
	left := map[*python.Statement]int{} // the number of remaining statements in each block
	for _, s := range w.all {
		if len(s.Blocks) > 0 && !w.gone[s] {
			left[s.Blocks[len(s.Blocks)-1]]++
		}
	}
	for _, r := range w.removed {
		var block *python.Statement
		if len(r.s.Blocks) > 0 {
			block = r.s.Blocks[len(r.s.Blocks)-1]
		}
		switch {
		case r.start != r.s.Tokens[0].At || !w.ownLines(r.s):
			w.edits = append(w.edits, Edit{r.start, r.end, "pass"})
		case block != nil && left[block] == 0:
			left[block]++
			w.edits = append(w.edits, Edit{r.start, r.end, "pass"})
		default:
			start, end := w.lines[w.line(r.start)-1], r.end
			for end < len(w.text) && (w.text[end] == ' ' || w.text[end] == '\t') {
				end++
			}
			switch {
			case end < len(w.text) && w.text[end] == '#':
				start = r.start // the comment stays
			case strings.HasPrefix(w.text[end:], "\r\n"):
				end += 2
			case end < len(w.text):
				end++
			}
			if start == 0 && strings.HasPrefix(w.text, "\ufeff") {
				start = len("\ufeff")
			}
			w.edits = append(w.edits, Edit{start, end, ""})
		}
	}
}

// ownLines reports whether a statement is the only one on its lines.
func (w *writer) ownLines(s *python.Statement) bool {
	start, end := s.Tokens[0].At, s.Tokens[len(s.Tokens)-1].End
	before := strings.TrimPrefix(w.text[w.lines[w.line(start)-1]:start], "\ufeff")
	after, _, _ := strings.Cut(w.text[end:], "\n")
	after, _, _ = strings.Cut(after, "\r")
	after = strings.TrimSpace(after)
	return strings.Trim(before, " \t\f") == "" && (after == "" || after[0] == '#')
}

// indent returns the text before a statement on its line.
func (w *writer) indent(s *python.Statement) string {
	at := s.Tokens[0].At
	return strings.TrimPrefix(w.text[w.lines[w.line(at)-1]:at], "\ufeff")
}

// newline returns the script's line end.
func (w *writer) newline() string {
	if len(w.lines) < 2 {
		return "\n"
	}
	at := w.lines[1]
	switch {
	case strings.HasSuffix(w.text[:at], "\r\n"):
		return "\r\n"
	case strings.HasSuffix(w.text[:at], "\r"):
		return "\r"
	}
	return "\n"
}
