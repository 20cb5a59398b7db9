package template_test

import (
	"testing"

	"github.com/amlfix/amlfix/schema/template"
	"github.com/amlfix/amlfix/schema/testkit"
)

func TestIn(t *testing.T) {
	for text, want := range map[string]bool{
		"{{cookiecutter.name}}": true, "a-{{ x }}-b": true, "{% if a %}": true, "#{ENVIRONMENT}#": true, "#{ENVIRONMENT}": true,
		"__VERSION__": true, "__my_name__": true, "${ENV}": true, "${ENV:-dev}": true, "$(Build.BuildId)": true,
		"/subscriptions/<SUBSCRIPTION_ID>/x": true, "<your compute>": true, "< your compute >": true, "CHANGE_ME": true, "x-CHANGE_ME_REGION": true, "REPLACEME": true,
		"azureml:CPU_CLUSTER_PLACEHOLDER": true, "azureml:YOUR_COMPUTE": true, "azureml://jobs/REPLACE_WITH_JOB_NAME/outputs/a": true, "PLACEHOLDER": true,
		"YOUR_": false, "your_model": false, "FOUR_GPUS": false, "PLACEHOLDERS": false,
		"python DECIDE.py": true, "/path/to/data": true, "a/path/to/b": false, "DECIDED": false,
		"": false, "azureml:env:1": false, "${{inputs.data}}": false, "a ${{ inputs.a }} b ${{inputs.b}}": false, "${inputs.data}": false,
		"$[[--a ${{inputs.a}}]]": false, "$ENV": false, "a < b": false, "__init": false, "CHANGE_MEMORY": false, "NAME": false, "a__b": false, "$(pwd; ls)": false, "{x: 1}": false,
	} {
		testkit.Same(t, want, template.In(text), "%q", text)
	}
}

// FuzzIn checks that the quick check does not exclude anything that the regular expression matches.
func FuzzIn(f *testing.F) {
	for _, seed := range []string{"${{{a}}", "a{{", "x<y>", "$(a)", "#{", "{%", "__a__", "CHANGE_ME", "/path/to/a", "DECIDE", "A_PLACEHOLDER", "YOUR_A"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if template.Marked(text) && !template.In(text) {
			t.Errorf("%q", text)
		}
	})
}

func TestByProgram(t *testing.T) {
	for text, want := range map[string]bool{"$ENV": true, "${ENV}": true, "a-#{X}#": true, "__X__": true, "$(X)": true, "{{x}}": true,
		"<ENV>": false, "CHANGE_ME": false, "path/to/x": false, "a$ENV": false, "$": false, "${{x}}": false, "local": false} {
		testkit.Same(t, want, template.ByProgram(text), "%q", text)
	}
}

func TestByHand(t *testing.T) {
	for text, want := range map[string]bool{"< your environment name >": true, "<your environment>": true, "<ENVIRONMENT>": false, "< name >": false, "a <your name>": false, "<your-name>": false, "< your {{name}} >": false} {
		testkit.Same(t, want, template.ByHand(text), "%q", text)
	}
}
