//go:build linux

package docker

import (
	"errors"
	"strings"
	"testing"

	"github.com/docker/docker/api/types/container"

	"github.com/amlfix/amlfix/runtime/internal/enginetest"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/schema/testkit"
)

// The GPUs of these tests are stand-ins: see enginetest.GPU for what is real. CDI needs an engine of 2025 or later,
// which Debian does not have; docs/testing.md explains how to test with one. Otherwise only the device request is
// tested.

func gpus(s *Spec) { s.GPUs = true }

func TestEngineWithoutGPUsRefuses(t *testing.T) {
	t.Parallel()
	e := enginetest.Start(t)
	j := launch(t.Context(), t, connect(t, e), e.Job(t), process.Control{}, gpus, "out:ran")
	j.wait(t)
	none, ok := errors.AsType[*GPUError](j.failure)
	if !ok || !Is(j.failure, GPUUnsupported) || j.result.Ran() || j.out.String() != "" {
		t.Fatalf("%+v, %v", j.result, j.failure)
	}
	testkit.Same(t, []GPUWay{ByRequest}, none.Tried)
	want := `this Docker engine cannot provide GPUs: install NVIDIA Container Toolkit on its machine, run ` +
		"`sudo nvidia-ctk runtime configure --runtime=docker`" + `, restart the engine; or run without a GPU, with --gpus none or nvidiaDocker: false ` +
		`(it said: could not select device driver "nvidia" with capabilities: [[gpu]])`
	testkit.Same(t, want, j.failure.Error())
	e.NothingLeft(t, runID(t))
}

func TestGPUWays(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		start func(testing.TB) enginetest.GPU
		way   GPUWay
		env   []string
	}{
		{"hook", enginetest.StartHookGPU, ByRequest, []string{`NVIDIA_VISIBLE_DEVICES="all" true`, `NVIDIA_DRIVER_CAPABILITIES="compute,utility" true`}},
		{"runtime", enginetest.StartRuntimeGPU, ByRuntime, []string{`NVIDIA_VISIBLE_DEVICES="all" true`, `NVIDIA_DRIVER_CAPABILITIES="compute,utility" true`}},
		{"cdi", enginetest.StartCDIGPU, ByCDI, []string{`AMLFIX_GPU="` + enginetest.StandInMark + `" true`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			e := tt.start(t)
			image := e.Job(t)
			j := launch(t.Context(), t, connect(t, e.Engine), image, process.Control{}, gpus, "ls:/dev", "env:NVIDIA_VISIBLE_DEVICES", "env:NVIDIA_DRIVER_CAPABILITIES", "env:AMLFIX_GPU")
			j.wait(t)
			if j.failure != nil || j.result.Code != 0 || j.result.GPU != tt.way {
				t.Fatalf("%+v, %v, %s", j.result, j.failure, j.err)
			}
			out := j.out.String()
			for _, want := range append(tt.env, "nvidia0 ", "nvidia1 ") {
				testkit.Has(t, out, want)
			}
			e.NothingLeft(t, runID(t))
		})
	}
}

func TestRunsWithoutGPUsNeverAskForThem(t *testing.T) {
	t.Parallel()
	for name, start := range map[string]func(testing.TB) enginetest.GPU{"hook": enginetest.StartHookGPU, "runtime": enginetest.StartRuntimeGPU, "cdi": enginetest.StartCDIGPU} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := start(t)
			j := launch(t.Context(), t, connect(t, e.Engine), e.Job(t), process.Control{}, nil, "ls:/dev", "env:NVIDIA_VISIBLE_DEVICES")
			j.wait(t)
			if out := j.out.String(); j.failure != nil || strings.Contains(out, "nvidia0") || !strings.HasSuffix(out, "NVIDIA_VISIBLE_DEVICES=\"\" false\n") {
				t.Errorf("%q, %v", out, j.failure)
			}
			e.NothingLeft(t, runID(t))
		})
	}
}

// TestNVIDIARefuses makes NVIDIA's real hook report what its stand-in for nvidia-container-cli prints.
func TestNVIDIARefuses(t *testing.T) {
	e := enginetest.StartHookGPU(t) // not parallel: refusals affect the whole engine
	image := e.Job(t)
	for _, tt := range []struct {
		name, text string
		problem    Problem
	}{
		{"driver not loaded", "nvidia-container-cli: initialization error: nvml error: driver not loaded", GPURefused},
		{"driver too old", "nvidia-container-cli: requirement error: unsatisfied condition: cuda>=12.2, please update your driver to a newer version, or use an earlier cuda container", GPUDriverOld},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e.Refuse(t, tt.text)
			j := launch(t.Context(), t, connect(t, e.Engine), image, process.Control{}, gpus, "out:ran")
			j.wait(t)
			if !Is(j.failure, tt.problem) || j.result.Ran() {
				t.Errorf("%+v, %v", j.result, j.failure)
			}
			e.NothingLeft(t, runID(t))
		})
	}
}

