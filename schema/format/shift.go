package format

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
)

// maxShifted is the maximum number of lines whose indentation a fix changes.
const maxShifted = 100

// near is the number of entries on each side of one in which a mapping shows the usual indentation.
const near = 20

// shift returns the changes that move an entry of p to another mapping by its indentation alone: further in, if that
// mapping is the value of the entry before, or further out, if the entry is p's last. It returns nil if the entry is
// elsewhere, or does not have its lines for itself.
func (v *validation) shift(p *place, e entry, to *place) []finding.Change {
	all := p.value.Resolve().Entries()
	i := indexOf(all, e.key)
	if inward := to.parent == p; inward && (i < 1 || all[i-1].Key != to.key) || !inward && i != len(all)-1 {
		return nil
	}
	column, ok := v.indent(to.value.Entries()[0].Key)
	if !ok {
		return nil
	}
	return v.reindent(all[i:i+1], column)
}

// indentBelow sets the fix of a finding about a key without a value: the unknown keys after it that its value may have
// are indented.
func (v *validation) indentBelow(f *finding.Finding, p *place) {
	all := p.parent.value.Resolve().Entries()
	i := indexOf(all, p.key) + 1
	end := i
	for end < len(all) && p.owns(all[end]) {
		end++
	}
	column, ok := v.indent(p.key)
	if !ok || p.shared || p.parent.value.Resolve() != p.parent.value || p.parent.value.Style == document.Flow {
		return
	}
	if changes := v.reindent(all[i:end], column+v.step(all[max(0, i-near):min(len(all), end+near)], column)); changes != nil {
		f.Fix = &finding.Fix{Title: fmt.Sprintf("indent the lines that belong to %q", shorten(p.name)), Applicability: finding.Safe, Changes: changes}
		if !p.parent.schema.Closed || anyName(p.parent.schema.Properties[p.name]) {
			f.Fix.Applicability = finding.Unsafe // users choose the keys there
		}
	}
}

// reindent returns the changes that give entries, which follow each other, another indentation; nil if they do not have
// their lines for themselves.
func (v *validation) reindent(entries []document.Entry, column int) (changes []finding.Change) {
	from, ok := v.indent(entries[0].Key)
	end := entries[len(entries)-1]
	first, last := v.src.LineAt(entries[0].Key.Span.Start), v.src.LineAt(max(end.Key.Span.End, end.Value.Span.End))
	if from > column { // nothing else of the mapping that they leave follows
		last = v.withComments(last, from)
	} else {
		last = v.withComments(last, from+1)
	}
	if !ok || from == column || last-first >= maxShifted {
		return nil
	}
	for n := first; n <= last; n++ {
		line := v.src.Line(n)
		text := v.src.Slice(line)
		change := finding.Change{Op: finding.SpliceText, File: v.src.Path, Offset: line.Start}
		switch out := strings.Repeat(" ", max(0, from-column)); {
		case len(bytes.TrimSpace(text)) == 0:
			continue
		case !bytes.HasPrefix(text, []byte(out)):
			return nil
		case out != "":
			change.Old = out
		default:
			change.Value = finding.Text(strings.Repeat(" ", column-from))
		}
		changes = append(changes, change)
	}
	return changes
}

// withComments returns the last line of the comments right below a line that are indented by at least a number of
// spaces.
func (v *validation) withComments(line, spaces int) int {
	for line < v.src.LineCount() {
		text := v.src.Slice(v.src.Line(line + 1))
		indent := len(text) - len(bytes.TrimLeft(text, " "))
		if indent < spaces || !bytes.HasPrefix(text[indent:], []byte("#")) {
			break
		}
		line++
	}
	return line
}

// indexOf returns the index of the entry with a key, or -1.
func indexOf(entries []document.Entry, key *document.Node) int {
	i, _ := slices.BinarySearchFunc(entries, key.Span.Start, func(e document.Entry, start int) int { return e.Key.Span.Start - start })
	if i == len(entries) || entries[i].Key != key {
		return -1
	}
	return i
}

// step returns by how much the first mapping below one of the entries is indented, or 2 if there is none.
func (v *validation) step(entries []document.Entry, column int) int {
	for _, e := range entries {
		if !e.Value.IsMapping() || e.Value.Style == document.Flow || len(e.Value.Entries()) == 0 {
			continue
		}
		if inner, ok := v.indent(e.Value.Entries()[0].Key); ok && inner > column {
			return inner - column
		}
	}
	return 2
}

// indent returns the number of spaces before a key, or false if something else is there.
func (v *validation) indent(key *document.Node) (n int, ok bool) {
	line := v.src.Line(v.src.LineAt(key.Span.Start))
	before := v.src.Text[line.Start:key.Span.Start]
	return len(before), len(bytes.Trim(before, " ")) == 0
}
