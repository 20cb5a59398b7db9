package jobs

import (
	"context"
	"fmt"
	"os"

	"golang.org/x/term"

	"github.com/amlfix/amlfix/cmd/internal/ui"
)

// passwordAsker returns a function that asks the person at the terminal for a password, or nil if there is nobody. It
// does not echo what is typed.
func (c *Jobs) passwordAsker() func(context.Context, string) (string, error) {
	in, ok := c.Stdin.(*os.File)
	if !ok || !term.IsTerminal(int(in.Fd())) || !ui.IsTerminal(c.Stderr) {
		return nil
	}
	return func(ctx context.Context, question string) (string, error) {
		fd := int(in.Fd())
		before, err := term.GetState(fd)
		if err != nil {
			return "", fmt.Errorf("the terminal cannot be read: %w", err)
		}
		_, _ = fmt.Fprintf(c.Err, "%s: ", ui.Printable(question))
		type typed struct {
			text []byte
			err  error
		}
		done := make(chan typed, 1)
		go func() {
			text, err := term.ReadPassword(fd)
			done <- typed{text, err}
		}()
		select {
		case t := <-done:
			_, _ = fmt.Fprintln(c.Err)
			return string(t.text), t.err
		case <-ctx.Done(): // Ctrl-C: the terminal must echo again
			_ = term.Restore(fd, before)
			_, _ = fmt.Fprintln(c.Err)
			return "", context.Cause(ctx)
		}
	}
}
