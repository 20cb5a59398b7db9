//go:build linux

package runtime

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/amlfix/amlfix/runtime/evidence"
	"github.com/amlfix/amlfix/runtime/internal/sshtest"
	"github.com/amlfix/amlfix/runtime/ssh"
	"github.com/amlfix/amlfix/schema/testkit"
)

const claims = "print('Created TensorFlow device (/job:localhost/replica:0/task:0/device:GPU:0 with 9 MB memory) -> physical GPU (device: 0, name: Tesla K80, pci bus id: 0000:00:00.0, compute capability: 3.7)')\n"

// TestClaimsWithoutDriver runs a script that prints a framework's lines, both where no GPU can be used and where
// nvidia-smi says that one can.
func TestClaimsWithoutDriver(t *testing.T) {
	if !driverlessHere(t) {
		t.Skip("SKIPPED: this machine has an NVIDIA driver")
	}
	s, e := sshtest.Start(t, sshtest.Options{}), engineHere(t)
	image := e.Job(t)
	if res, err := Run(t.Context(), planned(t, claims, nil, Options{}), RunOptions{}); err != nil || res.Evidence.Level != evidence.CPU {
		t.Errorf("here: %v, %s", err, res.GPUSentence())
	}
	if res, err := Run(t.Context(), onHost(t, s, claims, "pythonLocation: python3\n"), RunOptions{SSH: ssh.Options{Home: s.Home}}); err != nil || res.Evidence.Level != evidence.CPU {
		t.Errorf("there: %v, %s", err, res.GPUSentence())
	}
	plan := steps(inContainer(t, e, "", image, "", Options{}), "err:Creating TensorFlow device (/gpu:0) -> (device: 0, name: Tesla K80, pci bus id: 06c3:00:00.0)\n")
	if res, err := Run(t.Context(), plan, RunOptions{}); err != nil || res.Evidence.Level != evidence.CPU {
		t.Errorf("in a container: %v, %s", err, res.GPUSentence())
	}
	bin := t.TempDir()
	testkit.OK(t, os.WriteFile(filepath.Join(bin, "nvidia-smi"), []byte("#!/bin/sh\n[ \"$1\" = -L ] && echo GPU 0\n"), 0o755))
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	if res, err := Run(t.Context(), planned(t, claims, nil, Options{}), RunOptions{}); err != nil || res.Evidence.Level != evidence.Used {
		t.Errorf("with nvidia-smi: %v, %s", err, res.GPUSentence())
	}
}
