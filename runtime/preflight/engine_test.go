//go:build linux

package preflight

import (
	"context"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/registry"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/random"
	"github.com/google/go-containerregistry/pkg/v1/remote"

	"github.com/amlfix/amlfix/runtime/docker"
	"github.com/amlfix/amlfix/runtime/internal/enginetest"
	"github.com/amlfix/amlfix/runtime/prepare"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/schema/testkit"
)

func TestMain(m *testing.M) { os.Exit(enginetest.Main(m)) }

func connect(t *testing.T, e *enginetest.Engine) docker.Engine {
	t.Helper()
	eng, err := docker.ConnectTo(e.Host)
	testkit.OK(t, err)
	t.Cleanup(func() { _ = eng.Close() })
	return eng
}

func check(t *testing.T, e *enginetest.Engine, c Container) ([]Result, docker.GPUWay) {
	t.Helper()
	c.ID = strings.ReplaceAll(t.Name(), "/", "-")
	results, way := CheckContainer(t.Context(), connect(t, e), c)
	e.NothingLeft(t, c.ID)
	if left := e.Labelled(t, prepare.Label); len(left) > 0 {
		t.Errorf("containers were left behind: %v", left)
	}
	return results, way
}

const gb = 1_000_000_000

func free(n int64) func(context.Context, docker.Info) (int64, bool) {
	return func(context.Context, docker.Info) (int64, bool) { return n, n > 0 }
}

