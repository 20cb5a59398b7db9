//go:build linux

package kubetest

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

// TestRuns runs a job in each dialect in a pod, and checks its exit code, its output byte for byte, and its outputs,
// including links. Nothing of it is left in the cluster.
func TestRuns(t *testing.T) {
	s := newScene(t)
	for name, args := range map[string][]string{
		"v2":        {"run", "job.yml", "-t", "k8s", "--input", "args=bytes fail"},
		"workbench": {"run", "-c", "workbench", "-t", "k8s", "main.py", "bytes", "fail"},
		"sdk":       {"run", "-c", "sdk", "-t", "k8s", "main.py", "bytes", "fail"},
	} {
		t.Run(name, func(t *testing.T) {
			got := finish(s.Command(t, s.dir, args...))
			if got.code != 3 || !strings.Contains(got.last(), "failed with exit code 3") {
				t.Fatalf("%d\n%s", got.code, got.err)
			}
			var out, errs strings.Builder
			for i := range 300 {
				fmt.Fprintf(&out, "out %d \x1e\x00\xff%s\r\n", i, strings.Repeat("x", 1000))
				fmt.Fprintf(&errs, "err %d \x1eamlfix 0\x1e\n", i)
			}
			if want := out.String() + "no newline"; got.out != want {
				t.Errorf("%d bytes of output, not %d", len(got.out), len(want))
			}
			if want := errs.String() + "none either"; !strings.Contains(got.err, want) {
				t.Errorf("standard error differs: %q", got.err[:min(len(got.err), 3000)])
			}
			want := "content of non"
			if name == "v2" {
				want = "content of abc"
			}
			content, err := os.ReadFile(filepath.Join(s.dir, "outputs/file"))
			testkit.OK(t, err)
			link, err := os.Readlink(filepath.Join(s.dir, "outputs/link"))
			if testkit.OK(t, err); string(content) != want || link != "file" {
				t.Errorf("%q, link to %q", content, link)
			}
			s.NothingLeft(t, s.namespace)
		})
	}
}

// TestMemory checks that the kernel kills a job that uses more memory than --memory allows, and that amlfix reports
// this.
func TestMemory(t *testing.T) {
	s := newScene(t)
	got := finish(s.job("memory", "--memory", "100m"))
	if got.code != 137 || !strings.Contains(got.last(), "oom-killed") {
		t.Errorf("%d\n%s", got.code, got.err)
	}
	s.NothingLeft(t, s.namespace)
}

// TestGPU checks that a job that requests a GPU gets one of the node's. The GPU is a stand-in, which proves nothing.
func TestGPU(t *testing.T) {
	s := newScene(t)
	s.StandIn(t, 1)
	got := finish(s.job("none", "--gpus", "1"))
	if got.code != 0 || !strings.Contains(got.err, "GPU") {
		t.Errorf("%d\n%s", got.code, got.err)
	}
	if got := finish(s.job("none", "--gpus", "1", "--require-gpu")); got.code != 123 {
		t.Errorf("%d\n%s", got.code, got.err)
	}
	s.NothingLeft(t, s.namespace)
}

// TestClaim checks that, on a persistent volume, a second run sends only what has changed, and that the job sees
// exactly the project.
func TestClaim(t *testing.T) {
	s := newScene(t)
	volume := t.TempDir()
	s.Apply(t, `apiVersion: v1
kind: PersistentVolume
metadata: {name: `+s.namespace+`}
spec: {capacity: {storage: 1Gi}, accessModes: [ReadWriteOnce], hostPath: {path: `+volume+`}, claimRef: {namespace: `+s.namespace+`, name: projects}}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: projects, namespace: `+s.namespace+`}
spec: {storageClassName: "", accessModes: [ReadWriteOnce], volumeName: `+s.namespace+`, resources: {requests: {storage: 1Gi}}}
`)
	for i := range 6 {
		testkit.OK(t, os.WriteFile(filepath.Join(s.dir, "src", fmt.Sprintf("data%d", i)), bytes.Repeat([]byte{byte('a' + i)}, 1_000_000), 0o644))
	}
	run := func() ended {
		t.Helper()
		got := finish(s.job("none", "--k8s", "claim=projects"))
		if got.code != 0 {
			t.Fatalf("%d\n%s", got.code, got.err)
		}
		return got
	}
	run()
	testkit.OK(t, os.WriteFile(filepath.Join(s.dir, "src/data0"), bytes.Repeat([]byte("z"), 1_000_000), 0o644))
	if got := run(); !strings.Contains(got.err, "1 of ") && !strings.Contains(got.err, "976") {
		t.Error(got.err)
	}
	s.NothingLeft(t, s.namespace)
}
