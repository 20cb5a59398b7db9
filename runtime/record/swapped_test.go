package record

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestSwapped checks that, if a folder or file of an open record is replaced by a link, for example by the job, nothing
// is written through the link, and the run continues with what was opened.
func TestSwapped(t *testing.T) {
	for _, part := range []string{Folder, Folder + "/runs", "RECORD", "RECORD/record.json", "RECORD/metrics.jsonl", "RECORD/outputs", "RECORD/outputs/sub"} {
		t.Run(part, func(t *testing.T) {
			r := create(t)
			project := r.Record().Project
			testkit.OK(t, r.AddMetrics([]byte("{}\n")))
			testkit.OK(t, os.MkdirAll(filepath.Join(project, "outputs", "sub"), 0o755))
			cut(t, project, "outputs/sub/model", "weights")
			testkit.OK(t, r.KeepOutput(project, "sub/model"))
			elsewhere, aside := t.TempDir(), filepath.Join(t.TempDir(), "aside")
			for _, name := range []string{recordName, metricsName, "model"} {
				cut(t, elsewhere, name, "theirs")
			}
			at := filepath.Join(project, part)
			if rest, below := strings.CutPrefix(part, "RECORD"); below {
				at = filepath.Join(r.Dir(), rest)
			}
			info, err := os.Lstat(at)
			if err == nil {
				err = os.Rename(at, aside)
			}
			testkit.OK(t, err)
			target := elsewhere
			if !info.IsDir() {
				target = filepath.Join(elsewhere, filepath.Base(at))
			}
			if err := os.Symlink(target, at); err != nil {
				t.Skipf("this system makes no links: %v", err)
			}
			before := snapshot(t, elsewhere)
			var h heard
			write(t, r.Log().Tee(h.streams()), "more", "output")
			_ = r.Enter(progress.Running)
			_ = r.AddMetrics([]byte("{}\n"))
			_ = r.KeepOutput(project, "sub/model")
			_ = r.KeepLink("sub/latest", "model")
			if _, err := Open(r.Dir()); err == nil {
				t.Error("it is opened through the link")
			}
			if f, err := Follow(r.Dir()); err == nil {
				var read heard
				if err := f.CopyTo(process.Streams{Stdout: &read.out, Stderr: &read.err}); err != nil || read.out.String() != "more" {
					t.Errorf("read from elsewhere: %q, %v", read.out.String(), err)
				}
				f.Close()
			}
			if f, err := OpenMetrics(r.Dir()); err == nil {
				if info, err := f.Stat(); err != nil || info.Size() > int64(len("{}\n{}\n")) {
					t.Error("metrics of elsewhere are read")
				}
				_ = f.Close()
			}
			_ = r.Remove()
			testkit.Same(t, before, snapshot(t, elsewhere))
		})
	}
}
