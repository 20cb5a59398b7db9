package schema_test

import (
	"slices"
	"testing"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestAskedNames holds what --gpu and --cpu mean: a compute, or else the jobs that are called so by their file, their
// step, their own name or their component's.
func TestAskedNames(t *testing.T) {
	const address = "$schema: https://azuremlschemas.azureedge.net/latest/"
	dir := testkit.Lay(t, map[string]string{
		".git/HEAD":    "",
		"jobs/one.yml": address + "commandJob.schema.json\nname: first\ncommand: python -V\ncompute: azureml:big\n",
		"jobs/two.yml": address + "commandJob.schema.json\ncommand: python -V\ncompute: small\n",
		"pipe.yml": address + "pipelineJob.schema.json\ntype: pipeline\nsettings: {default_compute: azureml:big}\njobs:\n" +
			"  a: {component: file:parts/train.yml}\n  small: {command: python -V}\n",
		"parts/train.yml":   address + "commandComponent.schema.json\nname: trainer\ncommand: python -V\n",
		"infra/cluster.yml": address + "amlCompute.schema.json\nname: big\ntype: amlcompute\nsize: Standard_DS3_v2\n",
		"online.yml":        address + "managedOnlineDeployment.schema.json\nname: blue\nendpoint_name: e\ninstance_type: Standard_DS3_v2\n",
	})
	roots, err := schema.Discover([]string{dir})
	testkit.OK(t, err)
	asked := func(opts schema.Options, is func(*schema.Target) bool) (names []string) {
		for _, j := range schema.Load(roots[0], opts).Jobs {
			if is(j.Target) {
				names = append(names, j.Name)
			}
		}
		slices.Sort(names)
		return names
	}
	for name, want := range map[string][]string{
		"big":             {"jobs/one.yml", "pipe.yml: jobs.a", "pipe.yml: jobs.small"},
		"cluster":         {"jobs/one.yml", "pipe.yml: jobs.a", "pipe.yml: jobs.small"},
		"small":           {"jobs/two.yml"}, // the compute, not the step
		"one":             {"jobs/one.yml"},
		"jobs/one.yml":    {"jobs/one.yml"},
		"one.yml":         {"jobs/one.yml"},
		"first":           {"jobs/one.yml"},
		"pipe":            {"pipe.yml: jobs.a", "pipe.yml: jobs.small"},
		"a":               {"pipe.yml: jobs.a"},
		"trainer":         {"parts/train.yml", "pipe.yml: jobs.a"},
		"parts/train.yml": {"parts/train.yml", "pipe.yml: jobs.a"},
		"blue":            {"online.yml"},
		"Standard_DS3_v2": nil,
		"other":           nil,
	} {
		testkit.Same(t, want, asked(schema.Options{GPU: []string{name}}, (*schema.Target).Requested), "GPU %s", name)
		testkit.Same(t, want, asked(schema.Options{CPU: []string{name}}, (*schema.Target).Declined), "CPU %s", name)
	}
	p := schema.Load(roots[0], schema.Options{GPU: []string{"one"}})
	for _, j := range p.Jobs {
		if !slices.Contains(j.Target.Jobs, j) {
			t.Errorf("%s is not among its target's jobs", j.Name)
		}
		if j.Target.GPU() != (j.Name == "jobs/one.yml") {
			t.Errorf("%s: GPU %v", j.Name, j.Target.GPU())
		}
	}
}
