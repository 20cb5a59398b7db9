package jobs

import (
	"cmp"

	"github.com/amlfix/amlfix/cmd/internal/cli"
	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/runtime/record"
	"github.com/amlfix/amlfix/schema/escape"
)

// azCommand is what to call for a job of Azure ML.
func azCommand(verb string, job *record.AzureML) string {
	return ui.Printable("az ml job " + verb + " --name " + escape.Word(cmp.Or(job.Name, "NAME")))
}

// inAzureML is an error for a run of Azure ML, which the user's own Azure CLI is asked
// about: what to call, and what that does.
func (r foundRun) inAzureML(verb, does string) error {
	if r.AzureML == nil {
		return nil
	}
	return cli.Usage("runs", "run %s is a job in Azure ML: `%s` %s", r.ID, azCommand(verb, r.AzureML), does)
}
