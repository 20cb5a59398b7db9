// Package disktest makes file systems for tests.
package disktest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// Folding returns an empty folder on a file system that folds case: vfat in
// a file, which only root can mount, or NTFS by way of FUSE.
func Folding(t *testing.T) string {
	t.Helper()
	image, folder := filepath.Join(t.TempDir(), "image"), t.TempDir()
	run := func(words ...string) error {
		out, err := exec.Command(words[0], words[1:]...).CombinedOutput()
		if err != nil {
			return fmt.Errorf("%q: %w: %s", words, err, out)
		}
		return nil
	}
	var failed error
	for _, steps := range [][][]string{
		{{"mkfs.vfat", image}, {"mount", "-o", "loop", image, folder}},
		{{"mkntfs", "-q", "-F", image}, {"lowntfs-3g", "-o", "ignore_case", image, folder}},
	} {
		err := errors.Join(run("truncate", "-s", "64M", image), run(steps[0]...))
		if err == nil {
			err = run(steps[1]...)
		}
		if err == nil {
			failed = nil
			break
		}
		failed = errors.Join(failed, err)
	}
	if failed != nil && os.Getenv("CI") == "true" && os.Getuid() == 0 {
		t.Fatal(failed)
	}
	if failed != nil {
		t.Skipf("SKIPPED: no file system that folds case can be made here: run the tests as root, with dosfstools or ntfs-3g installed: %v", failed)
	}
	t.Cleanup(func() {
		// A process that another test is starting has this one's open files until it runs its program.
		for until := time.Now().Add(20 * time.Second); ; time.Sleep(50 * time.Millisecond) {
			out, err := exec.Command("umount", folder).CombinedOutput()
			if err == nil {
				return
			}
			if time.Now().After(until) {
				t.Errorf("umount: %v: %s", err, out)
				return
			}
		}
	})
	return folder
}
