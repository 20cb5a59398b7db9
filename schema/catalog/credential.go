package catalog

import (
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/plain"
)

// Credential classifies the value of a password field.
type Credential string

const (
	// CredentialEmpty means: nothing but spaces.
	CredentialEmpty Credential = "empty"
	// CredentialReference means: a key into the credential store of the machine that wrote it, not a secret.
	CredentialReference Credential = "reference"
	// CredentialPlaceholder means: text that asks the reader for a value.
	CredentialPlaceholder Credential = "placeholder"
	// CredentialLiteral means: none of these, so it may be a secret. Never print it.
	CredentialLiteral Credential = "literal"
)

type credentialPattern struct {
	ID, Example string
	Kind        Credential
	Holds       []string // a match contains one of these, in lower case; checked first because compiling the expression is slow
	regexp      *plain.Regexp
}

var credentialRows = &table[credentialPattern]{name: "credentials", finish: func(r record, p *credentialPattern) { p.regexp = &plain.Regexp{Text: r.text("regexp")} }}

// CredentialKind classifies the value of a password field, ignoring surrounding spaces. The caller handles null and
// lists, which are not passwords either.
func CredentialKind(value string) Credential {
	value = strings.TrimSpace(value)
	if value == "" {
		return CredentialEmpty
	}
	small := strings.ToLower(value)
	for _, p := range credentialRows.all() {
		holds := func(text string) bool { return strings.Contains(small, text) }
		if slices.ContainsFunc(p.Holds, holds) && p.regexp.Get().MatchString(value) {
			return p.Kind
		}
	}
	return CredentialLiteral
}
