package plain

import (
	"strings"
	"unicode/utf8"
)

// PackageName makes the name of a Python distribution comparable, as PEP 503 defines it: ASCII letters in lower case,
// each run of "-", "_" and "." one "-". Its own result is returned unchanged. Names of conda packages are compared only
// by lower case, so this function is not for them.
func PackageName(name string) string {
	for i := range len(name) {
		switch c := name[i]; {
		case 'a' <= c && c <= 'z': // most are letters
		case c == '_', c == '.', 'A' <= c && c <= 'Z', c == '-' && i > 0 && name[i-1] == '-':
			return packageName(name)
		}
	}
	return name
}

func packageName(name string) string {
	out := make([]byte, 0, len(name))
	for i := range len(name) {
		switch c := name[i]; {
		case c == '-' || c == '_' || c == '.':
			if n := len(out); n == 0 || out[n-1] != '-' {
				out = append(out, '-')
			}
		case 'A' <= c && c <= 'Z':
			out = append(out, c+'a'-'A')
		default:
			out = append(out, c)
		}
	}
	return string(out)
}

// humps match where a word begins in a camelCase name: before its capital, and before a capital after a small letter.
var humps = []Regexp{{Text: `(.)([A-Z][a-z]+)`}, {Text: `([a-z0-9])([A-Z])`}}

// SnakeCase returns a camelCase name in snake_case, as the Azure ML client converts it.
func SnakeCase(name string) string {
	if strings.IndexFunc(name, func(r rune) bool { return 'A' <= r && r <= 'Z' || r >= utf8.RuneSelf }) < 0 {
		return name // as nearly all are
	}
	for i := range humps {
		name = humps[i].Get().ReplaceAllString(name, "${1}_${2}")
	}
	return strings.ToLower(name)
}

// CamelCase turns node_count and NodeCount into nodeCount, as azureml-core does with the keys it reads. Letters other
// than the first one of a word are kept.
func CamelCase(key string) string {
	if key == "" || 'a' <= key[0] && key[0] <= 'z' && !strings.Contains(key, "_") {
		return key // as nearly all are
	}
	if 'A' <= key[0] && key[0] <= 'Z' && !strings.Contains(key, "_") {
		return string(key[0]+'a'-'A') + key[1:]
	}
	parts := strings.Split(key, "_")
	var b strings.Builder
	for i, part := range parts {
		switch {
		case part == "":
		case i == 0:
			b.WriteString(strings.ToLower(part[:1]) + part[1:])
		default:
			b.WriteString(strings.ToUpper(part[:1]) + part[1:])
		}
	}
	return b.String()
}
