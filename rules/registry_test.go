package rules_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
)

// TestRegistryAddresses checks which addresses of environments are corrected, and to what: "!" is a safe fix.
func TestRegistryAddresses(t *testing.T) {
	const in = "azureml://registries/azureml/environments/"
	for text, want := range map[string]string{
		in + "sklearn-1.5/label/latest":                                   in + "sklearn-1.5/labels/latest!",
		in + "sklearn-1.5/version/4":                                      in + "sklearn-1.5/versions/4!",
		"azureml://registries/azureml/environment/sklearn-1.5/versions/4": in + "sklearn-1.5/versions/4!",
		"azureml://registry/azureml/environments/sklearn-1.5/versions/4":  in + "sklearn-1.5/versions/4!",
		in + "sklearn-1.5@latest":                                         in + "sklearn-1.5/labels/latest!",
		in + "sklearn-1.5:4":                                              in + "sklearn-1.5/versions/4!",
		in + "sklearn-1.5/versions/4":                                     "",
		in + "slkearn-1.5/versions/4":                                     in + "sklearn-1.5/versions/4",
		in + "sklearn-9.5/versions/4":                                     "",
		in + "{{name}}/label/latest":                                      "",
		"azureml:AzureML-slkearn-1.5@latest":                              "azureml:AzureML-sklearn-1.5@latest",
		"azureml:slkearn-1.5@latest":                                      "",
		strings.ToUpper(in) + "x/versions/1":                              "",
		in + "sklearn-1.5/versions/${{v}}":                                "",
		"azureml://registries/azureml/models":                             "",
	} {
		job := "command: ls\nenvironment: " + text + "\ncompute: azureml:cpu\n"
		p := schema.Load(schema.Root{Dir: "."}, schema.Options{}).With(map[string][]byte{"job.yml": []byte(job)})
		got := ""
		for _, f := range rules.Check(p) {
			if f.Fix != nil && (f.Rule == "ref/version" || f.Rule == "ref/environment") {
				got = f.Fix.Changes[0].Value.Text
				if f.Fix.Applicability == finding.Safe {
					got += "!"
				}
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}
