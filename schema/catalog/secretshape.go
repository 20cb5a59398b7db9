package catalog

import (
	"fmt"
	"slices"
	"strconv"
)

// SecretShape is the form of one vendor's tokens: Before letters, the mark, and then Min to Max letters. A word with
// more letters on either side is not a token.
type SecretShape struct {
	// ID is the row's name; What names such a token in a sentence: "a GitHub token".
	ID, What string
	// Mark is the text by which the vendor distinguishes its tokens from other words.
	Mark string
	// Before, Min and Max count letters of the alphabet Letters. Before is 0 if tokens begin with the mark; Max is 0 if
	// there is no upper limit.
	Before, Min, Max int
	// Letters is the alphabet: hex, base32, alnum, word (with "_"), url (with "-" too), dots (with "." too), tilde
	// (with "~" too), base64, or path (url with "/").
	Letters string
	Origin
}

var secretShapeRows = load("secret_shapes", func(r record) SecretShape {
	return SecretShape{
		ID: r.text("id"), What: r.text("what"), Mark: r.text("mark"), Letters: r.text("letters"),
		Before: r.number("before"), Min: r.number("min"), Max: r.number("max"), Origin: r.origin(),
	}
})

// SecretShapes returns the shapes of all vendors' tokens.
func SecretShapes() []SecretShape { return slices.Clone(secretShapeRows()) }

// number returns a cell that holds a whole number.
func (r record) number(column string) int {
	n, err := strconv.Atoi(r.text(column))
	if err != nil {
		panic(fmt.Sprintf("catalog: %s.csv:%d: %s: %v", r.table, r.line, column, err))
	}
	return n
}
