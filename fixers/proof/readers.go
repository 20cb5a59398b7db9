package proof

import (
	"strings"

	"github.com/amlfix/amlfix/schema/plain"
)

// otherTypes matches the plain scalars that the YAML 1.1 type repository (yaml.org/type) or the YAML 1.2 core schema
// resolve to something but a string. The former's pattern of floats matches a lone point, too, but readers do not.
var otherTypes = plain.Regexp{Text: `^(?:` +
	`~|null|Null|NULL|` + // null
	`y|Y|yes|Yes|YES|n|N|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF|` + // bool
	`<<|=|` + // merge, value
	`[-+]?0b[0-1_]+|[-+]?0[0-7_]+|[-+]?(?:0|[1-9][0-9_]*)|[-+]?0x[0-9a-fA-F_]+|[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+|` + // int 1.1
	`[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+|` + // int 1.2
	`[-+]?(?:[0-9][0-9_]*\.[0-9_]*|\.[0-9_]+)(?:[eE][-+]?[0-9]+)?|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*|` + // float 1.1
	`[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|` + // float 1.2
	`[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)|` +
	`[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}.*` + // timestamp
	`)$`}

// readOtherwise reports whether some YAML reader reads a plain scalar as anything but a string.
func readOtherwise(plain string) bool {
	if plain == "" || plain[0] > '9' && len(plain) > len("false") { // only words and signs begin so
		return plain == ""
	}
	return strings.IndexByte("~nNyYtTfFoO<=-+.0123456789", plain[0]) >= 0 && otherTypes.Get().MatchString(plain)
}
