//go:build linux

package runtime

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/amlfix/amlfix/runtime/internal/sparktest"
	"github.com/amlfix/amlfix/runtime/internal/sshtest"
	"github.com/amlfix/amlfix/runtime/local"
	"github.com/amlfix/amlfix/runtime/preflight"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/ssh"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/testkit"
)

// clusterJob prints what reached it, logs, leaves outputs and fails; or it waits until it is interrupted, or kills its
// driver.
const clusterJob = `import os, signal, sys, time
from lib.deep import x
from azureml.logging import get_azureml_logger
get_azureml_logger().log("loss", 0.5)
print(sys.argv[1:], os.environ["MODE"], os.environ["STORAGE_KEY"], open("my data.csv").read(), os.listdir("outputs"), x.V, flush=True)
open("lib/y.txt", "a").write("changed")
open("outputs/model", "w").write("weights")
sys.stderr.write("to stderr\n")
if "wait" in sys.argv:
    open(os.path.expanduser("~/up"), "w").close()
    try:
        time.sleep(600)
    finally:
        open("outputs/checkpoint", "w").write("interrupted")
if "kill" in sys.argv:
    time.sleep(.5)
    os.kill(os.getppid(), signal.SIGKILL)
sys.exit(3)
`

// onCluster plans a Spark job for the head node behind the server.
func onCluster(t *testing.T, s *sshtest.Server, compute string, args ...string) Plan {
	t.Helper()
	job, root := load(t, files{"train.py": clusterJob, "my data.csv": "with a space", "a.csv": "", "lib/deep/x.py": "V = 40\n", "lib/y.txt": "", "outputs/old.txt": "old",
		"aml_config/c.compute": "type: cluster\naddress: " + s.Address() + "\nusername: worker\n" + compute, "aml_config/spark_dependencies.yml": sparkFile,
		"aml_config/c.runconfig": "Target: c\nFramework: PySpark\nArgumentVector: [$file]\nEnvironmentVariables: {MODE: fast $HOME lane, STORAGE_KEY: hunter2}\n"}, "c", schema.Options{})
	return newPlan(t, job, Options{Project: root, Script: "train.py", Args: args})
}

// headNode returns a server with stand-ins for Spark, YARN and HDFS.
func headNode(t *testing.T) *sshtest.Server {
	t.Helper()
	testkit.Program(t, "python3") // the driver's
	s := sshtest.Start(t, sshtest.Options{Env: sparktest.StandIn(t, local.Marker)})
	if _, err := exec.Command("install", "-d", "-o", "61234", filepath.Join(s.HomeOf(sshtest.Worker), "hdfs")).CombinedOutput(); err != nil {
		t.Fatal(err)
	}
	return s
}

// storedThere lists what is left in the file system of the stand-in cluster.
func storedThere(t *testing.T, s *sshtest.Server) []string {
	t.Helper()
	left, err := filepath.Glob(filepath.Join(s.HomeOf(sshtest.Worker), "hdfs", ".amlfix", "*", "*"))
	testkit.OK(t, err)
	return left
}

const (
	commonOptions = "<--packages>\n<com.microsoft.ml.spark:mmlspark_2.11:0.7.91>\n<--conf>\n<spark.app.name=Azure ML Experiment>\n"
	sentOptions   = "<--archives>\n<../ship/.amlfix.tgz#.amlfix,../ship/aml_config.tgz#aml_config,../ship/lib.tgz#lib,../ship/.amlfix-rest.tgz#.amlfix-rest>\n" +
		"<--files>\n<a.csv,train.py>\n<--conf>\n<spark.executorEnv.PYTHONPATH=.amlfix/python>\n"
	sentFiles = "./.amlfix-rest/my data.csv\n./.amlfix/python/azureml/__init__.py\n./.amlfix/python/azureml/_amlfix_metrics.py\n./.amlfix/python/azureml/core/__init__.py\n" +
		"./.amlfix/python/azureml/core/run.py\n./.amlfix/python/azureml/logging.py\n./a.csv\n./aml_config/c.compute\n./aml_config/c.runconfig\n" +
		"./aml_config/spark_dependencies.yml\n./lib/deep/x.py\n./lib/y.txt\n./train.py\n"
	inCluster = "AMLFIX-STANDIN spark-submit\n<--master>\n<yarn>\n<--deploy-mode>\n<cluster>\n" + commonOptions + "<--conf>\n<spark.yarn.maxAppAttempts=1>\n" + sentOptions +
		"<--conf>\n<spark.yarn.appMasterEnv.MODE=fast $HOME lane>\n<--conf>\n<spark.yarn.appMasterEnv.PYTHONUNBUFFERED=1>\n<../ship/amlfix_driver.py>\n"
)

