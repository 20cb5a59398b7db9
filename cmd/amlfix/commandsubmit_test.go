//go:build unix

package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/record"
	"github.com/amlfix/amlfix/schema/testkit"
)

// standInCLI stands in for the Azure CLI, which needs a workspace. It proves how the CLI is called and how its output
// and exit code are handled, and nothing about the service.
const standInCLI = `#!/bin/sh
echo "STAND-IN az: $*" >&2
[ "$1" = extension ] && exit 0
[ -n "$REFUSES" ] && { echo "ERROR: $REFUSES" >&2; exit 1; }
[ -n "$DIES" ] && kill -9 $$
echo "Uploading src" >&2
echo "RunId: calm_node_1"
echo "Web View: https://ml.azure.com/runs/calm_node_1?wsid=w"
[ -n "$LATER" ] && kill -9 $$
[ -n "$WAITS" ] && exec sleep 600
echo "RunId: another"
echo "I tensorflow/core/common_runtime/gpu/gpu_device.cc:1030] Creating TensorFlow device (/gpu:0) -> (device: 0, name: Tesla K80, pci bus id: 0000:86:00.0)"
exit ${FAILS:-0}
`

// TestSubmit passes a file to the Azure CLI, and reads its output.
func TestSubmit(t *testing.T) {
	dir := testkit.Folder(t, "\n-- job.yml --\n$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json\ntype: command\ncommand: echo ${{inputs.n}} ${{inputs.d}}\n"+
		"inputs:\n  n: 1\n  d: {type: uri_folder, path: 'azureml:d:1'}\nenvironment: {image: python:3.12}\ncompute: azureml:cpu\n"+
		"-- bad.yml --\n$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json\ntype: command\ncommand: echo ${{inputs.n}}\nenvironment: {image: python:3.12}\n")
	bin := t.TempDir()
	testkit.OK(t, os.WriteFile(filepath.Join(bin, "az"), []byte(standInCLI), 0o755))
	path := os.Getenv("PATH")
	run := func(args string) result {
		t.Helper()
		return amlfix(t, dir, strings.Fields("run "+args+" -t azureml")...)
	}

	t.Setenv("PATH", t.TempDir())
	if r := run("job.yml"); r.code != console.NotStarted || !strings.Contains(r.err, "aka.ms/installazurecli") || !strings.Contains(r.err, "az ml job create --file job.yml --stream") {
		t.Errorf("without a CLI: %d\n%s", r.code, r.err)
	}
	t.Setenv("PATH", bin+":"+path)
	r := run("job.yml --input n=2 --input d=azureml:d:2")
	if r.code != 0 || !strings.Contains(r.out, "RunId: calm_node_1\n") ||
		!strings.Contains(r.err, "STAND-IN az: ml job create --file job.yml --stream --set inputs.d.path=azureml:d:2 --set inputs.n=2\n") {
		t.Errorf("%d\n%s\n%s", r.code, r.out, r.err)
	}
	if !strings.Contains(r.err, ": the job succeeded in Azure ML\n") || !strings.Contains(r.err, "STAND-IN") || !strings.Contains(lastLine(r.err), "Tesla K80") {
		t.Errorf("the verdict on the GPU: %s", r.err)
	}
	if r := run("job.yml --require-gpu"); r.code != console.NoGPU {
		t.Errorf("a stand-in proves nothing: %d", r.code)
	}
	if r := run("job.yml --plan"); r.code != 0 || r.err != "" || !strings.Contains(r.out, "az ml job create --file job.yml --stream\n") {
		t.Errorf("%d %s%s", r.code, r.out, r.err)
	}
	if r := run("job.yml --check"); r.code != 0 || !strings.Contains(r.out, "has its extension ml") {
		t.Errorf("%d %s%s", r.code, r.out, r.err)
	}
	if r := run("bad.yml"); r.code != console.NotStarted || strings.Contains(r.err, "STAND-IN") || !strings.Contains(r.err, "ref/input") {
		t.Errorf("errors stop it: %d %s", r.code, r.err)
	}
	t.Setenv("FAILS", "3")
	if r := run("job.yml"); r.code != 3 || !strings.Contains(r.err, ": the job failed in Azure ML") {
		t.Errorf("a job that fails: %d %s", r.code, r.err)
	}
	for said, want := range map[string]string{
		"no such compute":                                                 "see its output above",
		"Please run 'az login' to setup account":                          "you are not logged in, or your login has expired: run `az login`",
		"'ml' is misspelled or not recognized by the system.":             "it has no extension ml: run `az extension add --name ml`",
		"(ResourceGroupNotFound) Resource group 'rg' could not be found.": "your subscription has no such resource group or workspace: select another with `az account set --subscription NAME` or `az configure --defaults group=GROUP workspace=WORKSPACE`",
		"(ParentResourceNotFound) Failed to perform 'read' on resource(s) of type 'workspaces/environments/versions', because the parent resource '/subscriptions/x/resourceGroups/rg/providers/Microsoft.MachineLearningServices/workspaces/ws' could not be found.":                "your subscription has no such resource group or workspace: select another with `az account set --subscription NAME` or `az configure --defaults group=GROUP workspace=WORKSPACE`",
		"(ParentResourceNotFound) Failed to perform 'read' on resource(s) of type 'workspaces/environments/versions', because the parent resource '/subscriptions/x/resourceGroups/rg/providers/Microsoft.MachineLearningServices/workspaces/ws/environments/e' could not be found.": "see its output above",
		"(ResourceNotFound) The Resource 'Microsoft.MachineLearningServices/workspaces/ws' under resource group 'rg' was not found.":                                                                                                                                                 "your subscription has no such resource group or workspace: select another with `az account set --subscription NAME` or `az configure --defaults group=GROUP workspace=WORKSPACE`",
		"(ResourceNotFound) The Resource 'Microsoft.MachineLearningServices/workspaces/ws/computes/c' under resource group 'rg' was not found.":                                                                                                                                      "see its output above",
		"the following arguments are required: --workspace-name/-w, --resource-group/-g":                                                                                                                                                                                             "it does not know your workspace: run `az configure --defaults group=GROUP workspace=WORKSPACE`",
		"<…>: Failed to establish a new connection: [Errno 111] Connection refused":                                                                                                                                                                                                  "it cannot reach Azure: check the network, or set HTTPS_PROXY if there is a proxy",
		"SSLError(1, '[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed (_ssl.c:992)'":                                                                                                                                                                                      "it does not trust a certificate: set REQUESTS_CA_BUNDLE to a file with the certificate of your network",
	} {
		t.Setenv("REFUSES", said)
		if r := run("job.yml"); r.code != console.NotStarted || !strings.Contains(r.err, "amlfix: not started: the Azure CLI has not created the job; "+want+"\n") {
			t.Errorf("a job that is refused: %d %s", r.code, r.err)
		}
	}
	t.Setenv("REFUSES", "")
	for when, want := range map[string]string{
		"DIES":  "amlfix: not started: the Azure CLI was ended by a signal (killed); `az ml job list` shows whether it has created the job\n",
		"LATER": ": the job continues in Azure ML; `az ml job stream --name calm_node_1` follows it\n",
	} {
		t.Setenv(when, "1")
		if r := run("job.yml"); r.code != console.NotStarted || !strings.Contains(r.err, want) {
			t.Errorf("a CLI that is killed: %d %s", r.code, r.err)
		}
		t.Setenv(when, "")
	}
	if r := amlfix(t, dir, "runs"); strings.Count(r.out, "detached") != 1 {
		t.Errorf("a job that continues: %s", r.out)
	}
}

