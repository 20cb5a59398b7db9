//go:build linux

package shim

import (
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema/judge"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestRealPackageWins checks that the real azureml-core, installed from PyPI, is found before the modules.
func TestRealPackageWins(t *testing.T) {
	j := newJob(t)
	out := j.run(t, judge.Python(t), `import azureml.core, azureml.logging
from azureml.core import Run, Workspace
azureml.logging.get_azureml_logger().log("a", 1)
print(azureml.core.__file__.replace("\\", "/").split("/")[-4:], type(Run.get_context()).__name__, ".amlfix" in azureml.logging.__file__)
`)
	if want := "['site-packages', 'azureml', 'core', '__init__.py'] _OfflineRun True\n"; !strings.HasSuffix(strings.ReplaceAll(out, "\r", ""), want) {
		t.Errorf("%s", out)
	}
	testkit.Same(t, [][]any{{"a", 1.}}, j.logged(t))
}
