package jobs

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/runtime/azurecli"
	"github.com/amlfix/amlfix/runtime/plan"
	"github.com/amlfix/amlfix/runtime/preflight"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/record"
	"github.com/amlfix/amlfix/runtime/runid"
	"github.com/amlfix/amlfix/runtime/target"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/escape"
	"github.com/amlfix/amlfix/schema/secret"
)

// azureML is the target that represents Azure ML.
const azureML = "azureml"

// submit checks the file of a job, and passes it to the user's Azure CLI.
func (c *Jobs) submit(ctx context.Context, k chosen, inputs map[string]string, o RunOptions) error {
	switch {
	case o.Step != "":
		return console.Usage("run", "--step: Azure ML runs the whole pipeline")
	case o.Image != "":
		return console.Usage("run", "--image is for your own machines: set the environment in %s", o.Script)
	case o.Timeout > 0:
		return console.Usage("run", "--timeout is for your own machines: set limits.timeout in %s", o.Script)
	}
	if err := c.readyAll(&k, o); err != nil {
		return err
	}
	spec := azurecli.Spec{File: o.Script, Dir: c.Dir, Set: settings(k, inputs), Env: os.Environ()}
	row := c.inspection.named(o.Script, azureML, azureML)
	if o.Plan {
		c.printLines(row, plan.Line{Name: "target", Value: azureML, Origin: plan.Origin{Note: "command line"}}, plan.Line{Name: "runs", Value: spec.String()})
	}
	switch {
	case o.Check:
		return c.checkCLI(ctx, row)
	case o.Plan:
		return nil
	}
	c.Job = true
	spec.Record = record.Record{
		ID: runid.New(time.Now()), Program: c.Version(), Name: secret.HideValue(o.Script), Target: azureML, Kind: azureML, Project: k.root.Dir, Tracked: true,
		Script: secret.HideValue(o.Script), Plan: []record.Line{{Name: "target", Value: azureML, From: "command line"}, {Name: "runs", Value: spec.String()}},
	}
	spec.Record.Arguments = append([]string{spec.Record.Script}, spec.Shown()[len(azurecli.Spec{}.Argv()):]...)
	result, err := azurecli.Run(ctx, spec, process.Streams{Stdout: c.Out, Stderr: c.Err})
	if err != nil {
		c.Say("not started: %s", err)
		c.Say("it would have run: %s", spec)
		return console.Status(result.Code)
	}
	return c.submitted(ctx, result, o)
}

// readyAll is ready for all jobs in a file, and for the file itself.
func (c *Jobs) readyAll(k *chosen, o RunOptions) error {
	k.job, k.elsewhere = schema.NewJob(k.file, nil), o.Target == azureML
	for _, j := range k.project.Jobs {
		if j.File == k.file {
			k.also = append(k.also, j)
		}
	}
	return c.ready(k, o)
}

// submitted reports how an Azure ML job ended.
func (c *Jobs) submitted(ctx context.Context, result azurecli.Result, o RunOptions) error {
	run := "the job"
	if !result.RunID.IsZero() {
		run = fmt.Sprintf("run %s: the job", result.RunID)
	}
	if result.RecordErr != nil {
		c.Say("the record of the job is not complete, or there is none: %v", result.RecordErr)
	}
	switch {
	case ctx.Err() != nil && result.Created:
		c.Say("stopped, but %s continues in Azure ML; `%s` ends it", run, azCommand("cancel", &result.Job))
	case ctx.Err() != nil:
		c.Say("stopped: the job may have been created anyway; `az ml job list` shows it")
	case result.Killed != "" && result.Created:
		c.Say("the Azure CLI was ended by a signal (%s), but %s continues in Azure ML; `%s` follows it", result.Killed, run, azCommand("stream", &result.Job))
	case result.Killed != "":
		c.Say("not started: the Azure CLI was ended by a signal (%s); `az ml job list` shows whether it has created the job", result.Killed)
	case !result.Created && result.Code != 0:
		c.Say("not started: the Azure CLI has not created the job; %s", cmp.Or(result.Next, "see its output above"))
	case result.Code != 0:
		c.Say("%s failed in Azure ML, or the Azure CLI lost track of it: it ended with exit code %d", run, result.Code)
	case o.RequireGPU && !result.Evidence.Proven():
		c.Say("%s succeeded in Azure ML", run)
		c.Say("--require-gpu: nothing in the job's output proves that it used a GPU")
		result.Code = console.NoGPU
	default:
		c.Say("%s succeeded in Azure ML", run)
	}
	if result.Created {
		c.Say("%s", result.Evidence.Sentence())
	}
	return console.Ended(result.Code)
}

// settings returns the inputs from the command line in the form of the CLI's --set.
func settings(k chosen, inputs map[string]string) (set []string) {
	job := schema.NewJob(k.file, k.file.Root().Resolve())
	for name, value := range inputs {
		path := "inputs." + name
		for _, d := range job.Inputs() {
			if d.Name == name && d.Given.Node.IsMapping() {
				key := "path"
				if f := d.Value(); f.Explicit && f.Key != nil && f.Node.Parent == d.Given.Node.Resolve() {
					key = f.Key.Value
				}
				path = path + "." + key
			}
		}
		set = append(set, path+"="+value)
	}
	slices.Sort(set)
	return set
}

// checkCLI reports whether the user's CLI can create jobs. It sends nothing to Azure.
func (c *Jobs) checkCLI(ctx context.Context, row *inspected) error {
	found := func(status preflight.Status, topic preflight.Topic, text string) {
		c.printCheck(target.Check{Result: preflight.Result{Topic: topic, Status: status, Text: text}}, false, row)
	}
	program, err := azurecli.Find()
	if err != nil {
		found(preflight.Failed, "program", strings.TrimSpace(err.Error()))
		return console.Status(console.NotStarted)
	}
	found(preflight.OK, "program", program+" is there")
	if !azurecli.HasExtension(ctx, program) {
		found(preflight.Failed, "extension", "the Azure CLI has no extension ml: run `az extension add --name ml`")
		return console.Status(console.NotStarted)
	}
	found(preflight.OK, "extension", "the Azure CLI has its extension ml")
	found(preflight.Unknown, "workspace", "only Azure knows whether login, workspace and quota are in order")
	return nil
}

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
	return console.Usage("runs", "run %s is a job in Azure ML: `%s` %s", r.ID, azCommand(verb, r.AzureML), does)
}
