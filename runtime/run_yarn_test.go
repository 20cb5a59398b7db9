//go:build linux

package runtime

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/runtime/internal/sparktest"
	"github.com/amlfix/amlfix/runtime/internal/sshtest"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/runtime/ssh"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/judge"
	"github.com/amlfix/amlfix/schema/testkit"
)

// yarnJob prints which parts of the project reach the driver and a worker, logs, prints bytes that are not text, leaves
// outputs and fails. If it has a file to create, it then waits until it is interrupted.
const yarnJob = `
import json, os, sys, time
import helper
from lib.deep import x
from deep.x import V
from azureml.logging import get_azureml_logger
import azureml
from pyspark.sql import SparkSession
spark = SparkSession.builder.getOrCreate()
sc = spark.sparkContext
def there(n):
    import helper, azureml.logging
    from lib.deep import x
    return [helper.factor() * n + x.V, open("a.csv").read()]
print(json.dumps([sys.argv[1:], os.environ["MODE"], os.environ.get("STORAGE_KEY"), spark.conf.get("spark.amlfix.word"), sc.appName, sc.master, spark.conf.get("spark.submit.deployMode")]))
print(json.dumps([helper.factor(), V, open("my data.csv").read(), os.path.exists("left.out"), os.listdir("outputs"), sc.parallelize([1, 2], 2).map(there).collect()]))
print(getattr(azureml, "__file__", "")[-26:])
open("a.csv", "a").write("changed")
get_azureml_logger().log("loss", 0.25)
open("outputs/model", "w").write("weights")
sys.stdout.flush()
sys.stdout.buffer.write(b"\x00\xff\r\n")
sys.stdout.flush()
sys.stderr.write("to stderr\n")
if sys.argv[1].startswith("/"):
    open(sys.argv[1], "w").close()
    try:
        time.sleep(600)
    finally:
        open("outputs/checkpoint", "w").write("interrupted")
sys.exit(3)
`

// onYARN plans the job for a head node of the cluster behind a real sshd.
func onYARN(t *testing.T, y *sparktest.YARN, mode, python string, args ...string) (Plan, *sshtest.Server) {
	t.Helper()
	s := sshtest.Start(t, sshtest.Options{Env: y.Env()})
	content := files{"train.py": yarnJob, "helper.py": "def factor():\n  return int(open('data/factor.txt').read())\n", "data/factor.txt": "2", "lib/deep/x.py": "V = 40\n",
		"a.csv": "1,2", "my data.csv": "with a space", "left.out": "", ".amlignore": "left.out\n", "outputs/old.txt": "old",
		"aml_config/spark_dependencies.yml": "configuration:\n  spark.amlfix.word: two $words \"quoted\"\n  spark.app.name: Azure ML Experiment\n  spark.ui.enabled: false\n",
		"aml_config/c.compute":              "type: cluster\naddress: " + s.Address() + "\nusername: root\nyarnDeployMode: " + mode + "\npythonLocation: " + python + "\n",
		"aml_config/spark.runconfig":        "Target: c\nFramework: PySpark\nArgumentVector: [$file]\nEnvironmentVariables: {MODE: 'fast $HOME lane', STORAGE_KEY: hunter2, PYTHONPATH: lib}\n"}
	job, root := load(t, content, "spark", schema.Options{})
	plan := newPlan(t, job, Options{Project: root, Script: "train.py", Args: args})
	return plan, s
}

// goneFromYARN fails the test if a run has left something in the cluster or on its head node.
func goneFromYARN(t *testing.T, y *sparktest.YARN, s *sshtest.Server) {
	t.Helper()
	testkit.Same(t, "", y.Running(t), "an application goes on")
	if list := y.Do(t, "hdfs", "dfs", "-ls", "-R", "/user"); strings.Contains(list, "/.amlfix/") || strings.Contains(list, "/.sparkStaging/") {
		t.Errorf("files were left in HDFS:\n%s", list)
	}
	if left, _ := os.ReadDir(filepath.Join(s.HomeOf(sshtest.Root), ".amlfix", "runs")); len(left) > 0 {
		t.Errorf("folders were left behind: %v", left)
	}
}

