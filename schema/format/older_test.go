package format

import (
	"testing"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/source"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestOlderKeys checks that a key of SDK v1 is renamed only on request: its values may be others.
func TestOlderKeys(t *testing.T) {
	for key, want := range map[string]finding.Applicability{"compute_target": finding.Unsafe, "Compute": finding.Safe} {
		src := source.New("x.yml", []byte("command: echo\nenvironment: azureml:env:1\n"+key+": azureml:a\n"))
		all := Validate("v2-job", src, document.Parse(src).Root())
		if len(all) != 1 || all[0].Fix == nil {
			t.Fatalf("%s: %v", key, all)
		}
		testkit.Same(t, want, all[0].Fix.Applicability, key)
		testkit.Same(t, "compute", all[0].Fix.Changes[0].Key, key)
	}
}
