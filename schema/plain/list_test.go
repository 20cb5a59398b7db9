package plain_test

import (
	"testing"

	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/testkit"
)

func TestList(t *testing.T) {
	for want, words := range map[string][]string{"": nil, "a": {"a"}, "a or b": {"a", "b"}, "a, b or c": {"a", "b", "c"}} {
		testkit.Same(t, want, plain.List(words, "or"))
	}
}

// TestBoth checks that appending leaves what follows the first list as it was.
func TestBoth(t *testing.T) {
	all := []string{"a", "b", "c"}
	testkit.Same(t, []string{"a", "d"}, plain.Both(all[:1], []string{"d"}), "both")
	testkit.Same(t, []string{"a", "b", "c"}, all, "the first")
}
