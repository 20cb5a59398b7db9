package main

import (
	"fmt"
	"strings"
)

// markdown formats the differences: what each project gains and loses, with findings as a diff of lines, and repairs as
// the diffs that the programs print.
func markdown(base, head string, list []difference) string {
	var b strings.Builder
	fmt.Fprintf(&b, "## amlfix: %s → %s\n\n", base, head)
	if len(list) == 0 {
		return b.String() + "No finding and no repair differs.\n"
	}
	var all difference
	for _, d := range list {
		all.added, all.gone = append(all.added, d.added...), append(all.gone, d.gone...)
		all.repaired, all.repairsGone = append(all.repaired, d.repaired...), append(all.repairsGone, d.repairsGone...)
	}
	fmt.Fprintf(&b, "| | appeared | disappeared |\n|---|---|---|\n| findings | %d | %d |\n| repaired files | %d | %d |\n",
		len(all.added), len(all.gone), len(all.repaired), len(all.repairsGone))
	for _, d := range list {
		fmt.Fprintf(&b, "\n### %s\n", d.project)
		var lines strings.Builder
		for _, f := range d.gone {
			lines.WriteString("- " + f + "\n")
		}
		for _, f := range d.added {
			lines.WriteString("+ " + f + "\n")
		}
		block(&b, "Findings:", lines.String())
		block(&b, "Repairs that disappeared:", strings.Join(d.repairsGone, ""))
		block(&b, "Repairs that appeared:", strings.Join(d.repaired, ""))
	}
	return b.String()
}

// block writes text as a code block; its fence is longer than any in the text.
func block(b *strings.Builder, title, text string) {
	if text == "" {
		return
	}
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	fmt.Fprintf(b, "\n%s\n\n%sdiff\n%s%s\n", title, fence, text, fence)
}
