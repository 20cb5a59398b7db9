package secret

import (
	"sort"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/schema/source"
)

// Arguments reports, for each argument of a command, whether it contains a secret: by itself, or because of the option
// or the program before it.
func Arguments(args []string) []bool {
	var list strings.Builder // the command as a file would have it
	starts := make([]int, len(args)+1)
	for i, a := range args {
		list.WriteString(", ")
		starts[i] = list.Len()
		list.WriteString(strconv.Quote(a))
	}
	starts[len(args)] = list.Len() + len(", ")
	s := newScanner([]byte(list.String()))
	s.tokens(true)
	spans := source.Merge(s.spans)
	hidden := make([]bool, len(args))
	for i, a := range args {
		k := sort.Search(len(spans), func(k int) bool { return spans[k].End > starts[i] })
		hidden[i] = k < len(spans) && spans[k].Start < starts[i+1]-len(", ") || Contains(a)
	}
	return hidden
}
