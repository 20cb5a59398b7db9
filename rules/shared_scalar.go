package rules

import "github.com/amlfix/amlfix/schema/document"

// anyScalar reports whether any scalar in a tree, keys included, satisfies want.
func anyScalar(n *document.Node, want func(*document.Node) bool) bool {
	switch {
	case n == nil:
		return false
	case n.Kind == document.Scalar:
		return want(n)
	}
	for _, e := range n.Entries {
		if anyScalar(e.Key, want) || anyScalar(e.Value, want) {
			return true
		}
	}
	for _, item := range n.Items {
		if anyScalar(item, want) {
			return true
		}
	}
	return false
}
