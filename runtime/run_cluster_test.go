//go:build linux

package runtime

import (
	"archive/zip"
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/runtime/internal/sshtest"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/ssh"
	"github.com/amlfix/amlfix/schema"
)

// standInSubmit stands in for spark-submit, and says so: it shows what it was called with and what it was given to send.
// What it proves is the call; Spark itself runs in the set test/full.
const standInSubmit = `#!/bin/sh
echo AMLFIX-STANDIN spark-submit
for a in "$@"; do echo "<$a>"; done
ls ../ship 2>/dev/null
for f in ../ship/*.tgz; do [ ! -e "$f" ] || tar -tzf "$f" | sort; done
[ ! -e .amlfix/azureml.zip ] || cp .amlfix/azureml.zip "$HOME/"
echo "INFO Client: Submitted application application_1512_0007" >&2
echo up
case "$*" in *wait*) while [ ! -e "$HOME/killed" ]; do sleep 0.05; done; exit 1 ;; esac
echo result > outputs/result
`

const standInYARN = `#!/bin/sh
echo "$@" > "$HOME/killed"
`

// onCluster plans a Spark job for the head node behind the server.
func onCluster(t *testing.T, s *sshtest.Server, compute string, args ...string) Plan {
	t.Helper()
	job, root := load(t, files{"train.py": "", "my data.csv": "", "a.csv": "", "lib/deep/x.py": "", "lib/y.txt": "", "outputs/old.txt": "",
		"aml_config/c.compute": "type: cluster\naddress: " + s.Address() + "\nusername: worker\n" + compute, "aml_config/spark_dependencies.yml": sparkFile,
		"aml_config/c.runconfig": "Target: c\nFramework: PySpark\nArgumentVector: [$file]\nEnvironmentVariables: {MODE: fast lane, STORAGE_KEY: hunter2}\n"}, "c", schema.Options{})
	plan, err := NewPlan(job, Options{Project: root, Script: "train.py", Args: args})
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// headNode is a server with stand-ins of Spark and YARN.
func headNode(t *testing.T) *sshtest.Server {
	t.Helper()
	bin := t.TempDir()
	for name, text := range map[string]string{"spark-submit": standInSubmit, "yarn": standInYARN} {
		if err := os.WriteFile(filepath.Join(bin, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, d := range []string{bin, filepath.Dir(bin)} {
		if err := os.Chmod(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return sshtest.Start(t, sshtest.Options{Env: map[string]string{"PATH": bin + ":" + os.Getenv("PATH")}})
}

const common = "<--packages>\n<com.microsoft.ml.spark:mmlspark_2.11:0.7.91>\n<--conf>\n<spark.app.name=Azure ML Experiment>\n"

// TestClusterCall holds how spark-submit is called on the head node, in both deploy modes.
func TestClusterCall(t *testing.T) {
	s := headNode(t)
	for _, tt := range []struct{ mode, want string }{
		{"client", "<--master>\n<yarn>\n<--deploy-mode>\n<client>\n" + common + "<train.py>\n<two words>\nup\n"},
		{"cluster", "<--master>\n<yarn>\n<--deploy-mode>\n<cluster>\n" + common + "<--py-files>\n<.amlfix/azureml.zip>\n<--files>\n<a.csv>\n" +
			"<--archives>\n<../ship/aml_config.tgz#aml_config,../ship/lib.tgz#lib>\n<--conf>\n<spark.yarn.appMasterEnv.MODE=fast lane>\n<--conf>\n<spark.yarn.appMasterEnv.PYTHONUNBUFFERED=1>\n" +
			"<train.py>\n<two words>\naml_config.tgz\nlib.tgz\n./\n./c.compute\n./c.runconfig\n./spark_dependencies.yml\n./\n./deep/\n./deep/x.py\n./y.txt\nup\n"},
	} {
		t.Run(tt.mode, func(t *testing.T) {
			plan := onCluster(t, s, "yarnDeployMode: "+tt.mode+"\n", "two words")
			var out, errs bytes.Buffer
			res, err := Run(t.Context(), plan, RunOptions{Stdout: &out, Stderr: &errs, SSH: ssh.Options{Home: s.Home}})
			if err != nil || res.Outcome != Succeeded || res.Outputs.Files != 1 {
				t.Errorf("%+v, %v\n%s", res, err, errs.String())
			}
			if d := cmp.Diff("AMLFIX-STANDIN spark-submit\n"+tt.want, out.String()); d != "" {
				t.Error(d)
			}
			emptyThere(t, s)
		})
	}
	z, err := zip.OpenReader(filepath.Join(s.HomeOf(sshtest.Worker), "azureml.zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = z.Close() }()
	if !slices.ContainsFunc(z.File, func(f *zip.File) bool { return f.Name == "azureml/logging.py" }) {
		t.Error("the modules of azureml are not in their archive")
	}
}

// TestClusterStop: in cluster mode the application is YARN's, and goes on when spark-submit ends.
func TestClusterStop(t *testing.T) {
	s := headNode(t)
	plan := onCluster(t, s, "yarnDeployMode: cluster\n", "wait")
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	res, err := Run(ctx, plan, RunOptions{SSH: ssh.Options{Home: s.Home}, Stdout: &cancelAt{text: "up", cancel: func() { cancel(&process.Signalled{Signal: os.Interrupt}) }}})
	if err != nil || res.Outcome != Cancelled || res.Code != 130 {
		t.Errorf("%+v, %v", res, err)
	}
	killed, err := os.ReadFile(filepath.Join(s.HomeOf(sshtest.Worker), "killed"))
	if strings.TrimSpace(string(killed)) != "application -kill application_1512_0007" {
		t.Errorf("%q, %v", killed, err)
	}
	emptyThere(t, s)
}

// TestNoSpark: the head node has no spark-submit.
func TestNoSpark(t *testing.T) {
	s := sshtest.Start(t, sshtest.Options{})
	plan := onCluster(t, s, "")
	res, err := Run(t.Context(), plan, RunOptions{SSH: ssh.Options{Home: s.Home}})
	if res.Outcome != NotStarted || res.Code != 127 || !strings.Contains(Explain(err), "there is no program spark-submit") {
		t.Errorf("%+v, %v", res, err)
	}
}
