package rules

import (
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/requirement"
)

var condaSplitOption = Rule{
	ID:       "conda/split-option",
	Severity: finding.Error,
	Since:    "2026-11-20",
	Doc:      "A pip option and its value are in two separate items.",
	Why: `Each item becomes a line of its own in the file that pip reads. The option then has no value, the value is
read as a package, and pip rejects the list.`,
	Remedy: "Joins the two items.",
	Facts:  []string{"packages"},
	Bad:    condaProject + "  - pip:\n    - --extra-index-url\n    - https://pypi.example.com/simple\n    - numpy\n",
	Good:   condaProject + "  - pip:\n    - --extra-index-url https://pypi.example.com/simple\n    - numpy\n",
	Check: func(p *Pass) {
		p.perEnvironment(noteSplitOptions, environments(p), func(p *Pass, e *schema.Environment) {
			_, pip := dependencyLists(e)
			for _, list := range pip {
				for i := 1; i < len(list.Items()); i++ {
					checkSplit(p, e, list.Items()[i-1], list.Items()[i])
				}
			}
		})
	},
}

func checkSplit(p *Pass, e *schema.Environment, first, second *document.Node) {
	text := strings.TrimSpace(first.Text())
	if !strings.HasPrefix(text, "-") || !first.IsString() || !second.IsString() {
		return // the usual case: saves parsing both
	}
	option, _ := requirement.ParsePip(first.Text())
	value, err := requirement.ParsePip(second.Text())
	if err != nil || option.Kind != requirement.Option || option.Option != text || !takes(text, value) {
		return
	}
	joined := text + " " + strings.TrimSpace(second.Text())
	at := itemAt(e, first, text+" and its value are in two items, which pip reads as two lines: write both in one item")
	var fix *finding.Fix
	if r, err := requirement.ParsePip(joined); err == nil && r.Option == text && second.Kind == document.Scalar {
		if fix = rewriteItem(e, first, finding.Safe, "join the two items", joined); fix != nil {
			fix.Changes = append(fix.Changes, removeItem(e, second, finding.Safe, "").Changes...)
		}
	}
	p.report(at, fix, itemAt(e, second, "the value"))
}

// takes reports whether a requirement is certainly the value that a pip option lacks.
func takes(option string, value requirement.Requirement) bool {
	address := value.Kind == requirement.URL && value.Name == "" && value.Wheel == nil && value.Option == ""
	file := value.Kind == requirement.Path && value.Wheel == nil && value.Option == ""
	switch option {
	case "-i", "--index-url", "--extra-index-url":
		return address
	case "-f", "--find-links":
		return address || file
	case "-e", "--editable":
		return file || value.Kind == requirement.URL && value.Option == ""
	case "-r", "--requirement", "-c", "--constraint":
		return file || value.Kind == requirement.Package && strings.HasSuffix(value.Raw, ".txt")
	case "--trusted-host":
		return value.Kind == requirement.Package && value.Name == strings.TrimSpace(value.Raw) &&
			strings.Contains(value.Name, ".") && !catalog.KnownPackage(value.Name)
	}
	return false
}
