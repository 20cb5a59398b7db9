//go:build linux

package docker

import (
	"context"
	"io"
	"sync/atomic"
	"testing"

	"github.com/amlfix/amlfix/runtime/internal/enginetest"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/schema/testkit"
)

// copying counts the archives requested from the real engine.
type copying struct {
	Engine
	out atomic.Int32
}

func (c *copying) CopyOut(ctx context.Context, id, path string) (io.ReadCloser, error) {
	c.out.Add(1)
	return c.Engine.CopyOut(ctx, id, path)
}

// TestOutputsAreAskedForWhenThereMayBeSome checks that whatever a program does in its outputs folder is noticed.
func TestOutputsAreAskedForWhenThereMayBeSome(t *testing.T) {
	t.Parallel()
	e := enginetest.Start(t)
	python, old := e.Python(t), "amlfix-test/outputs:1"
	e.Derive(t, old, python, map[string]string{WorkDir + "/outputs/model.bin": "old"})
	for _, tt := range []struct {
		name, image, program string
		asked                bool
		want                 map[string]string // nil: no outputs folder
	}{
		{name: "nothing", program: "", want: map[string]string{}},
		{name: "read", program: "import os; os.listdir('outputs'); open('elsewhere', 'w').write('x')", want: map[string]string{}},
		{name: "file", program: "open('outputs/model.bin', 'w').write('new')", asked: true, want: map[string]string{"outputs/model.bin": "new"}},
		{name: "deep", program: "import os; os.makedirs('outputs/a/b'); open('outputs/a/b/c', 'w').write('new')", asked: true, want: map[string]string{"outputs/a/b/c": "new"}},
		{name: "made and removed", program: "import os; open('outputs/f', 'w'); os.remove('outputs/f')", asked: true, want: map[string]string{}},
		{name: "another folder", program: "import os; os.rename('outputs', 'o'); os.mkdir('outputs'); open('outputs/f', 'w').write('new')", asked: true, want: map[string]string{"outputs/f": "new"}},
		{name: "moved into place", program: "import os; os.mkdir('o'); open('o/f', 'w').write('new'); os.rename('o', 'outputs')", asked: true, want: map[string]string{"outputs/f": "new"}},
		{name: "a link", program: "import os; os.rename('outputs', 'o'); os.symlink('o', 'outputs'); open('outputs/f', 'w').write('new')", asked: true, want: map[string]string{}},
		{name: "gone", program: "import os; os.rmdir('outputs')", asked: true},
		{name: "copied there and back with its times", asked: true, want: map[string]string{"outputs/f": "new"},
			program: "import shutil; shutil.copytree('outputs', '/tmp/o'); open('/tmp/o/f', 'w').write('new'); shutil.copytree('/tmp/o', 'outputs', dirs_exist_ok=True)"},
		{name: "changed where the image has one", image: old, program: "open('outputs/model.bin', 'r+').write('new')", asked: true, want: map[string]string{"outputs/model.bin": "new"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var got map[string]string
			eng := &copying{Engine: connect(t, e)}
			if tt.image == "" {
				tt.image = python
			}
			j := launch(t.Context(), t, eng, tt.image, process.Control{}, func(s *Spec) {
				files := map[string]string{}
				withProject(t, files)(s)
				collect := s.Collect
				s.Collect = func(ctx context.Context, r io.Reader) error {
					got = files
					return collect(ctx, r)
				}
				s.Argv = []string{"python", "-c", tt.program}
			})
			j.wait(t)
			if j.failure != nil || j.result.CollectErr != nil || j.result.Code != 0 {
				t.Fatalf("%+v, %v, %s", j.result, j.failure, j.err)
			}
			testkit.Same(t, tt.want, got)
			if asked := eng.out.Load() > 0; asked != tt.asked {
				t.Errorf("the engine was asked for an archive: %v", asked)
			}
			e.NothingLeft(t, runID(t))
		})
	}
}
