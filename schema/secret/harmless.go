package secret

import (
	"strings"

	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/plain"
)

// longestPlaceholder is the maximum length, in bytes, of a value that is checked for being a placeholder, which limits
// the time.
const longestPlaceholder = 256

// harmless reports whether a value where a secret is expected is not one: empty, a placeholder, a reference to a secret
// store, null, true or false.
func harmless(value string) bool {
	if len(value) > longestPlaceholder {
		return false
	}
	value = strings.TrimSpace(value)
	if strings.HasPrefix(value, `\`) { // quotes inside a quoted scalar
		value = strings.ReplaceAll(value, `\`, "")
	}
	if n := len(value); n > 1 && (value[0] == '"' || value[0] == '\'') && value[n-1] == value[0] {
		value = value[1 : n-1]
	}
	switch strings.ToLower(value) {
	case "null", "none", "~", "true", "false", "[]", "{}",
		"${{", "{{", // an expression with spaces begins
		"off", "info", "warning", "error": // a severity of the rules about secrets
		return true
	}
	if strings.HasPrefix(value, "[") {
		return harmlessBrackets(value)
	}
	const shortest = 3
	if len(value) >= shortest && !isAlnum(value[0]) && strings.Trim(value, value[:1]) == "" {
		return true // a line of dashes in place of a key
	}
	return catalog.CredentialKind(value) != catalog.CredentialLiteral
}

// harmlessBrackets reports whether brackets contain a placeholder in capitals, such as [AZUREML SECRET], or a single
// harmless value. Otherwise they may contain a list of secrets.
func harmlessBrackets(value string) bool {
	inner, closed := strings.CutSuffix(value[1:], "]")
	if !closed || strings.ContainsAny(inner, "[],") {
		return false
	}
	other := func(r rune) bool { return (r < 'A' || r > 'Z') && r != ' ' && r != '_' && r != '-' }
	if !strings.ContainsFunc(inner, other) {
		return NameIsSecret(strings.ReplaceAll(inner, " ", "_"))
	}
	return harmless(inner)
}

// early matches the version of a pip package before or after a release, such as =4.9.0b3 of
// azure-keyvault-keys==4.9.0b3: what follows a single "=" may be a password.
var early = plain.Regexp{Text: `^=\d+(\.\d+)+(\.?(a|b|rc|post|dev)\d+)+$`}

// isVersion reports whether what follows "=" is a version, as in tiktoken=0.5 or secretstorage==3.*, so that the name
// before it is a package.
func isVersion(value string) bool {
	number := strings.TrimPrefix(value, "=")
	if number != "" && isDigit(number[0]) && strings.Contains(number, ".") && strings.Trim(number, "0123456789.*") == "" {
		return true
	}
	return len(value) <= longestPlaceholder && value != number && early.Get().MatchString(value)
}
