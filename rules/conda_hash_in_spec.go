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
	Doc:      "A comment stands too close to a package to be one.",
	Why: `In YAML and for pip alike "#" begins a comment only after a blank. In "name==1.1#1.0" it is part of the version,
and pip refuses the whole list.`,
	Remedy: `Two blanks are put before "#".`,
	Bad:    condaProject + "  - pip:\n    - azure-ml-api-sdk==0.1.0a11#0.1.0a9\n",
	Good:   condaProject + "  - pip:\n    - azure-ml-api-sdk==0.1.0a11  #0.1.0a9\n    - https://example.com/a-1.0.tar.gz#egg=a\n",
	Check: func(p *Pass) {
		for _, e := range environments(p) {
			for _, pkg := range e.Packages {
				if hash, ok := gluedHash(pkg); ok {
					reportHash(p, e, pkg, hash)
				}
			}
		}
	},
}

// gluedHash returns where in a pip item a "#" follows a complete requirement.
func gluedHash(pkg schema.Package) (at int, ok bool) {
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
	at := itemAt(e, pkg.Node, fmt.Sprintf(`"#" begins a comment only after a blank; here pip takes what follows for a part of %q and refuses it: put blanks before "#"`, head))
	const title, blanks = `put blanks before "#"`, "  "
	src := e.File.Source
	var fix *finding.Fix
	switch {
	case strings.Contains(raw[hash:], ";"):
		// a marker would become a part of the comment
	case pkg.Node.Style != document.Plain || pkg.Node.Parent.Style == document.Flow:
		if _, err := requirement.ParsePip(raw[:hash] + blanks + raw[hash:]); err == nil {
			fix = rewriteItem(e, pkg.Node, finding.Safe, title, raw[:hash]+blanks+raw[hash:])
		}
	case pkg.Node.Kind == document.Scalar && string(src.Slice(pkg.Node.Span)) == raw:
		fix = spliceItem(e, pkg.Node, title, pkg.Node.Span.Start+hash, blanks, func(n *document.Node) bool { return n.IsString() && n.Value == head })
	}
	p.report(at, fix)
}
