// Package jobs runs the jobs of run configurations, looks after their runs, and
// migrates them: what the commands run, prepare, runs and migrate do once their
// flags are read.
package jobs

import (
	"github.com/amlfix/amlfix/cmd/internal/check"
	"github.com/amlfix/amlfix/cmd/internal/cli"
	"github.com/amlfix/amlfix/schema/finding"
)

// Jobs is what they have at hand. The errors of its methods are a *cli.UsageError,
// or a cli.Status where all has been said.
type Jobs struct {
	*cli.Terminal
	*check.Engine
}

// sayHidden says how many errors of one project are not reported.
func (c *Jobs) sayHidden(r check.Root, all []finding.Finding, excluded map[string][]string) {
	var t check.Tally
	t.Add(r.Hides(all, finding.Error))
	c.SayIf(c.HiddenText(t, excluded))
}
