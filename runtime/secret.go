package runtime

import (
	"strings"

	"github.com/amlfix/amlfix/schema/secret"
)

// markSecrets marks the arguments that are not to be shown.
func markSecrets(args []Item) {
	values := make([]string, len(args))
	for i, a := range args {
		values[i] = a.Value
	}
	for i, hidden := range secret.Arguments(values) {
		args[i].Secret = hidden
	}
}

// shown is the value as it may be printed.
func (i Item) shown() string {
	if !i.Secret {
		return quote(i.Value)
	}
	if name, _, assigned := strings.Cut(i.Value, "="); assigned && strings.HasPrefix(i.Value, "-") && !secret.Contains(name) {
		return quote(name + "=" + secret.Mask)
	}
	return secret.Mask
}
