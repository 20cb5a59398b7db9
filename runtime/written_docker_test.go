//go:build linux

package runtime

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/runtime/docker"
	"github.com/amlfix/amlfix/runtime/record"
	"github.com/amlfix/amlfix/schema/testkit"
)

// asking notes what costs an engine much of all that it is asked.
type asking struct {
	docker.Engine
	asked []string // until the container has ended nothing is asked, and then by one goroutine
}

func (a *asking) CopyOut(ctx context.Context, id, path string) (io.ReadCloser, error) {
	a.asked = append(a.asked, "archive")
	return a.Engine.CopyOut(ctx, id, path)
}

func (a *asking) Changes(ctx context.Context, id string) ([]string, error) {
	a.asked = append(a.asked, "comparison")
	return a.Engine.Changes(ctx, id)
}

// TestWrittenInContainers: files that a job makes in the container's working folder are found without a comparison of the
// container with its image, which takes long, unless they are large; and nothing is asked for where there are none.
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
		{name: "a file", program: "open('model.pt', 'w')", asked: "archive", want: "a file outside of outputs/, which does not come back: model.pt"},
		{name: "in a folder", program: "open('aml_config/model.pt', 'w')", asked: "archive", want: "a file outside of outputs/, which does not come back: aml_config/model.pt"},
		{name: "in new folders", program: "import os; os.makedirs('a/b/c'); open('a/b/c/d', 'w'); os.makedirs('e')", asked: "archive", want: "a file outside of outputs/, which does not come back: a/b/c/d"},
		{name: "only what Python keeps", program: "import os; os.mkdir('__pycache__'); open('__pycache__/x.pyc', 'w')", asked: "archive"},
		{name: "made and removed", program: "import os; open('f', 'w'); os.remove('f')", asked: "archive"},
		{name: "another folder", program: "import os; os.rename('aml_config', 'a'); os.mkdir('aml_config')", asked: "archive", want: "2 files outside of outputs/, which do not come back: a/docker.compute, a/docker.runconfig"},
		{name: "many folders", folders: 10, asked: "archive"},
		{name: "large", program: "open('a', 'w').truncate(70 << 20); open('b', 'w')", asked: "archive comparison", want: "2 files outside of outputs/, which do not come back: a, b"},
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
