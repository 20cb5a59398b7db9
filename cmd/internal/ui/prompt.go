package ui

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// ErrStopped means that the person wants to stop.
var ErrStopped = errors.New("stopped: nothing more was written")

// Prompt asks the person at a terminal. The errors of its methods are ErrStopped and the cause of its context.
type Prompt struct {
	in  *bufio.Reader
	out io.Writer
}

// NewPrompt returns a Prompt that reads the answers from in until ctx is cancelled.
func NewPrompt(ctx context.Context, in io.Reader, out io.Writer) *Prompt {
	return &Prompt{bufio.NewReader(Stoppable(ctx, in)), out}
}

// line asks for one line. The end of the input ends the dialogue, as Ctrl-C does.
func (p *Prompt) line(question string) (string, error) {
	_, _ = io.WriteString(p.out, Fold(question, Columns(p.out), "    "))
	text, err := p.in.ReadString('\n')
	if err != nil {
		_, _ = fmt.Fprintln(p.out)
		if errors.Is(err, context.Canceled) {
			return "", err
		}
		return "", ErrStopped
	}
	return strings.TrimSpace(text), nil
}

// Pick lets the user choose one of the options; -1 means none.
func (p *Prompt) Pick(options []string) (int, error) {
	for i, o := range options {
		_, _ = io.WriteString(p.out, Fold(fmt.Sprintf("  %d  %s", i+1, Printable(o)), Columns(p.out), "     ")+"\n")
	}
	for {
		text, err := p.line(fmt.Sprintf("Which one? [1-%d, Enter to skip, q to stop] ", len(options)))
		if err != nil {
			return -1, err
		}
		switch n, err := strconv.Atoi(text); {
		case text == "":
			return -1, nil
		case text == "q":
			return -1, ErrStopped
		case err == nil && n >= 1 && n <= len(options):
			return n - 1, nil
		}
	}
}

// Confirm asks a yes-or-no question; Enter means no.
func (p *Prompt) Confirm(question string) (bool, error) {
	for {
		text, err := p.line(question + " [y/N/q] ")
		if err != nil {
			return false, err
		}
		switch strings.ToLower(text) {
		case "y", "yes":
			return true, nil
		case "", "n", "no":
			return false, nil
		case "q":
			return false, ErrStopped
		}
	}
}
