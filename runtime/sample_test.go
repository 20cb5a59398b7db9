//go:build linux

package runtime

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/runtime/evidence"
	"github.com/amlfix/amlfix/runtime/record"
	"github.com/amlfix/amlfix/schema/testkit"
)

// standInSMI stands in for nvidia-smi. It shows the process whose ID the job has written down on a GPU, and records how
// often it was asked for processes.
const standInSMI = `#!/bin/sh
case $1 in
*query-gpu*) echo 'STAND-IN for a Tesla, 93, 2048';;
*) echo "$(cat "$PID_FILE"), 1500"; echo >> "$PID_FILE.asked";;
esac
`

// sampledJob ends when nvidia-smi is queried again: the first answer has been processed by then.
const sampledJob = `import os, time
name = os.environ['PID_FILE']
open(name, 'w').write(str(os.getpid()))
name += '.asked'
while not (os.path.exists(name) and os.path.getsize(name) > 1): time.sleep(.05)
`

// TestSampleOfALocalJob checks that the processes of a job on this machine are found on a stand-in GPU, which does not
// count as proof.
func TestSampleOfALocalJob(t *testing.T) {
	dir := t.TempDir()
	testkit.OK(t, os.WriteFile(filepath.Join(dir, "nvidia-smi"), []byte(standInSMI), 0o755))
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	t.Setenv("PID_FILE", filepath.Join(dir, "pid"))
	plan := planned(t, sampledJob, nil, Options{})
	res, err := Run(t.Context(), plan, RunOptions{})
	want := "STAND-IN, not a real GPU: GPU used: STAND-IN for a Tesla; nvidia-smi showed a process of the job on it, at most 93% busy and 2.1 GB of memory used"
	if err != nil || res.Code != 0 || res.Evidence.Level != evidence.Used || res.Evidence.Proven() || res.GPUSentence() != want {
		t.Errorf("%+v, %v\n%s", res, err, res.GPUSentence())
	}
	e, err := record.ReadDir(res.Record)
	if err != nil || e.GPU == nil || e.GPU.Peak == nil || !e.GPU.Peak.Process || e.GPU.Peak.Utilisation != 93 || !strings.HasPrefix(e.GPU.Sentence, "STAND-IN") {
		t.Errorf("%+v, %v", e.GPU, err)
	}
}
