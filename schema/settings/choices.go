package settings

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/format"
)

// choices checks the answers: whether their question exists, and whether they are valid.
func (c *checker) choices(n *document.Node) {
	if !n.IsMapping() {
		return
	}
	for _, e := range n.Entries() {
		if e.Key.Kind != document.Scalar || c.full() {
			continue
		}
		name := e.Key.Value
		answers, asked := c.questions[name]
		switch {
		case !asked:
			c.unasked(e.Key, e.Value.Pointer())
		case len(answers) > 0 && !slices.Contains(answers, e.Value.Text()):
			c.report(e.Value, fmt.Sprintf("%.60q is not an answer to %q: write %s", e.Value.Text(), name, strings.Join(answers, " or ")), nil)
		}
	}
}

func (c *checker) unasked(key *document.Node, pointer string) {
	near := format.Nearest(key.Value, slices.Sorted(maps.Keys(c.questions)))
	message := fmt.Sprintf("no repair has a question %.60q", key.Value)
	var fix *finding.Fix
	if len(near) > 0 {
		message += ": did you mean " + strings.Join(near, " or ") + "?"
	}
	if len(near) == 1 && c.file.Exact && !c.file.Repaired {
		fix = &finding.Fix{Title: "write " + near[0], Applicability: finding.Safe, Changes: []finding.Change{
			{Op: finding.RenameKey, File: c.file.Source.Path, Pointer: pointer, Key: near[0]}}}
	}
	c.report(key, message, fix)
}
