package diff

import (
	"bytes"

	"github.com/amlfix/amlfix/fixers/text"
	"github.com/amlfix/amlfix/schema/source"
)

// Edits returns replacements of whole lines that turn the text a into b, in order, for callers that change a text in
// place. There are none if the texts are equal.
func Edits(a, b []byte) (edits []text.Edit) {
	old, fresh := lines(a), lines(b)
	at, line := 0, 0
	for _, s := range compare(old, fresh) {
		for ; line < s.aLo; line++ {
			at += len(old[line])
		}
		start := at
		for ; line < s.aHi; line++ {
			at += len(old[line])
		}
		edits = append(edits, text.Edit{Span: source.Span{Start: start, End: at}, New: string(bytes.Join(fresh[s.bLo:s.bHi], nil))})
	}
	return edits
}