func TestCheckContainer(t *testing.T) {
	t.Parallel()
	e := enginetest.Start(t)
	job, conda, python := e.Job(t), e.Conda(t), e.Python(t)
	ready := seen{Engine, OK, "the Docker engine at " + e.Host + " answers"}
	recipe := func(text string) prepare.Recipe {
		return prepare.Recipe{Text: []byte(text), Conda: []string{"numpy"}}
	}
	for _, tt := range []struct {
		name string
		c    Container
		want []seen
	}{
		{"all is well", Container{Image: job, Free: free(100 * gb)}, []seen{ready, {Image, OK, "image " + job + " is on the engine ("}, {Disk, OK, "100.0 GB of the engine's disk is free"}}},
		{"disk full", Container{Image: job, Free: free(gb), Bytes: gb}, []seen{ready, {Image, OK, ""}, {Disk, Failed, "only 1.0 GB of the engine's disk ("}}},
		{"disk small", Container{Image: job, Free: free(5 * gb), Recipe: recipe("small")}, []seen{ready, {Image, OK, ""}, {Disk, Doubtful, "5.0 GB of the engine's disk ("},
			{Environment, Failed, "it has neither conda nor Python"}}},
		{"disk not visible", Container{Image: job, Free: free(0)}, []seen{ready, {Image, OK, ""}, {Disk, Unknown, "cannot be determined from here"}}},
		{"environment by conda", Container{Image: conda, Recipe: recipe("a"), File: "c.yml"}, []seen{ready, {Image, OK, ""},
			{Environment, OK, "the environment of c.yml is not built yet; the image has conda, and amlfix run builds it"}}},
		{"environment by venv", Container{Image: python, Recipe: prepare.Recipe{Pip: []string{"x"}}, File: "c.yml"}, []seen{ready, {Image, OK, ""},
			{Environment, OK, "so amlfix run installs the packages under pip on its Python 3.11"}}},
		{"another Python", Container{Image: python, Recipe: prepare.Recipe{Python: "python=3.5.2", Pip: []string{"x"}}, File: "c.yml"}, []seen{ready, {Image, OK, ""},
			{Environment, Doubtful, "c.yml requires python=3.5.2, but the image has no conda to install it: the job runs on the image's Python 3.11"}}},
		{"a Python that fits", Container{Image: python, Recipe: prepare.Recipe{Python: "python>=3.8", Pip: []string{"x"}}, File: "c.yml"}, []seen{ready, {Image, OK, ""},
			{Environment, OK, "so amlfix run installs the packages under pip on its Python 3.11"}}},
		{"a shell", Container{Image: python, Program: "sh"}, []seen{ready, {Image, OK, ""}}},
		{"no shell", Container{Image: job, Program: "sh"}, []seen{ready, {Image, OK, ""}, {Program, Failed, "image " + job + " has no sh, which starts the job's command"}}},
		{"environment impossible", Container{Image: python, Recipe: recipe("a"), File: "c.yml"}, []seen{ready, {Image, OK, ""}, {Environment, Failed, "but no conda, so numpy cannot be installed"}}},
		{"environment must not be made", Container{Image: conda, Recipe: recipe("a"), Unprepared: "prepare it"}, []seen{ready, {Image, OK, ""}, {Environment, Failed, "prepare it"}}},
		{"no GPUs", Container{Image: job, GPUs: true}, []seen{ready, {Image, OK, ""}, {GPUs, Failed, "this Docker engine cannot provide GPUs: install NVIDIA Container Toolkit"}}},
		{"image nowhere", Container{Image: "127.0.0.1:1/nosuch:1", Gone: "take a copy", GPUs: true, Recipe: recipe("a"), File: "c.yml"}, []seen{ready, {Image, Failed, "take a copy"},
			{Environment, Unknown, "the environment of c.yml was not checked: it is built on image 127.0.0.1:1/nosuch:1, which is not on the engine"}, {GPUs, Unknown, "which is not on the engine"}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			results, _ := check(t, e, tt.c)
			compare(t, tt.want, results)
		})
	}
	t.Run("image gone, environment there", func(t *testing.T) {
		base, eng := "amlfix-test/gone:2", connect(t, e)
		e.Derive(t, base, conda, nil, "ENV A=c")
		need := Container{Image: base, Recipe: recipe("gone"), File: "c.yml", Pull: true}
		if _, err := prepare.Make(t.Context(), eng, prepare.Spec{Image: base, Recipe: need.Recipe, File: "c.yml"}, process.Streams{}, process.Control{}, nil); err != nil {
			t.Fatal(err)
		}
		e.RemoveImage(t, base)
		results, _ := check(t, e, need)
		compare(t, []seen{ready, {Image, OK, "image " + base + " is no longer on the engine, but amlfix/env:"}}, results)
		need.Pull = false
		results, _ = check(t, e, need)
		compare(t, []seen{ready, {Image, OK, ""}, {Environment, OK, "the environment of c.yml exists as image amlfix/env:"}}, results)
	})
	t.Run("no engine", func(t *testing.T) {
		eng, err := docker.ConnectTo("unix:///nonexistent/docker.sock")
		testkit.OK(t, err)
		results, _ := CheckContainer(t.Context(), eng, Container{Image: job, Gone: "take a copy", Recipe: recipe("a"), File: "c.yml", Free: free(gb), GPUs: true})
		const why = "was not checked: the Docker engine cannot be asked"
		compare(t, []seen{{Engine, Failed, "no Docker engine answers at unix:///nonexistent/docker.sock: start it"}, {Image, Unknown, "image " + job + " " + why + ": take a copy"},
			{Environment, Unknown, "the environment of c.yml " + why}, {Disk, Unknown, why}, {GPUs, Unknown, "whether containers get GPUs " + why}}, results)
	})
}

// TestRegistry queries a real registry for images that the engine does not have, and pulls none.
func TestRegistry(t *testing.T) {
	t.Setenv("DOCKER_CONFIG", t.TempDir())
	e := enginetest.Start(t)
	handler := registry.New(registry.Logger(log.New(io.Discard, "", 0)))
	var busy atomic.Bool
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if busy.Load() {
			w.WriteHeader(http.StatusTooManyRequests)
			_, _ = io.WriteString(w, `{"errors":[{"code":"TOOMANYREQUESTS","message":"You have reached your pull rate limit."}]}`)
			return
		}
		handler.ServeHTTP(w, q)
	}))
	defer s.Close()
	host := strings.TrimPrefix(s.URL, "http://")
	store := func(repo, arch string) string {
		img, err := random.Image(100, 1)
		testkit.OK(t, err)
		index := mutate.AppendManifests(empty.Index, mutate.IndexAddendum{Add: img, Descriptor: v1.Descriptor{Platform: &v1.Platform{OS: "linux", Architecture: arch}}})
		ref, err := name.ParseReference(host + "/" + repo)
		if err == nil {
			err = remote.WriteIndex(ref, index)
		}
		testkit.OK(t, err)
		return host + "/" + repo
	}
	here, other := store("here:1", "amd64"), store("other:1", "riscv64")
	ready := seen{Engine, OK, ""}
	for image, want := range map[string]seen{
		here:               {Image, OK, "image " + here + " is not on the engine yet; " + host + " has it, and amlfix run pulls it"},
		other:              {Image, Failed, "it has no variant for this engine's processor"},
		host + "/nosuch:1": {Image, Failed, "the registry does not have it, or no longer"},
	} {
		results, _ := check(t, e, Container{Image: image})
		compare(t, []seen{ready, want}, results)
		if _, err := connect(t, e).Image(t.Context(), image); !docker.Is(err, docker.ImageNotFound) {
			t.Errorf("%s was pulled: %v", image, err)
		}
	}
	busy.Store(true)
	results, _ := check(t, e, Container{Image: here})
	compare(t, []seen{ready, {Image, Failed, "limits pulls, and this address has used up its limit"}}, results)
}

