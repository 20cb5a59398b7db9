//go:build linux

package programtest_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/runtime/internal/enginetest"
	"github.com/amlfix/amlfix/runtime/internal/sshtest"
	"github.com/amlfix/amlfix/schema/testkit"
)

// gpuJobs has the same job for both types of targets that are containers on this machine.
const gpuJobs = `
-- aml_config/localdocker.compute --
type: localdocker
baseDockerImage: $IMAGE
nvidiaDocker: true
-- aml_config/localdocker.runconfig --
Target: localdocker
Framework: Python
ArgumentVector: [$file]
-- aml_config/docker.compute --
type: docker
baseDockerImage: $IMAGE
nvidiaDocker: true
-- aml_config/docker.runconfig --
Target: docker
Framework: Python
ArgumentVector: [$file]
-- aml_config/conda_dependencies.yml --
dependencies: []
-- train.py --
import os, sys, time
print("ran", flush=True)
asked = "/tmp/asked" # nvidia-smi in the container; asked twice, what the first answer means is known
while "wait" in sys.argv and not (os.path.exists(asked) and os.path.getsize(asked) > 1):
    time.sleep(0.05)
`

// insideSMI stands in for nvidia-smi in a container; like the real one in most containers, it sees no processes there.
const insideSMI = `#!/bin/sh
case "$1" in
*utilization*) echo "` + enginetest.StandInMark + ` $GPU_NAME, 87, 30517, 38912, $DRIVER"; echo >>/tmp/asked ;;
*compute_cap*) echo "` + enginetest.StandInMark + ` $GPU_NAME, $DRIVER, $CAPABILITY" ;;
esac
`

// hereSMI stands in for nvidia-smi on the job's machine: every process of an amlfix run is on its GPU.
const hereSMI = `#!/bin/sh
case "$1" in
*utilization*) echo "` + enginetest.StandInMark + ` Tesla K80, 42, 1024" ;;
*compute_cap*) echo "` + enginetest.StandInMark + ` Tesla K80, 470.57.02, 3.7" ;;
*compute-apps*) for p in $(grep -lsz '^AMLFIX_RUN_ID=' /proc/[0-9]*/environ); do p=${p#/proc/}; echo "${p%/environ}, 1500"; done ;;
esac
`

// withGPU makes an image with the stand-in, for a given GPU and driver of the engine's machine and a given CUDA version
// of the image.
func withGPU(t *testing.T, e *enginetest.Engine, tag, gpu, capability, driver, cuda string) string {
	t.Helper()
	name := "amlfix-test/program:" + tag
	e.Derive(t, name, e.Python(t), map[string]string{"/usr/bin/nvidia-smi": insideSMI}, "ENV CUDA_VERSION="+cuda, `ENV GPU_NAME="`+gpu+`" DRIVER=`+driver+` CAPABILITY=`+capability)
	return name
}

