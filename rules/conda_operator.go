package rules

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/requirement"
)

var condaOperator = Rule{
	ID:       "conda/operator",
	Severity: finding.Error,
	Since:    "2026-11-22",
	Doc:      `A version is compared with an operator that conda or pip does not support, such as "=>".`,
	Why: `Both support ==, !=, <=, >=, <, > and ~=, written without spaces inside. Only conda supports =, and only pip
supports ===. Any other operator makes them reject the whole environment.`,
	Remedy: "Puts the characters of the operator in order, removes spaces between them, and writes == for === under conda. Where it is not clear which comparison is meant, there is no fix.",
	Bad:    sdkConda + "  - numpy=>1.26\n  - pip=24.0\n  - pip:\n      - requests =< 2.31\n",
	Good:   sdkConda + "  - numpy>=1.26\n  - pip=24.0\n  - pip:\n      - requests <= 2.31\n",
	Check: func(p *Pass) {
		p.perEnvironment(noteOperators, installations(p), func(p *Pass, e *schema.Environment) {
			for _, pkg := range e.Packages {
				if wrong, right, ok := wrongSigns(pkg); ok {
					reportSigns(p, e, pkg, wrong, right)
				}
			}
		})
	},
}

// comparisons matches comparison operators, with or without spaces inside them.
var comparisons = plain.Regexp{Text: `[=<>!~](?:[ \t]*[=<>!~])*`}

// signs are the valid comparison operators.
var signs = []string{"=", "==", "===", "!=", "<=", ">=", "<", ">", "~="}

// wrongSigns returns the first comparison operator of an item that its package manager does not accept, and what it
// should be, or "" if that is not clear. ok is false for addresses and for items that are not packages.
func wrongSigns(pkg schema.Package) (wrong, right string, ok bool) {
	if pkg.Err == nil || strings.Contains(pkg.Requirement.Raw, "://") || pkg.Requirement.Name == "" {
		return "", "", false
	}
	for _, s := range comparisons.Get().FindAllString(withoutComment(pkg.Requirement.Raw), -1) {
		if right, ok := repairedSigns(pkg.Manager, s); right != s || !ok {
			return s, right, true
		}
	}
	return "", "", false
}

// repairedSigns returns the operator that was meant, which is s itself if it is right; ok is false if that is not
// known.
func repairedSigns(m requirement.Manager, s string) (right string, ok bool) {
	right = strings.Join(strings.Fields(s), "")
	right = cmp.Or(map[string]string{"=>": ">=", "=<": "<=", "=!": "!=", "=~": "~=", "<>": "!="}[right], right)
	if right == "===" && m == requirement.Conda {
		right = "=="
	}
	if !slices.Contains(signs, right) {
		return "", false
	}
	return right, true
}

// withoutComment returns a text without its trailing comment.
func withoutComment(text string) string {
	head, _, _ := strings.Cut(text, " #")
	return head
}

func reportSigns(p *Pass, e *schema.Environment, pkg schema.Package, wrong, right string) {
	message := fmt.Sprintf("%s does not support the operator %q", pkg.Manager, shown(wrong))
	if right == "" {
		p.report(itemAt(e, pkg.Node, message+": write ==, !=, <=, >=, < or >"), nil)
		return
	}
	head := withoutComment(pkg.Requirement.Raw)
	text := comparisons.Get().ReplaceAllStringFunc(head, func(s string) string {
		if right, ok := repairedSigns(pkg.Manager, s); ok {
			return right
		}
		return s
	}) + pkg.Requirement.Raw[len(head):]
	var fix *finding.Fix
	if _, err := pkg.Manager.Parse(text); err == nil {
		fix = rewriteItem(e, pkg.Node, finding.Safe, fmt.Sprintf("write %q", right), text)
	}
	p.report(itemAt(e, pkg.Node, fmt.Sprintf("%s: write %q", message, right)), fix)
}
