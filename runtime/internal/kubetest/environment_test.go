//go:build linux

package kubetest

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/schema/testkit"
)

// packages has a job in each dialect that installs a package of its own. The package is in the project, so nothing is
// fetched.
const packages = `
-- .amlfix.yaml --
kubernetes: {context: node, namespace: $NAMESPACE}
-- v2.yml --
type: command
command: python main.py
code: .
environment: {image: $IMAGE, conda_file: {dependencies: [python=3.11, {pip: [--no-index, --find-links wheels, amlfixtest]}]}}
-- main.py --
import amlfixtest, os, sys
print(amlfixtest.word, os.environ["VIRTUAL_ENV"].startswith(sys.prefix))
-- aml_config/workbench.compute --
type: localdocker
baseDockerImage: $IMAGE
-- aml_config/workbench.runconfig --
Target: workbench
Framework: Python
CondaDependenciesFile: conda.yml
-- conda.yml --
dependencies: [{pip: [--no-index, -r requirements.txt]}]
-- requirements.txt --
--find-links wheels
amlfixtest
-- .azureml/sdk.runconfig --
script: main.py
framework: Python
target: local
environment:
  docker: {enabled: true, baseImage: $IMAGE}
  python: {condaDependencies: {dependencies: [python=3.11, {pip: [--no-index, ../wheels/amlfixtest-1.0-py3-none-any.whl]}]}}
`

func newPackages(t *testing.T, more ...string) *scene {
	t.Helper()
	s := newProject(t, packages, more...)
	testkit.OK(t, os.Mkdir(filepath.Join(s.dir, "wheels"), 0o755))
	testkit.OK(t, os.WriteFile(filepath.Join(s.dir, "wheels/amlfixtest-1.0-py3-none-any.whl"), wheel(t), 0o644))
	return s
}

// wheel returns a distribution with one module.
func wheel(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, f := range [][2]string{
		{"amlfixtest.py", "word = 'installed'\n"},
		{"amlfixtest-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: amlfixtest\nVersion: 1.0\n"},
		{"amlfixtest-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"},
		{"amlfixtest-1.0.dist-info/RECORD", "amlfixtest.py,,\namlfixtest-1.0.dist-info/METADATA,,\namlfixtest-1.0.dist-info/WHEEL,,\namlfixtest-1.0.dist-info/RECORD,,\n"},
	} {
		w, err := z.Create(f[0])
		testkit.OK(t, err)
		_, err = w.Write([]byte(f[1]))
		testkit.OK(t, err)
	}
	testkit.OK(t, z.Close())
	return b.Bytes()
}

const making = "building the environment of "

// TestEnvironments checks that the packages of a job in each dialect are installed and, without a claim, that none of
// them are left afterwards.
func TestEnvironments(t *testing.T) {
	for name, args := range map[string][]string{
		"v2":        {"run", "v2.yml", "-t", "k8s"},
		"workbench": {"run", "-c", "workbench", "-t", "k8s", "main.py"},
		"sdk":       {"run", "-c", "sdk", "-t", "k8s"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newPackages(t)
			got := finish(s.Command(t, s.dir, args...))
			if got.code != 0 || got.out != "installed True\n" || strings.Count(got.err, making) != 1 {
				t.Errorf("%d\n%s\n%s", got.code, got.out, got.err)
			}
			s.NothingLeft(t, s.namespace)
		})
	}
}

// volume gives the scene's namespace a storage class, in which amlfix creates a claim, and one volume of that class, a
// folder on this machine: a node without a provisioner does not create any.
func (s *scene) volume(class string) (dir string) {
	s.t.Helper()
	dir = s.t.TempDir()
	s.Apply(s.t, `apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: `+class+`}
provisioner: kubernetes.io/no-provisioner
---
apiVersion: v1
kind: PersistentVolume
metadata: {name: `+s.namespace+`}
spec: {capacity: {storage: 30Gi}, accessModes: [ReadWriteOnce], storageClassName: `+class+`, hostPath: {path: `+dir+`}}
`)
	return dir
}

