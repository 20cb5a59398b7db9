package rules

import (
	"slices"

	"github.com/amlfix/amlfix/schema/document"
)

// anyScalar reports whether any scalar in a tree, keys included, satisfies want.
func anyScalar(n *document.Node, want func(*document.Node) bool) bool {
	switch {
	case n == nil:
		return false
	case n.Kind == document.Scalar:
		return want(n)
	}
	return slices.ContainsFunc(n.Entries, func(e document.Entry) bool { return anyScalar(e.Key, want) || anyScalar(e.Value, want) }) ||
		slices.ContainsFunc(n.Items, func(item *document.Node) bool { return anyScalar(item, want) })
}
