package tracking

import (
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/python"
)

// asked matches the attributes of the run in an f-string that MLflow has too.
var asked = plain.Regexp{Text: `^\s*((?:self\.)?\w+)\.(id|experiment\.name)\s*(?:[!:].*)?$`}

// inTexts rewrites attributes of the run in f-strings, and keeps the run if they use more of it.
func (w *writer) inTexts() {
	byName := map[string][]owner{}
	for _, o := range w.owners {
		name := strings.TrimPrefix(o.name, "self.")
		byName[name] = append(byName[name], o)
	}
	named := map[string]bool{}
	for _, s := range w.all {
		for _, k := range s.Tokens {
			if k.Kind != python.Other || len(byName) == 0 {
				continue
			}
			list, _ := fields(w.text[k.At:k.End])
			for _, f := range list {
				field := w.text[k.At+f[0] : k.At+f[1]]
				if e, ok := w.inField(s, field, k.At+f[0]); ok {
					w.edits, w.done, w.needs = append(w.edits, e), append(w.done, k.At), true
					continue
				}
				for _, word := range wordsOf(field) {
					if list := byName[word]; len(list) > 0 {
						for _, o := range list {
							w.kept[o] = true
						}
						if !named[word] {
							w.skipped = append(w.skipped, Skipped{Line: w.line(k.At), Code: word, Why: "an f-string may use the run"})
						}
						named[word] = true
					}
				}
			}
		}
	}
}

// inField rewrites a field of an f-string that begins at an offset.
func (w *writer) inField(s *python.Statement, field string, at int) (e Edit, ok bool) {
	m := asked.Get().FindStringSubmatchIndex(field)
	if m == nil {
		return e, false
	}
	name := field[m[2]:m[3]]
	tokens, _ := python.Scan(name)
	tokens = slices.DeleteFunc(tokens, func(k token) bool { return k.Kind == python.Newline })
	found, ok := w.subjectAt(&python.Statement{Tokens: tokens, Blocks: s.Blocks}, 0)
	if !ok || found.why != "" || w.clashes != "" {
		return e, false
	}
	text := idOfRun
	if field[m[4]:m[5]] != "id" {
		text = nameOfExperiment
	}
	return Edit{at + m[2], at + m[5], text}, true
}

// fields returns the spans of the fields in the source of an f-string, without their braces, and the number of unclosed
// braces; none for other strings.
func fields(written string) (list [][2]int, depth int) {
	quote := strings.IndexAny(written, `"'`)
	if quote < 0 || !strings.ContainsAny(written[:quote], "fFtT") {
		return nil, 0
	}
	begin := 0
	for i := quote; i < len(written); i++ {
		switch c := written[i]; {
		case c == '{' && depth == 0 && i+1 < len(written) && written[i+1] == '{', c == '}' && depth == 0:
			i++
		case c == '{':
			if depth++; depth == 1 {
				begin = i + 1
			}
		case c == '}':
			if depth--; depth == 0 {
				list = append(list, [2]int{begin, i})
			}
		}
	}
	return list, depth
}
