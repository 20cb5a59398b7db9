// Command picture prints the README's picture, an SVG of what amlfix prints:
//
//	go run ./cmd/internal/picture >docs/amlfix.svg
//
// It builds amlfix from the working tree, runs it on a copy of testdata/article and draws the output with its colours.
// What differs between runs and machines (times, ids, the path of Python) is replaced by fixed text. It needs Go and
// Python 3, and runs at the top of the repository.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	svg, err := picture(ctx, ".")
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "picture:", err)
		os.Exit(1)
	}
	_, _ = os.Stdout.WriteString(svg)
}

// picture returns the SVG; top is the root folder of the repository.
func picture(ctx context.Context, top string) (string, error) {
	work, err := os.MkdirTemp("", "picture-")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(work) }() // leftovers are in the folder for temporary files
	text, err := session(ctx, top, work)
	if err != nil {
		return "", err
	}
	return draw(screen(text)), nil
}
