package catalog

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

var secretShapeRows = &table[SecretShape]{name: "secret_shapes"}

// SecretShapes returns the shapes of all vendors' tokens, which callers must not modify.
func SecretShapes() []SecretShape { return secretShapeRows.all() }
