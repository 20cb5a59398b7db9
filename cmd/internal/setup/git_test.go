package setup

import (
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

// TestIsBranch checks which names in HEAD are taken for branches.
func TestIsBranch(t *testing.T) {
	for name, want := range map[string]bool{"trunk": true, "release/ü-1": true, "a+b,c]": true, "": false, "a b": false, "a\x00b": false, "a\nb": false, "a*": false, "\xff": false} {
		testkit.Same(t, want, isBranch(name), name)
	}
}