// shownByYARNJob returns what the job prints to standard output; in client mode, spark-submit adds its standard error.
func shownByYARNJob(mode, args, azureml string) string {
	text := fmt.Sprintf(`[%s, "fast $HOME lane", "hunter2", "two $words \"quoted\"", "Azure ML Experiment", "yarn", "%s"]
[2, 40, "with a space", false, [], [[42, "1,2"], [44, "1,2"]]]
%s
`, args, mode, azureml) + "\x00\xff\r\n"
	if mode == "client" {
		text += "to stderr\n"
	}
	return text
}

// TestSparkYARN runs a job on a real resource manager, node manager and HDFS, in both deploy modes.
func TestSparkYARN(t *testing.T) {
	y := sparktest.StartYARN(t)
	own := y.Bin + "/python"
	const shim = ".amlfix/python/azureml/__init__.py"
	for _, tt := range []struct{ name, mode, python, azureml string }{
		{"client", "client", own, shim[len(shim)-26:]},
		{"cluster", "cluster", own, shim[len(shim)-26:]},
	} {
		t.Run(tt.name, func(t *testing.T) {
			plan, s := onYARN(t, y, tt.mode, tt.python, "a b", `$HOME "q" 'x`)
			var out, errs bytes.Buffer
			res, err := Run(t.Context(), plan, RunOptions{Stdout: &out, Stderr: &errs, SSH: ssh.Options{Home: s.Home}})
			if err != nil || res.Outcome != Failed || res.Code != 3 || res.Outputs.Files != 1 {
				t.Errorf("%+v, %v\n%s", res, err, errs.String())
			}
			testkit.Same(t, shownByYARNJob(tt.mode, `["a b", "$HOME \"q\" 'x"]`, tt.azureml), out.String(), errs.String())
			if n := strings.Count(out.String()+errs.String(), "to stderr\n"); n != 1 {
				t.Errorf("standard error came %d times:\n%s", n, errs.String())
			}
			testkit.Same(t, map[string]string{"old.txt": "old", "model": "weights"}, read(t, plan))
			if metrics, _ := os.ReadFile(filepath.Join(res.Record, "metrics.jsonl")); !strings.Contains(string(metrics), `"loss"`) {
				t.Errorf("the record has the metrics %q", metrics)
			}
			goneFromYARN(t, y, s)
		})
	}
	t.Run("real azureml", func(t *testing.T) { realAzureml(t, y) })
	for _, mode := range []string{"client", "cluster"} {
		t.Run("stopped in "+mode, func(t *testing.T) { stopOn(t, y, mode) })
		t.Run("killed in "+mode, func(t *testing.T) { killOn(t, y, mode) })
		t.Run("attached in "+mode, func(t *testing.T) { attachOn(t, y, mode) })
	}
	t.Run("driver killed", func(t *testing.T) { driverKilled(t, y) })
}

// realAzureml checks that on a node that has Azure's own azureml, its modules win, and those that it lacks are
// provided.
func realAzureml(t *testing.T, y *sparktest.YARN) {
	plan, s := onYARN(t, y, "cluster", judge.Python(t))
	script := "import azureml.core, azureml.logging\nfrom pyspark.sql import SparkSession\nSparkSession.builder.getOrCreate()\n" +
		"print(azureml.core.VERSION, azureml.core.__file__.split('/')[-4], '.amlfix' in azureml.logging.__file__)\n"
	testkit.OK(t, os.WriteFile(filepath.Join(plan.Project, "train.py"), []byte(script), 0o644))
	var out, errs bytes.Buffer
	res, err := Run(t.Context(), plan, RunOptions{Stdout: &out, Stderr: &errs, SSH: ssh.Options{Home: s.Home}})
	if err != nil || res.Outcome != Succeeded || out.String() != "1.61.0 site-packages True\n" {
		t.Errorf("%+v, %v, %q\n%s", res, err, out.String(), errs.String())
	}
	goneFromYARN(t, y, s)
}

// waiting calls do once the job waits.
func waiting(t *testing.T, file string, do func()) {
	t.Helper()
	over := t.Context().Done()
	go func() {
		for {
			select {
			case <-over:
				return
			case <-time.After(100 * time.Millisecond):
			}
			if _, err := os.Stat(file); err == nil {
				do()
				return
			}
		}
	}()
}

