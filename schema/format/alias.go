package format

import (
	"fmt"

	"github.com/amlfix/amlfix/schema/document"
)

// maxExpansion is the maximum number of nodes that the aliases of one document may expand to: a bomb with nine levels
// expands to 10^9. Real configuration files have no aliases at all.
const maxExpansion = 10_000

// boundlessAlias returns the first alias that makes a document infinite or huge when it is expanded, and why, or nil.
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

// Boundless reports whether aliases make a document infinite or huge, so that it must not be copied with what they
// repeat.
func Boundless(root *document.Node) bool {
	if root == nil {
		return false
	}
	at, _ := boundlessAlias(root)
	return at != nil
}

// expansion adds up what aliases expand to. It measures each target once, so that the work is linear in the size of the
// text.
type expansion struct {
	sizes  map[*document.Node]int // expanded number of nodes below an alias's target; 0 while it is measured
	total  int
	at     *document.Node
	cyclic bool
}

// walk visits the nodes of the text in order until it finds an alias at fault.
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
	for _, item := range n.Items() {
		e.walk(item)
	}
	for _, entry := range n.Entries() {
		e.walk(entry.Key)
		e.walk(entry.Value)
	}
}

// size returns the number of nodes that n expands to, at most maxExpansion + 1.
func (e *expansion) size(n *document.Node) int {
	if n.Kind == document.Alias {
		return e.target(n)
	}
	size := 1
	for _, item := range n.Items() {
		size += e.size(item)
	}
	for _, entry := range n.Entries() {
		size += e.size(entry.Key) + e.size(entry.Value)
	}
	return min(size, maxExpansion+1)
}

func (e *expansion) target(alias *document.Node) int {
	if alias.Target() == nil {
		return 1
	}
	size, known := e.sizes[alias.Target()]
	switch {
	case known && size == 0:
		if e.at == nil {
			e.at, e.cyclic = alias, true
		}
		return 1
	case !known:
		e.sizes[alias.Target()] = 0
		size = e.size(alias.Target())
		e.sizes[alias.Target()] = size
	}
	return size
}
