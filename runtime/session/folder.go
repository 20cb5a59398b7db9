package session

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/runtime/project"
	"github.com/amlfix/amlfix/runtime/record"
	"github.com/amlfix/amlfix/runtime/runid"
	"github.com/amlfix/amlfix/schema/disk"
)

// FolderStart is the prefix of the name of a folder that holds the working folder of a run on this machine; the run's
// ID follows.
const FolderStart = "amlfix-"

// FolderName returns the name of the folder in os.TempDir that holds the working folder of a run on this machine.
func FolderName(runID runid.ID) string { return FolderStart + runID.String() }

// Copy creates a working folder on this machine with a copy of the project. done removes it, unless it still contains
// outputs.
func (s *Session) Copy(ctx context.Context, snap project.Snapshot) (dir string, done func(), err error) {
	name := filepath.Base(s.Plan.Project)
	if dir, err = filepath.Abs(filepath.Join(os.TempDir(), FolderName(s.Plan.RunID), name)); err != nil { // TMPDIR may be relative
		return "", nil, err
	}
	s.Record(func(rec *record.Record) { rec.Handle.Folder = dir })
	s.Say.Enter(progress.Creating, "")
	base, err := disk.TempNamed(FolderName(s.Plan.RunID))
	if err != nil {
		return "", nil, fmt.Errorf("no working folder can be created in %s (%w): check its permissions, or set TMPDIR to another folder", os.TempDir(), err)
	}
	done = func() {
		if s.Result.KeptAt != "" {
			base.Close()
			return
		}
		_ = base.Destroy()
	}
	work, err := base.MakeSub(name, 0o755)
	if err == nil {
		s.Say.Enter(progress.Uploading, "")
		err = snap.CopyTo(ctx, work, s.Copying(snap))
		work.Close()
	}
	if err != nil {
		done()
		return "", nil, err
	}
	return dir, done, nil
}

// Copying returns a function that reports how much of the project has been copied.
func (s *Session) Copying(snap project.Snapshot) func(moved int64) { return s.CopyingOf(snap.Bytes) }

// CopyingOf is like Copying, for total bytes.
func (s *Session) CopyingOf(total int64) func(moved int64) {
	return func(n int64) { s.Say.Move("copying the project,", n, total) }
}

// RemoveFolder removes the folder of a run that another process created.
func RemoveFolder(dir string) {
	if base, err := disk.OpenTemp(dir); err == nil {
		_ = base.Destroy()
	}
}

// Collect copies back the outputs of a working folder on this machine, even after a failure or cancellation.
func (s *Session) Collect(ctx context.Context, dir string) {
	s.writtenIn(dir)
	s.Say.Enter(progress.Collecting, "")
	s.Result.Outputs, s.Result.OutputsErr = project.CollectDir(context.WithoutCancel(ctx), dir, s.Plan.Project)
	switch _, err := os.Stat(dir); {
	case errors.Is(err, fs.ErrNotExist):
		s.Result.OutputsErr = &GoneError{"its working folder " + dir}
	case s.Result.OutputsErr != nil:
		s.Result.KeptAt = filepath.Join(dir, project.OutputsDir)
	}
	s.recordOutputs()
}

// CollectLeft copies back the outputs of the recorded working folder, if it still exists, and removes the folder.
func (s *Session) CollectLeft(ctx context.Context, rec record.Record) {
	if _, err := os.Stat(rec.Handle.Folder); rec.Handle.Folder == "" || err != nil {
		return
	}
	s.Collect(ctx, rec.Handle.Folder)
	s.DropFolder(rec)
}

// DropFolder removes the recorded working folder of a run, unless it still contains outputs.
func (s *Session) DropFolder(rec record.Record) {
	if s.Result.KeptAt == "" && rec.Handle.Folder != "" {
		RemoveFolder(filepath.Dir(rec.Handle.Folder)) // vouch has checked the record
	}
}

// CollectTar stores outputs that arrive as a tar stream.
func (s *Session) CollectTar(ctx context.Context, tar io.Reader) (err error) {
	s.Result.Outputs, err = project.CollectTar(ctx, &counted{r: tar, say: s.Say}, s.Plan.Project)
	s.recordOutputs()
	return err
}

// OutputsKept records that outputs could not be copied back, and where they are.
func (s *Session) OutputsKept(err error, at string) {
	s.Result.OutputsErr, s.Result.KeptAt = err, at
	s.recordOutputs()
}

// counted shows the user how much of the outputs has arrived.
type counted struct {
	r   io.Reader
	n   int64
	say progress.Sink
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	if c.n += int64(n); n > 0 {
		c.say.Move("copying outputs back,", c.n, 0)
	}
	return n, err
}
