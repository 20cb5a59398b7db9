package check

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestTakenTexts checks that a text that was read to find who shares files is written over only if it is still that of
// the file.
func TestTakenTexts(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	const target = "type: remotedocker\naddress: h\nusername: u\nbaseDockerImage: microsoft/mmlspark:plus-gpu-0.9.9\nnvidiaDocker: true\n"
	const job, env = "Target: vm\nFramework: PySpark\nArgumentVector: [train.py]\n", "dependencies:\n  - python=3.5.2\n  - tensorflow=1.4.1\n"
	repaired := strings.Replace(job, "PySpark", "Python", 1)
	for name, test := range map[string]struct {
		write         bool
		edited        string // by somebody else, between the two projects
		planned, left string // the text that was repaired, and what the file then holds
	}{
		"not edited":             {true, job, job, repaired},
		"edited":                 {true, "# mine\n" + job, "# mine\n" + job, "# mine\n" + repaired},
		"repaired by hand":       {true, "# mine\n" + repaired, "# mine\n" + repaired, "# mine\n" + repaired},
		"edited, nothing writes": {false, "# mine\n" + job, job, "# mine\n" + job},
	} {
		dir := schema.Identity(t.TempDir())
		for _, project := range []string{"a", "b"} {
			at := filepath.Join(dir, project, "aml_config")
			write(t, filepath.Join(at, "vm.compute"), target)
			write(t, filepath.Join(at, "vm.runconfig"), job)
			write(t, filepath.Join(at, "conda_dependencies.yml"), env)
		}
		e := &Engine{Dir: dir}
		found, c := e.Discover(nil), e.Checker(Options{Repair: true, Write: test.write})
		testkit.OK(t, c.Check(found.Roots[0]).Err) // asks who shares its environment
		file := filepath.Join(dir, "b", "aml_config", "vm.runconfig")
		testkit.OK(t, os.WriteFile(file, []byte(test.edited), 0o600))
		result := c.Check(found.Roots[1])
		testkit.OK(t, result.Err)
		testkit.Same(t, test.planned, string(result.Project.File(file).Source.Text), "%s: planned", name)
		left, err := os.ReadFile(file)
		testkit.OK(t, err)
		testkit.Same(t, test.left, string(left), "%s: left", name)
	}
}
