package format

import (
	"fmt"

	"github.com/amlfix/amlfix/schema/document"
)

// maxExpansion is how many nodes the aliases of one document may stand for
// together: a bomb of nine levels stands for 10^9. Real configuration files have
// no aliases at all.
const maxExpansion = 10_000

// boundlessAlias returns the first alias that makes a document endless or huge
// when every alias is written out, and why; nil when there is none.
func boundlessAlias(root *document.Node) (at *document.Node, reason string) {
	e := expansion{sizes: map[*document.Node]int{}}
	e.walk(root)
	switch {
	case e.at == nil:
		return nil, ""
	case e.cyclic:
		return e.at, fmt.Sprintf("the alias *%s is inside the value that it repeats, so the document has no end: write the value out", shorten(e.at.Value))
	}
	return e.at, fmt.Sprintf("the aliases up to *%s expand to more than %d values, which no configuration needs: write the values out", shorten(e.at.Value), maxExpansion)
}

// expansion adds up what aliases stand for, each target measured once, so that
// the work is linear in the size of the text.
type expansion struct {
	sizes  map[*document.Node]int // nodes below an alias's target, written out; 0 while it is measured
	total  int
	at     *document.Node
	cyclic bool
}

// walk visits the nodes of the text in order until an alias is found guilty.
func (e *expansion) walk(n *document.Node) {
	if e.at != nil {
		return
	}
	if n.Kind == document.Alias {
		if e.total += e.size(n); e.total > maxExpansion && e.at == nil {
			e.at = n
		}
		return
	}
	for _, item := range n.Items {
		e.walk(item)
	}
	for _, entry := range n.Entries {
		e.walk(entry.Key)
		e.walk(entry.Value)
	}
}

// size returns the number of nodes that n stands for, at most maxExpansion + 1.
func (e *expansion) size(n *document.Node) int {
	if n.Kind == document.Alias {
		return e.target(n)
	}
	size := 1
	for _, item := range n.Items {
		size += e.size(item)
	}
	for _, entry := range n.Entries {
		size += e.size(entry.Key) + e.size(entry.Value)
	}
	return min(size, maxExpansion+1)
}

func (e *expansion) target(alias *document.Node) int {
	if alias.Target == nil {
		return 1
	}
	size, known := e.sizes[alias.Target]
	switch {
	case known && size == 0:
		if e.at == nil {
			e.at, e.cyclic = alias, true
		}
		return 1
	case !known:
		e.sizes[alias.Target] = 0
		size = e.size(alias.Target)
		e.sizes[alias.Target] = size
	}
	return size
}
