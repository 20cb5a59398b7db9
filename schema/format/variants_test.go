package format_test

import (
	"testing"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/format"
	"github.com/amlfix/amlfix/schema/source"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestOtherEditors checks that the same faults are found at the same words however an editor has saved the file.
func TestOtherEditors(t *testing.T) {
	const text = "type: remotedocker\naddress: [VM FQDN]\nuser: größe\n# comment\nnvidiaDocker: yes\nbaseDockerimage: x\nsharedVolumes:\n"
	type seen struct{ Text, Rule, Message string }
	look := func(text []byte) (all []seen) {
		src := source.New("x.compute", text)
		for _, f := range format.Validate(format.Compute, src, document.Parse(src).Root()) {
			all = append(all, seen{string(src.Slice(f.Span)), f.Rule, f.Message})
		}
		return all
	}
	want := look([]byte(text))
	if len(want) != 6 {
		t.Fatalf("%d findings: %v", len(want), want)
	}
	for name, variant := range testkit.Variants([]byte(text)) {
		testkit.Same(t, want, look(variant), name)
	}
}
