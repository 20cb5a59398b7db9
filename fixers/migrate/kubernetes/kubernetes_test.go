//go:build linux

package kubernetes_test

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	batch "k8s.io/api/batch/v1"

	"github.com/amlfix/amlfix/fixers/migrate"
	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/fixers/migrate/kubernetes"
	"github.com/amlfix/amlfix/fixers/migrate/migratetest"
	"github.com/amlfix/amlfix/schema/judge/manifest"
	"github.com/amlfix/amlfix/schema/testkit"
	"github.com/amlfix/amlfix/schema/testkit/loaded"
)

// manifests strictly parses the YAML files of a migration.
func manifests(t *testing.T, m *migrate.Migration) (all manifest.Manifest) {
	t.Helper()
	for _, f := range m.Files {
		if !strings.HasSuffix(f.Path, ".yaml") {
			continue
		}
		one, err := manifest.Parse(f.Text)
		if err != nil {
			t.Errorf("%s: %s: %v", m.Project.Root, f.Path, err)
		}
		all.Jobs = append(all.Jobs, one.Jobs...)
		all.Services = append(all.Services, one.Services...)
		all.Claims = append(all.Claims, one.Claims...)
	}
	return all
}

// label matches a valid name in a cluster (RFC 1123).
var label = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$`)

// TestKubernetesAcceptsTheCorpus checks that the output for every real project can be read into Kubernetes' types.
//
//testkit:norace
func TestKubernetesAcceptsTheCorpus(t *testing.T) {
	t.Parallel()
	gpus, indexed := 0, 0
	count := migratetest.Corpus(t, kubernetes.Emitter{}, nil, func(m *migrate.Migration) {
		all := manifests(t, m)
		if len(all.Jobs) != len(m.Jobs) || len(all.Claims) != 1 {
			t.Errorf("%s: %d Jobs for %d jobs, %d claims", m.Project.Root, len(all.Jobs), len(m.Jobs), len(all.Claims))
		}
		var names []string
		for _, j := range all.Jobs {
			names = append(names, j.Name)
			pod := j.Spec.Template.Spec
			if !label.MatchString(j.Name) || len(pod.Containers) != 1 || pod.Volumes[0].PersistentVolumeClaim.ClaimName != all.Claims[0].Name {
				t.Errorf("%s: job %q is not right", m.Project.Root, j.Name)
			}
			if len(pod.Containers[0].Resources.Limits) > 0 {
				gpus++
			}
			if j.Spec.CompletionMode != nil && *j.Spec.CompletionMode == batch.IndexedCompletion {
				indexed++
			}
		}
		slices.Sort(names)
		if len(slices.Compact(names)) != len(m.Jobs) {
			t.Errorf("%s: two jobs have the same name: %v", m.Project.Root, names)
		}
		for _, f := range m.Files {
			if f.Path != account.Report && strings.Contains(string(f.Text), "mcr.microsoft.com/azureml/") {
				t.Errorf("%s: %s names an image that is only for Azure", m.Project.Root, f.Path)
			}
		}
	})
	t.Logf("%d projects, %d jobs with a GPU, %d on several nodes", count, gpus, indexed)
	if count < 100 || gpus == 0 {
		t.Error("is the corpus complete?")
	}
}

// TestKubernetesAcceptsV2 does the same for v2 command jobs and pipelines.
func TestKubernetesAcceptsV2(t *testing.T) {
	t.Parallel()
	pipelines := 0
	count := migratetest.V2(t, kubernetes.Emitter{}, func(m *migrate.Migration) {
		containers := 0
		for _, j := range manifests(t, m).Jobs {
			pod := j.Spec.Template.Spec
			containers += len(pod.InitContainers) + len(pod.Containers)
			var names []string
			for _, c := range slices.Concat(pod.InitContainers, pod.Containers) {
				if names = append(names, c.Name); !label.MatchString(c.Name) {
					t.Errorf("%s: %s: container %q", m.Project.Root, j.Name, c.Name)
				}
			}
			if slices.Sort(names); !label.MatchString(j.Name) || len(slices.Compact(names)) != len(names) {
				t.Errorf("%s: %s: containers %v", m.Project.Root, j.Name, names)
			}
		}
		if containers != len(m.Jobs) {
			t.Errorf("%s: %d containers for %d jobs and steps", m.Project.Root, containers, len(m.Jobs))
		}
		pipelines += len(m.Pipelines)
	})
	if t.Logf("%d jobs and steps, %d pipelines", count, pipelines); count < 400 || pipelines < 50 {
		t.Error("is the corpus complete?")
	}
}

// migrated writes a project with one job and migrates it.
func migrated(t *testing.T, files map[string]string) *migrate.Migration {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "digits")
	for name, text := range files {
		testkit.Write(t, dir, name, text)
	}
	m, err := migrate.New(loaded.Project(t, dir), kubernetes.Emitter{}, migrate.Options{})
	testkit.OK(t, err)
	return m
}

// expand expands a word of a command as the kubelet does: $$ is $, and $(NAME) is the value of the container's
// variable, if there is one.
func expand(word string, env map[string]string) string {
	var b strings.Builder
	for i := 0; i < len(word); i++ {
		if word[i] != '$' || i+1 == len(word) {
			b.WriteByte(word[i])
			continue
		}
		switch next := word[i+1]; next {
		case '$':
			b.WriteByte('$')
			i++
		case '(':
			name, _, closed := strings.Cut(word[i+2:], ")")
			value, known := env[name]
			if !closed || !known {
				b.WriteByte('$')
				continue
			}
			b.WriteString(value)
			i += len(name) + 2
		default:
			b.WriteByte('$')
		}
	}
	return b.String()
}

// TestArgumentsSurvive checks that arguments that Kubernetes or YAML could change arrive unchanged in what is run.
func TestArgumentsSurvive(t *testing.T) {
	t.Parallel()
	args := []string{"$(HOME)", "$(A)", "$$(A)", "${A}", "$", "$$$", "a b", "yes", "010", "", "x: y", "#z"}
	quoted := make([]string, len(args))
	for i, a := range args {
		quoted[i] = `"` + a + `"`
	}
	m := migrated(t, map[string]string{
		"aml_config/docker.compute":   "type: localdocker\nbaseDockerImage: example.com/own:1\n",
		"aml_config/docker.runconfig": "Target: docker\nFramework: Python\nArgumentVector: [train.py, " + strings.Join(quoted, ", ") + "]\nEnvironmentVariables: {A: value, B: $(A)}\n",
		"train.py":                    "",
	})
	c := manifests(t, m).Jobs[0].Spec.Template.Spec.Containers[0]
	env := map[string]string{}
	for _, v := range c.Env {
		env[v.Name] = expand(v.Value, env)
	}
	testkit.Same(t, map[string]string{"A": "value", "B": "$(A)"}, env, "variables")
	var got []string
	for _, word := range c.Command {
		got = append(got, expand(word, env))
	}
	testkit.Same(t, append([]string{"python", "train.py"}, args...), got, "arguments")
}

// TestVectors checks that argument vectors arrive unchanged in what Kubernetes runs.
func TestVectors(t *testing.T) {
	for _, vector := range migratetest.Vectors() {
		m := migrated(t, map[string]string{
			"aml_config/docker.compute":   "type: localdocker\nbaseDockerImage: example.com/own:1\n",
			"aml_config/docker.runconfig": string(migratetest.DockerRun(vector)),
		})
		var got []string
		for _, word := range manifests(t, m).Jobs[0].Spec.Template.Spec.Containers[0].Command {
			got = append(got, expand(word, map[string]string{"HOME": "/root"}))
		}
		testkit.Same(t, append([]string{"python"}, vector...), got)
	}
}

// TestSeveralNodes checks that the result is an Indexed Job whose processes find the first pod by its name.
func TestSeveralNodes(t *testing.T) {
	m := migrated(t, map[string]string{
		".azureml/train.runconfig": `script: train.py
