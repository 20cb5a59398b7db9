package main

import (
	"fmt"
	"time"

	"github.com/amlfix/amlfix/cmd/internal/baseline"
	"github.com/amlfix/amlfix/cmd/internal/check"
	"github.com/amlfix/amlfix/cmd/internal/cli"
	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/secret"
)

func (c *call) baselineCommand() *cli.Command {
	return &cli.Command{
		Name:      "baseline",
		Usage:     "accept existing findings, so that only new ones count",
		ArgsUsage: "[FLAGS] [PATH...]",
		Description: `Writes the errors and warnings in the projects at or below PATH into
.amlfix-baseline.yaml: next to .amlfix.yaml if there is one, else at the top of the
repository. From then on, amlfix neither reports nor repairs them. A finding stays
known if it moves in its file, and is new if its line changes. When run again, the
command adds new findings and removes those that are gone; reasons and dates are
kept. The baseline contains no file content and no secrets.`,
		UsageText: `amlfix baseline --reason "as it was when we began"
amlfix baseline --expires 2027-06-30 projects/digits
amlfix --apply --no-baseline && amlfix baseline`,
		Flags: append([]cli.Flag{
			&cli.StringFlag{Name: "reason", Usage: "the `REASON` for the entries that are added"},
			&cli.StringFlag{Name: "expires", Usage: "the last `DAY`, such as 2027-06-30, on which added and expired entries apply"},
		}, trustFlags()[0], trustFlags()[2]),
		Action: c.writeBaselines,
	}
}

func (c *call) writeBaselines(ctx *cli.Context) error {
	fresh := baseline.Entry{Reason: ctx.String("reason"), Expires: ctx.String("expires")}
	if _, err := time.Parse(check.Day, fresh.Expires); err != nil && fresh.Expires != "" {
		return console.Usage("baseline", "--expires: %q is not a date: write it as 2027-06-30", fresh.Expires)
	}
	if fresh.Expires != "" && fresh.Expires < c.Today() {
		return console.Usage("baseline", "--expires: %s is in the past", fresh.Expires)
	}
	f := c.Discover(ctx.Args().Slice())
	if f.Unreadable() {
		return console.Status(console.Failure)
	}
	if s := c.Trust.Settings(); s != nil && s.Baseline == "" {
		return console.Usage("baseline", `--settings %s does not set a baseline: add a line, such as "baseline: %s"`, ctx.String("settings"), baseline.Name)
	}
	c.Narrow(f.Roots, ctx.Args().Slice())
	list, err := c.UpdateBaselines(ctx.Context, f.Roots, fresh)
	for _, u := range list {
		c.sayUpdate(u)
	}
	return err
}

// sayUpdate reports what changed in a baseline.
func (c *call) sayUpdate(u check.BaselineUpdate) {
	name, known := secret.HideValue(c.Rel(u.Path)), plain.Count(u.Known, "known finding")
	switch {
	case !u.Existed && u.Known == 0:
		c.Say("there are no findings to accept, so %s is not written", name)
	case u.Written:
		_, _ = fmt.Fprintf(c.Out, "%s: %s, %d new, %d gone\n", ui.Printable(name), known, u.Added, u.Gone)
	default:
		_, _ = fmt.Fprintf(c.Out, "%s: %s, unchanged\n", ui.Printable(name), known)
	}
	if u.Expired > 0 {
		c.Say("%s in %s expired and will be reported again: --expires DAY extends them", plain.Count(u.Expired, "known finding"), name)
	}
}