// stopOn interrupts the job, which can still print and save its outputs.
func stopOn(t *testing.T, y *sparktest.YARN, mode string) {
	file := filepath.Join(t.TempDir(), "up")
	plan, s := onYARN(t, y, mode, y.Bin+"/python", file)
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	waiting(t, file, func() { cancel(&process.Signalled{Signal: os.Interrupt}) })
	var out, errs bytes.Buffer
	began := time.Now()
	res, err := Run(ctx, plan, RunOptions{Stdout: &out, Stderr: &errs, SSH: ssh.Options{Home: s.Home}})
	if err != nil || res.Outcome != Cancelled || res.Code != 130 || res.Outputs.Files != 2 {
		t.Errorf("%+v, %v\n%s", res, err, errs.String())
	}
	testkit.Same(t, map[string]string{"old.txt": "old", "model": "weights", "checkpoint": "interrupted"}, read(t, plan))
	if !strings.Contains(out.String(), "\x00\xff\r\n") || !strings.Contains(out.String()+errs.String(), "Traceback") {
		t.Errorf("%q\n%s", out.String(), errs.String())
	}
	t.Logf("%s: %v", mode, time.Since(began))
	goneFromYARN(t, y, s)
}

// killOn asks twice: the application is killed at once.
func killOn(t *testing.T, y *sparktest.YARN, mode string) {
	file, kill := filepath.Join(t.TempDir(), "up"), make(chan struct{})
	plan, s := onYARN(t, y, mode, y.Bin+"/python", file)
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	waiting(t, file, func() {
		cancel(&process.Signalled{Signal: os.Interrupt})
		close(kill)
	})
	res, err := Run(ctx, plan, RunOptions{SSH: ssh.Options{Home: s.Home}, Kill: kill})
	if err != nil || res.Outcome != Cancelled || res.Code != 130 {
		t.Errorf("%+v, %v", res, err)
	}
	goneFromYARN(t, y, s)
}

// attachOn kills amlfix while the job waits; another one resumes the run and stops it.
func attachOn(t *testing.T, y *sparktest.YARN, mode string) {
	file := filepath.Join(t.TempDir(), "up")
	plan, s := onYARN(t, y, mode, y.Bin+"/python", file)
	t.Setenv("HOME", s.Home)
	cmd := spawn(t, plan, progress.Done)
	testkit.OK(t, cmd.Start())
	waiting(t, file, func() { _ = cmd.Process.Signal(syscall.SIGKILL) })
	_ = cmd.Wait()
	if _, err := os.Stat(file); err != nil {
		t.Fatal("the job was not started")
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	time.AfterFunc(2*time.Second, func() { cancel(&process.Signalled{Signal: os.Interrupt}) })
	dir := filepath.Join(plan.Project, ".amlfix", "runs", plan.RunID.String())
	res, err := Attach(ctx, dir, RunOptions{})
	out, errs := logOf(t, dir)
	want := shownByYARNJob(mode, `["`+file+`"]`, ".amlfix/python/azureml/__init__.py"[8:])
	if err != nil || res.Outcome != Cancelled || res.Outputs.Files != 2 || !strings.HasPrefix(out, want) {
		t.Errorf("%+v, %v, %s\n%s", res, err, cmp.Diff(want, out), errs)
	}
	goneFromYARN(t, y, s)
}

// driverKilled checks that a script that kills its driver leaves nothing; YARN's log is then shown, and named as such.
func driverKilled(t *testing.T, y *sparktest.YARN) {
	plan, s := onYARN(t, y, "cluster", y.Bin+"/python")
	script := "import os, signal, time\nprint('last words', flush=True)\ntime.sleep(1)\nos.kill(os.getppid(), signal.SIGKILL)\n"
	testkit.OK(t, os.WriteFile(filepath.Join(plan.Project, "train.py"), []byte(script), 0o644))
	var out, errs bytes.Buffer
	res, err := Run(t.Context(), plan, RunOptions{Stdout: &out, Stderr: &errs, SSH: ssh.Options{Home: s.Home}})
	if err != nil || res.Outcome != Failed || res.Code != 1 || out.Len() > 0 {
		t.Errorf("%+v, %v, %q", res, err, out.String())
	}
	for _, want := range []string{"amlfix: the driver has left nothing: it was killed, or never started. YARN's log of application_", "last words\n"} {
		if strings.Count(errs.String(), want) != 1 {
			t.Errorf("%q is not in\n%s", want, errs.String())
		}
	}
	goneFromYARN(t, y, s)
}
