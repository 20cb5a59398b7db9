//go:build linux

package runtime

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/amlfix/amlfix/runtime/docker"
	"github.com/amlfix/amlfix/runtime/record"
	"github.com/amlfix/amlfix/runtime/shim"
	"github.com/amlfix/amlfix/schema/testkit"
)

// asking records the requests that are costly for an engine.
type asking struct {
	docker.Engine
	mu    sync.Mutex
	asked []string
	read  []string // the paths of the archives, except metrics, which are also read while a job runs
	alone int      // how often metrics were read separately after the job had ended
}

func (a *asking) note(what string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.asked = append(a.asked, what)
}

func (a *asking) CopyOut(ctx context.Context, id, path string) (io.ReadCloser, error) {
	name := strings.TrimPrefix(path, docker.WorkDir)
	metrics := name == "/"+shim.MetricsFile
	if _, last := ctx.Deadline(); metrics && !last { // only the last read has one: how many came before depends on the machine
		return nil, errors.New("not while the job runs")
	}
	a.note("archive")
	a.mu.Lock()
	defer a.mu.Unlock()
	if metrics {
		a.alone++
	} else {
		a.read = append(a.read, cmp.Or(name, "/"))
	}
	return a.Engine.CopyOut(ctx, id, path)
}

func (a *asking) Changes(ctx context.Context, id string) ([]string, error) {
	a.note("comparison")
	return a.Engine.Changes(ctx, id)
}

// TestWrittenInContainers checks that files that a job creates in the container's working folder are found without
// comparing the container with its image, which is slow, unless they are large, and that nothing is requested if there
// are none.
func TestWrittenInContainers(t *testing.T) {
	t.Parallel()
	e := engineHere(t)
	image := e.Python(t)
	for _, tt := range []struct {
		name, program string
		folders       int
		asked, want   string
	}{
		{name: "nothing", program: "open('train.py').read(); open('train.py', 'a').write('#'); open('/tmp/x', 'w')"},
		{name: "a file", program: "open('model.pt', 'w')", asked: "archive", want: "a file outside outputs/, which will not be copied back: model.pt"},
		{name: "in a folder", program: "open('aml_config/model.pt', 'w')", asked: "archive", want: "a file outside outputs/, which will not be copied back: aml_config/model.pt"},
		{name: "in new folders", program: "import os; os.makedirs('a/b/c'); open('a/b/c/d', 'w'); os.makedirs('e')", asked: "archive", want: "a file outside outputs/, which will not be copied back: a/b/c/d"},
		{name: "only what Python keeps", program: "import os; os.mkdir('__pycache__'); open('__pycache__/x.pyc', 'w')", asked: "archive"},
		{name: "made and removed", program: "import os; open('f', 'w'); os.remove('f')", asked: "archive"},
		{name: "another folder", program: "import os; os.rename('aml_config', 'a'); os.mkdir('aml_config')", asked: "archive", want: "2 files outside outputs/, which will not be copied back: a/docker.compute, a/docker.runconfig"},
		{name: "many folders", folders: 10, asked: "archive"},
		{name: "large", program: "open('a', 'w').truncate(70 << 20); open('b', 'w')", asked: "archive comparison", want: "2 files outside outputs/, which will not be copied back: a, b"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			plan := inContainer(t, e, tt.program, image, "", Options{})
			for n := range tt.folders {
				testkit.OK(t, os.Mkdir(filepath.Join(plan.Project, fmt.Sprint("d", n)), 0o755))
			}
			eng := &asking{Engine: onEngine(t, e)}
			res, err := Run(t.Context(), plan, RunOptions{Engine: eng})
			if err != nil || res.Outcome != Succeeded {
				t.Fatalf("%+v, %v", res, err)
			}
			testkit.Same(t, tt.asked, strings.Join(eng.asked, " "))
			entry, err := record.ReadDir(res.Record)
			testkit.OK(t, err)
			testkit.Same(t, tt.want, strings.TrimPrefix(strings.Join(entry.Warnings, "; "), "the job wrote "))
		})
	}
}

// TestReadTogether checks that outputs, metrics and the names of other files arrive in one archive, unless it would be
// large or would not contain everything in outputs/.
func TestReadTogether(t *testing.T) {
	t.Parallel()
	e := engineHere(t)
	image := e.Python(t)
	const measure = "from azureml.logging import get_azureml_logger as g; g().log('loss', 0.5)\n"
	const output = "open('outputs/model.bin', 'w').write('weights')\n"
	const file = "open('model.pt', 'w')\n"
	const behind = "the job wrote a file outside outputs/, which will not be copied back: "
	for _, tt := range []struct {
		name, program  string
		read           string // of the working folder
		outputs, want  string // in outputs/model.bin, and the warnings
		measured, none bool   // none: no outputs/ exists in the end
		alone          int    // how often metrics are read separately
	}{
		{name: "nothing", program: "", none: true},
		{name: "outputs", program: output, read: "/outputs", outputs: "weights"},
		{name: "metrics", program: measure, alone: 1, measured: true, none: true},
		{name: "all", program: measure + output + file, read: "/", outputs: "weights", measured: true, want: behind + "model.pt"},
		{name: "metrics and no folder", program: measure + "import os; os.rmdir('outputs')", read: "/", measured: true, none: true},
		{name: "shared content", program: measure + "open('a.pt', 'w').write('weights')\nimport os; os.link('a.pt', 'outputs/model.bin')", read: "/ / /outputs", alone: 1, outputs: "weights", measured: true, want: behind + "a.pt"},
		{name: "shared in outputs", program: file + "open('outputs/a', 'w').write('weights')\nimport os; os.link('outputs/a', 'outputs/model.bin')", read: "/", outputs: "weights", want: behind + "model.pt"},
		{name: "much beside", program: output + "open('a.pt', 'w').truncate(20 << 20)", read: "/ / /outputs", outputs: "weights", want: behind + "a.pt"},
		{name: "much behind", program: output + "open('z.pt', 'w').truncate(20 << 20)", read: "/ / /outputs", outputs: "weights", want: behind + "z.pt"},
		{name: "metrics that are a link", program: output + file + "import os; os.makedirs('.amlfix', exist_ok=True); os.symlink('/etc/passwd', '.amlfix/metrics.jsonl')", read: "/ / /outputs", alone: 1, outputs: "weights", want: behind + "model.pt"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			plan := inContainer(t, e, tt.program, image, "", Options{})
			testkit.OK(t, os.RemoveAll(filepath.Join(plan.Project, "outputs")))
			eng := &asking{Engine: onEngine(t, e)}
			res, err := Run(t.Context(), plan, RunOptions{Engine: eng})
			if err != nil || res.Outcome != Succeeded || res.OutputsErr != nil {
				t.Fatalf("%+v, %v", res, err)
			}
			slices.Sort(eng.read)
			testkit.Same(t, tt.read, strings.Join(eng.read, " "))
			testkit.Same(t, tt.alone, eng.alone)
			entry, err := record.ReadDir(res.Record)
			testkit.OK(t, err)
			testkit.Same(t, tt.want, strings.Join(entry.Warnings, "; "))
			got, err := os.ReadFile(filepath.Join(plan.Project, "outputs", "model.bin"))
			testkit.Same(t, tt.outputs, string(got))
			testkit.Same(t, tt.none, err != nil)
			metrics, _ := os.ReadFile(filepath.Join(res.Record, "metrics.jsonl"))
			testkit.Same(t, tt.measured, strings.Contains(string(metrics), `"loss"`))
		})
	}
}
