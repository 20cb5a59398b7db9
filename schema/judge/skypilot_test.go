//go:build linux

package judge_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema/judge"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestSkyPilot checks that SkyPilot's parser rejects wrong files, and what is returned for a valid one.
func TestSkyPilot(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for text, refusal := range map[string]string{
		"name: a\nresources: {accelerators: T4:2, use_spot: true}\nnum_nodes: 2\nsecrets: {A: null}\nrun: echo\n": "",
		"name: a\nresources: {accelerators: X4:2}\nrun: echo\n":                                                   "no accelerator is called X4",
		"name: a b\nrun: echo\n":                                                 "Invalid task name",
		"name: a\nruns: echo\n":                                                  "did you mean 'run'",
		"name: a\nenvs: {a-b: c}\nrun: echo\n":                                   "a-b",
		"name: a\nworkdir: gone\nrun: echo\n":                                    "gone not found",
		"name: a\nfile_mounts: {~/x: gone}\nrun: echo\n":                         "does not exist",
		"name: a\nfile_mounts: {~/x: {source: s3://a/b, mode: MOUNT}}\nrun: x\n": "MOUNT mode",
	} {
		testkit.Write(t, dir, "task.yaml", text)
		tasks, err := judge.SkyPilot(t, filepath.Join(dir, "task.yaml"), dir, true)
		if (err != nil) != (refusal != "") || err != nil && !strings.Contains(err.Error(), refusal) {
			t.Errorf("%q: %v, want %q", text, err, refusal)
		}
		if refusal == "" && (len(tasks) != 1 || tasks[0].Accelerators["T4"] != 2 || !tasks[0].Spot || tasks[0].Nodes != 2 || len(tasks[0].Secrets) != 1) {
			t.Errorf("%q: %+v", text, tasks)
		}
	}
}
