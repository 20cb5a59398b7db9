package proof_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

// TestSharesNoCode holds that the verifier knows nothing of the editor. What both see is the type of an edit, and the
// parser.
func TestSharesNoCode(t *testing.T) {
	const house = "github.com/amlfix/amlfix/"
	for pkg, other := range map[string]string{"fixers/proof": "fixers/edit", "fixers/edit": "fixers/proof"} {
		out, err := exec.Command("go", "list", "-deps", house+pkg).Output()
		testkit.OK(t, err)
		for dep := range strings.FieldsSeq(string(out)) {
			if dep == house+other {
				t.Errorf("%s depends on %s", pkg, other)
			}
		}
	}
}
