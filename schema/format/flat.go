package format

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/source"
	"github.com/amlfix/amlfix/schema/template"
)

// given sets the fix of an input that a job declares as a component does: its default becomes its value.
func (v *validation) given(f *finding.Finding, p *place) {
	i := p.first("default")
	if i < 0 || p.shared || p.entries[i].shared {
		return
	}
	value := p.entries[i].value
	if value.Kind != document.Scalar || value.IsNull() || value.Anchor() != "" || !value.IsString() && strings.EqualFold(p.value.Get("type").Text(), "string") {
		return // a number is text only in quotes
	}
	how := finding.Safe
	if slices.ContainsFunc(p.entries, func(e entry) bool { return e.name != "type" && e.name != "default" }) {
		how = finding.Unsafe // a description is lost
	}
	v.flatten(f, p.value, string(v.src.Slice(value.Span)), how)
}

// flatten sets a finding's fix, which replaces a mapping by one value of one line.
func (v *validation) flatten(f *finding.Finding, n *document.Node, text string, how finding.Applicability) {
	if n.Kind != document.Mapping || n.Anchor() != "" || n.Merges() || strings.Contains(text, "\n") {
		return
	}
	key := n.KeyNode()
	if key == nil {
		return
	}
	start := key.Span.End
	old := v.src.Text[start:n.Span.End]
	colon := bytes.IndexByte(old, ':')
	if colon < 0 || bytes.IndexByte(old, '#') >= 0 {
		return // a comment would be lost
	}
	after := source.Span{Start: start + colon + 1, End: n.Span.End}
	f.Fix = finding.NewFix(how, fmt.Sprintf("write %s: %s", shorten(key.Value), shorten(text)), finding.Splice(v.src, after, " "+text))
}

// environmentName matches the name of an environment, which for those of Microsoft may contain dots.
var environmentName = plain.Regexp{Text: `^[A-Za-z0-9][A-Za-z0-9_.-]*$`}

// registered returns the reference that a mapping of only a name and a version is obviously meant as, or "".
func registered(n *document.Node) string {
	name, label, _ := strings.Cut(strings.TrimPrefix(n.Get("name").Text(), "azureml:"), "@")
	version := n.Get("version").Text()
	if !onlyKeys(n, "name", "version", "label", "description") || !environmentName.Get().MatchString(name) || template.In(version) {
		return ""
	}
	if label = cmp.Or(label, strings.TrimPrefix(version, "@"), "latest"); label == version && version != "latest" {
		return "azureml:" + name + ":" + version
	}
	return "azureml:" + name + "@" + label
}