// TestClusterClient checks how spark-submit is called on the head node in client mode, and which files it is given to
// send.
func TestClusterClient(t *testing.T) {
	t.Parallel()
	s := headNode(t)
	plan := onCluster(t, s, "yarnDeployMode: client\n", "two words")
	const own = "spark.yarn.dist.files=hdfs:///own.csv" // must be preserved
	plan.Spark = append(plan.Spark, item{Value: "--conf"}, item{Value: own})
	var out, errs bytes.Buffer
	res, err := Run(t.Context(), plan, RunOptions{Stdout: &out, Stderr: &errs, SSH: ssh.Options{Home: s.Home}})
	if err != nil || res.Outcome != Succeeded || res.Outputs.Files != 1 {
		t.Errorf("%+v, %v\n%s", res, err, errs.String())
	}
	testkit.Same(t, "AMLFIX-STANDIN spark-submit\n<--master>\n<yarn>\n<--deploy-mode>\n<client>\n"+commonOptions+"<--conf>\n<"+own+">\n"+
		strings.Replace(sentOptions, "train.py", "train.py,hdfs:///own.csv", 1)+"<train.py>\n<two words>\n"+sentFiles+"up\n", out.String())
	emptyThere(t, s)
}

// TestClusterDriver has amlfix's driver run the script, and checks its surroundings, output, exit code, metrics and
// outputs.
func TestClusterDriver(t *testing.T) {
	t.Parallel()
	s := headNode(t)
	plan := onCluster(t, s, "", `$HOME "q"`)
	var out, errs bytes.Buffer
	res, err := Run(t.Context(), plan, RunOptions{Stdout: &out, Stderr: &errs, SSH: ssh.Options{Home: s.Home}})
	if err != nil || res.Outcome != Failed || res.Code != 3 || res.Outputs.Files != 1 {
		t.Errorf("%+v, %v\n%s", res, err, errs.String())
	}
	testkit.Same(t, inCluster+`['$HOME "q"'] fast $HOME lane hunter2 with a space [] 40`+"\n", out.String())
	testkit.Same(t, "INFO Client: Submitted application application_1512_0007\nto stderr\n", errs.String())
	testkit.Same(t, map[string]string{"old.txt": "old", "model": "weights"}, read(t, plan))
	if metrics, _ := os.ReadFile(filepath.Join(res.Record, "metrics.jsonl")); !strings.Contains(string(metrics), `"loss"`) {
		t.Errorf("the record has the metrics %q", metrics)
	}
	emptyThere(t, s)
	if left := storedThere(t, s); len(left) > 0 {
		t.Errorf("left in the cluster's file system: %v", left)
	}
}

// TestClusterStop checks stopping in cluster mode, where the application belongs to YARN and continues when
// spark-submit ends. After one request, the driver interrupts the script, and its outputs are copied back; after two,
// the application is killed.
func TestClusterStop(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name    string
		twice   bool
		limit   time.Duration
		outcome Outcome
		code    int
		files   map[string]string
	}{
		{"once", false, 0, Cancelled, 130, map[string]string{"old.txt": "old", "model": "weights", "checkpoint": "interrupted"}},
		{"twice", true, 0, Cancelled, 130, map[string]string{"old.txt": "old"}},
		{"time limit", false, testkit.Limit, TimedOut, 124, map[string]string{"old.txt": "old", "model": "weights", "checkpoint": "interrupted"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := headNode(t)
			plan := onCluster(t, s, "yarnDeployMode: cluster\n", "wait")
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			plan.Timeout.Value = tt.limit
			kill := make(chan struct{})
			waiting(t, filepath.Join(s.HomeOf(sshtest.Worker), "up"), func() {
				if tt.limit > 0 {
					return
				}
				cancel(&process.Signalled{Signal: os.Interrupt})
				if tt.twice {
					close(kill)
				}
			})
			var out, errs bytes.Buffer
			res, err := Run(ctx, plan, RunOptions{Stdout: &out, Stderr: &errs, Kill: kill, SSH: ssh.Options{Home: s.Home}})
			if err != nil || res.Outcome != tt.outcome || res.Code != tt.code {
				t.Errorf("%+v, %v\n%s", res, err, errs.String())
			}
			testkit.Same(t, tt.files, read(t, plan), errs.String())
			killed, _ := os.ReadFile(filepath.Join(s.HomeOf(sshtest.Worker), "killed"))
			want := map[bool]string{true: "application -kill application_1512_0007"}[tt.twice]
			if strings.TrimSpace(string(killed)) != want {
				t.Errorf("yarn was asked %q, want %q", killed, want)
			}
			emptyThere(t, s)
			if left := storedThere(t, s); len(left) > 0 {
				t.Errorf("left in the cluster's file system: %v", left)
			}
		})
	}
}

