package runtime

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/amlfix/amlfix/runtime/local"
	"github.com/amlfix/amlfix/runtime/preflight"
	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/runtime/project"
)

// readyLocal looks, before a run on this machine, at what the run would not find out by itself, or only late. What takes
// time goes on beside what the caller does next; wait waits for it and must be called.
func (r *runner) readyLocal(ctx context.Context) (wait func() error, err error) {
	same := func(err error) error { return err }
	if err := r.judge(r.checkFolders(), same); err != nil {
		return nil, err
	}
	found := make(chan []preflight.Result, 1)
	go func() { found <- r.checkLocal(ctx, true) }()
	return func() error {
		results := <-found
		if err := context.Cause(ctx); err != nil {
			return err
		}
		return r.judge(results, same)
	}, nil
}

// checkLocal looks at the program that the job is started with. before is as in checkPython.
func (r *runner) checkLocal(ctx context.Context, before bool) []preflight.Result {
	found, err := local.FindProgram(r.plan.Interpreter.Value, r.plan.Project)
	if err != nil {
		return []preflight.Result{failedAs(preflight.Program, r.placedLocal(err))}
	}
	if r.spark() {
		return append([]preflight.Result{there(found.Path)}, r.checkSpark()...)
	}
	return r.checkPython(ctx, found.Path, before, r.askLocal(found.Path))
}

func there(program string) preflight.Result {
	return preflight.Result{Topic: preflight.Program, Status: preflight.OK, Text: program + " is there"}
}

// checkSpark looks for what spark-submit needs, without starting it: that takes seconds.
func (r *runner) checkSpark() (results []preflight.Result) {
	java := "java"
	if home := os.Getenv("JAVA_HOME"); home != "" {
		java = filepath.Join(home, "bin", "java")
	}
	for _, v := range r.plan.Env {
		switch v.Name {
		case "JAVA_HOME":
			java = filepath.Join(v.Value, "bin", "java")
		case pysparkPython:
			if _, err := local.FindProgram(v.Value, r.plan.Project); err != nil {
				results = append(results, failedAs(preflight.Program, &PlacedError{Origin: v.Origin, Err: err}))
			}
		}
	}
	if _, err := exec.LookPath(java); err != nil {
		results = append(results, preflight.Result{Topic: preflight.Program, Status: preflight.Doubtful, Text: "Spark needs Java, and there is no program " + java,
			Next: "install one (Debian and Ubuntu: default-jre-headless), or set JAVA_HOME to the folder of one"})
	}
	return results
}

// leastFree is what a disk should have free beside the project, for what the job writes; in bytes.
const leastFree = 200_000_000

// space compares what is free in a folder with what the run needs. where says what is made there.
func (r *runner) space(free int64, dir, where, next string) preflight.Result {
	res := preflight.Result{Topic: preflight.Disk, Status: preflight.OK, Text: fmt.Sprintf("%s are free in %s, %s", progress.Bytes(free), dir, where)}
	switch {
	case free < r.size:
		res.Status, res.Next = preflight.Failed, next
		res.Text = fmt.Sprintf("only %s are free in %s, %s, and the project takes %s", progress.Bytes(free), dir, where, progress.Bytes(r.size))
	case free < r.size+leastFree:
		res.Status, res.Next = preflight.Doubtful, next
		res.Text = fmt.Sprintf("only %s are free in %s, %s", progress.Bytes(free), dir, where)
	}
	return res
}

// checkFolders looks at the folders of this machine that the run uses, and makes none.
func (r *runner) checkFolders() (results []preflight.Result) {
	if r.plan.Kind.Value == Local || r.plan.Shared.Value && r.plan.Host.Value == "" {
		temp := os.TempDir()
		if info, err := os.Stat(temp); err != nil || !info.IsDir() {
			results = append(results, preflight.Result{Topic: preflight.Disk, Status: preflight.Failed, Text: "there is no folder " + temp + " for the copy of the project", Next: "make it, or set TMPDIR to another one"})
		} else if free, ok := preflight.FreeSpace(temp); ok {
			results = append(results, r.space(free, temp, "where the copy of the project is made", "free some space there, or set TMPDIR to a folder on a larger disk"))
		}
	}
	if dir := r.plan.ShareDir.Value; dir != "" && r.plan.Host.Value == "" {
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			if !preflight.Writable(dir) { // data may be read from it
				results = append(results, preflight.Result{Topic: preflight.Folder, Status: preflight.Doubtful, Text: "this user may only read the shared folder " + dir, Next: "see to its rights if the job writes there"})
			}
		} else if why := unmakable(dir); why != "" {
			results = append(results, preflight.Result{Topic: preflight.Folder, Status: preflight.Failed, Text: "the shared folder " + dir + " cannot be made: " + why, Next: "name another one in nativeSharedDirectory"})
		}
	}
	return results
}

// sourceLimit is the size in bytes up to which a source file is looked into.
const sourceLimit = 1 << 20

// checkUnshared looks, when a container does not get the shared folder, whether a script of the project asks for it.
func (r *runner) checkUnshared(snap project.Snapshot) []preflight.Result {
	if !r.plan.Unshared.Value {
		return nil
	}
	root, err := os.OpenRoot(snap.Root)
	if err != nil {
		return nil // sending the project will say so
	}
	defer func() { _ = root.Close() }()
	for _, e := range snap.Entries {
		if !strings.HasSuffix(e.Path, ".py") || !e.Mode.IsRegular() || e.Size > sourceLimit {
			continue
		}
		if text, err := fs.ReadFile(root.FS(), e.Path); err == nil && bytes.Contains(text, []byte(shareVariable)) {
			return []preflight.Result{{Topic: preflight.Folder, Status: preflight.Doubtful, Text: e.Path + " reads " + shareVariable + ", which is not set: a container gets nativeSharedDirectory only with sharedVolumes",
				Next: "write sharedVolumes: true"}}
		}
	}
	return nil
}

// unmakable says why a folder that is not there cannot be made; empty when nothing speaks against it.
func unmakable(dir string) string {
	for {
		info, err := os.Stat(dir)
		switch {
		case err != nil && !errors.Is(err, fs.ErrPermission) && filepath.Dir(dir) != dir: // not there, or below a file
			dir = filepath.Dir(dir)
			continue
		case err == nil && !info.IsDir():
			return dir + " is no folder"
		case err != nil || !preflight.Writable(dir):
			return "this user may not write to " + dir
		}
		return ""
	}
}
