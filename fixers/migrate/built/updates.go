package built

import (
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/python"
)

// mostVariables is the maximum number of environment variables that are read from calls of update: each is looked for
// among all.
const mostVariables = 1000

// changes are the methods with which lists and dictionaries change.
var changes = [...]string{"append", "extend", "insert", "update", "setdefault", "pop", "remove", "clear"}

// updates returns what calls change in an object: environment variables one by one, others as a whole.
func (b *builder) updates(name string) (list []setting) {
	variables := 0
	for _, s := range b.calls[name] {
		dot := strings.LastIndexByte(s.path, '.')
		if dot < 0 || !slices.Contains(changes[:], s.path[dot+1:]) {
			continue
		}
		b.read[s.tokens[0].At] = true
		change := s.path[dot+1:]
		s.path = s.path[:dot]
		of := s.path[strings.LastIndexByte(s.path, '.')+1:]
		switch whole := (setting{at: s.at, path: s.path, tokens: s.at.Tokens}); {
		case of == "environment_variables" && change == "update" && variables <= mostVariables:
			each := eachVariable(s)
			if variables += len(each); variables > mostVariables {
				each = []setting{whole} // and none that follow
			}
			list = append(list, each...)
		case of == "data_references":
			whole.path = strings.TrimSuffix(s.path, of) + "dataReferences" // b.references reads those that are assigned
			list = append(list, whole)
		default:
			list = append(list, whole)
		}
	}
	return list
}

// eachVariable returns the variables that environment_variables.update(…) sets, and the call itself if it may set more.
func eachVariable(s setting) (list []setting) {
	dict, ok := python.CallAt(python.Bare(s.tokens), 0)
	if !ok || dict.Open || len(dict.Keywords) > 0 || s.tokens[1].Text != "{" {
		list = append(list, s)
	}
	for _, item := range dict.Positional {
		if colon := colon(item); colon > 0 && colon < len(item)-1 {
			s.key, s.tokens = item[:colon], item[colon+1:]
			list = append(list, s)
		}
	}
	return list
}
