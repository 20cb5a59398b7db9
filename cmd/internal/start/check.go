package start

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/check"
	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/cmd/internal/report"
	"github.com/amlfix/amlfix/cmd/internal/review"
	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/schema"
)

// Commands are the commands other than check: a first word that is one of them is not a path.
var Commands = [...]string{
	"run", "prepare", "runs", "attach", "migrate", "targets", "fix", "undo", "init", "config", "baseline", "rules", "explain",
	"schema", "facts", "lsp", "man", "completion", "help",
}

// operands returns the paths of a command line that certainly is a check without flags. Where other code decides what
// words mean, it is none: a first word that is not a path may be a command's, misspelt.
func operands(args []string, env func(string) string) (paths []string, ok bool) {
	if len(args) == 0 || env(process.Supervise) != "" || strings.HasSuffix(strings.TrimSuffix(args[0], ".exe"), ".test") {
		return nil, false
	}
	paths = args[1:]
	if len(paths) > 0 && paths[0] == "check" {
		paths = paths[1:]
	} else if len(paths) > 0 {
		if _, err := os.Lstat(paths[0]); err != nil || slices.Contains(Commands[:], paths[0]) {
			return nil, false
		}
	}
	return paths, !slices.ContainsFunc(paths, func(p string) bool { return p == "" || p[0] == '-' })
}

// plainCheck is "amlfix check PATHS" without flags. It returns the exit status.
func plainCheck(ctx context.Context, kill <-chan struct{}, catch func(), paths []string) int {
	dir, err := os.Getwd()
	if err != nil {
		dir = "."
	}
	t := &console.Terminal{
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Out: ui.NewOutput(os.Stdout), Err: ui.NewOutput(os.Stderr),
		Env: os.Getenv, Kill: kill,
	}
	e := &check.Engine{Dir: schema.Identity(dir), BeforeRecovery: catch, AfterSearch: func() { AfterCollection(catch) }}
	e.Notice = func(message string) { t.Say("%s", message) }
	if !filepath.IsAbs(e.Dir) {
		return t.Exit(ctx, console.NoFolder())
	}
	Finishing(ctx, kill, t.Say, os.Exit)
	NoteSearch(t, e)
	k := &review.Review{
		Terminal: t, Checker: e.Checker(check.Options{}), Gate: check.Gate{MaxWarnings: -1}, Paths: paths,
		Report: report.Options{Style: t.Style(ui.ColourAuto), Command: "amlfix --apply", Paths: paths},
	}
	f := e.Discover(paths)
	e.Narrow(f.Roots, paths)
	return t.Exit(ctx, k.Check(ctx, f))
}