// smi stands in for nvidia-smi with an old or new driver.
const smi = `#!/bin/sh
case "$1" in
*compute_cap*) [ -z "$OLD" ] || { echo 'Field "compute_cap" is not a valid field to query.'; exit 2; }
  echo "` + enginetest.StandInMark + ` $GPU_NAME, $DRIVER, $CAPABILITY" ;;
*) echo "` + enginetest.StandInMark + ` $GPU_NAME, $DRIVER" ;;
esac
`

// TestGPUs has the real NVIDIA runtime provide stand-in GPUs; see enginetest.GPU.
func TestGPUs(t *testing.T) {
	t.Parallel()
	e := enginetest.StartHookGPU(t)
	python, job := e.Python(t), e.Job(t)
	image := func(tag string, changes ...string) string {
		name := "amlfix-test/cuda:" + tag
		e.Derive(t, name, python, map[string]string{"/usr/bin/nvidia-smi": smi}, changes...)
		return name
	}
	ready := []seen{{Engine, OK, ""}, {Image, OK, ""}}
	for _, tt := range []struct {
		name, image string
		way         docker.GPUWay
		want        []seen
	}{
		{"CUDA 8 on a T4", image("t4", "ENV CUDA_VERSION=8.0.61", `ENV GPU_NAME="Tesla T4" DRIVER=535.129.03 CAPABILITY=7.5`), docker.ByRequest, []seen{
			{GPUs, OK, "STAND-IN, not a real GPU: " + enginetest.StandInMark + " Tesla T4, driver 535.129.03 (by device request)"}, {Driver, OK, "new enough for CUDA 8.0.61"},
			{CUDA, Doubtful, "use an image with CUDA 9.0 or later"}}},
		{"CUDA 8 on a K80 with an old driver", image("k80", "ENV CUDA_VERSION=8.0.61", `ENV GPU_NAME="Tesla K80" DRIVER=367.48 OLD=1`), docker.ByRequest, []seen{
			{GPUs, OK, "Tesla K80, driver 367.48"}, {Driver, Failed, "which needs 375.26"}, {CUDA, OK, "has machine code for"}}},
		{"CUDA not known", image("unknown", `ENV GPU_NAME="Tesla K80" DRIVER=470.1 CAPABILITY=3.7`), docker.ByRequest, []seen{
			{GPUs, OK, ""}, {CUDA, Unknown, "which CUDA image amlfix-test/cuda:unknown has is not known"}}},
		{"no nvidia-smi", job, docker.ByRequest, []seen{{GPUs, Unknown, "because the container has no nvidia-smi"}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			results, way := check(t, e.Engine, Container{Image: tt.image, GPUs: true})
			compare(t, append(ready[:2:2], tt.want...), results)
			if way != tt.way {
				t.Errorf("by %q", way)
			}
		})
	}
	t.Run("NVIDIA refuses", func(t *testing.T) {
		e.Refuse(t, "nvidia-container-cli: initialization error: nvml error: driver not loaded")
		results, way := check(t, e.Engine, Container{Image: job, GPUs: true})
		compare(t, append(ready[:2:2], seen{GPUs, Failed, "NVIDIA's container software is installed, but provides no GPU"}), results)
		if way != docker.NoGPU {
			t.Errorf("by %q", way)
		}
	})
}
