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

// TestNodesGPU checks that the GPU verdict is given per pod and for the run, and that one pod without proof leaves the
// run without proof. The GPUs are a stand-in, which proves nothing.
func TestNodesGPU(t *testing.T) {
	s := newNodes(t, 2, "{type: pytorch}")
	s.StandIn(t, 2)
	got := finish(s.job("none", "--gpus", "1", "--require-gpu"))
	if got.code != 123 || !strings.Contains(got.last(), "no evidence in all 2 pods; pod 0: ") {
		t.Errorf("%d\n%s", got.code, got.err)
	}
	for _, pod := range s.record().Pods {
		if !strings.HasPrefix(pod.GPU, "no evidence") || pod.Proven {
			t.Errorf("%+v", pod)
		}
	}
	s.NothingLeft(t, s.namespace)
}

// TestNodesClaim checks that, on a persistent volume, each pod has its own folder, and that a second run sends only
// what has changed.
func TestNodesClaim(t *testing.T) {
	s := newNodes(t, 2, "{type: pytorch}")
	s.Apply(t, `apiVersion: v1
kind: PersistentVolume
metadata: {name: `+s.namespace+`}
spec: {capacity: {storage: 1Gi}, accessModes: [ReadWriteMany], hostPath: {path: `+t.TempDir()+`}, claimRef: {namespace: `+s.namespace+`, name: projects}}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: projects, namespace: `+s.namespace+`}
spec: {storageClassName: "", accessModes: [ReadWriteMany], volumeName: `+s.namespace+`, resources: {requests: {storage: 1Gi}}}
`)
	for i := range 6 {
		testkit.OK(t, os.WriteFile(filepath.Join(s.dir, "src", fmt.Sprintf("data%d", i)), bytes.Repeat([]byte{byte('a' + i)}, 1_000_000), 0o644))
	}
	for _, sends := range []string{"", "1 of 7 files"} {
		got := finish(s.job("meet", "--k8s", "claim=projects"))
		if got.code != 0 || !strings.Contains(got.err, sends) || strings.Count(got.err, "files are sent") > 1 || s.content("outputs/pod-1/file") != "of pod 1" {
			t.Fatalf("%d\n%s", got.code, got.err)
		}
		testkit.OK(t, os.WriteFile(filepath.Join(s.dir, "src/data0"), bytes.Repeat([]byte("z"), 1_000_000), 0o644))
	}
	s.NothingLeft(t, s.namespace)
}

// TestNodesFetch checks that outputs that cannot be copied back stay in the pods, and that runs fetch copies back those
// of all pods.
func TestNodesFetch(t *testing.T) {
	s := newNodes(t, 2, "{type: pytorch}")
	testkit.OK(t, os.Symlink("src", filepath.Join(s.dir, "outputs")))
	got := finish(s.job("none"))
	if got.code != 125 || !strings.Contains(got.last(), "outputs/ is a link") {
		t.Fatalf("%d\n%s", got.code, got.err)
	}
	testkit.OK(t, os.Remove(filepath.Join(s.dir, "outputs")))
	got = finish(s.Command(t, s.dir, "runs", "fetch", s.record().ID.String()))
	if got.code != 0 || s.content("outputs/file") != "of pod 0" || s.content("outputs/pod-1/file") != "of pod 1" {
		t.Errorf("%d\n%s", got.code, got.err)
	}
	s.NothingLeft(t, s.namespace)
}
