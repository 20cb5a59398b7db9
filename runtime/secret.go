package runtime

import (
	"strings"
)

// mask is shown instead of a secret, whatever its length.
const mask = "********"

// secretWords mark the names of variables and options whose values are not shown.
var secretWords = []string{"KEY", "SECRET", "TOKEN", "PASSWORD", "PASSWD", "PASSPHRASE", "PWD", "SAS", "CREDENTIAL", "CONNECTION_STRING", "CONNECTIONSTRING"}

// secretTexts mark values that are not shown under any name: parts of shared access signatures and connection strings.
var secretTexts = []string{"sig=", "accountkey=", "sharedaccesskey=", "sharedaccesssignature=", "password=", "pwd="}

func secretName(name string) bool {
	name = strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
	if name == "PWD" || name == "OLDPWD" { // the working folder
		return false
	}
	for _, word := range secretWords {
		if strings.Contains(name, word) {
			return true
		}
	}
	return false
}

func secretValue(value string) bool {
	value = strings.ToLower(value)
	for _, text := range secretTexts {
		if strings.Contains(value, text) {
			return true
		}
	}
	return strings.Contains(value, "://") && hasUserInfo(value)
}

// hasUserInfo reports whether a URL holds a password: scheme://user:password@host.
func hasUserInfo(value string) bool {
	_, rest, _ := strings.Cut(value, "://")
	host, _, _ := strings.Cut(rest, "/")
	user, _, found := strings.Cut(host, "@")
	return found && strings.Contains(user, ":")
}

// markSecrets marks the arguments that are not to be shown: values that look like secrets and what follows an option
// with such a name.
func markSecrets(args []Item) {
	after := false
	for i := range args {
		name, _, assigned := strings.Cut(args[i].Value, "=")
		option := strings.HasPrefix(args[i].Value, "-") && secretName(name)
		args[i].Secret = secretValue(args[i].Value) || option && assigned || after && !strings.HasPrefix(args[i].Value, "-")
		after = option && !assigned
	}
}

// shown is the value as it may be printed.
func (i Item) shown() string {
	if !i.Secret {
		return quote(i.Value)
	}
	if name, _, assigned := strings.Cut(i.Value, "="); assigned && strings.HasPrefix(i.Value, "-") {
		return quote(name + "=" + mask)
	}
	return mask
}
