package jobs

import (
	"cmp"

	"github.com/amlfix/amlfix/cmd/internal/cli"
	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/runtime/record"
	"github.com/amlfix/amlfix/schema/escape"
)

// azCommand returns the command to run for an Azure ML job.
func azCommand(verb string, job *record.AzureML) string {
	return ui.Printable("az ml job " + verb + " --name " + escape.Word(cmp.Or(job.Name, "NAME")))
}

// inAzureML returns an error for a run in Azure ML, for which the user must use the Azure CLI: what to run, and what
// that does.
func (r foundRun) inAzureML(verb, does string) error {
	if r.AzureML == nil {
		return nil
	}
	return cli.Usage("runs", "run %s is a job in Azure ML: `%s` %s", r.ID, azCommand(verb, r.AzureML), does)
}
