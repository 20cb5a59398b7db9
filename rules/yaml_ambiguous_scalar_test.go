package rules

import (
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/source"
)

// TestMayMislead checks that no scalar would be reported that is not checked.
func TestMayMislead(t *testing.T) {
	skipped := 0
	for _, value := range []string{
		"yes", "Yes", "no", "on", "OFF", "y", "n", "true", "True", "null", "~", "None", "pip", "numpy", "1", "0", "01",
		"010", "0o10", "0x1f", "1_000", "+1", "-1", "1.10", "3.5", "1e3", "12e3", "1:30", "1:30.5", ".5", ".inf",
		"203.0.113.7", "2017-01-02", "2017-01-02 03:04:05", "~/x", "./x", "$x", "99999999999999999999",
		"0" + strings.Repeat("1", document.MaxNumber+1), "+" + strings.Repeat("1", document.MaxNumber+1), strings.Repeat("1_1", document.MaxNumber),
		`"no"`, `'false'`, `"0"`, `"on"`, `"1"`,
	} {
		n := document.Parse(source.New("a.yml", []byte("a: "+value+"\n"))).Root().Get("a")
		for _, python := range []document.Python{document.PyYAML, document.Ruamel} {
			if mayMislead(python, n) {
				continue
			}
			skipped++
			said, _, _ := switchMisread(python, n)
			if n.Style == document.Plain {
				said += numberMisread(python, n) + misread(python, n.Value, true) + misread(python, n.Value, false)
			}
			if said != "" {
				t.Errorf("%s is skipped, but %s", value, said)
			}
		}
	}
	if skipped < 20 {
		t.Errorf("only %d scalars are skipped", skipped)
	}
}
