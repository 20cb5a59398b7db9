//go:build linux

package runtime

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestModulesForWorkers checks that on a standalone cluster spark-submit gets the project's modules as an archive, in
// addition to what the settings name, and that a Python in another folder imports them from it. On this machine they
// are not passed.
func TestModulesForWorkers(t *testing.T) {
	t.Parallel()
	testkit.Program(t, "python3")
	for master, ships := range map[string]bool{"spark://head:7077": true, "local[2]": false} {
		// the stand-in for spark-submit prints its arguments, and imports as a worker would
		job, root := load(t, files{"train.py": "", "helper.py": "import pkg.deep\nV = pkg.deep.V\n", "pkg/__init__.py": "", "pkg/deep.py": "V = 42\n", "data.csv": "x",
			"submit": `#!/bin/sh
echo AMLFIX-STANDIN "$@"
zip=$PWD/.amlfix/modules.zip
cd /
PYTHONPATH=$zip PYTHONSAFEPATH=1 python3 -c 'import helper, zipfile, os; print(helper.V, sorted(zipfile.ZipFile(os.environ["PYTHONPATH"]).namelist()))' 2>/dev/null
`,
			"aml_config/c.compute": "type: local\nsparkSubmitLocation: ./submit\n", "aml_config/spark_dependencies.yml": "configuration:\n  spark.master: " + master + "\n  spark.submit.pyFiles: other.py\n",
			"aml_config/c.runconfig": "Target: c\nFramework: PySpark\nArgumentVector: [train.py]\n"}, "c", schema.Options{})
		testkit.OK(t, exec.Command("chmod", "+x", filepath.Join(root, "submit")).Run())
		plan := newPlan(t, job, Options{Project: root})
		var out bytes.Buffer
		if res, err := Run(t.Context(), plan, RunOptions{Stdout: &out}); err != nil || ships && res.Code != 0 {
			t.Errorf("%+v, %v", res, err)
		}
		text := out.String()
		if strings.Contains(text, "--py-files .amlfix/modules.zip,other.py train.py\n") != ships || strings.Contains(text, "42 ['helper.py', 'pkg/__init__.py', 'pkg/deep.py', 'train.py']\n") != ships {
			t.Errorf("%s: %s", master, text)
		}
	}
}
