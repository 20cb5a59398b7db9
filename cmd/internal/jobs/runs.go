package jobs

import (
	"context"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/check"
	"github.com/amlfix/amlfix/cmd/internal/cli"
	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/cmd/internal/ui"
)

// runsAction is one of the subcommands of `amlfix runs`.
type runsAction struct {
	cli.Candidate
	flags []string // its own flags
	do    func(*Jobs, context.Context, runs, RunsOptions) error
}

// RunsWords returns the subcommands of `amlfix runs`.
func RunsWords() (words []cli.Candidate) {
	for _, a := range runsActions() {
		words = append(words, a.Candidate)
	}
	return words
}

func runsActions() []runsAction {
	return []runsAction{
		{cli.Candidate{Word: "list", About: "list the runs, newest last"}, []string{"format"}, (*Jobs).listRuns},
		{cli.Candidate{Word: "show", About: "show everything that is known about a run"}, []string{"format"}, (*Jobs).showRun},
		{cli.Candidate{Word: "logs", About: "print the output of a run"}, []string{"follow", "f"}, (*Jobs).logsOfRun},
		{cli.Candidate{Word: "attach", About: "resume a run whose amlfix process was killed, or watch it"}, nil, (*Jobs).attachToRun},
		{cli.Candidate{Word: "fetch", About: "copy back outputs that could not be copied"}, nil, (*Jobs).fetchRun},
		{cli.Candidate{Word: "stop", About: "ask a run's job to stop"}, []string{"now"}, (*Jobs).stopRun},
		{cli.Candidate{Word: "compare", About: "show two runs side by side"}, []string{"format"}, (*Jobs).compareRuns},
		{cli.Candidate{Word: "report", About: "write a page about a run, for a browser"}, []string{"output", "o"}, (*Jobs).reportRun},
		{cli.Candidate{Word: "clean", About: "remove leftovers of killed runs, and old records"}, []string{"older", "orphans", "environments", "copies", "all", "dry-run", "yes"}, (*Jobs).cleanRuns},
		{cli.Candidate{Word: "push", About: "send a run to an MLflow server"}, nil, (*Jobs).pushRun},
	}
}

// MisplacedFlag returns an error for a flag that belongs to another subcommand than the one in args, by default list.
func MisplacedFlag(flag string, args []string) error {
	own, owners := runsActions()[0], []string(nil)
	for _, a := range runsActions() {
		if slices.Contains(args, a.Word) {
			own = a
		}
		if slices.Contains(a.flags, flag) {
			owners = append(owners, a.Word)
		}
	}
	if len(owners) == 0 || slices.Contains(own.flags, flag) {
		return nil
	}
	return console.Usage("runs", "amlfix runs %s has no flag %s: use it with %s", own.Word, cli.Dashed(flag), strings.Join(owners, " and "))
}

// RunsOptions are the flags of the subcommands of `amlfix runs`.
type RunsOptions struct {
	Follow, Now, Orphans bool
	// Environments also removes environments; All applies to every project; DryRun only reports what would be removed;
	// Yes asks no questions. Copies removes the copies kept where jobs run.
	Environments, Copies, All, DryRun, Yes bool
	// Output is the file for the page; "" is standard output.
	Output string
	// Older is the value of --older as written; "" if it was not given.
	Older string
	// JSON reports whether a list is requested as JSON, and Style returns its colours.
	JSON  func() (bool, error)
	Style func() (ui.Style, error)

	args []string // what follows the subcommand
	json bool     // the result of JSON
}

// Runs runs the subcommand in args, by default list.
func (c *Jobs) Runs(ctx context.Context, args []string, o RunsOptions) error {
	actions := runsActions()
	var words []string
	for _, a := range actions {
		words = append(words, a.Word)
	}
	if len(args) == 0 {
		args = []string{"list"}
	}
	at := slices.Index(words, args[0])
	if at < 0 {
		return console.Usage("runs", "%q is not one of %s%s", args[0], strings.Join(words, ", "), ui.DidYouMean(args[0], words))
	}
	most := 2
	if args[0] == "compare" {
		most = 3
	}
	if len(args) > most {
		return console.Usage("runs", "%s at a time: unexpected argument %q", map[int]string{2: "one run", 3: "two runs"}[most], args[most])
	}
	var err error
	if o.json, err = o.JSON(); err != nil {
		return err
	}
	all, refused, err := c.findRuns()
	switch {
	case err != nil:
		return err
	case len(all) > 0 || !refused || args[0] == "clean" || args[0] == "list" && (o.json || len(args) > 1):
	case args[0] == "list": // what was said of the records says enough
		return nil
	default:
		return console.Status(console.BadUsage)
	}
	o.args = args[1:]
	return actions[at].do(c, ctx, all, o)
}

// atHand returns the projects found from the working directory whose runs are meant.
func (c *Jobs) atHand() check.Found { return c.Discover(c.around(true)) }

// projects returns their folders.
func (c *Jobs) projects() (dirs []string) {
	for _, r := range c.atHand().Roots {
		dirs = append(dirs, r.Dir)
	}
	return dirs
}
