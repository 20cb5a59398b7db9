package settings

import (
	"fmt"
	"strings"

	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/format"
)

// sizes checks the sizes of machines: one that amlfix does not know has no effect, and is usually a typo.
func (c *checker) sizes(n *document.Node) {
	if !n.IsMapping() {
		return
	}
	for _, e := range n.Entries() {
		size := e.Value.Resolve()
		if e.Key.Kind != document.Scalar || !size.IsString() || c.full() {
			continue
		}
		if _, known := catalog.VMSize(size.Value); known || catalog.NoGPU(size.Value) {
			continue
		}
		c.unknownSize(e.Key.Value, e.Value, size.Value)
	}
}

func (c *checker) unknownSize(compute string, at *document.Node, size string) {
	near := format.Nearest(size, catalog.VMSizes())
	advice := "write a name such as Standard_NC24ads_A100_v4"
	if len(near) > 0 {
		advice = "did you mean " + strings.Join(near, " or ") + "?"
	}
	var fix *finding.Fix
	if len(near) == 1 && at.Kind == document.Scalar && c.file.Exact && !c.file.Repaired {
		how := finding.Unsafe // Standard_NC9 may be any size
		if catalog.SpellsSize(size, near[0]) {
			how = finding.Safe
		}
		fix = &finding.Fix{Title: "write " + near[0], Applicability: how, Changes: []finding.Change{
			{Op: finding.SetScalar, File: c.file.Source.Path, Pointer: at.Pointer(), Value: finding.Text(near[0])}}}
	}
	c.report(at, fmt.Sprintf("%.60q is not a VM size that amlfix knows, so the machines of %.60q remain unknown: %s", size, compute, advice), fix)
}
