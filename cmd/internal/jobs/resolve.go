package jobs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/fixers/migrate"
	"github.com/amlfix/amlfix/fixers/migrate/solve"
)

// slowest is how long uv may take for one query.
const slowest = 5 * time.Minute

// resolver returns a function that queries uv, the program on the user's PATH, over the network. It builds no packages
// and runs none of their code.
func resolver(ctx context.Context) (solve.Resolver, error) {
	uv, err := exec.LookPath("uv")
	if err != nil || uv == "" {
		return nil, errors.New("--check: uv is not on the PATH, so nothing was written: install it with `pip install uv`, or see https://docs.astral.sh/uv/getting-started/installation")
	}
	home, err := os.UserHomeDir() // uv looks for settings in its working directory, and a project's must not count
	if err != nil {
		return nil, fmt.Errorf("--check: uv cannot be started: %w", err)
	}
	python := interpreter(ctx, uv, home)
	return func(r solve.Request) (solved bool, said string, err error) {
		ctx, cancel := context.WithTimeout(ctx, slowest)
		defer cancel()
		cmd := exec.CommandContext(ctx, uv, append(r.Arguments(), python...)...) // the program is uv
		cmd.Dir = home
		cmd.Stdin = strings.NewReader(r.Input())
		var out bytes.Buffer
		cmd.Stderr = &out
		err = cmd.Run()
		said, known := solve.Read(out.String())
		switch {
		case err == nil:
			return true, "", nil
		case ctx.Err() != nil:
			return false, "", errors.New("--check: uv was stopped before it had an answer; nothing was written")
		case known:
			return false, said, nil
		}
		return false, "", errors.New("--check: uv gave no answer, so nothing was written: check that PyPI can be reached and Python is installed; `echo pip | uv pip compile -` shows what is wrong")
	}, nil
}

// interpreter returns the arguments that name uv's default Python, if it finds one. Nothing is built with it, but
// without these arguments each query about another version would start all of the machine's Pythons to find one of that
// version.
func interpreter(ctx context.Context, uv, home string) []string {
	ctx, cancel := context.WithTimeout(ctx, slowest)
	defer cancel()
	cmd := exec.CommandContext(ctx, uv, "python", "find", "--no-python-downloads")
	cmd.Dir = home
	path, err := cmd.Output()
	if found := strings.TrimSpace(string(path)); err == nil && found != "" {
		return []string{"--python", found}
	}
	return nil
}

// sayChecked reports what uv has found about the new environments.
func (c *Jobs) sayChecked(m *migrate.Migration) {
	if m.Options.Resolve == nil {
		return
	}
	_, _ = fmt.Fprintln(c.Out, "\nChecked with uv over the network, only pip's part, from wheels only:")
	if len(m.Conda) == 0 {
		_, _ = fmt.Fprintln(c.Out, "  no conda files were written")
	}
	for _, e := range m.Conda {
		_, _ = fmt.Fprintf(c.Out, "  %s: %s\n", ui.Printable(e.Name), e.Result())
		for _, detail := range e.Details() {
			_, _ = fmt.Fprintf(c.Out, "    %s\n", ui.Printable(detail))
		}
		if change := e.Change(); change != "" {
			_, _ = fmt.Fprintf(c.Out, "    to change it: %s\n", ui.Printable(change))
		}
	}
}
