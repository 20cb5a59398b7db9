package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/ui"
)

// errStopped is that the user has ended the conversation: nothing more is done.
var errStopped = errors.New("stopped: nothing more was written")

// asker asks the person at the terminal.
type asker struct {
	in  *bufio.Reader
	out io.Writer
}

// asker returns the one for standard input and output; they must be a terminal,
// for nobody would answer elsewhere.
func (c *Command) asker(ctx context.Context) (*asker, error) {
	if !ui.IsInteractive(c.Stdin) || !ui.IsTerminal(c.Stdout) {
		return nil, usage("check", "-i asks questions, and there is no terminal to ask them on: leave it out, and answer with --choose, --gpu and --cpu")
	}
	return &asker{bufio.NewReader(ui.Stoppable(ctx, c.Stdin)), c.out}, nil
}

// line asks for one line. An end of the input ends the conversation, as Ctrl-C does.
func (a *asker) line(question string) (string, error) {
	_, _ = fmt.Fprint(a.out, question)
	text, err := a.in.ReadString('\n')
	if err != nil {
		_, _ = fmt.Fprintln(a.out)
		if errors.Is(err, context.Canceled) {
			return "", err
		}
		return "", errStopped
	}
	return strings.TrimSpace(text), nil
}

// pick lets the user choose one of the options; -1 when none is wanted.
func (a *asker) pick(options []string) (int, error) {
	for i, o := range options {
		_, _ = fmt.Fprintf(a.out, "  %d  %s\n", i+1, ui.Printable(o))
	}
	for {
		text, err := a.line(fmt.Sprintf("Which one? [1-%d, Enter leaves it as it is, q stops] ", len(options)))
		if err != nil {
			return -1, err
		}
		switch n, err := strconv.Atoi(text); {
		case text == "":
			return -1, nil
		case text == "q":
			return -1, errStopped
		case err == nil && n >= 1 && n <= len(options):
			return n - 1, nil
		}
	}
}

// confirm asks a question that is answered by yes or no; Enter is no.
func (a *asker) confirm(question string) (bool, error) {
	for {
		text, err := a.line(question + " [y/N/q] ")
		if err != nil {
			return false, err
		}
		switch strings.ToLower(text) {
		case "y", "yes":
			return true, nil
		case "", "n", "no":
			return false, nil
		case "q":
			return false, errStopped
		}
	}
}