// TestGPUIsSampled checks that what nvidia-smi shows in the container while the job runs is in the last line and the
// record. It is a stand-in's output, so it proves nothing, even when a process of the job is seen on the GPU.
func TestGPUIsSampled(t *testing.T) {
	t.Parallel()
	e := enginetest.StartHookGPU(t)
	image := withGPU(t, e.Engine, "a100", "NVIDIA A100-SXM4-40GB", "8.0", "535.129.03", "11.8.0")
	m := machine{engine: e.Engine}
	for _, tt := range []struct {
		name    string
		here    bool // the engine machine's nvidia-smi is also queried
		args    string
		code    int
		process bool
		last    string
	}{
		{"in the container", false, "run -c localdocker train.py wait", 0, false,
			"amlfix: STAND-IN, not a real GPU: no evidence in the log of whether a GPU was used (1 line read; some frameworks, such as PyTorch, print none)" +
				"; nvidia-smi showed no process of the job on it, at most 87% busy and 32.0 GB of memory used"},
		{"and on the machine", true, "run -c localdocker --require-gpu train.py wait", 123, true,
			"amlfix: STAND-IN, not a real GPU: GPU used: " + enginetest.StandInMark + " NVIDIA A100-SXM4-40GB; nvidia-smi showed a process of the job on it, at most 87% busy and 32.0 GB of memory used"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := project(t, m, gpuJobs, "$IMAGE", image)
			cmd := command(t, m, dir, strings.Fields(tt.args)...)
			if tt.here {
				bin := t.TempDir()
				testkit.OK(t, os.WriteFile(filepath.Join(bin, "nvidia-smi"), []byte(hereSMI), 0o755))
				cmd.Env = append(cmd.Env, "PATH="+bin+":"+os.Getenv("PATH"))
			}
			got, rec := finish(cmd), recorded(t, dir)
			if got.code != tt.code || got.out != "ran\n" || got.last() != tt.last {
				t.Errorf("exit %d, %q\n%s\nwant %s", got.code, got.out, got.err, tt.last)
			}
			if tt.code == 123 && !strings.Contains(got.err, "amlfix: --require-gpu: nothing ") {
				t.Errorf("said %s", got.err)
			}
			g := rec.GPU
			if rec.Code != tt.code || g == nil || "amlfix: "+g.Sentence != tt.last || g.Proven || !g.StandIn || g.Peak == nil || g.Peak.Utilisation != 87 || g.Peak.Memory != 30517<<20 || g.Peak.Process != tt.process {
				t.Errorf("recorded %+v", g)
			}
			page := do(t, m, dir, "runs", "report").out
			testkit.Has(t, page, "GPU 0: busy", "Last 87%, lowest 87%, highest 87%", "GPU 0: memory used, of 40.8 GB", "535.129.03", "</span>ok</td>", "STAND-IN, not a real GPU: ")
			nothingLeft(t, m, rec.ID.String())
		})
	}
}

// silent is a job that prints nothing and runs until the file go is in the shared folder.
const silent = `
-- silent.py --
import os, time
while not os.path.exists(os.path.join(os.environ["AZUREML_NATIVE_SHARE_DIRECTORY"], "go")):
    time.sleep(0.05)
`

// askedSMI is hereSMI, and also records in a file beside it how often it was asked for processes.
const askedSMI = hereSMI + `case "$1" in *compute-apps*) echo >>"$0.asked" ;; esac
`

// TestGPUIsSampledThere checks that another machine's nvidia-smi is queried over SSH, and that a job that prints
// nothing is found on its GPU, through the engine's list of processes or the run's marker. A stand-in's output still
// proves nothing.
func TestGPUIsSampledThere(t *testing.T) {
	t.Parallel()
	e := enginetest.StartHookGPU(t)
	image := withGPU(t, e.Engine, "k80", "Tesla K80", "3.7", "470.57.02", "8.0.61")
	for _, tt := range []struct{ name, target, image, showed string }{
		{"remotedocker", "remotedocker", image, "at most 87% busy and 32.0 GB of memory used"},
		{"remotedocker, image without nvidia-smi", "remotedocker", e.Python(t), "at most 42% busy and 1.1 GB of memory used"},
		{"remote", "remote", image, "at most 42% busy and 1.1 GB of memory used"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			there := t.TempDir() // another user works in it
			for _, dir := range []string{filepath.Dir(there), there} {
				testkit.OK(t, os.Chmod(dir, 0o777))
			}
			testkit.OK(t, os.WriteFile(filepath.Join(there, "nvidia-smi"), []byte(askedSMI), 0o755))
			m := machine{engine: e.Engine, ssh: sshtest.Start(t, sshtest.Options{Env: map[string]string{"DOCKER_HOST": e.Host, "PATH": there + ":" + os.Getenv("PATH")}})}
			share := "nativeSharedDirectory: " + there + "/share\n"
			dir := project(t, m, jobs+silent, "$IMAGE", tt.image, "username: worker\n", "username: worker\n"+share, "username: root\n", "username: root\nnvidiaDocker: true\nsharedVolumes: true\n"+share)
			cmd := command(t, m, dir, "run", "-c", tt.target, "--require-gpu", "silent.py")
			var said testkit.Buffer
			cmd.Stderr = &said
			testkit.OK(t, cmd.Start())
			testkit.Until(t, "nvidia-smi is asked twice", func() bool { // by the second query, the first answer has been processed
				asked, _ := os.ReadFile(filepath.Join(there, "nvidia-smi.asked"))
				return len(asked) > 1
			})
			testkit.OK(t, os.WriteFile(filepath.Join(there, "share", filepath.Base(dir), "go"), nil, 0o644))
			_ = cmd.Wait()
			rec := recorded(t, dir)
			want := "amlfix: STAND-IN, not a real GPU: GPU used: " + enginetest.StandInMark + " Tesla K80; nvidia-smi showed a process of the job on it, " + tt.showed
			if got := (ended{err: said.String()}).last(); got != want || cmd.ProcessState.ExitCode() != 123 || rec.GPU == nil || !rec.GPU.Peak.Process {
				t.Errorf("exit %d\n%s\nwant %s", cmd.ProcessState.ExitCode(), said.String(), want)
			}
			nothingLeft(t, m, rec.ID.String())
		})
	}
}

