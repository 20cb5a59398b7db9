package rules_test

import (
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/amlfix/amlfix/rules"
)

// machineRules are the rules that compare a job with its machine.
var machineRules = []string{"gpu/cpu-package", "gpu/no-kernels", "gpu/process-count", "gpu/visible-devices", "gpu/nccl", "gpu/idle", "job/nodes", "job/shm-size"}

var (
	values  = regexp.MustCompile(`(Standard_\w+|instance_count: \d+|shm_size: \w+)`)
	aValue  = regexp.MustCompile(`^\w+: `)
	noWords = regexp.MustCompile(`^Standard_`)
)

// TestMachineRulesInEveryForm checks that the fault is found however the example is written, unless a program fills in
// the size or the number first.
func TestMachineRulesInEveryForm(t *testing.T) {
	template := func(mark string) func(string) string {
		return func(text string) string {
			return values.ReplaceAllStringFunc(text, func(found string) string {
				if noWords.MatchString(found) {
					return mark
				}
				return aValue.FindString(found) + mark
			})
		}
	}
	for _, form := range []struct {
		name    string
		rewrite func(string) string
		found   bool
	}{
		{"crlf", func(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") }, true},
		{"bom", func(text string) string { return "\uFEFF" + text }, true},
		{"json", asJSON, true},
		{"no final newline", func(text string) string { return strings.TrimSuffix(text, "\n") }, true},
		{"after an empty document", func(text string) string { return "---\n" + text }, true},
		{"expression", template(`"${{inputs.x}}"`), false},
		{"template", template(`"{{ x }}"`), false},
		{"variable", template(`"${X}"`), false},
	} {
		for _, id := range machineRules {
			t.Run(form.name+" "+id, func(t *testing.T) {
				rule, _ := rules.ByID(id)
				archive := txtar.Parse([]byte(rule.Bad))
				for i, f := range archive.Files {
					if strings.HasSuffix(f.Name, ".yml") {
						archive.Files[i].Data = []byte(form.rewrite(string(f.Data)))
					}
				}
				found := false
				for _, f := range rules.Check(loadFiles(t, archive)) {
					found = found || f.Rule == id
				}
				if found != form.found && (form.found || strings.Contains(rule.Bad, "$schema")) {
					t.Errorf("found: %v, want %v:\n%s", found, form.found, txtar.Format(archive))
				}
			})
		}
	}
}
