//go:build linux

package runtime

import (
	"archive/zip"
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/runtime/internal/sparktest"
	"github.com/amlfix/amlfix/runtime/internal/sshtest"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/ssh"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/testkit"
)

// sparkJob computes on the workers, uses a module and a file of the project, prints what reached it of the spark file,
// and fails in the end.
const sparkJob = `
import sys
from pyspark.sql import SparkSession
import helper
spark = SparkSession.builder.getOrCreate()
sc = spark.sparkContext
factor = helper.factor()
print(sys.argv[1:], sc.parallelize(range(1000), 4).map(lambda x: x * factor).sum(), spark.conf.get("spark.amlfix.word"), sc.appName, sc.master.split(":")[0])
print(sorted(set(sc.parallelize(range(4), 2).map(lambda x: __import__("helper").__name__).collect()))) # a worker imports it
print(sc._jvm.java.lang.Thread.currentThread().getContextClassLoader().getResource("demo.txt") is not None)
open("outputs/result.txt", "w").write("kept")
if "wait" in sys.argv:
    import time
    print("up", flush=True)
    time.sleep(600)
sys.exit(3)
`

// sparkProject has a spark file with a setting and a package from the test's own repository.
func sparkProject(t *testing.T, configuration string) files {
	t.Helper()
	repository := t.TempDir()
	dir := filepath.Join(repository, "org", "example", "demo", "1.0")
	testkit.OK(t, os.MkdirAll(dir, 0o755))
	var jar bytes.Buffer
	z := zip.NewWriter(&jar)
	w, err := z.Create("demo.txt")
	if err == nil {
		_, err = w.Write([]byte("here"))
	}
	if err == nil {
		err = z.Close()
	}
	testkit.OK(t, err)
	const pom = "<project><modelVersion>4.0.0</modelVersion><groupId>org.example</groupId><artifactId>demo</artifactId><version>1.0</version></project>"
	for name, text := range map[string]string{"demo-1.0.jar": jar.String(), "demo-1.0.pom": pom} {
		testkit.OK(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	return files{"train.py": sparkJob, "helper.py": "def factor():\n  return int(open('data/factor.txt').read())\n", "data/factor.txt": "2", "outputs/old.txt": "old",
		"aml_config/spark_dependencies.yml": "configuration:\n  spark.amlfix.word: two words\n  spark.app.name: Azure ML Experiment\n  spark.ui.enabled: false\n  spark.jars.ivy: " + t.TempDir() + "\n" + configuration +
			"repositories: ['file://" + repository + "']\npackages:\n- group: org.example\n  artifact: demo\n  version: '1.0'\n"}
}

func sparkPlan(t *testing.T, content files, args ...string) Plan {
	t.Helper()
	job, root := load(t, content, "spark", schema.Options{})
	return newPlan(t, job, Options{Project: root, Script: "train.py", Args: args})
}

// TestSparkLocal runs real Spark on this machine.
func TestSparkLocal(t *testing.T) {
	s := sparktest.Install(t)
	content := sparkProject(t, "")
	content["aml_config/l.compute"] = "type: local\npythonLocation: " + s.Bin + "/python\nsparkSubmitLocation: " + s.Bin + "/spark-submit\n"
	content["aml_config/spark.runconfig"] = "Target: l\nFramework: PySpark\nArgumentVector: [$file]\n"
	plan := sparkPlan(t, content, "a b")
	var out, errs bytes.Buffer
	res, err := Run(t.Context(), plan, RunOptions{Stdout: &out, Stderr: &errs})
	if err != nil || res.Outcome != Failed || res.Code != 3 || res.Outputs.Files != 1 {
		t.Errorf("%+v, %v\n%s", res, err, errs.String())
	}
	testkit.Same(t, "['a b'] 999000 two words Azure ML Experiment local[*]\n['helper']\nTrue\n", ivyless(out.String()), errs.String())
}

// ivyless removes what spark-submit prints about the packages it loads.
func ivyless(text string) string {
	if i := strings.Index(text, "['"); i > 0 {
		return text[i:]
	}
	return text
}

// onSpark plans the job for a head node behind a real sshd, and a real standalone master with its worker.
func onSpark(t *testing.T, spark *sparktest.Spark, args ...string) (Plan, *sshtest.Server) {
	t.Helper()
	s := sshtest.Start(t, sshtest.Options{Env: map[string]string{"PATH": spark.Bin + ":" + os.Getenv("PATH"), "SPARK_LOCAL_IP": "127.0.0.1"}})
	content := sparkProject(t, "  spark.master: "+spark.Master+"\n  spark.driver.host: 127.0.0.1\n")
	content["aml_config/c.compute"] = "type: cluster\naddress: " + s.Address() + "\nusername: root\nyarnDeployMode: client\npythonLocation: " + spark.Bin + "/python\n"
	content["aml_config/spark.runconfig"] = "Target: c\nFramework: PySpark\nArgumentVector: [$file]\n"
	return sparkPlan(t, content, args...), s
}

// TestSparkCluster runs spark-submit on the head node and the work on the cluster's worker. A standalone cluster proves
// arguments and lifecycle, but nothing about YARN.
func TestSparkCluster(t *testing.T) {
	spark := sparktest.Start(t)
	plan, s := onSpark(t, spark, "a b")
	var out, errs bytes.Buffer
	res, err := Run(t.Context(), plan, RunOptions{Stdout: &out, Stderr: &errs, SSH: ssh.Options{Home: s.Home}})
	if err != nil || res.Outcome != Failed || res.Code != 3 || res.Outputs.Files != 1 {
		t.Errorf("%+v, %v\n%s", res, err, errs.String())
	}
	testkit.Same(t, "['a b'] 999000 two words Azure ML Experiment spark\n['helper']\nTrue\n", ivyless(out.String()), errs.String())
	if n := spark.Jobs(t); n != 1 {
		t.Errorf("the master has seen %d applications", n)
	}

	plan, s = onSpark(t, spark, "wait")
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	res, err = Run(ctx, plan, RunOptions{SSH: ssh.Options{Home: s.Home}, Stdout: &cancelAt{text: "up", cancel: func() { cancel(&process.Signalled{Signal: os.Interrupt}) }}})
	if err != nil || res.Outcome != Cancelled || res.Code != 130 || res.Outputs.Files != 1 {
		t.Errorf("%+v, %v", res, err)
	}
	if n := spark.Jobs(t); n != 2 {
		t.Errorf("the master has seen %d applications", n)
	}
	if left, _ := os.ReadDir(filepath.Join(s.HomeOf(sshtest.Root), ".amlfix", "runs")); len(left) > 0 {
		t.Errorf("folders were left behind: %v", left)
	}
}
