//go:build linux

package enginetest

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

// toolkit is NVIDIA's own software for containers, built from source; it needs cgo and no GPU.
const (
	toolkit        = "github.com/NVIDIA/nvidia-container-toolkit/cmd/"
	toolkitVersion = "v1.20.1"
	toolkitRuntime = "nvidia-container-runtime"
	toolkitHook    = "nvidia-container-runtime-hook"
)

// StandInMark is printed by stand-ins, so that nobody mistakes their output for a real GPU's.
const StandInMark = "AMLFIX-STANDIN"

// buildToolkit returns the folder with NVIDIA's programs, which is kept between test runs.
var buildToolkit = sync.OnceValues(func() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	bin := filepath.Join(cache, "amlfix-test", "nvidia-container-toolkit-"+toolkitVersion)
	for _, program := range []string{toolkitRuntime, toolkitHook} {
		if _, err := os.Stat(filepath.Join(bin, program)); err == nil {
			continue
		}
		cmd := exec.Command("go", "install", toolkit+program+"@"+toolkitVersion)
		cmd.Dir, cmd.Env = os.TempDir(), append(os.Environ(), "GOBIN="+bin, "GOFLAGS=", "CGO_ENABLED=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			return "", fmt.Errorf("NVIDIA's container toolkit could not be built (it needs a C compiler and the module proxy): %w\n%.500s", err, out)
		}
	}
	return bin, nil
})

// GPU is an engine whose machine seems to have two GPUs. The real parts are dockerd, containerd, runc, and NVIDIA's
// container runtime and hook, including how they select and inject devices. The stand-ins are the device nodes, which
// have no driver, and nvidia-container-cli, the C program that NVIDIA's hook calls.
type GPU struct{ *Engine }

// StartHookGPU returns an engine that knows NVIDIA's hook, as for `docker run --gpus all`, but no runtime named nvidia.
func StartHookGPU(t testing.TB) GPU {
	t.Helper()
	return GPU{start(t, "gpu-hook", func(dir string) (options, error) { return prepareGPU(dir, true) })}
}

// StartRuntimeGPU returns an engine that has a runtime named nvidia, as with nvidia-docker2, but cannot find the hook.
func StartRuntimeGPU(t testing.TB) GPU {
	t.Helper()
	return GPU{start(t, "gpu-runtime", func(dir string) (options, error) { return prepareGPU(dir, false) })}
}

// sinceCDI is the API version from which engines report which Container Device Interface devices they found.
const sinceCDI = 50

// StartCDIGPU returns an engine that found the GPUs through the Container Device Interface and knows nothing else of
// NVIDIA. It skips the test if the engine does not look for such devices.
func StartCDIGPU(t testing.TB) GPU {
	t.Helper()
	if api := Start(t).API(t); api < sinceCDI {
		t.Skipf("the engine speaks API 1.%d: only from 1.%d on they list such devices", api, sinceCDI)
	}
	return GPU{start(t, "gpu-cdi", func(dir string) (options, error) {
		if err := prepareCDI(dir); err != nil {
			return options{}, err
		}
		return options{config: map[string]any{"cdi-spec-dirs": []string{filepath.Join(dir, "cdi")}}}, nil
	})}
}

// Unplug removes the device nodes until the test ends, as on a machine whose driver is gone.
func (g GPU) Unplug(t testing.TB) {
	t.Helper()
	testkit.OK(t, os.RemoveAll(filepath.Join(g.Dir, "dev")))
	t.Cleanup(func() {
		if err := makeNodes(g.Dir); err != nil {
			t.Error(err)
		}
	})
}

// Refuse makes the stand-in for nvidia-container-cli fail with this text until the test ends.
func (g GPU) Refuse(t testing.TB, text string) {
	t.Helper()
	file := filepath.Join(g.Dir, "refusal")
	testkit.OK(t, os.WriteFile(file, []byte(text+"\n"), 0o600))
	t.Cleanup(func() { _ = os.Remove(file) })
}