// TestClusterLeavesNothing checks what is recovered from a driver that was killed, and when HDFS does not work.
func TestClusterLeavesNothing(t *testing.T) {
	t.Parallel()
	const printed = " fast $HOME lane hunter2 with a space [] 40\n" // in YARN's log, the script's two streams are one
	for _, tt := range []struct{ name, arg, spoil, want, log string }{
		{"driver killed", "kill", "", "amlfix: the driver has left nothing: it was killed, or never started. YARN's log of application_1512_0007:\n", "['kill']" + printed},
		{"no HDFS", "plain", "hdfs", "amlfix: hdfs does not work here: what the script printed and its outputs/ stay on the cluster\n", "['plain']" + printed},
		{"not readable", "plain", "unreadable", "of the cluster's file system cannot be fetched", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := headNode(t)
			home := s.HomeOf(sshtest.Worker)
			switch tt.spoil {
			case "hdfs":
				testkit.OK(t, os.Remove(filepath.Join(home, "hdfs")))
			case "unreadable":
				testkit.OK(t, os.WriteFile(filepath.Join(home, "unreadable"), nil, 0o644))
			}
			plan := onCluster(t, s, "", tt.arg)
			var out, errs bytes.Buffer
			res, err := Run(t.Context(), plan, RunOptions{Stdout: &out, Stderr: &errs, SSH: ssh.Options{Home: s.Home}})
			if err != nil || res.Outcome != Failed || res.Code != 1 || out.String() != inCluster {
				t.Errorf("%+v, %v, %q", res, err, out.String())
			}
			if _, log, said := strings.Cut(errs.String(), tt.want); !said || !strings.Contains(strings.Replace(log, "to stderr\n", "", 1), tt.log) { // which may be anywhere
				t.Errorf("%q and %q are not in\n%s", tt.want, tt.log, errs.String())
			}
			if left := storedThere(t, s); (len(left) > 0) != (tt.spoil == "unreadable") {
				t.Errorf("left in the cluster's file system: %v", left)
			}
			emptyThere(t, s)
		})
	}
}

// TestCheckCluster checks that missing Hadoop programs are named before anything is lost.
func TestCheckCluster(t *testing.T) {
	t.Parallel()
	env := sparktest.StandIn(t, local.Marker)
	s := sshtest.Start(t, sshtest.Options{Env: env})
	missing := func() (texts []string) {
		checks, err := CheckRun(t.Context(), onCluster(t, s, ""), RunOptions{SSH: ssh.Options{Home: s.Home}})
		testkit.OK(t, err)
		for _, c := range checks {
			if c.Status != preflight.OK && c.Topic == preflight.Program {
				texts = append(texts, c.Next)
			}
		}
		return texts
	}
	if got := missing(); got != nil {
		t.Errorf("%q", got)
	}
	testkit.OK(t, os.Remove(filepath.Join(env["AMLFIX_STANDIN"], "hdfs")))
	testkit.Same(t, []string{"without it what the script prints and its outputs/ stay on the cluster"}, missing())
}

// TestNoSpark uses a head node without spark-submit.
func TestNoSpark(t *testing.T) {
	t.Parallel()
	s := sshtest.Start(t, sshtest.Options{})
	plan := onCluster(t, s, "")
	res, err := Run(t.Context(), plan, RunOptions{SSH: ssh.Options{Home: s.Home}})
	if res.Outcome != NotStarted || res.Code != 127 || !strings.Contains(Explain(err), "there is no program spark-submit") {
		t.Errorf("%+v, %v", res, err)
	}
}
