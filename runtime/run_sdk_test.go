//go:build linux

package runtime

import (
	"bytes"
	"os"
	"testing"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestSDKContainer runs an SDK v1 run configuration and checks, inside the container, what its docker section requests.
func TestSDKContainer(t *testing.T) {
	t.Parallel()
	e := engineHere(t)
	own, err := os.Readlink("/proc/self/ns/ipc")
	testkit.OK(t, err)
	const program = "import os, sys\ns = os.statvfs('/dev/shm')\nprint(sys.argv[1:], s.f_frsize * s.f_blocks >> 20, os.environ['MODE'], os.environ['WORD'], os.readlink('/proc/self/ns/ipc'))\n"
	for _, tt := range []struct{ arguments string }{
		{"[-e, WORD=two words, '--ipc=host', --privileged, '--pid=host', '-v', '/:/x']"},
		{"['--env=WORD=two words', --ipc, shareable]"},
	} {
		content := files{"train.py": program, "aml_config/v1.runconfig": "script: train.py\narguments: [--epochs, 3]\ntarget: local\nframework: Python\nenvironment:\n  environmentVariables: {MODE: fast}\n" +
			"  docker:\n    enabled: true\n    baseImage: " + e.Python(t) + "\n    shmSize: 48m\n    arguments: " + tt.arguments + "\n  python:\n    userManagedDependencies: true\n    interpreterPath: python3\n"}
		job, root := load(t, content, "v1", schema.Options{})
		plan := newPlan(t, job, Options{Project: root})
		var out, errs bytes.Buffer
		res, err := Run(t.Context(), plan, RunOptions{Stdout: &out, Stderr: &errs})
		if err != nil || res.Outcome != Succeeded {
			t.Fatalf("%+v, %v\n%s", res, err, errs.String())
		}
		if want := []byte("['--epochs', '3'] 48 fast two words ipc:["); !bytes.HasPrefix(out.Bytes(), want) || bytes.Contains(out.Bytes(), []byte(own)) {
			t.Error(out.String())
		}
		e.NothingLeft(t, plan.RunID.String())
	}
}

// TestSparkInContainer checks how spark-submit is called in a container. A stand-in prints its arguments.
func TestSparkInContainer(t *testing.T) {
	t.Parallel()
	e := engineHere(t)
	const image = "amlfix-test/spark:1"
	e.Derive(t, image, e.Python(t), map[string]string{"/usr/bin/spark-submit": "#!/usr/bin/python3\nimport sys\nprint('AMLFIX-STANDIN spark-submit', sys.argv[1:])\n"})
	job, root := load(t, files{"train.py": "", "aml_config/c.compute": "type: localdocker\nbaseDockerImage: " + image + "\n", "aml_config/spark_dependencies.yml": sparkFile,
		"aml_config/c.runconfig": "Target: c\nArgumentVector: [$file, one]\n"}, "c", schema.Options{})
	plan := newPlan(t, job, Options{Project: root, Script: "train.py"})
	var out, errs bytes.Buffer
	res, err := Run(t.Context(), plan, RunOptions{Stdout: &out, Stderr: &errs})
	if err != nil || res.Outcome != Succeeded {
		t.Fatalf("%+v, %v\n%s", res, err, errs.String())
	}
	want := "AMLFIX-STANDIN spark-submit ['--packages', 'com.microsoft.ml.spark:mmlspark_2.11:0.7.91', '--conf', 'spark.app.name=Azure ML Experiment', 'train.py', 'one']\n"
	testkit.Same(t, want, out.String())
}