// TestUnpluggedGPUs uses an engine that found GPUs when it started, and whose device nodes are gone.
func TestUnpluggedGPUs(t *testing.T) {
	e := enginetest.StartCDIGPU(t) // not parallel: the nodes are missing for the whole engine
	image := e.Job(t)
	e.Unplug(t)
	j := launch(t.Context(), t, connect(t, e.Engine), image, process.Control{}, gpus, "out:ran")
	j.wait(t)
	none, ok := errors.AsType[*GPUError](j.failure)
	if !ok || !Is(j.failure, GPURefused) || j.result.Ran() || !strings.Contains(j.failure.Error(), "`nvidia-smi` must work on the engine's machine first") {
		t.Fatalf("%+v, %v", j.result, j.failure)
	}
	testkit.Same(t, []GPUWay{ByCDI, ByRequest}, none.Tried)
	e.NothingLeft(t, runID(t))
}

func TestGPURequests(t *testing.T) {
	for way, want := range map[GPUWay]container.HostConfig{
		NoGPU:     {},
		ByRequest: {Resources: container.Resources{DeviceRequests: []container.DeviceRequest{{Driver: "nvidia", Count: -1, Capabilities: [][]string{{"gpu"}}}}}},
		ByCDI:     {Resources: container.Resources{DeviceRequests: []container.DeviceRequest{{Driver: "cdi", DeviceIDs: []string{"nvidia.com/gpu=all"}}}}},
		ByRuntime: {Runtime: "nvidia"},
	} {
		_, got := settings(Container{Argv: []string{"true"}, GPU: way})
		got.Init = nil
		testkit.Same(t, &want, got, way)
	}
}

func TestGPUWaysOfAnEngine(t *testing.T) {
	for _, tt := range []struct {
		info Info
		want []GPUWay
	}{
		{Info{API: "1.39"}, nil},
		{Info{API: "1.39", Runtimes: []string{"runc", "nvidia"}}, []GPUWay{ByRuntime}},
		{Info{API: "1.41"}, []GPUWay{ByRequest}},
		{Info{API: "1.51", CDIDevices: []string{"nvidia.com/gpu=0", "nvidia.com/gpu=all"}, Runtimes: []string{"nvidia"}}, []GPUWay{ByCDI, ByRequest, ByRuntime}},
		{Info{API: "1.51", CDIDevices: []string{"amd.com/gpu=all"}}, []GPUWay{ByRequest}},
		{Info{API: "x"}, nil},
	} {
		testkit.Same(t, tt.want, gpuWays(tt.info), "%+v", tt.info)
	}
}

func TestGPUEnvironment(t *testing.T) {
	for _, tt := range []struct {
		name      string
		way       GPUWay
		info      Info
		img       Image
		env, want []string
	}{
		{name: "none", env: []string{"A=1"}, want: []string{"A=1"}},
		{name: "none on an engine that provides them by default", info: Info{DefaultRuntime: "nvidia"}, want: []string{"NVIDIA_VISIBLE_DEVICES=void"}},
		{name: "the user has chosen", info: Info{DefaultRuntime: "nvidia"}, env: []string{"NVIDIA_VISIBLE_DEVICES=0"}, want: []string{"NVIDIA_VISIBLE_DEVICES=0"}},
		{name: "runtime", way: ByRuntime, want: []string{"NVIDIA_VISIBLE_DEVICES=all", "NVIDIA_DRIVER_CAPABILITIES=compute,utility"}},
		{name: "the image has chosen", way: ByRuntime, img: Image{Env: []string{"NVIDIA_VISIBLE_DEVICES=void", "NVIDIA_DRIVER_CAPABILITIES=all"}}, want: []string{"NVIDIA_VISIBLE_DEVICES=all"}},
		{name: "request", way: ByRequest, want: []string{"NVIDIA_DRIVER_CAPABILITIES=compute,utility"}},
		{name: "cdi"},
	} {
		testkit.Same(t, tt.want, gpuEnv(tt.way, tt.info, tt.img, tt.env), tt.name)
	}
}
