package rules_test

import (
	"strings"
	"testing"

	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestSameTexts checks copies of the examples of all rules one after the other, as the projects of a repository that
// began as copies: from the third one on, they share what earlier ones found. Each must have the same findings.
func TestSameTexts(t *testing.T) {
	t.Parallel()
	const copies = 4
	for _, rule := range rules.All() {
		for _, example := range []string{rule.Bad, rule.Good} {
			var first []string
			for i := range copies {
				dir := testkit.Folder(t, strings.TrimLeft(example, "\n"))
				roots, err := schema.Discover([]string{dir})
				testkit.OK(t, err)
				var lines []string
				for _, root := range roots {
					for _, line := range said(rules.Check(schema.Load(root, schema.Options{}))) {
						lines = append(lines, strings.ReplaceAll(line, dir, "DIR"))
					}
				}
				if i == 0 {
					first = lines
				}
				testkit.Same(t, first, lines, "%s, copy %d", rule.ID, i)
			}
			if example == rule.Bad && len(first) == 0 {
				t.Errorf("%s: nothing is found in its example", rule.ID)
			}
		}
	}
}
