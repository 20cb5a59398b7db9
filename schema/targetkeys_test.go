package schema_test

import (
	"testing"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestTargetKeys asks targets of all dialects for what is not kept of them: a Field has a File if the dialect has the
// setting.
func TestTargetKeys(t *testing.T) {
	type key struct {
		Text string
		File bool
	}
	tests := map[string]struct {
		archive string
		want    []key
	}{
		"Workbench": {
			"-- aml_config/a.compute --\ntype: cluster\nusername: me\nnodeCount: 2\n-- aml_config/a.runconfig --\nTarget: a\n",
			[]key{{"me", true}, {"", true}, {"", true}, {"spark-submit", true}, {"cluster", true}, {"2", true}, {"", true}},
		},
		"a Workbench file that another file names and whose end cannot be parsed": {
			"-- aml_config/a.compute --\ntype: cluster\nusername: me\n---\n]\n-- aml_config/a.runconfig --\nTarget: a\nCondaDependenciesFile: aml_config/a.compute\n",
			[]key{{"me", true}, {"", true}, {"", true}, {"spark-submit", true}, {"cluster", true}, {"", true}, {"", true}},
		},
		"SDK v1": {
			"-- .azureml/a.runconfig --\nscript: train.py\ntarget: a\nframework: Python\nusername: me\nnodeCount: 2\n",
			[]key{{"", true}, {"", true}, {"", true}, {"spark-submit", true}, {"", true}, {"", false}, {"", false}},
		},
		"v2": {
			"-- job.yml --\n$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json\ncommand: python train.py\nenvironment: azureml:e@latest\ncompute: azureml:a\nusername: me\n",
			make([]key, 7),
		},
	}
	for name, test := range tests {
		p := loadArchive(t, test.archive)
		if len(p.Jobs) != 1 || p.Jobs[0].Target == nil {
			t.Fatalf("%s: not one job with a target", name)
		}
		at := p.Jobs[0].Target
		var got []key
		for _, f := range []schema.Field{at.Username(), at.Password(), at.PrivateKey(), at.SparkSubmit(), at.YarnDeployMode(), at.NodeCount(), at.Priority()} {
			got = append(got, key{f.Text, f.File != nil})
		}
		testkit.Same(t, test.want, got, "%s", name)
	}
}
