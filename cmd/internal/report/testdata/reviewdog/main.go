// Command reviewdog reads a report from standard input with reviewdog's own parser for the format given as its
// argument, and prints what it has understood: position, severity, rule and message, one finding per line.
package main

import (
	"fmt"
	"os"

	"github.com/reviewdog/reviewdog/parser"
)

func main() {
	p, err := parser.New(&parser.Option{FormatName: os.Args[1]})
	if err != nil {
		fail(err)
	}
	list, err := p.Parse(os.Stdin)
	if err != nil {
		fail(err)
	}
	for _, d := range list {
		at := d.GetLocation()
		fmt.Printf("%s:%d:%d %s %s %q\n", at.GetPath(), at.GetRange().GetStart().GetLine(), at.GetRange().GetStart().GetColumn(),
			d.GetSeverity(), d.GetCode().GetValue(), d.GetMessage())
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
