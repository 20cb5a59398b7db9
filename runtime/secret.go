package runtime

import (
	"strings"

	"github.com/amlfix/amlfix/schema/secret"
)

// markSecrets marks the arguments that are not to be shown: values that look like secrets and what follows an option
// with such a name.
func markSecrets(args []Item) {
	after := false
	for i := range args {
		name, _, assigned := strings.Cut(args[i].Value, "=")
		option := strings.HasPrefix(args[i].Value, "-") && secret.NameIsSecret(name)
		args[i].Secret = secret.Contains(args[i].Value) || option && assigned || after && !strings.HasPrefix(args[i].Value, "-")
		after = option && !assigned
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