// TestSubmittedRuns checks that a job created by the stand-in CLI has a record like any other run.
func TestSubmittedRuns(t *testing.T) {
	dir := testkit.Folder(t, "\n-- job.yml --\n$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json\ntype: command\ncommand: echo ${{inputs.api_key}}\n"+
		"inputs: {api_key: a}\nenvironment: {image: python:3.12}\ncompute: azureml:cpu\n")
	bin := t.TempDir()
	testkit.OK(t, os.WriteFile(filepath.Join(bin, "az"), []byte(standInCLI), 0o755))
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	submit := func() result {
		return amlfix(t, dir, "run", "job.yml", "-t", "azureml", "--input", "api_key=hunter2hunter2")
	}
	list := func() (runs []record.Entry) {
		t.Helper()
		runs, err := record.List(dir)
		testkit.OK(t, err)
		return runs
	}
	t.Setenv("REFUSES", "1")
	submit()
	if runs := list(); len(runs) != 0 {
		t.Errorf("a job that was not created has a record: %v", runs)
	}
	t.Setenv("REFUSES", "")
	t.Setenv("FAILS", "3")
	submit()
	runs := list()
	if len(runs) != 1 {
		t.Fatal(runs)
	}
	failed := runs[0]
	testkit.Same(t, &record.AzureML{Name: "calm_node_1", Studio: "https://ml.azure.com/runs/calm_node_1?wsid=w"}, failed.AzureML)
	testkit.Same(t, []any{"failed", 3, 3, true, true}, []any{failed.Outcome, failed.Code, failed.Exit.Code, failed.GPU.StandIn, failed.Over()})
	id := failed.ID.String()
	for _, tt := range []struct {
		args, want string
		code       int
	}{
		{"list", "job.yml --set inputs.api_key=***", 0},
		{"list", "failed (3)", 0},
		{"show " + id, "calm_node_1", 0},
		{"show " + id, "https://ml.azure.com/runs/calm_node_1?wsid=w", 0},
		{"show --format json " + id, `"azureml":{"name":"calm_node_1"`, 0},
		{"report " + id, "calm_node_1", 0},
		{"logs " + id, "RunId: calm_node_1\n", 0},
		{"logs " + id, "Uploading src\n", 0}, // printed before the record existed
		{"fetch " + id, "`az ml job download --name calm_node_1` fetches its outputs", 2},
		{"stop " + id, "has ended: failed", 0},
	} {
		r := amlfix(t, dir, append([]string{"runs"}, strings.Fields(tt.args)...)...)
		if all := r.out + r.err; r.code != tt.code || !strings.Contains(all, tt.want) || strings.Contains(all, "hunter2") && !strings.HasPrefix(tt.args, "logs") {
			t.Errorf("%s: %d\n%s", tt.args, r.code, all)
		}
	}
	t.Setenv("FAILS", "")
	t.Setenv("WAITS", "1")
	ctx, cancel := context.WithCancelCause(t.Context())
	go func() {
		testkit.Until(t, "the job has a record with its page", func() bool {
			runs, _ := record.List(dir)
			return len(runs) == 2 && runs[1].AzureML != nil && runs[1].AzureML.Studio != ""
		})
		cancel(&process.Signalled{Signal: os.Interrupt})
	}()
	r := amlfixWith(ctx, dir, nil, "run", "job.yml", "-t", "azureml")
	left := list()[1]
	id = left.ID.String()
	if r.code != 130 || left.Over() || !strings.Contains(r.err, "run "+id+": the job continues in Azure ML; `az ml job cancel --name calm_node_1` ends it") {
		t.Errorf("%d\n%s", r.code, r.err)
	}
	for args, want := range map[string]string{
		"attach " + id: "`az ml job stream --name calm_node_1` follows it", "stop " + id: "`az ml job cancel --name calm_node_1` ends it",
		"list": "detached", "show " + id: "`az ml job show --name calm_node_1` says how it is", "clean": "nothing to remove",
	} {
		if r := amlfix(t, dir, append([]string{"runs"}, strings.Fields(args)...)...); !strings.Contains(r.out+r.err, want) {
			t.Errorf("%s: %d\n%s%s", args, r.code, r.out, r.err)
		}
	}
	if r := amlfix(t, dir, "runs", "clean", "--older", "0s"); !strings.Contains(r.err, "removed the record of run "+id) || len(list()) != 0 {
		t.Errorf("%d\n%s", r.code, r.err)
	}
}
