//go:build linux

package programtest_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

// leaving is a job that leaves files behind and does not find what was not sent with it.
const leaving = `
-- .gitignore --
data/
*.npy
__pycache__/
-- data/train.csv --
1,2
-- a.npy --
x
-- __pycache__/old.pyc --
x
-- leaving.py --
import os, sys
for name in "model.pt", "logs/a", "logs/b", "logs/c", "__pycache__/x.pyc", "outputs/kept":
    os.makedirs(os.path.dirname(name) or ".", exist_ok=True)
    open(name, "w").write("x")
os.mkfifo("outputs/pipe")
os.symlink("/etc/passwd", "outputs/link")
if len(sys.argv) > 1:
    open(sys.argv[1])
`

// TestBehind checks that one line each reports what is not sent with a job, what it writes outside outputs/, what of
// outputs/ is not copied back, and that a job did not find what was left out, on every kind of target.
func TestBehind(t *testing.T) {
	t.Parallel()
	here, there, image := machines(t)
	for target, on := range map[string]machine{"local": here, "container": here, "remote": there, "remotedocker": there} {
		t.Run(target, func(t *testing.T) {
			t.Parallel()
			dir := project(t, there, jobs+leaving, "$IMAGE", image)
			got := do(t, on, dir, "run", "-c", target, "leaving.py", "data/train.csv")
			for _, want := range []string{
				"amlfix: not copied, because .gitignore lists them: a.npy, data; an .amlignore file takes precedence over it\n",
				"amlfix: the job wrote 4 files outside outputs/, which will not be copied back: logs/a, logs/b, logs/c and 1 more\n",
				"amlfix: 2 items in outputs/ are not copied back: outputs/",
				" failed with exit code 1 after ",
				": it did not find data/train.csv, which is not copied because of .gitignore:1: write an .amlignore without it, or put data into nativeSharedDirectory",
			} {
				if strings.Count(got.err, want) != 1 {
					t.Errorf("exit %d\n%s\nwant once: %s", got.code, got.err, want)
				}
			}
			testkit.Same(t, map[string]string{"kept": "x"}, testkit.Contents(t, filepath.Join(dir, "outputs")))
			testkit.OK(t, os.RemoveAll(filepath.Join(dir, ".gitignore")))
			testkit.OK(t, os.RemoveAll(filepath.Join(dir, "data")))
			again := do(t, on, dir, "run", "-c", target, "leaving.py", "data/train.csv") // which exists nowhere
			if strings.Contains(again.err, "it did not find") || strings.Contains(again.err, "amlfix: not copied") {
				t.Errorf("%s", again.err)
			}
		})
	}
}
