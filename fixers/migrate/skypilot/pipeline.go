package skypilot

import (
	"slices"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate"
	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/fixers/migrate/yamlout"
	"github.com/amlfix/amlfix/schema/plain"
)

// chain reports whether each step waits for the previous one: SkyPilot runs the tasks in a file one after another.
func chain(steps []*migrate.Job) bool {
	for i, j := range steps {
		if i > 0 && !slices.Contains(j.Step.After, steps[i-1].Step.Name) {
			return false
		}
	}
	return true
}

// writePipeline writes the steps of a pipeline: to one file if they form a chain, or else each as a separate task that
// says which ones it waits for.
func writePipeline(m *migrate.Migration, p *migrate.Pipeline, tasks map[*migrate.Job]*task) {
	steps := m.StepsOf(p)
	if len(steps) == 0 {
		return
	}
	share(m, p, steps, tasks)
	if !chain(steps) {
		for _, j := range steps {
			line := "A step of the pipeline " + p.Name
			if len(j.Step.After) > 0 {
				line += ", after " + strings.Join(j.Step.After, ", ")
			}
			tasks[j].write(line+".", started)
		}
		return
	}
	name, taken := pipelineName(m, p), plain.Names{Sep: "-"}
	text := yamlout.Bytes([]string{"The steps run one after another, each on a machine of its own; the first that fails ends the pipeline.", started}, yamlout.Map{{Key: "name", Value: name}})
	for _, j := range steps {
		t := tasks[j]
		t.name = taken.Take(account.Slug(j.Step.Name))
		body := t.body()
		text = append(append(text, "---\n"...), yamlout.Bytes(t.head(), body)...)
	}
	m.Write(pipelineFile(name), text)
}

// share mounts a bucket in every step that reads or writes what passes between them.
func share(m *migrate.Migration, p *migrate.Pipeline, steps []*migrate.Job, tasks map[*migrate.Job]*task) {
	passes := func(d migrate.Data) bool { return d.Folder != "" }
	for _, j := range steps {
		if !slices.ContainsFunc(j.Inputs, passes) && !slices.ContainsFunc(j.Outputs, passes) {
			continue
		}
		t := tasks[j]
		answer, open := m.Decide(&account.Question{ID: "bucket", Scope: p.Name, Ask: "Which bucket stores what the steps pass on?", Example: "s3://BUCKET",
			Why: "each step has a machine of its own, which is gone when the step ends: a bucket, or a container of Azure (https://ACCOUNT.blob.core.windows.net/CONTAINER), is mounted in all of them; for a name without an address, SkyPilot creates a bucket"})
		mount := yamlout.Map{{Key: "name", Value: account.Marker}, {Key: "mode", Value: "MOUNT"}}
		if open {
			t.marked("the steps have no bucket yet")
		} else {
			mount = t.bucket("bucket", answer)
		}
		t.mounts = t.mounts.Set("~"+migrate.Steps, mount)
	}
}
