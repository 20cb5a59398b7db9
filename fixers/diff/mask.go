package diff

import (
	"bytes"
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/amlfix/amlfix/schema/catalog"
)

// hidden stands where a secret was.
const hidden = "***"

// secretForms match secrets, each in a group of its own. Names of files and
// references to a secret store are no secrets: privateKeyFile, secretName.
var secretForms = sync.OnceValue(func() []*regexp.Regexp {
	const name = `(?i)(?:password|passwd|passphrase|\bpwd|secret|token|connection_?string|[_\-.]key|` +
		`(?:api|access|account|private|storage|primary|secondary|shared|master|subscription)key)`
	return []*regexp.Regexp{
		// The value of a key that names a secret, in YAML or JSON; null and booleans are none.
		regexp.MustCompile(name + `["']?[ \t]*:(?:[ \t]*"((?:[^"\\\r\n]|\\.)*)|[ \t]*'((?:[^'\r\n]|'')*)` +
			`|[ \t]*(?:null|true|false|~)[ \t]*(?:[,}\r\n]|$)|[ \t]+([^\s"'#][^\r\n]*?)(?:[ \t]+#|[\r\n]|$))`),
		// Parts of longer values: SAS signatures, connection strings, URLs, command lines.
		regexp.MustCompile(`(?i)\bsig=([^&\s"'#]+)`),
		regexp.MustCompile(`(?i)\b(?:AccountKey|SharedAccessKey|password|passwd|pwd)=([^;&\s"']+)`),
		regexp.MustCompile(`://[^/\s:@"']*:([^/\s@"']+)@`),
	}
})

// Mask returns a line with the secrets in it replaced by "***": the values of
// keys like "password", signatures of SAS URLs, keys in connection strings,
// passwords in URLs. A secret written in a way it does not know stays, and so do
// values over several lines.
func Mask(line string) string {
	spans := secretSpans(line)
	if len(spans) == 0 {
		return line
	}
	var b strings.Builder
	at := 0
	for _, s := range spans {
		b.WriteString(line[at:s[0]])
		b.WriteString(hidden)
		at = s[1]
	}
	return b.String() + line[at:]
}

// secretSpans returns where secrets stand in a line, in order and disjoint.
func secretSpans(line string) (spans [][2]int) {
	for _, form := range secretForms() {
		for _, match := range form.FindAllStringSubmatchIndex(line, -1) {
			for g := 2; g+1 < len(match); g += 2 {
				if match[g] < match[g+1] && !harmless(line[match[g]:match[g+1]]) {
					spans = append(spans, [2]int{match[g], match[g+1]})
				}
			}
		}
	}
	slices.SortFunc(spans, func(a, b [2]int) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(b[1], a[1])) })
	end := -1
	return slices.DeleteFunc(spans, func(s [2]int) bool {
		inside := s[0] < end
		end = max(end, s[1])
		return inside
	})
}

// harmless reports whether a value where a secret might stand is none: a
// placeholder, a variable, or a reference to a store of secrets.
func harmless(s string) bool {
	return s == hidden || catalog.CredentialKind(s) != catalog.CredentialLiteral
}

// minSecret is the length from which a known secret is hidden wherever it
// stands; a shorter one, such as "x", would hide half of the text.
const minSecret = 4

// Masked is Unified with secrets replaced, and with a line before it that says
// so when there were any. A secret found in one line is hidden in all of them:
// where a misspelt key is renamed, only the new line shows what the value is.
// Masked lines do not match the file, so "git apply" refuses the diff.
func Masked(name string, a, b []byte) []byte {
	plain := Unified(name, a, b)
	if plain == nil {
		return nil
	}
	var known []string
	for _, text := range [][]byte{a, b} {
		for _, line := range lines(text) {
			for _, s := range secretSpans(string(line)) {
				if s[1]-s[0] >= minSecret {
					known = append(known, string(line[s[0]:s[1]]))
				}
			}
		}
	}
	slices.SortFunc(known, func(a, b string) int { return len(b) - len(a) })
	var out bytes.Buffer
	count := 0
	for i, line := range lines(plain) {
		shown := string(line)
		if i >= headerLines && shown[0] != '@' {
			shown = Mask(shown)
			for _, s := range known {
				shown = strings.ReplaceAll(shown, s, hidden)
			}
		}
		if shown != string(line) {
			count++
		}
		out.WriteString(shown)
	}
	if count == 0 {
		return plain
	}
	note := fmt.Sprintf("# %s: secrets are shown as %s in %d of the lines below; --raw gives the exact bytes\n", printableName(name), hidden, count)
	return append([]byte(note), out.Bytes()...)
}

// headerLines is how many lines of a diff name the file.
const headerLines = 2
