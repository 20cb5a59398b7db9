package kubernetes

import (
	"slices"

	"github.com/amlfix/amlfix/fixers/migrate"
	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/fixers/migrate/container"
	"github.com/amlfix/amlfix/fixers/migrate/yamlout"
	"github.com/amlfix/amlfix/schema/plain"
)

// writePipeline writes the steps of a pipeline as the containers of one pod: Kubernetes runs init containers one after
// the other, ends the Job with the first that fails, and nothing needs permission to wait for other Jobs. With a pod
// per step, a waiting pod would hold its GPUs, and could wait forever for a step that needs the same GPUs.
func writePipeline(m *migrate.Migration, p *migrate.Pipeline, list []*container.Container) {
	var steps, about []string
	var containers yamlout.List
	var last *writer
	shm := ""
	for _, c := range list {
		if c.Job.Step == nil || c.Job.Step.In != p {
			continue
		}
		last = &writer{m: m, c: c, j: c.Job}
		name := account.Slug(c.Job.Step.Name)
		for slices.Contains(steps, name) {
			name += "-x"
		}
		steps = append(steps, name)
		for _, line := range c.About {
			if !slices.Contains(about, line) {
				about = append(about, line)
			}
		}
		containers = append(containers, last.container(name))
		shm = larger(shm, c.Shm)
		m.Ledger.Drop(c.Job.Name, "a Job has one time limit for all its steps: set `activeDeadlineSeconds`", c.Job.Source.SDK.MaxDuration)
	}
	if last == nil {
		return
	}
	pod := yamlout.Map{{Key: "restartPolicy", Value: "Never"}}
	if before := containers[:len(containers)-1]; len(before) > 0 {
		about = append(about, "The steps run one after the other; the first one that fails ends the Job.")
		pod = pod.Set("initContainers", before)
	}
	pod = pod.Set("containers", containers[len(containers)-1:]).Set("volumes", last.volumes(shm))
	last.pipeline = plain.Unused(account.Slug(p.Name), "-", func(name string) bool {
		return slices.ContainsFunc(m.Files, func(f migrate.File) bool { return f.Path == "job-"+name+".yaml" })
	})
	last.manifest(last.pipeline, about, yamlout.Map{{Key: "backoffLimit", Value: 0}, {Key: "template", Value: yamlout.Map{{Key: "spec", Value: pod}}}})
}

// larger returns the larger of two sizes; "" is the smallest.
func larger(a, b string) string {
	x, _ := plain.Bytes(a)
	if y, ok := plain.Bytes(b); ok && y > x {
		return b
	}
	return a
}
