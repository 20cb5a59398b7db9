// Command ecosystem compares what two builds of amlfix find and repair in a folder of projects, and prints the
// difference as Markdown:
//
//	go run ./cmd/internal/ecosystem BASE HEAD DIR
//
// BASE and HEAD are programs (the paths of files) or git revisions of this repository, which are built. Each folder in
// DIR is a project. Nothing is written to DIR. The exit status is 0 whatever differs, and 1 when a build fails; a
// project on which a program fails is part of the difference.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/amlfix/amlfix/cmd/internal/revision"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "ecosystem:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	if len(args) != 3 {
		return fmt.Errorf("%d arguments, want 3: BASE HEAD DIR, two programs or git revisions and a folder of projects", len(args))
	}
	work, err := os.MkdirTemp("", "ecosystem-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(work) }() // leftovers are in the folder for temporary files
	base, err := revision.Program(ctx, work, args[0])
	if err != nil {
		return err
	}
	head, err := revision.Program(ctx, work, args[1])
	if err != nil {
		return err
	}
	names, err := projects(args[2])
	if err != nil {
		return err
	}
	c := comparison{base: base, head: head, dir: args[2], cache: work}
	list, err := c.all(ctx, names)
	if err != nil {
		return err
	}
	_, err = io.WriteString(out, markdown(args[0], args[1], list))
	return err
}
