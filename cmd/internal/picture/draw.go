package main

import (
	"fmt"
	"html"
	"math"
	"strings"
	"unicode/utf8"
)

// The size of a character, the margin and a line, in the SVG's units.
const (
	char   = 7.8
	margin = 20
	height = 18
)

// head is what comes before the lines. The colours have a contrast of at least 4.5 with their background in both
// schemes.
const head = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %[1]d %[2]d" width="%[1]d" height="%[2]d" role="img" aria-labelledby="title desc">
<!-- Made by: go run ./cmd/internal/picture >docs/amlfix.svg -->
<title id="title">amlfix finds, repairs and runs</title>
<desc id="desc">A terminal. amlfix reports 7 errors in a project, among them a CPU image on a GPU target and a missing nvidiaDocker. amlfix --diff shows the repairs, amlfix --apply makes them, and after amlfix run the last line says that the job used the CPU only. That job replays a line of TensorFlow's log.</desc>
<style>
rect { fill: #f6f8fa; stroke: #d1d9e0 }
text { fill: #1f2328; font: 13px ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; white-space: pre }
.b, .red, .yellow { font-weight: bold }
.dim { fill: #59636e } .red, .gone { fill: #b3202c } .yellow { fill: #7a4d00 } .green { fill: #116329 } .cyan { fill: #0a5a7a }
@media (prefers-color-scheme: dark) {
rect { fill: #0d1117; stroke: #3d444d }
text { fill: #e6edf3 }
.dim { fill: #9198a1 } .red, .gone { fill: #ff7b72 } .yellow { fill: #e3b341 } .green { fill: #7ee787 } .cyan { fill: #79c0ff }
}
</style>
<rect x="0.5" y="0.5" width="%[3]d" height="%[4]d" rx="8"/>
`

// draw returns the lines as an SVG. Each run of text has a fixed position and length, so that columns align in any
// font.
func draw(lines [][]run) string {
	wide, tall := int(math.Ceil(2*margin+columns*char)), 2*margin+height*len(lines)
	var b strings.Builder
	fmt.Fprintf(&b, head, wide, tall, wide-1, tall-1)
	for i, line := range lines {
		if len(line) == 0 {
			continue
		}
		fmt.Fprintf(&b, `<text y="%d" xml:space="preserve">`, margin+height*i+14)
		at := 0
		for _, r := range line {
			n := utf8.RuneCountInString(r.Text)
			class := ""
			if r.Style != "" {
				class = fmt.Sprintf(` class="%s"`, r.Style)
			}
			fmt.Fprintf(&b, `<tspan x="%.1f" textLength="%.1f"%s>%s</tspan>`, margin+char*float64(at), char*float64(n), class, html.EscapeString(r.Text))
			at += n
		}
		b.WriteString("</text>\n")
	}
	b.WriteString("</svg>\n")
	return b.String()
}
