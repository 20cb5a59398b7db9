package plain

import "strings"

// SingleQuoted returns text, which must be on one line, as a scalar of YAML in single quotes.
func SingleQuoted(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }
