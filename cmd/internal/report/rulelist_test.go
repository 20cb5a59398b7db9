package report

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestWriteRules reads the list as a program does, and checks that each rule's page exists.
func TestWriteRules(t *testing.T) {
	var b strings.Builder
	WriteRules(&b, rules.All())
	var list []struct {
		Rule, Group, Severity, Doc, Why, Remedy, Since, URL string
		Fixable                                             bool
	}
	testkit.OK(t, json.Unmarshal([]byte(b.String()), &list))
	if len(list) != len(rules.All()) || strings.Count(b.String(), "\n") != len(list)+2 {
		t.Errorf("%d rules in %d lines", len(list), strings.Count(b.String(), "\n"))
	}
	for i, r := range list {
		if r.Since != rules.All()[i].Since || r.Since == "" {
			t.Errorf("%s: since %q", r.Rule, r.Since)
		}
		if r.Rule != r.Group+"/"+r.Rule[len(r.Group)+1:] || r.Severity == "" || r.Doc == "" || r.Why == "" || r.Fixable != (r.Remedy != "") {
			t.Errorf("%+v", r)
		}
		page := filepath.Join("../../../docs/rules", filepath.Base(r.URL))
		if _, err := os.Stat(page); err != nil {
			t.Error(err)
		}
	}
}
