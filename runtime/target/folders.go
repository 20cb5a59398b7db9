package target

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/amlfix/amlfix/runtime/preflight"
	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/runtime/session"
)

// Space compares the free space of the folder in which the copy of a project is created with what a project of that
// size needs, both in bytes. next says what to do if it is too little.
func Space(size, free int64, dir, next string) preflight.Result {
	const where = "where the copy of the project is created"
	res := preflight.Result{Topic: preflight.Disk, Status: preflight.OK, Text: fmt.Sprintf("%s is free in %s, %s", progress.Bytes(free), dir, where)}
	switch {
	case free < size:
		res.Status, res.Next = preflight.Failed, next
		res.Text = fmt.Sprintf("only %s is free in %s, %s, and the project takes %s", progress.Bytes(free), dir, where, progress.Bytes(size))
	case free < size+preflight.LeastFree:
		res.Status, res.Next = preflight.Doubtful, next
		res.Text = fmt.Sprintf("only %s is free in %s, %s", progress.Bytes(free), dir, where)
	}
	return res
}

// CheckFolders checks the folders on this machine that the run uses, and creates none. copied means that the project is
// copied to one.
func CheckFolders(job *session.Job, copied bool) (results []preflight.Result) {
	if copied {
		temp := os.TempDir()
		if info, err := os.Stat(temp); err != nil || !info.IsDir() {
			results = append(results, preflight.Result{Topic: preflight.Disk, Status: preflight.Failed, Text: "there is no folder " + temp + " for the copy of the project", Next: "create it, or set TMPDIR to another one"})
		} else if !preflight.Writable(temp) {
			results = append(results, preflight.Result{Topic: preflight.Disk, Status: preflight.Failed, Text: "this user may not create the copy of the project in " + temp, Next: "check its permissions, or set TMPDIR to another folder"})
		} else if free, ok := preflight.FreeSpace(temp); ok {
			results = append(results, Space(job.Size, free, temp, "free some space there, or set TMPDIR to a folder on a larger disk"))
		}
	}
	if dir := job.Plan.ShareDir.Value; dir != "" && job.Plan.Host.Address.Value == "" {
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			if !preflight.Writable(dir) { // the job may only read data from it
				results = append(results, preflight.Result{Topic: preflight.Folder, Status: preflight.Doubtful, Text: "this user may only read the shared folder " + dir, Next: "change its permissions if the job writes there"})
			}
		} else if why := unmakable(dir); why != "" {
			results = append(results, preflight.Result{Topic: preflight.Folder, Status: preflight.Failed, Text: "the shared folder " + dir + " cannot be made: " + why, Next: "set another one in nativeSharedDirectory"})
		}
	}
	return results
}

// unmakable says why a missing folder cannot be created, or returns "" if it probably can.
func unmakable(dir string) string {
	for {
		info, err := os.Stat(dir)
		switch {
		case err != nil && !errors.Is(err, fs.ErrPermission) && filepath.Dir(dir) != dir: // it does not exist, or is below a file
			dir = filepath.Dir(dir)
			continue
		case err == nil && !info.IsDir():
			return dir + " is not a folder"
		case err != nil || !preflight.Writable(dir):
			return "this user may not write to " + dir
		}
		return ""
	}
}