// TestEnvironmentStays checks that, on a claim, an environment is made only once, even if several runs need it at the
// same time; that a run killed meanwhile does no harm; and that different packages get another environment. The claim
// is created from a storage class.
func TestEnvironmentStays(t *testing.T) {
	s := newPackages(t)
	class := "class-" + s.namespace
	volume := s.volume(class)
	run := func() ended {
		return finish(s.Command(t, s.dir, "run", "v2.yml", "-t", "k8s", "--k8s", "storage-class="+class))
	}
	first := s.begin(s.Command(t, s.dir, "run", "v2.yml", "-t", "k8s", "--k8s", "storage-class="+class))
	s.in(progress.Preparing, "")
	eventually(t, "the environment's folder", func() bool {
		made, _ := filepath.Glob(filepath.Join(volume, ".amlfix/env/*/env"))
		return len(made) > 0
	})
	first.killed()
	s.Kubectl(t, "-n", s.namespace, "delete", "jobs", "--all", "--cascade=foreground") // together with everything they started there
	if whole, _ := filepath.Glob(filepath.Join(volume, ".amlfix/env/*/done")); len(whole) > 0 {
		t.Fatal("it was whole before it was killed")
	}
	var wait sync.WaitGroup
	var both [2]ended
	for i := range both {
		wait.Go(func() {
			time.Sleep(time.Duration(i) * 200 * time.Millisecond)
			both[i] = run()
		})
	}
	wait.Wait()
	for _, got := range append(both[:], run()) {
		if got.code != 0 || got.out != "installed True\n" {
			t.Errorf("%d\n%s\n%s", got.code, got.out, got.err)
		}
	}
	if n := strings.Count(both[0].err+both[1].err, "Successfully installed amlfixtest"); n != 1 {
		t.Errorf("made %d times:\n%s\n%s", n, both[0].err, both[1].err)
	}
	if got := run(); strings.Contains(got.err, making) || strings.Contains(got.err, "created claim") {
		t.Errorf("made again:\n%s", got.err)
	}
	testkit.OK(t, os.WriteFile(filepath.Join(s.dir, "v2.yml"), []byte(strings.Replace(testkit.Read(t, s.dir, "v2.yml"), "amlfixtest]", "amlfixtest==1.0]", 1)), 0o644))
	if got := run(); got.code != 0 || !strings.Contains(got.err, making) {
		t.Errorf("not made again: %d\n%s", got.code, got.err)
	}
	testkit.Same(t, "", s.Kubectl(t, "-n", s.namespace, "get", "jobs,pods,secrets", "-l", "app.kubernetes.io/managed-by=amlfix", "-o", "name"), "left behind")
	clean := s.Command(t, s.dir, "runs", "clean", "--environments", "--yes")
	clean.Env = append(clean.Env, "DOCKER_HOST=unix:///nowhere.sock")
	if got := finish(clean); !strings.Contains(got.err, "removed claim amlfix in node/"+s.namespace+" (20Gi)") {
		t.Errorf("%d\n%s", got.code, got.err)
	}
	eventually(t, "the claim's end", func() bool {
		out, err := s.kubectl("-n", s.namespace, "get", "pvc", "-o", "name")
		return err == nil && strings.TrimPrefix(out, "No resources found in "+s.namespace+" namespace.") == ""
	})
}

// TestEnvironmentFails checks that pip's messages are shown, and that a half-made environment is not used later.
func TestEnvironmentFails(t *testing.T) {
	s := newPackages(t)
	testkit.OK(t, os.WriteFile(filepath.Join(s.dir, "requirements.txt"), []byte("nosuchpackage\n"), 0o644))
	got := finish(s.Command(t, s.dir, "run", "-c", "workbench", "-t", "k8s", "main.py"))
	if got.code != 125 || !strings.Contains(got.err, "No matching distribution found for nosuchpackage") || !strings.Contains(got.last(), "venv or pip ended with exit code 1; see its output above") {
		t.Errorf("%d\n%s", got.code, got.err)
	}
	s.NothingLeft(t, s.namespace)
}

// TestEnvironmentOfSeveral checks that each pod of a job has its own environment or, with a claim, that one pod makes
// it for all.
func TestEnvironmentOfSeveral(t *testing.T) {
	s := newPackages(t)
	class := "class-" + s.namespace
	s.volume(class)
	testkit.Write(t, s.dir, "v2.yml", testkit.Read(t, s.dir, "v2.yml")+"resources: {instance_count: 2}\ndistribution: {type: pytorch}\n")
	got := finish(s.Command(t, s.dir, "run", "v2.yml", "-t", "k8s", "--k8s", "storage-class="+class))
	if got.code != 0 || strings.Count(got.out, "installed True") != 2 || strings.Count(got.err, "Successfully installed amlfixtest") != 1 {
		t.Errorf("%d\n%s\n%s", got.code, got.out, got.err)
	}
}
