package rules

import (
	"errors"
	"fmt"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/requirement"
)

var condaHashInSpec = Rule{
	ID:       "conda/hash-in-spec",
	Severity: finding.Error,
	Since:    "2026-11-20",
	Doc:      `There is no space between a package and the "#" of its comment.`,
	Why: `To both YAML and pip, "#" starts a comment only after a space. In "name==1.1#1.0" it is part of the version,
and pip rejects the whole list.`,
	Remedy: `Inserts two spaces before the "#".`,
	Bad:    condaProject + "  - pip:\n    - azure-ml-api-sdk==0.1.0a11#0.1.0a9\n",
	Good:   condaProject + "  - pip:\n    - azure-ml-api-sdk==0.1.0a11  #0.1.0a9\n    - https://example.com/a-1.0.tar.gz#egg=a\n",
	Check: func(p *Pass) {
		p.perEnvironment(noteHashes, environments(p), func(p *Pass, e *schema.Environment) {
			for _, pkg := range e.Packages {
				if hash, ok := gluedHash(pkg); ok {
					reportHash(p, e, pkg, hash)
				}
			}
		})
	},
}

// gluedHash returns the offset in a pip item at which a "#" follows a complete requirement.
func gluedHash(pkg schema.Package) (at int, ok bool) {
	if pkg.Err == nil {
		return 0, false
	}
	var fault *requirement.ParseError
	raw := pkg.Requirement.Raw
	if pkg.Manager != requirement.Pip || !errors.As(pkg.Err, &fault) || fault.Offset >= len(raw) || raw[fault.Offset] != '#' {
		return 0, false
	}
	head, err := requirement.ParsePip(raw[:fault.Offset])
	return fault.Offset, err == nil && head.Kind == requirement.Package && !head.SingleEquals
}

func reportHash(p *Pass, e *schema.Environment, pkg schema.Package, hash int) {
	raw := pkg.Requirement.Raw
	head := strings.TrimSpace(raw[:hash])
	at := itemAt(e, pkg.Node, fmt.Sprintf(`"#" starts a comment only after a space; here pip reads it as part of %q and rejects the item: put spaces before "#"`, head))
	const title, spaces = `put spaces before "#"`, "  "
	src := e.File.Source
	var fix *finding.Fix
	switch {
	case strings.Contains(raw[hash:], ";"):
		// a marker would become part of the comment
	case pkg.Node.Style != document.Plain || pkg.Node.Parent.Style == document.Flow:
		if _, err := requirement.ParsePip(raw[:hash] + spaces + raw[hash:]); err == nil {
			fix = rewriteItem(e, pkg.Node, finding.Safe, title, raw[:hash]+spaces+raw[hash:])
		}
	case pkg.Node.Kind == document.Scalar && string(src.Slice(pkg.Node.Span)) == raw:
		fix = spliceItem(e, pkg.Node, title, pkg.Node.Span.Start+hash, spaces, func(n *document.Node) bool { return n.IsString() && n.Value == head })
	}
	p.report(at, fix)
}
