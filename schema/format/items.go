package format

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/schema/binding"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/source"
)

// itemsByName says how to write a list of named items as the mapping that v2 expects, whose keys users choose, as those
// of inputs, outputs and environment variables; "" for other lists. It sets the finding's fix if each item has lines of
// its own.
func (v *validation) itemsByName(f *finding.Finding, p *place, n *document.Node) string {
	if p.key == nil || len(p.schema.Properties) > 0 || p.schema.Closed || len(n.Items()) == 0 {
		return ""
	}
	var changes []finding.Change
	for _, item := range n.Items() {
		name, end, text := v.itemName(item)
		if e := item.Entries(); !binding.PortName.Get().MatchString(name) || len(e) == 1 && v.misfit(p.schema.Additional, e[0].Value) >= wrongTypeCost {
			return ""
		}
		if v.dash(item) < 0 || item.Style == document.Flow || item.Properties != item.Span.Start || end < item.Span.Start {
			continue
		}
		old := source.Span{Start: item.Span.Start - len("- "), End: end}
		changes = append(changes, finding.Splice(v.src, old, name+":"+text))
	}
	if column, ok := v.indent(p.key); ok && len(changes) == len(n.Items()) && n.Style != document.Flow && !p.shared && v.dash(n.Items()[0]) > column {
		f.Fix = &finding.Fix{Title: fmt.Sprintf("write the names in %q as keys", shorten(p.name)), Applicability: finding.Safe, Changes: changes}
	}
	name, _, _ := v.itemName(n.Items()[0])
	if n.Style == document.Flow {
		return fmt.Sprintf(": write each name as a key on a line of its own, such as %s:", shorten(name))
	}
	return fmt.Sprintf(": write each name as a key without a dash, such as %s:", shorten(name))
}

// keysInItems says how to write a list of keys, such as limits, as the mapping that v2 expects; "" for other lists. It
// sets the finding's fix if each item has lines of its own.
func (v *validation) keysInItems(f *finding.Finding, p *place, n *document.Node) string {
	var changes []finding.Change
	seen := map[string]bool{}
	for _, item := range n.Items() {
		if len(item.Entries()) == 0 {
			return ""
		}
		for _, e := range item.Entries() {
			if p.schema.Properties[e.Key.Value] == nil || seen[e.Key.Value] {
				return ""
			}
			seen[e.Key.Value] = true
		}
		if v.dash(item) >= 0 && item.Style == document.Block && item.Properties == item.Span.Start {
			changes = append(changes, finding.Splice(v.src, source.Span{Start: item.Span.Start - len("- "), End: item.Span.Start}, "  "))
		}
	}
	if len(changes) == 0 || len(changes) < len(n.Items()) || p.shared {
		return ""
	}
	f.Fix = &finding.Fix{Title: "remove the dashes", Applicability: finding.Safe, Changes: changes}
	return ": remove the dashes"
}

// dash returns the column of the dash before an item, or -1 if more than a dash and a space is before it on its line.
func (v *validation) dash(item *document.Node) int {
	line := v.src.Line(v.src.LineAt(item.Span.Start))
	before := bytes.TrimLeft(v.src.Text[line.Start:item.Span.Start], " ")
	if string(before) != "- " {
		return -1
	}
	return item.Span.Start - line.Start - len(before)
}

// itemName returns the name of an item, and the text that follows it as a key in place of the item up to end; -1 if
// that is not clear. Items are mappings of a name and its settings or value, a name with its value, and NAME=VALUE.
func (v *validation) itemName(item *document.Node) (name string, end int, text string) {
	switch e := item.Entries(); {
	case item.IsString():
		name, value, found := strings.Cut(item.Value, "=")
		if !found || item.Style == document.Literal || item.Style == document.Folded {
			return "", -1, ""
		}
		if quoted := strconv.Quote(value); quoted == `"`+value+`"` {
			return name, item.Span.End, " " + quoted
		}
		return name, -1, ""
	case len(e) == 1:
		return e[0].Key.Value, e[0].Key.Span.End + len(":"), ""
	case len(e) == 0 || e[0].Key.Value != "name" || e[0].Value.Kind != document.Scalar || e[0].Value.Anchor() != "":
		return "", -1, ""
	case len(e) == 2 && e[1].Key.Value == "value" && e[1].Value.Kind == document.Scalar:
		value := e[1].Value
		between := v.src.Text[e[0].Value.Span.End:value.Span.Start]
		if value.Properties != value.Span.Start || value.Span.Start == value.Span.End || strings.TrimSpace(string(between)) != "value:" {
			return e[0].Value.Value, -1, ""
		}
		return e[0].Value.Value, value.Span.Start, " "
	default:
		return e[0].Value.Value, e[0].Value.Span.End, ""
	}
}
