//go:build linux

package programtest_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/amlfix/amlfix/runtime/internal/enginetest"
	"github.com/amlfix/amlfix/runtime/internal/sshtest"
	"github.com/amlfix/amlfix/schema/testkit"
)

// twoSMI stands in for the nvidia-smi of a machine with two GPUs.
const twoSMI = `#!/bin/sh
case "$1" in
*=index) echo 0; echo 1 ;;
*compute_cap*) for i in 0 1; do echo "` + enginetest.StandInMark + ` Tesla K80, 470.57.02, 3.7"; done ;;
*) exit 1 ;;
esac
`

// showGPUs is a job that prints which GPUs it was given, and keeps running.
const showGPUs = `
-- gpus.py --
import os, sys, time
print("sees", repr(os.environ.get("CUDA_VISIBLE_DEVICES")), repr(os.environ.get("NVIDIA_VISIBLE_DEVICES")), "up", flush=True)
time.sleep(float(sys.argv[1]))
`

// TestGPUsOfProcesses checks that two runs on a machine get a GPU each, and that a third is refused until one is over,
// however it ended. nvidia-smi is a stand-in.
func TestGPUsOfProcesses(t *testing.T) {
	t.Parallel()
	testkit.Program(t, "python3")
	bin, temp := t.TempDir(), t.TempDir()
	for _, dir := range []string{filepath.Dir(bin), bin} { // another user reads it
		testkit.OK(t, os.Chmod(dir, 0o755))
	}
	testkit.OK(t, os.WriteFile(filepath.Join(bin, "nvidia-smi"), []byte(twoSMI), 0o755))
	path := bin + ":" + os.Getenv("PATH")
	there := machine{ssh: sshtest.Start(t, sshtest.Options{Env: map[string]string{"PATH": path, "CUDA_VISIBLE_DEVICES": ""}})}
	for target, m := range map[string]machine{"local": {}, "remote": there} { // one after the other: it is the same machine
		t.Run(target, func(t *testing.T) {
			begin := func(args ...string) (*exec.Cmd, *testkit.Buffer, string) {
				dir := project(t, m, jobs+showGPUs, "$IMAGE", "none")
				cmd := command(t, m, dir, append([]string{"run", "-c", target}, args...)...)
				cmd.Env = append(cmd.Env, "PATH="+path, "TMPDIR="+temp, "CUDA_VISIBLE_DEVICES=")
				said := new(testkit.Buffer)
				cmd.Stdout, cmd.Stderr = said, said
				testkit.OK(t, cmd.Start())
				return cmd, said, dir
			}
			first, one, dir := begin("--gpus", "1", "gpus.py", "600")
			second, two, _ := begin("--gpus", "1", "gpus.py", "600")
			one.Await(t, "up")
			two.Await(t, "up")
			if all := one.String() + two.String(); !strings.Contains(all, "sees '0' '0' up") || !strings.Contains(all, "sees '1' '1' up") || !strings.Contains(all, "GPU 1 of 2, for this run only") {
				t.Error(all)
			}
			for _, n := range []string{"1", "3"} {
				third, said, _ := begin("--gpus", n, "gpus.py", "0")
				want := map[string]string{"1": "too few are free (GPU 0 by run ", "3": "3 GPUs are requested, but the machine has 2"}[n]
				if _ = third.Wait(); third.ProcessState.ExitCode() != 125 || !strings.Contains(said.String(), want) || !strings.Contains(said.String(), recorded(t, dir).ID.String()) && n == "1" {
					t.Errorf("--gpus %s: exit %d, %s", n, third.ProcessState.ExitCode(), said)
				}
			}
			// No process is left to report that the GPU is free again.
			testkit.OK(t, exec.Command("sh", "-c", "kill -9 $(grep -lsxz AMLFIX_RUN_ID="+recorded(t, dir).ID.String()+" /proc/[0-9]*/environ | tr -dc '0-9\\n')").Run())
			_ = first.Wait()
			for args, want := range map[string]string{"--gpus 1": "'", "--gpus none": "''", "--gpus all": "''"} { // '' is what this test sets
				cmd, said, _ := begin(append(strings.Fields(args), "gpus.py", "0")...)
				if _ = cmd.Wait(); cmd.ProcessState.ExitCode() != 0 || !strings.Contains(said.String(), "sees "+want) {
					t.Errorf("%s: exit %d, %s", args, cmd.ProcessState.ExitCode(), said)
				}
			}
			testkit.OK(t, second.Process.Signal(syscall.SIGTERM))
			_ = second.Wait()
		})
	}
}