func prepareGPU(dir string, hook bool) (options, error) {
	bin, err := buildToolkit()
	if err != nil {
		return options{}, err
	}
	if err := prepareCDI(dir); err != nil {
		return options{}, err
	}
	if err := os.Mkdir(filepath.Join(dir, "cli"), 0o755); err != nil {
		return options{}, err
	}
	files := map[string]string{"config.toml": fmt.Sprintf(configText, dir, bin), "cli/nvidia-container-cli": fmt.Sprintf(cliText, dir)}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755); err != nil {
			return options{}, err
		}
	}
	o := options{env: []string{"NVIDIA_CTK_CONFIG_FILE_PATH=" + filepath.Join(dir, "config.toml")}}
	if hook {
		o.path = bin
	} else {
		o.config = map[string]any{"runtimes": map[string]any{"nvidia": map[string]string{"path": filepath.Join(bin, toolkitRuntime)}}}
	}
	return o, nil
}

// prepareCDI makes the stand-in device nodes and the file that describes them.
func prepareCDI(dir string) error {
	if err := makeNodes(dir); err != nil {
		return err
	}
	if err := os.Mkdir(filepath.Join(dir, "cdi"), 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "cdi/nvidia.json"), []byte(cdiText(dir)), 0o600)
}

// makeNodes makes the device nodes, which have no driver.
func makeNodes(dir string) error {
	if err := os.Mkdir(filepath.Join(dir, "dev"), 0o755); err != nil {
		return err
	}
	const major = 195 // NVIDIA's
	for name, minor := range map[string]int{"nvidia0": 0, "nvidia1": 1, "nvidiactl": 255} {
		if err := syscall.Mknod(filepath.Join(dir, "dev", name), syscall.S_IFCHR|0o666, major<<8|minor); err != nil {
			return fmt.Errorf("device nodes cannot be made here: %w", err)
		}
	}
	return nil
}

const configText = `[nvidia-container-cli]
path = "%[1]s/cli/nvidia-container-cli"
[nvidia-container-runtime]
mode = "cdi"
runtimes = ["runc"]
[nvidia-container-runtime.modes.cdi]
default-kind = "nvidia.com/gpu"
spec-dirs = ["%[1]s/cdi"]
[nvidia-container-runtime-hook]
path = "%[2]s/nvidia-container-runtime-hook"
skip-mode-detection = true
`

// cliText stands in for nvidia-container-cli: "configure … --pid=N --device=LIST ROOTFS" makes the nodes in the
// container.
const cliText = `#!/bin/sh
if [ -e %[1]s/refusal ]; then cat %[1]s/refusal >&2; exit 1; fi
for a in "$@"; do
  case $a in --pid=*) pid=${a#--pid=};; --device=*) devices=${a#--device=};; esac
  rootfs=$a
done
[ "$devices" = all ] && devices=0,1
exec nsenter -t "$pid" -m -- sh -c '
  mkdir -p "$1/dev"
  for i in $(echo "$2" | tr , " "); do mknod -m 666 "$1/dev/nvidia$i" c 195 "$i" || exit 1; done' sh "$rootfs" "$devices"
`

func cdiText(dir string) string {
	node := func(name string) map[string]string {
		return map[string]string{"path": "/dev/" + name, "hostPath": filepath.Join(dir, "dev", name)}
	}
	device := func(name string, nodes ...map[string]string) map[string]any {
		return map[string]any{"name": name, "containerEdits": map[string]any{"deviceNodes": nodes}}
	}
	text, _ := json.Marshal(map[string]any{
		"cdiVersion": "0.6.0", "kind": "nvidia.com/gpu",
		"containerEdits": map[string]any{"env": []string{"AMLFIX_GPU=" + StandInMark}, "deviceNodes": []map[string]string{node("nvidiactl")}},
		"devices":        []any{device("0", node("nvidia0")), device("1", node("nvidia1")), device("all", node("nvidia0"), node("nvidia1"))},
	})
	return string(text)
}
