//go:build linux

package kubernetes_test

import (
	"encoding/json"
	"errors"
	"os/exec"
	"slices"
	"strings"
	"testing"

	core "k8s.io/api/core/v1"

	"github.com/amlfix/amlfix/fixers/migrate"
	"github.com/amlfix/amlfix/fixers/migrate/container"
	"github.com/amlfix/amlfix/fixers/migrate/kubernetes"
	"github.com/amlfix/amlfix/fixers/migrate/migratetest"
	"github.com/amlfix/amlfix/schema/testkit"
	"github.com/amlfix/amlfix/schema/testkit/loaded"
)

// TestPipeline checks that one pod runs the steps of a pipeline one after the other, and that each finds what another
// writes.
func TestPipeline(t *testing.T) {
	m := migrated(t, migratetest.Pipeline())
	var open []string
	for _, d := range m.Open() {
		open = append(open, d.ID)
	}
	testkit.Same(t, []string{"step-tune", "file-raw", "folder-tuned"}, open)
	all := manifests(t, m)
	if len(all.Jobs) != 1 || all.Jobs[0].Name != "digits-pipeline" || *all.Jobs[0].Spec.BackoffLimit != 0 {
		t.Fatalf("Jobs: %v", all.Jobs)
	}
	pod := all.Jobs[0].Spec.Template.Spec
	var steps []string
	made := map[string]bool{}
	for _, c := range slices.Concat(pod.InitContainers, pod.Containers) {
		steps = append(steps, c.Name)
		for _, v := range c.VolumeMounts {
			switch folder, ours := strings.CutPrefix(v.SubPath, "outputs/"); {
			case !ours:
			case v.ReadOnly && !made[folder]:
				t.Errorf("%s reads %s, which no earlier step has written", c.Name, v.SubPath)
			default:
				made[folder] = true
			}
		}
	}
	testkit.Same(t, []string{"prep", "fit-train", "fit-score", "report"}, steps)
	if len(made) != 3 {
		t.Errorf("the steps share %v", made)
	}
	next := kubernetes.Emitter{}.Next(m)
	testkit.Same(t, []string{"kubectl apply -f volume.yaml", "kubectl create -f job-pipeline.yaml"}, []string{next[0], next[len(next)-2]})
	testFiles(t, next)
}

// testFiles checks that the pod that is started for the files has the claim's volume where the jobs expect it.
func testFiles(t *testing.T, next []string) {
	t.Helper()
	var pod core.Pod
	for _, line := range next {
		if _, text, ok := strings.Cut(line, "--overrides="); ok {
			testkit.OK(t, json.Unmarshal([]byte(strings.Trim(text, "'")), &pod))
		}
	}
	if len(pod.Spec.Containers) != 1 || len(pod.Spec.Volumes) != 1 {
		t.Fatalf("%v: %+v", next, pod.Spec)
	}
	testkit.Same(t, "digits", pod.Spec.Volumes[0].PersistentVolumeClaim.ClaimName)
	testkit.Same(t, []core.VolumeMount{{Name: pod.Spec.Volumes[0].Name, MountPath: container.Workdir}}, pod.Spec.Containers[0].VolumeMounts)
}

// left migrates a v2 job with additional lines.
func left(t *testing.T, job string) *migrate.Migration {
	t.Helper()
	return migrated(t, map[string]string{"job.yml": "$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json\nenvironment: {image: \"python:3.12\"}\n" + job, "train.py": ""})
}

