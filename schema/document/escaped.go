package document

import (
	"bytes"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/amlfix/amlfix/schema/plain"
)

// withoutSlashes returns a text of the same length with the escape of a vertical tab for each \/, the escape of YAML
// 1.2 and JSON that yaml.v3 refuses, or nil if there is none or the text may have a vertical tab of its own.
func withoutSlashes(text []byte) []byte {
	if !bytes.Contains(text, []byte(`\/`)) {
		return nil
	}
	for _, own := range []string{`\v`, `0b`, `0B`} { // the others are \x0b, \u000b and \U0000000b
		if bytes.Contains(text, []byte(own)) {
			return nil
		}
	}
	out := bytes.Clone(text)
	for i := 0; i+1 < len(out); i++ {
		if out[i] == '\\' {
			if i++; out[i] == '/' {
				out[i] = 'v'
			}
		}
	}
	return out
}

// restoreSlashes undoes what withoutSlashes does, in the values below a node: in double quotes, where it was an escape,
// and elsewhere.
func restoreSlashes(n *yaml.Node) {
	n.Value = strings.NewReplacer("\v", "/", `\v`, `\/`).Replace(n.Value)
	for _, child := range n.Content {
		restoreSlashes(child)
	}
}

// incompatible is a part of yaml.v3's error for a version of YAML that it does not know.
const incompatible = "incompatible YAML document"

// versionLine matches the beginning of a text up to the version of YAML that it names.
var versionLine = plain.Regexp{Text: `^(?:\x{feff})?(?:[ \t]*(?:#.*)?\r?\n)*%YAML[ \t]+1\.(\d)(?:[ \t\r\n]|$)`}

// knownVersion returns a text of the same length that asks for YAML 1.1 instead of another version 1, all of which
// Azure ML's YAML reader reads alike. It returns nil for other texts.
func knownVersion(text []byte) []byte {
	at := versionLine.Get().FindSubmatchIndex(text)
	if at == nil || text[at[2]] == '1' {
		return nil
	}
	other := bytes.Clone(text)
	other[at[2]] = '1'
	return other
}

// directive matches a directive of YAML, and reserved any other.
var (
	directive = plain.Regexp{Text: `^%(?:YAML|TAG)[ \t]`}
	reserved  = plain.Regexp{Text: `^%[\w-]+[ \t\r\n]`}
)

// withoutDirectives returns a text of the same length with comments for the directives that YAML does not have, which
// Azure ML's reader passes over, or nil if there are none above the first "---".
func withoutDirectives(text []byte) []byte {
	out := bytes.Clone(text)
	for at := 0; at < len(out); {
		line, _, _ := bytes.Cut(out[at:], []byte("\n"))
		switch {
		case bytes.HasPrefix(line, []byte("---")):
			if bytes.Equal(out, text) {
				return nil // what yaml.v3 does not know is below it
			}
			return out
		case directive.Get().Match(line), len(bytes.TrimSpace(line)) == 0, line[0] == '#':
		case reserved.Get().Match(out[at:]):
			out[at] = '#'
		default:
			return nil
		}
		at += len(line) + 1
	}
	return nil
}
