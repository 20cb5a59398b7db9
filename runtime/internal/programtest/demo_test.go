//go:build linux

package programtest_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/runtime/internal/enginetest"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestDemo runs the article's repaired container target on a private engine, for the demo: AMLFIX_DEMO is the project's
// folder, and the file AMLFIX_DEMO_LOG receives the output. Microsoft's image can no longer be pulled, so a stand-in is
// built from this machine's Python; conda, the GPU and nvidia-smi are stand-ins, too.
func TestDemo(t *testing.T) {
	t.Parallel()
	dir, log := os.Getenv("AMLFIX_DEMO"), os.Getenv("AMLFIX_DEMO_LOG")
	if dir == "" {
		dir, log = t.TempDir(), filepath.Join(t.TempDir(), "log")
		testkit.OK(t, os.CopyFS(dir, os.DirFS("../../../testdata/article")))
		if r := do(t, machine{}, dir, "--apply"); r.code != 0 {
			t.Fatalf("%+v", r)
		}
	}
	e := enginetest.StartHookGPU(t)
	const image = "amlfix-demo/stand-in-for-mmlspark:gpu"
	e.Derive(t, image, e.Conda(t), map[string]string{"/usr/bin/nvidia-smi": insideSMI}, `ENV GPU_NAME="Tesla K80" DRIVER=470.57.02 CAPABILITY=3.7`)
	settings := fmt.Sprintf("# Microsoft's image is gone; this STAND-IN was built on this machine.\nimages:\n  microsoft/mmlspark:plus-gpu-0.7.91: %s\n", image)
	testkit.OK(t, os.WriteFile(filepath.Join(dir, ".amlfix.yaml"), []byte(settings), 0o600))
	var shown strings.Builder
	m := machine{engine: e.Engine}
	for _, args := range []string{"run -c workstation --check train.py", "run -c workstation train.py --fast"} {
		out, err := command(t, m, dir, strings.Fields(args)...).CombinedOutput() // in the order in which a person sees it
		fmt.Fprintf(&shown, "\n$ amlfix %s\n%s", args, out)
		if err != nil {
			t.Errorf("amlfix %s: %v", args, err)
		}
	}
	if out := shown.String(); !strings.Contains(out, "STAND-IN, not a real GPU") || !strings.Contains(out, "epoch 1 loss 0.500\n") || strings.Contains(out, "amlfix: GPU used") {
		t.Error("the job did not run as it should")
	}
	testkit.OK(t, os.WriteFile(log, []byte(shown.String()), 0o600))
	if t.Failed() || os.Getenv("AMLFIX_DEMO") == "" {
		t.Log(shown.String())
	}
}
