package record

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/runtime/runid"
	"github.com/amlfix/amlfix/schema/disk"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestRecordWithoutRoom checks that a log which has taken the last of the disk, but has not failed, gives room to the
// record and the metrics, and that it then is a beginning of the output that counts as incomplete.
func TestRecordWithoutRoom(t *testing.T) {
	for name, save := range map[string]func(*Run) error{
		"record":  func(r *Run) error { return r.Enter(progress.Collecting) },
		"metrics": func(r *Run) error { return r.AddMetrics([]byte(strings.Repeat("{}\n", 4000))) },
	} {
		t.Run(name, func(t *testing.T) {
			project := t.TempDir()
			small := filepath.Join(project, Folder)
			testkit.OK(t, os.Mkdir(small, 0o700))
			if err := syscall.Mount("tmpfs", small, "tmpfs", 0, "size=256k"); err != nil {
				testkit.Unavailable(t, "a small disk cannot be mounted: "+err.Error())
			}
			t.Cleanup(func() { testkit.OK(t, syscall.Unmount(small, 0)) })
			r, err := Create(Record{ID: runid.MustParse("20261120-101112-abcdef"), Project: project})
			testkit.OK(t, err)
			defer r.Close()
			printed := strings.Repeat("0123456789", 10_000)
			write(t, r.Log().Tee(process.Streams{}.Shared()), printed)
			filler, err := os.Create(filepath.Join(small, "filler"))
			testkit.OK(t, err)
			defer func() { _ = filler.Close() }()
			for err == nil {
				_, err = filler.Write(make([]byte, 4096))
			}
			testkit.OK(t, r.Log().Err())
			testkit.OK(t, save(r))
			if !disk.Full(r.Log().Err()) {
				t.Errorf("the log does not say that it is incomplete: %v", r.Log().Err())
			}
			if kept := testkit.Read(t, r.Dir(), "log"); kept == "" || kept == printed || !strings.HasPrefix(printed, kept) {
				t.Errorf("%d bytes of log are not the beginning of the output", len(kept))
			}
			testkit.OK(t, r.Enter(progress.Done))
			if !strings.Contains(testkit.Read(t, r.Dir(), "record.json"), LogCut) {
				t.Error("the record does not say that the log is cut")
			}
			if name == "metrics" {
				testkit.Same(t, int64(12_000), r.MetricsSize())
			}
		})
	}
}