arguments: [--epochs, "3"]
target: gpus
framework: PyTorch
communicator: Nccl
nodeCount: 2
maxRunDurationSeconds: 600
environment:
  environmentVariables: {STORAGE_ACCOUNT_KEY: c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0}
  docker: {enabled: true, baseImage: "example.com/own-gpu:1", shmSize: 512m, gpuSupport: true}
  python: {userManagedDependencies: true}
pytorch: {processCount: 8}
`,
		"train.py": "",
	})
	if open := m.Open(); len(open) > 0 {
		t.Errorf("open: %v", open)
	}
	all := manifests(t, m)
	job, pod := all.Jobs[0], all.Jobs[0].Spec.Template.Spec
	c := pod.Containers[0]
	if *job.Spec.Completions != 2 || *job.Spec.Parallelism != 2 || *job.Spec.CompletionMode != batch.IndexedCompletion || *job.Spec.ActiveDeadlineSeconds != 600 {
		t.Errorf("spec %v", job.Spec)
	}
	if s := all.Services[0]; s.Name != pod.Subdomain || s.Spec.ClusterIP != "None" || s.Spec.Selector["job-name"] != job.Name {
		t.Errorf("service %v", s)
	}
	want := []string{"python", "-m", "torch.distributed.run", "--nproc_per_node=4", "--nnodes=2", "--node_rank=1",
		"--master_addr=digits-train-0.digits-train", "--master_port=29500", "train.py", "--epochs", "3"}
	var got []string
	for _, word := range c.Command {
		got = append(got, expand(word, map[string]string{"JOB_COMPLETION_INDEX": "1"}))
	}
	testkit.Same(t, want, got, "command")
	if q := c.Resources.Limits["nvidia.com/gpu"]; q.Value() != 4 {
		t.Errorf("GPUs: %v", q)
	}
	if shm := pod.Volumes[1].EmptyDir; shm.Medium != "Memory" || shm.SizeLimit.Value() != 512<<20 {
		t.Errorf("/dev/shm: %v", shm)
	}
	if ref := c.Env[0].ValueFrom.SecretKeyRef; ref.Name != "digits-train-secrets" || ref.Key != "STORAGE_ACCOUNT_KEY" {
		t.Errorf("secret: %v", ref)
	}
	if len(all.Claims[0].Spec.AccessModes) != 1 || all.Claims[0].Spec.AccessModes[0] != "ReadWriteMany" {
		t.Errorf("claim: %v", all.Claims[0].Spec)
	}
}
