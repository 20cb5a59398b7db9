package migrate

import (
	"strconv"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/secret"
	"github.com/amlfix/amlfix/schema/template"
)

// open reports whether a value is filled in before the file is used, or must not be copied.
func open(n *document.Node) bool {
	return n.Kind == document.Scalar && (template.In(n.Value) || secret.Contains(n.Value))
}

// plainText reports whether a node is a literal string.
func plainText(n *document.Node) bool {
	n = n.Resolve()
	return n != nil && n.Kind == document.Scalar && n.Tag() == "!!str" && n.Value != "" && !open(n)
}

// wholeNumber reports whether a node is a positive decimal integer.
func wholeNumber(n *document.Node) bool {
	if n = n.Resolve(); n == nil || n.Kind != document.Scalar || n.Tag() != "!!int" {
		return false
	}
	i, err := strconv.Atoi(n.Value)
	return err == nil && i > 0
}
