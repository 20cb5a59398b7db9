//go:build linux

package programtest_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/amlfix/amlfix/runtime/internal/sshtest"
	"github.com/amlfix/amlfix/runtime/record"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestUploadsAtOnce sends two projects of one user to the same machine at once, each twice: each job sees its own
// project, and the copies that stay are good ones.
func TestUploadsAtOnce(t *testing.T) {
	t.Parallel()
	here, there, image := machines(t)
	for _, tt := range stores(here, there) {
		t.Run(tt.target, func(t *testing.T) {
			t.Parallel()
			users := []*user{copying(t, tt.on, tt.target, image, tt.size), copying(t, tt.on, tt.target, image, tt.size)}
			users[1].cache = users[0].cache
			users[1].write("own", []byte("of the second"))
			for range 2 {
				var all sync.WaitGroup
				for _, u := range slices.Concat(users, users) {
					want := seen(t, u.dir)
					all.Go(func() {
						if got := finish(u.command(append(slices.Clone(u.args), "0")...)); got.code != 0 || got.out != want {
							t.Errorf("%+v", got)
						}
					})
				}
				all.Wait()
			}
			users[0].run("3 of 18 files are sent")
			users[1].run("3 of 19 files are sent")
		})
	}
}

// TestCtrlCWhileUploading stops amlfix while the project is sent, the first time and when there is a copy: nothing of
// the run is left, and the next job sees the project.
func TestCtrlCWhileUploading(t *testing.T) {
	t.Parallel()
	here, there, image := machines(t)
	for _, tt := range []struct {
		target string
		on     machine
	}{{"container", here}, {"remotedocker", there}, {"remote", there}, {"local", here}} {
		t.Run(tt.target, func(t *testing.T) {
			t.Parallel()
			u := copying(t, tt.on, tt.target, image, largeHere)
			stop := func(round int) (inTime bool) {
				t.Helper()
				for i := range 5 {
					u.write(fmt.Sprint(i), bytes.Repeat([]byte{byte(i + 10*round)}, largeHere/5+1))
				}
				before, err := record.List(u.dir)
				testkit.OK(t, err)
				cmd := u.command(append(slices.Clone(u.args), "0")...)
				var out, errs testkit.Buffer
				cmd.Stdout, cmd.Stderr = &out, &errs
				testkit.OK(t, cmd.Start())
				testkit.Until(t, "the project is sent", func() bool {
					list, _ := record.List(u.dir)
					return len(list) > len(before) && (list[len(list)-1].State == "uploading" || list[len(list)-1].Over())
				})
				testkit.OK(t, cmd.Process.Signal(syscall.SIGINT))
				_ = cmd.Wait()
				list, err := record.List(u.dir)
				testkit.OK(t, err)
				rec := list[len(list)-1]
				if inTime = strings.HasSuffix(errs.String(), " cancelled: before the job was started\n"); inTime && (cmd.ProcessState.ExitCode() != 130 || out.String() != "") {
					t.Errorf("%d\n%s%s", cmd.ProcessState.ExitCode(), out.String(), errs.String())
				}
				nothingLeft(t, tt.on, rec.ID.String())
				if left, _ := filepath.Glob(filepath.Join(os.TempDir(), "amlfix-"+rec.ID.String())); len(left) > 0 {
					t.Errorf("left: %v", left)
				}
				return inTime
			}
			round := 0
			for range 2 {
				testkit.Until(t, "a signal arrives in time", func() bool { round++; return stop(round) })
				u.run("succeeded")
			}
			if tt.target != "local" {
				u.run("3 of 18 files are sent")
			}
			if tt.target == "remote" {
				if trees, _ := filepath.Glob(filepath.Join(there.ssh.HomeOf(sshtest.Worker), ".amlfix/store/*/*")); len(trees) > 2 {
					t.Errorf("%v", trees)
				}
			}
			if got := finish(u.command("runs", "clean", "--dry-run")); got.code != 0 || strings.Contains(got.err, "would remove what") {
				t.Errorf("%+v", got)
			}
		})
	}
}
