// Package jobs runs the jobs of run configurations, manages their runs, and migrates them: it implements the commands
// run, prepare, runs and migrate, given their parsed flags.
package jobs

import (
	"github.com/amlfix/amlfix/cmd/internal/check"
	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/schema/finding"
)

// Jobs is the environment of these commands. The errors of its methods are a *console.UsageError, or a console.Status
// if everything has been reported.
type Jobs struct {
	*console.Terminal
	*check.Engine
	line   *line // shared with the job that runs
	hinted bool  // how jobs run without an engine has been said
	unseen bool  // nobody sees the job's output, because this process runs in the background
	// inspection is what --plan and --check report, if that is wanted as JSON; else nil.
	inspection *inspection
}

// sayHidden reports how many errors of one project are hidden.
func (c *Jobs) sayHidden(r check.Root, all []finding.Finding, excluded map[string][]string) {
	var t check.Tally
	t.Add(r.Hides(all, finding.Error))
	c.SayIf(c.HiddenText(t, excluded))
}
