//go:build linux

// Package ownimage_test builds amlfix's own container image and uses it like a user who has no home folder in it.
package ownimage_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/runtime/internal/enginetest"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestMain stops the engine.
func TestMain(m *testing.M) { os.Exit(enginetest.Main(m)) }

const top = "../../.."

// TestImageRepairs builds the image as goreleaser does, with the program of one platform in the context, and repairs a
// project as users without a home folder in the image.
func TestImageRepairs(t *testing.T) {
	if _, err := exec.LookPath("docker"); err != nil {
		testkit.Unavailable(t, "the docker program is not installed (apt-get install docker.io)")
	}
	e := enginetest.Start(t)
	context := t.TempDir()
	program := filepath.Join(context, "linux", "amd64", "amlfix")
	testkit.OK(t, testkit.Build(program))
	docker := func(args ...string) (string, error) {
		cmd := exec.Command("docker", args...)
		cmd.Dir = top
		cmd.Env = append(os.Environ(), "DOCKER_HOST="+e.Host, "DOCKER_CONFIG="+t.TempDir(), "DOCKER_BUILDKIT=0")
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		err := cmd.Run()
		return out.String(), err
	}
	if out, err := docker("build", "--network", "none", "-t", "amlfix-test/own", "-f", "Dockerfile", "--build-arg", "TARGETPLATFORM=linux/amd64", context); err != nil {
		t.Fatalf("docker build: %v\n%s", err, out)
	}
	for _, user := range []string{"", "1234:1234", "0:0"} {
		project := t.TempDir()
		testkit.OK(t, os.CopyFS(project, os.DirFS(filepath.Join(top, "testdata", "article"))))
		open := exec.Command("chmod", "-R", "a+rwX", project)
		testkit.Output(t, open)
		run := []string{"run", "--rm", "--network", "none", "-v", project + ":/src"}
		if user != "" {
			run = append(run, "--user", user)
		}
		run = append(run, "amlfix-test/own")
		if out, err := docker(run...); err == nil || !strings.Contains(out, "7 errors in 1 project") {
			t.Errorf("user %q, check: %v\n%s", user, err, out)
		}
		if out, err := docker(append(run, "--apply")...); err != nil || !strings.Contains(out, "nothing is left to repair") {
			t.Errorf("user %q, --apply: %v\n%s", user, err, out)
		}
	}
}
