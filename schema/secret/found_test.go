package secret_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema/secret"
	"github.com/amlfix/amlfix/schema/source"
)

// TestNear compares what is found around an edit of a random text with what is found in all of the new text.
func TestNear(t *testing.T) {
	t.Parallel()
	pieces := strings.Split("password|pass|key|name|value|token|DB_PASSWORD|a|mode|: |:|= |=|- |--password |--key=|echo x \\| login -p |hunter2|\"|'|''|\\|{|}|[|]|, |,|\n|\n  |\n\n|\n- |\n# |\n    |\r\n|\r| # |#|\t|\ufeff|&a |*a|&b x|<x>|null|- >\n  |? |---\n|sig=abc&|https://me:hunter2@h|Bearer abcdefgh1|-----BEGIN PRIVATE KEY-----|machine h login m password |é", "|")
	pieces = append(pieces, "|\n  ", "|", "\n", "\n", "\n")
	random := rand.New(rand.NewPCG(1, 2))
	text := func(most int) string {
		var b strings.Builder
		for range random.IntN(most) {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		return b.String()
	}
	near := 0
	check := func(old string, start, end int, inserted string) {
		t.Helper()
		changed := []byte(old[:start] + inserted + old[end:])
		part := source.Span{Start: start, End: start + len(inserted)}
		elsewhere := func(s source.Span) bool { return s.End < part.Start || s.Start > part.End }
		want := slices.DeleteFunc(secret.Spans(changed), elsewhere)
		found := secret.Search([]byte(old), false).Near(changed, part)
		if got := slices.DeleteFunc(slices.Clone(found), elsewhere); !slices.Equal(want, got) {
			t.Fatalf("%q, changed at %v to %q: %v, not %v", old, part, changed, got, want)
		}
		near += len(want)
	}
	check("a: \nb: c\npassword: *n\n", 3, 3, "&n hunter2")
	const rounds = 50_000
	for range rounds {
		old, inserted := text(30), text(4)
		if random.IntN(4) == 0 {
			old = strings.ReplaceAll(old, "\n", "\r\n")
		}
		start := random.IntN(len(old) + 1)
		check(old, start, min(start+random.IntN(6), len(old)), inserted)
	}
	if near < rounds/10 {
		t.Errorf("only %d secrets in %d texts", near, rounds)
	}
}