// TestNodesOfV2 checks that the processes are those that Azure ML started: PyTorch's by its launcher, on each pod of an
// Indexed Job; a single process per machine with the variables that identify it; MPI's on only one machine.
func TestNodesOfV2(t *testing.T) {
	const two = "command: python train.py\nresources: {instance_count: 2}\n"
	m := left(t, two+"distribution: {type: pytorch, process_count_per_instance: 4}\n")
	var got []string
	for _, word := range manifests(t, m).Jobs[0].Spec.Template.Spec.Containers[0].Command {
		got = append(got, expand(word, map[string]string{"JOB_COMPLETION_INDEX": "1"}))
	}
	testkit.Same(t, []string{"python", "-m", "torch.distributed.run", "--nproc_per_node=4", "--nnodes=2", "--node_rank=1",
		"--master_addr=digits-job-0.digits-job", "--master_port=29500", "--no-python", "sh", "-c", "export NODE_RANK=$GROUP_RANK\npython train.py"}, got)

	m = left(t, strings.Replace(two, "python train.py", "echo $MASTER_ADDR $MASTER_PORT $WORLD_SIZE $NODE_RANK $RANK $LOCAL_RANK", 1)+"distribution: {type: pytorch}\n")
	all := manifests(t, m)
	c := all.Jobs[0].Spec.Template.Spec.Containers[0]
	if len(all.Services) != 1 || *all.Jobs[0].Spec.Completions != 2 {
		t.Errorf("%d services, %v", len(all.Services), all.Jobs[0].Spec)
	}
	env := []string{"JOB_COMPLETION_INDEX=1"}
	for _, v := range c.Env {
		env = append(env, v.Name+"="+v.Value)
	}
	for want, env := range map[string][]string{"digits-job-0.digits-job 29500 2 1 1 0\n": env, "localhost 29500 1 0 0 0\n": nil} {
		run := exec.Command(c.Command[0], c.Command[1], expand(c.Command[2], nil))
		run.Env = append([]string{"PATH=/usr/bin:/bin"}, env...)
		out, err := run.CombinedOutput()
		if testkit.OK(t, err); string(out) != want {
			t.Errorf("%v: %q, want %q", env, out, want)
		}
	}

	m = left(t, "command: python train.py\ndistribution: {type: mpi, process_count_per_instance: 3}\n")
	testkit.Same(t, []string{"mpirun", "--allow-run-as-root", "-n", "3", "sh", "-c", "python train.py"}, manifests(t, m).Jobs[0].Spec.Template.Spec.Containers[0].Command)
	m = left(t, two+"distribution: {type: mpi}\n")
	if open := m.Open(); len(open) != 1 || open[0].ID != "distribution" {
		t.Errorf("MPI on two machines: %v", open)
	}
}

// TestStepNodes checks that the migration asks about a step on several nodes, because all steps share one pod.
func TestStepNodes(t *testing.T) {
	files := migratetest.Pipeline()
	files["train.yml"] += "resources: {instance_count: 2}\ndistribution: {type: pytorch, process_count_per_instance: 1}\n"
	m := migrated(t, files)
	var asked []string
	for _, d := range m.Open() {
		if d.ID == "step-nodes" {
			asked = append(asked, d.Why)
		}
	}
	testkit.Same(t, []string{"train.yml:10 asks for several, but the steps of a pipeline are containers in one pod, on one node: answer `1`, or write a separate job for the step"}, asked)
}

// TestPipelineNamed checks that only what was named is migrated, and that an unknown name is an error.
func TestPipelineNamed(t *testing.T) {
	files := migratetest.Pipeline()
	files["job.yml"] = "$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json\ncommand: \"true\"\nenvironment: {image: \"python:3.12\"}\n"
	p := migrated(t, files).Read
	for name, want := range map[string]int{"pipeline.yml": 4, "pipeline": 4, "job": 1, "gone": -1} {
		m, err := migrate.New(loaded.Project(t, p.Root), kubernetes.Emitter{}, migrate.Options{Configs: []string{name}})
		if want < 0 {
			if err == nil || !strings.Contains(err.Error(), "gone") {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if testkit.OK(t, err); len(m.Jobs) != want {
			t.Errorf("%s: %d jobs and steps, want %d", name, len(m.Jobs), want)
		}
	}
}

// TestFolders checks that data may only be in the project's folder, because the pods have no other.
func TestFolders(t *testing.T) {
	files := map[string]string{"train.py": "", "job.yml": "$schema: https://azuremlschemas.azureedge.net/latest/commandJob.schema.json\nenvironment: {image: \"python:3.12\"}\n" +
		"command: python train.py ${{inputs.d}}\ninputs: {d: {type: uri_folder, path: \"azureml:mine:1\"}}\n"}
	p := migrated(t, files).Read
	for folder, want := range map[string]string{"data/x/": "data/x", "..x": "..x", "/data/x": "", "../x": "", "a/../../x": "", "~/x": "", "C:/x": ""} {
		m, err := migrate.New(loaded.Project(t, p.Root), kubernetes.Emitter{}, migrate.Options{Answers: map[string]migrate.Answer{"folder-d": {Value: folder, From: migrate.FromFlag}}})
		if _, refused := errors.AsType[*migrate.AnswerError](err); refused != (want == "") {
			t.Errorf("%s: %v", folder, err)
			continue
		}
		if err == nil {
			testkit.Same(t, want, manifests(t, m).Jobs[0].Spec.Template.Spec.Containers[0].VolumeMounts[1].SubPath)
		}
	}
}