// TestNoGPUs checks what --gpus means on a machine whose driver does not answer. nvidia-smi is a stand-in.
func TestNoGPUs(t *testing.T) {
	t.Parallel()
	testkit.Program(t, "python3")
	bin := t.TempDir()
	testkit.OK(t, os.WriteFile(filepath.Join(bin, "nvidia-smi"), []byte("#!/bin/sh\nexit 9\n"), 0o755))
	for gpus, want := range map[string]ended{
		"2":    {code: 125, err: "not started: nvidia-smi is there but lists no GPU: restart the machine after installing a driver, or install the driver again\n"},
		"all":  {code: 125, err: "not started: nvidia-smi is there but lists no GPU: "},
		"none": {out: "sees ''", err: "succeeded"},
	} {
		cmd := command(t, machine{}, project(t, machine{}, jobs+showGPUs, "$IMAGE", "none", "$ADDRESS", "vm"), "run", "-c", "local", "--gpus", gpus, "gpus.py", "0")
		cmd.Env = append(cmd.Env, "PATH="+bin+":"+os.Getenv("PATH"), "CUDA_VISIBLE_DEVICES=x")
		if got := finish(cmd); got.code != want.code || !strings.HasPrefix(got.out, want.out) || !strings.Contains(got.err, want.err) {
			t.Errorf("--gpus %s: %+v", gpus, got)
		}
	}
}

// TestNoDriver checks what --gpus means for a v2 job on a machine without nvidia-smi.
func TestNoDriver(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("nvidia-smi"); err == nil {
		t.Skip("this machine has nvidia-smi")
	}
	dir := project(t, machine{}, "-- job.yml --\ntype: command\ncommand: echo up\nenvironment: {image: unused}\n")
	got := do(t, machine{}, dir, "run", "job.yml", "-t", "local", "--gpus", "2")
	if got.code != 125 || got.err != "amlfix: not started: --gpus 2: nvidia-smi lists no GPUs on this machine: install NVIDIA's driver there, or leave --gpus out\n" {
		t.Errorf("%+v", got)
	}
}

// TestLimitsOfAContainer checks that --memory and --cpus are enforced, are in the plan, and are refused where they
// could not be enforced.
func TestLimitsOfAContainer(t *testing.T) {
	t.Parallel()
	m := machine{engine: enginetest.Start(t)}
	dir := project(t, m, strings.ReplaceAll(jobs, "$ADDRESS", "vm")+`
-- limits.py --
import glob
for name in "memory/memory.limit_in_bytes", "cpu/cpu.cfs_quota_us", "memory.max", "cpu.max":
    for path in glob.glob("/sys/fs/cgroup/" + name):
        print(name, open(path).read().strip())
-- eats.py --
b = bytearray(512 << 20)
`, "$IMAGE", m.engine.Python(t))
	got := do(t, m, dir, "run", "-c", "container", "--memory", "64m", "--cpus", "0.5", "limits.py")
	if got.code != 0 || !strings.Contains(got.out, "67108864\n") || !strings.Contains(got.out, " 50000") {
		t.Errorf("%+v", got)
	}
	if got := do(t, m, dir, "run", "-c", "container", "--plan", "--memory", "64m", "--cpus", "0.5", "--gpus", "none", "limits.py"); !strings.Contains(got.out, "memory       67.1 MB  (command line)\ncpus         0.5  (command line)\n") || !strings.Contains(got.out, "gpus         none  (command line)\n") {
		t.Errorf("%+v", got)
	}
	got = ended{}
	for n := 0; !strings.Contains(got.err, "oom-killed") && n < 8; n++ { // a busy engine can lose the kernel's event
		got = do(t, m, dir, "run", "-c", "container", "--memory", "64m", "eats.py")
	}
	if got.code != 137 || !strings.Contains(got.err, "oom-killed") || !strings.Contains(got.err, "the memory limit was 67.1 MB") {
		t.Errorf("%+v", got)
	}
	for args, want := range map[string]string{
		"-c local --memory 1g": "--memory limits containers", "-c local --cpus 2": "--cpus limits containers",
		"-c local --gpus 0": "is not a number of GPUs", "-c local --memory much": "is not a size", "-c local --cpus none": "is not a number of processors",
	} {
		if got := do(t, m, dir, append(append([]string{"run"}, strings.Fields(args)...), "limits.py")...); got.code != 2 || !strings.Contains(got.err, want) {
			t.Errorf("%s: %+v", args, got)
		}
	}
}
