package format

import (
	"bytes"
	"strings"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/secret"
	"github.com/amlfix/amlfix/schema/source"
)

// shellWord matches a word that a shell takes as it is, and that YAML reads as text without quotes.
var shellWord = plain.Regexp{Text: `^(?:[A-Za-z0-9_./=,@%+-]|\$\{\{[A-Za-z0-9_. ]+\}\})+$`}

// commandLine returns the line that a list of words, as Docker and Kubernetes have it, or of lines was meant for where
// v2 expects a command; "" if that is not clear. The fix of f writes it.
func (v *validation) commandLine(f *finding.Finding, p *place, n *document.Node) string {
	if !v.kind.v2() || p.name != "command" || n.Kind != document.Sequence || len(n.Items()) == 0 {
		return ""
	}
	var items []string
	words, lines := 0, 0
	for _, item := range n.Items() {
		item = item.Resolve()
		if item.Kind != document.Scalar || item.Value == "" || strings.ContainsAny(item.Value, "\r\n#") {
			return ""
		}
		items = append(items, item.Value)
		if shellWord.Get().MatchString(item.Value) {
			words++
		}
		if first, rest, _ := strings.Cut(item.Value, " "); rest != "" && shellWord.Get().MatchString(first) && first[0] != '-' {
			lines++
		}
	}
	line, how := strings.Join(items, " "), finding.Safe
	switch {
	case words == len(items) && items[0][0] != '-':
	case lines == len(items):
		line, how = strings.Join(items, " && "), finding.Unsafe // or the later ones run in any case
	default:
		return ""
	}
	if secret.Contains(line) {
		return ""
	}
	v.writeLine(f, p, n, line, how)
	return line
}

// writeLine sets the fix that replaces a list by a line.
func (v *validation) writeLine(f *finding.Finding, p *place, n *document.Node, line string, how finding.Applicability) {
	span := source.Span{Start: p.key.Span.End, End: n.Span.End}
	old := v.src.Slice(span)
	if p.shared || n != p.value || n.Properties != n.Span.Start || p.parent.value.Style == document.Flow || strings.ContainsAny(line, ":") ||
		bytes.IndexByte(old, '#') >= 0 || !bytes.HasPrefix(old, []byte(":")) {
		return
	}
	f.Fix = finding.NewFix(how, "write one line", finding.Splice(v.src, span, ": "+line))
}
