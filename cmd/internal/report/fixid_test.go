package report

import (
	"testing"

	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema/finding"
)

// TestFixesApart checks that IDs that are only compared with each other tell the same fixes apart as those of reports,
// among all findings and among those that are shown.
func TestFixesApart(t *testing.T) {
	t.Parallel()
	same, none := 0, 0
	for name, p := range goldenProjects(t) {
		findings := rules.Check(p)
		for _, unshown := range []func(finding.Finding) bool{nil, func(f finding.Finding) bool { return f.Severity == finding.Info }} {
			whole := Resolver{Dir: p.Root, Unshown: unshown}
			apart := Resolver{Dir: p.Root, Unshown: unshown, Apart: true}
			want, got := whole.Findings(findings), apart.Findings(findings)
			for i, f := range got {
				if f.Fix == nil || unshown != nil && unshown(findings[i]) {
					continue
				}
				if f.Fix.ID == "" {
					none++
				}
				for j := range i {
					if got[j].Fix == nil || unshown != nil && unshown(findings[j]) {
						continue
					}
					alike := want[i].Fix.ID == want[j].Fix.ID
					if alike != (f.Fix.ID != "" && f.Fix.ID == got[j].Fix.ID) {
						t.Errorf("%s: %s and %s have the same fix: %v, and not so", name, f.Rule, got[j].Rule, alike)
					}
					if alike {
						same++
					}
				}
			}
		}
	}
	if same < 30 || none < 100 {
		t.Errorf("only %d pairs of the same fix, and %d fixes without an ID", same, none)
	}
}
