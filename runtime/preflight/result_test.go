package preflight

import (
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

type seen struct {
	Topic  Topic
	Status Status
	Text   string // a part of it
}

// compare reports where results differ from what is wanted. A part of each text is enough.
func compare(t *testing.T, want []seen, results []Result) {
	t.Helper()
	var got []seen
	for i, r := range results {
		text := r.String()
		if i < len(want) && strings.Contains(text, want[i].Text) {
			text = want[i].Text
		}
		got = append(got, seen{r.Topic, r.Status, text})
	}
	testkit.Same(t, want, got)
}
