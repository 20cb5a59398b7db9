package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/requirement"
)

var condaLostColon = Rule{
	ID:       "conda/lost-colon",
	Severity: finding.Error,
	Since:    "2026-11-20",
	Doc:      `The list under "- pip" has no parent key, because the colon is missing.`,
	Why: `Without the colon, YAML joins "- pip" and the lines under it into one string, "pip - numpy". conda looks for a
package of that name and gives up; pip never runs. With a comment between them, the file cannot be read at all.`,
	Remedy: "Adds the colon after pip if the lines under it then form a list.",
	Bad:    condaProject + "  - pip\n    - azure-ml-api-sdk\n",
	Good:   condaProject + "  - pip:\n    - azure-ml-api-sdk\n",
	Check: func(p *Pass) {
		for _, f := range p.Project.Files {
			for _, problem := range f.Stream.Problems { // with a comment below, YAML cannot join them
				if problem.Cause == document.LostPipColon && f.Kind == schema.CondaFile {
					p.report(finding.Location{Source: f.Source, Span: problem.Span, Message: problem.Message}, syntaxFix(f))
				}
			}
		}
		for _, e := range environments(p) {
			for _, pkg := range e.Packages {
				checkColon(p, e, pkg)
			}
		}
	},
}

// lostColon returns the parts that YAML joined into one conda item: pip, and the items of its list.
func lostColon(pkg schema.Package) (items []string, ok bool) {
	if pkg.Manager != requirement.Conda || !strings.Contains(pkg.Requirement.Raw, " - ") {
		return nil, false
	}
	items = strings.Split(strings.TrimSpace(pkg.Requirement.Raw), " - ")
	first, err := requirement.ParseConda(items[0])
	return items, len(items) > 1 && err == nil && first.Key == "pip"
}

func checkColon(p *Pass, e *schema.Environment, pkg schema.Package) {
	items, ok := lostColon(pkg)
	if !ok {
		return
	}
	head, items := items[0], items[1:]
	at := itemAt(e, pkg.Node, `the colon after pip is missing, so pip and its list are read as one string: write "pip:"`)
	if pkg.Node.Style != document.Plain || pkg.Node.Kind != document.Scalar {
		p.report(at, nil)
		return
	}
	at.Span.End = at.Span.Start + len(head)
	var fix *finding.Fix
	if head != "pip" {
		at.Message = fmt.Sprintf(`%q and the list under it are read as one string: keep %q as an item, and put the list under another item, "pip:"`, head, head)
	} else {
		fix = spliceItem(e, pkg.Node, `write "pip:"`, at.Span.End, ":", func(n *document.Node) bool { return isPipList(n, items) })
	}
	p.report(at, fix)
}

// isPipList reports whether a node is a mapping from pip to these items.
func isPipList(n *document.Node, items []string) bool {
	list := n.Get("pip")
	return n.IsMapping() && len(n.Entries()) == 1 && list.IsSequence() &&
		slices.EqualFunc(list.Items(), items, func(item *document.Node, text string) bool { return item.IsString() && item.Value == text })
}