// TestGPUThatTheImageDoesNotKnow checks that a GPU newer than the image's CUDA version, and a driver that is too old,
// are reported before the run, both by a check and by the run itself.
func TestGPUThatTheImageDoesNotKnow(t *testing.T) {
	e := enginetest.StartHookGPU(t)
	m := machine{engine: e.Engine}
	for _, tt := range []struct {
		tag, gpu, capability, driver, cuda string
		starts                             bool // without --require-gpu
		said, next                         string
	}{
		{"t4-8", "Tesla T4", "7.5", "535.129.03", "8.0.61", true, "Tesla T4 (compute capability 7.5) needs CUDA 9.0 or later, but image $IMAGE has CUDA 8.0.61 (its CUDA_VERSION says so), which contains no machine code for it", "use an image with CUDA 9.0 or later"},
		{"a100-8", "NVIDIA A100-SXM4-40GB", "8.0", "535.129.03", "8.0.61", true, "(compute capability 8.0) needs CUDA 11.0 or later, but image $IMAGE has CUDA 8.0.61", "use an image with CUDA 11.0 or later"},
		{"h100-8", "NVIDIA H100 80GB HBM3", "9.0", "550.54.15", "8.0.61", true, "(compute capability 9.0) needs CUDA 11.8 or later, but image $IMAGE has CUDA 8.0.61", "use an image with CUDA 11.8 or later"},
		{"k80-9", "Tesla K80", "3.7", "375.26", "9.0.176", false, "driver 375.26 is too old for CUDA 9.0.176 of image $IMAGE (its CUDA_VERSION says so), which needs 384.81", "update the driver"},
	} {
		image := withGPU(t, e.Engine, tt.tag, tt.gpu, tt.capability, tt.driver, tt.cuda)
		said := strings.ReplaceAll(tt.said, "$IMAGE", image)
		for _, target := range []string{"localdocker", "docker"} {
			if target == "docker" && tt.tag != "a100-8" {
				continue
			}
			t.Run(tt.tag+", "+target, func(t *testing.T) {
				dir := project(t, m, gpuJobs, "$IMAGE", image)
				code, status := 0, "doubtful  cuda"
				if !tt.starts {
					code, status = 125, "failed    driver"
				}
				check := do(t, m, dir, "run", "-c", target, "--check", "train.py")
				if check.code != code || !strings.Contains(check.out, said) || !strings.Contains(check.out, status) || !strings.Contains(check.out, "\n                       -> "+tt.next) {
					t.Errorf("check: exit %d\n%s%s", check.code, check.out, check.err)
				}
				strict := do(t, m, dir, "run", "-c", target, "--require-gpu", "train.py")
				if strict.code != 125 || strict.out != "" || !strings.Contains(strict.err, said) {
					t.Errorf("run --require-gpu: exit %d, %q\n%s", strict.code, strict.out, strict.err)
				}
				nothingLeft(t, m, "")
				if strings.HasPrefix(tt.tag, "h100") || strings.HasPrefix(tt.tag, "t4") { // as for the A100
					return
				}
				run := do(t, m, dir, "run", "-c", target, "train.py")
				if run.code != code || (run.out == "ran\n") != tt.starts || !strings.Contains(run.err, "aml_config/"+target+".compute:") || !strings.Contains(run.err, said) || !strings.Contains(run.err, tt.next) {
					t.Errorf("run: exit %d, %q\n%s", run.code, run.out, run.err)
				}
				nothingLeft(t, m, "")
			})
		}
	}
}
