package plan

import (
	"strings"

	"github.com/amlfix/amlfix/schema/secret"
)

// MarkSecrets marks the arguments that must not be shown.
func MarkSecrets(args []Item) {
	values := make([]string, len(args))
	for i, a := range args {
		values[i] = a.Value
	}
	for i, hidden := range secret.Arguments(values) {
		args[i].Secret = hidden
	}
}

// Shown returns the value as it may be printed.
func (i Item) Shown() string {
	if !i.Secret {
		return Quote(i.Value)
	}
	if name, _, assigned := strings.Cut(i.Value, "="); assigned && strings.HasPrefix(i.Value, "-") && !secret.Contains(name) {
		return Quote(name + "=" + secret.Mask)
	}
	return secret.Mask
}
