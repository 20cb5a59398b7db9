package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/check"
	"github.com/amlfix/amlfix/cmd/internal/cli"
	"github.com/amlfix/amlfix/cmd/internal/report"
	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/fixers"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/secret"
)

// asker asks the person at the terminal; it implements check.Person.
type asker struct {
	in   *bufio.Reader
	out  io.Writer
	show *checking // the check that questions are about
}

// asker returns an asker for standard input and output, which must be a terminal.
func (c *call) asker(ctx context.Context, k *checking) (*asker, error) {
	if !ui.IsInteractive(c.Stdin) || !ui.IsTerminal(c.Stdout) {
		return nil, cli.Usage("check", "-i asks questions, but there is no terminal: leave it out, and answer with --choose, --gpu and --cpu")
	}
	return &asker{bufio.NewReader(ui.Stoppable(ctx, c.Stdin)), c.Out, k}, nil
}

// line asks for one line. The end of the input ends the dialogue, as Ctrl-C does.
func (a *asker) line(question string) (string, error) {
	_, _ = fmt.Fprint(a.out, question)
	text, err := a.in.ReadString('\n')
	if err != nil {
		_, _ = fmt.Fprintln(a.out)
		if errors.Is(err, context.Canceled) {
			return "", err
		}
		return "", check.ErrStopped
	}
	return strings.TrimSpace(text), nil
}

// pick lets the user choose one of the options; -1 means none.
func (a *asker) pick(options []string) (int, error) {
	for i, o := range options {
		_, _ = fmt.Fprintf(a.out, "  %d  %s\n", i+1, ui.Printable(o))
	}
	for {
		text, err := a.line(fmt.Sprintf("Which one? [1-%d, Enter to skip, q to stop] ", len(options)))
		if err != nil {
			return -1, err
		}
		switch n, err := strconv.Atoi(text); {
		case text == "":
			return -1, nil
		case text == "q":
			return -1, check.ErrStopped
		case err == nil && n >= 1 && n <= len(options):
			return n - 1, nil
		}
	}
}

// confirm asks a yes-or-no question; Enter means no.
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
			return false, check.ErrStopped
		}
	}
}

// Choose asks which answer to give if a finding's fix leaves something open.
func (a *asker) Choose(f finding.Finding) (int, error) {
	a.finding(f)
	var titles []string
	for _, answer := range f.Fix.Answers {
		titles = append(titles, secret.Hide(answer.Title))
	}
	return a.pick(titles)
}

// Permit asks whether to make a repair that may change what the job does.
func (a *asker) Permit(f finding.Finding) (bool, error) {
	a.finding(f)
	return a.confirm("This may change what the job does. Make the repair?")
}

// Accept shows a project's repair and asks whether to write it.
func (a *asker) Accept(r check.Root, patch *fixers.Patch) (bool, error) {
	_, _ = a.out.Write(painted(a.show.style, patch.Diff(fixers.DiffOptions{Name: a.show.Rel})))
	question := "Write these changes?"
	if dir := a.show.Rel(r.Dir); dir != "." {
		question = fmt.Sprintf("Write these changes to %s?", dir)
	}
	return a.confirm(question)
}

// finding prints a single finding, with what the user must know before repairing it.
func (a *asker) finding(f finding.Finding) {
	resolver := report.Resolver{Dir: a.show.Dir, Snippets: true}
	for _, resolved := range resolver.Findings([]finding.Finding{f}) {
		if resolved.Fix.Applicability == finding.Choice {
			resolved.Fix.Answers = nil // the user is asked for them
		}
		a.show.writer.Finding(resolved)
	}
}
