package rules

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/shell"
	"github.com/amlfix/amlfix/schema/source"
)

// continued reports the first \ that ends a line which YAML joins with the next: the shell then takes the space after
// it as part of a word. One fix removes all of them.
func continued(p *Pass, c command, commands []shell.Command, offsets []int) {
	src := c.body.File.Source
	fix := &finding.Fix{Title: `remove the \ at the ends of lines`, Applicability: finding.Safe}
	var at finding.Location
	for _, one := range commands {
		for _, w := range one.Words {
			if !strings.HasPrefix(c.node.Value[w.Span.Start:], `\ `) {
				continue
			}
			end := offsets[w.Span.Start] + 1
			if rest := bytes.TrimLeft(src.Text[end:], " \t\r"); len(rest) == 0 || rest[0] != '\n' {
				continue
			}
			if at.Source == nil {
				word, _ := w.Literal()
				at = finding.Location{Source: src, Span: source.Span{Start: end - 1, End: end}, Message: fmt.Sprintf(
					`YAML joins this line with the next, so the shell takes the space after \ as part of a word, %q: remove the \`, shortName(word))}
			}
			before := bytes.TrimRight(src.Text[:end-1], " \t")
			if fix == nil || strings.HasPrefix(c.node.Value[w.Span.Start+2:], `\ `) {
				fix = nil // the next line has nothing else, and YAML would read an empty one as a line break
				continue
			}
			fix.Changes = append(fix.Changes, finding.Splice(src, source.Span{Start: len(before), End: end}, ""))
		}
	}
	if at.Source != nil && !p.full(src) {
		p.report(at, fix)
	}
}
