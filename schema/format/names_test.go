package format_test

import (
	"testing"

	"github.com/amlfix/amlfix/schema/format"
)

// TestNamesInOtherForms checks that a value that only case or separators tell from a name is corrected.
func TestNamesInOtherForms(t *testing.T) {
	table{
		{"in a job of a pipeline", "type: pipeline\njobs:\n  a: {type: parallel, component: azureml:c:1, logging_level: info}\n", []string{
			`3:62 «info» error schema/type: "logging_level" cannot be "info": write DEBUG, INFO or WARNING, or an expression [safe: set "logging_level" to "INFO": /jobs/a/logging_level = INFO]`,
		}},
		{"without a separator", "command: echo\nenvironment: azureml:e:1\ninputs:\n  a: {type: UriFolder, path: b}\n", []string{
			`4:13 «UriFolder» error schema/value: "type" cannot be "UriFolder": write uri_file or uri_folder; did you mean uri_folder? [safe: set "type" to "uri_folder": /inputs/a/type = uri_folder]`,
		}},
	}.run(t, "v2-job")
}

// TestSettingsOfOtherLinters checks what is said about keys that the settings of other programs have.
func TestSettingsOfOtherLinters(t *testing.T) {
	table{
		{"rules", "rules: {gpu: off}\n", []string{
			`1:1 «rules» warning schema/unknown-key: "rules" is not a key of amlfix's settings, so it has no effect: write ignore, with a list of rules, or severity, with the severity of each`,
		}},
	}.run(t, format.Settings)
}

// TestCommentsMove checks that the comments right below moved lines move as well, if they are no others'.
func TestCommentsMove(t *testing.T) {
	table{
		{"outward", "command: echo\nenvironment: azureml:e:1\nresources:\n  instance_count: 1\n  compute: a\n  # about it\n\n  # about nothing\ntags: {a: b}\n", []string{
			`5:3 «compute» error schema/unknown-key: "compute" is not a key of "resources", so Azure ML rejects the file: write it one level further out, next to "resources" [safe: indent "compute" where it belongs: 5: "  " → "" 6: "  " → ""]`,
		}},
		{"inward", "command: echo\nenvironment: azureml:e:1\nresources:\n  instance_count: 1\nshm_size: 2g\n  # about it\n# about what follows\ntags: {a: b}\n", []string{
			`5:1 «shm_size» error schema/unknown-key: "shm_size" is not a key of an Azure ML v2 command job, so Azure ML rejects the file: write it under "resources", indented [safe: indent "shm_size" where it belongs: 5: "" → "  " 6: "" → "  "]`,
		}},
	}.run(t, format.V2Command)
}
