package reference_test

import (
	"testing"

	"github.com/amlfix/amlfix/schema/reference"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestParse covers every form that the Azure ML client accepts, and common mistakes.
func TestParse(t *testing.T) {
	for text, want := range map[string]reference.Reference{
		"":                                      {Kind: reference.None},
		"${{parent.inputs.compute}}":            {Kind: reference.Undecided},
		"azureml:{{ env }}:1":                   {Kind: reference.Undecided},
		"azureml:__NAME__@latest":               {Kind: reference.Undecided},
		"env.yml":                               {Kind: reference.Path},
		"file:./env.yml":                        {Kind: reference.Path},
		`C:\data`:                               {Kind: reference.Path},
		"gpu-cluster":                           {Kind: reference.Path},
		"azureml:gpu":                           {Kind: reference.Workspace, Name: "gpu"},
		"azureml:env:12":                        {Kind: reference.Workspace, Name: "env", Version: "12"},
		"AzureML:env@latest":                    {Kind: reference.Workspace, Name: "env", Label: "latest"},
		"azureml:":                              {Kind: reference.Workspace},
		"azureml:env:1:2":                       {Kind: reference.Workspace, Name: "env", Version: "1:2"},
		"azureml://datastores/blob/paths/a/b":   {Kind: reference.Workspace, Type: "datastores", Name: "blob"},
		"azureml://registries/azureml":          {Kind: reference.Registry, Registry: "azureml"},
		"https://a.blob.core.windows.net/b":     {Kind: reference.Address},
		"wasbs://a@b.blob.core.windows.net/":    {Kind: reference.Address},
		"git+https://github.com/a/b.git":        {Kind: reference.Address},
		"azureml://jobs/a/outputs/b":            {Kind: reference.Resource, Type: "jobs", Name: "a"},
		"azureml:/subscriptions/s/workspaces/w": {Kind: reference.Resource},
		"azureml://registries/azureml/environments/acpt/labels/latest": {
			Kind: reference.Registry, Registry: "azureml", Type: "environments", Name: "acpt", Label: "latest"},
		"azureml://registries/R/components/train/versions/0.1": {
			Kind: reference.Registry, Registry: "R", Type: "components", Name: "train", Version: "0.1"},
		"azureml:/subscriptions/s/resourceGroups/g/providers/Microsoft.MachineLearningServices/workspaces/w/environments/e/versions/3": {
			Kind: reference.Resource, Type: "environments", Name: "e", Version: "3"},
		"/subscriptions/s/resourceGroups/g/providers/Microsoft.MachineLearningServices/workspaces/w/computes/gpu": {
			Kind: reference.Resource, Type: "computes", Name: "gpu"},
		"azureml://subscriptions/s/resourcegroups/g/workspaces/w/datastores/blob/paths/a": {
			Kind: reference.Resource, Type: "datastores", Name: "blob"},
		"azureml://locations/westeurope/workspaces/w/data/d/versions/1": {Kind: reference.Resource, Type: "data", Name: "d", Version: "1"},
	} {
		got := reference.Parse(text)
		want.Text = text
		if at := text[got.NameAt.Start:got.NameAt.End]; at != got.Name {
			t.Errorf("%s: the name is %q, but its span has %q", text, got.Name, at)
		}
		want.NameAt = got.NameAt
		testkit.Same(t, want, got, text)
	}
}

// TestInside checks which references files of the project may define.
func TestInside(t *testing.T) {
	for text, want := range map[string]bool{
		"azureml:env:1": true, "azureml:gpu": true, "azureml://datastores/a/paths/b": true, "azureml:": false, "env.yml": false,
		"azureml://registries/azureml/environments/a/versions/1": false, "${{inputs.a}}": false, "": false,
	} {
		testkit.Same(t, want, reference.Parse(text).Inside(), text)
	}
}
