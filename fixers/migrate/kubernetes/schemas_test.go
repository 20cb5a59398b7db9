//go:build linux

package kubernetes_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/format"
	"github.com/amlfix/amlfix/schema/judge/container"
	"github.com/amlfix/amlfix/schema/judge/manifest"
	"github.com/amlfix/amlfix/schema/source"
	"github.com/amlfix/amlfix/schema/testkit"
)

const (
	yes = true
	no  = false

	composed = `name: mnist
services:
  train:
    build: {context: ., dockerfile: Dockerfile}
    image: mnist:1
    command: ["python", "train.py", "$$HOME"]
    working_dir: /work
    volumes: ["..:/work"]
    environment: {A: b, TOKEN: null}
    shm_size: 2g
    init: true
`
	device = "    deploy: {resources: {reservations: {devices: [{driver: nvidia, count: 1, capabilities: [gpu]}]}}}\n"

	kubernetesJob = `apiVersion: batch/v1
kind: Job
metadata: {name: mnist, labels: {app: mnist}}
spec:
  backoffLimit: 0
  activeDeadlineSeconds: 60
`
	pod = `  template:
    spec:
      restartPolicy: Never
      containers:
        - name: main
          image: mnist:1
          command: ["python", "train.py"]
          env: [{name: A, value: b}, {name: B, valueFrom: {secretKeyRef: {name: s, key: k}}}]
          resources: {limits: {nvidia.com/gpu: 1}}
          volumeMounts: [{name: shm, mountPath: /dev/shm}]
      volumes: [{name: shm, emptyDir: {medium: Memory, sizeLimit: 2Gi}}, {name: work, persistentVolumeClaim: {claimName: work}}]
`
)

// TestContainerSchemasAgree compares the schemas with the parsers of Compose and Kubernetes, on what amlfix writes and
// on variants with mistakes. The schemas accept only what amlfix writes; the parsers must accept everything that the
// schemas accept.
func TestContainerSchemasAgree(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		kind         format.Kind
		name, text   string
		theirs, ours bool
	}{
		{format.Compose, "all", composed, yes, yes},
		{format.Compose, "GPU", composed + device, yes, yes},
		{format.Compose, "all GPUs", composed + "    deploy: {resources: {reservations: {devices: [{driver: nvidia, count: all, capabilities: [gpu]}]}}}\n", yes, yes},
		{format.Compose, "named volume", composed + "volumes: {data: }\n", yes, yes},
		{format.Compose, "no services", "name: a\n", yes, no}, // nothing to run
		{format.Compose, "no capabilities", composed + "    deploy: {resources: {reservations: {devices: [{driver: nvidia, count: 1}]}}}\n", no, no},
		{format.Compose, "unknown key", composed + "    comand: [a]\n", no, no},
		{format.Compose, "name in capitals", "name: MNIST\nservices: {a: {image: b}}\n", yes, no}, // compose-go lowercases it; the Compose specification does not allow it
		{format.Compose, "number in a command", composed + "    entrypoint: [1]\n", no, no},
		{format.Compose, "shared memory", "services: {a: {image: b, shm_size: much}}\n", no, no},
		{format.Compose, "command as text", "services: {a: {image: b, command: echo $$HOME}}\n", yes, no}, // amlfix writes lists, not shell words
		{format.Compose, "count", composed + "    deploy: {resources: {reservations: {devices: [{driver: nvidia, count: some, capabilities: [gpu]}]}}}\n", no, no},

		{format.Kubernetes, "all", kubernetesJob + pod, yes, yes},
		{format.Kubernetes, "service", "apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec: {clusterIP: None, selector: {job-name: a}}\n", yes, yes},
		{format.Kubernetes, "claim", "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: a}\nspec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 10Gi}}}\n", yes, yes},
		{format.Kubernetes, "claim of a job", "apiVersion: batch/v1\nkind: PersistentVolumeClaim\nmetadata: {name: a}\nspec: {accessModes: [ReadWriteOnce]}\n", yes, no}, // the server does not have this kind
		{format.Kubernetes, "selector of a job", "apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec: {template: {}}\n", no, no},
		{format.Kubernetes, "several nodes", kubernetesJob + "  completions: 2\n  parallelism: 2\n  completionMode: Indexed\n" + pod, yes, yes},
		{format.Kubernetes, "unknown field", kubernetesJob + "  backofLimit: 0\n" + pod, no, no},
		{format.Kubernetes, "text for a number", kubernetesJob + "  completions: two\n" + pod, no, no},
		{format.Kubernetes, "number in the command", kubernetesJob + "  template: {spec: {containers: [{name: main, command: [1]}]}}\n", no, no},
		{format.Kubernetes, "number for a variable", kubernetesJob + "  template: {spec: {containers: [{name: main, env: [{name: A, value: 1}]}]}}\n", no, no},
		{format.Kubernetes, "another kind", "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {template: {spec: {containers: []}}}\n", no, no},
		{format.Kubernetes, "no template", kubernetesJob, yes, no}, // the server would reject it
		{format.Kubernetes, "name in capitals", "apiVersion: batch/v1\nkind: Job\nmetadata: {name: MNIST}\nspec:\n" + pod, yes, no},
	} {
		t.Run(string(c.kind)+"/"+c.name, func(t *testing.T) {
			var err error
			if c.kind == format.Compose {
				path := filepath.Join(t.TempDir(), "compose.yaml")
				testkit.OK(t, os.WriteFile(path, []byte(c.text), 0o600))
				_, err = container.ComposeFile(path, "TOKEN=x")
			} else {
				_, err = manifest.Parse([]byte(c.text))
			}
			src := source.New("file.yml", []byte(c.text))
			found := format.Validate(c.kind, src, document.Parse(src).Root())
			if theirs, ours := err == nil, len(found) == 0; theirs != c.theirs || ours != c.ours {
				t.Errorf("want %v and %v; they say %v, amlfix %v", c.theirs, c.ours, err, found)
			}
		})
	}
}
