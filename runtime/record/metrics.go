package record

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"

	"github.com/amlfix/amlfix/schema/disk"
	"github.com/amlfix/amlfix/schema/plain"
)

// LogFile returns the path of the log in the record in dir.
func LogFile(dir string) string { return filepath.Join(dir, logName) }

// Path returns the path of record.json in the record in dir.
func Path(dir string) string { return filepath.Join(dir, recordName) }

// MetricsSize returns how many bytes of the job's metrics the record holds: a copy of the beginning of the file that
// the job writes, in the format of package shim, cut at the end of a line.
func (r *Run) MetricsSize() int64 {
	info, err := r.at.Lstat(metricsName)
	if err != nil {
		return 0
	}
	return info.Size()
}

// AddMetrics appends the bytes that follow the first MetricsSize bytes.
func (r *Run) AddMetrics(bytes []byte) error { return r.add(metricsName, bytes, "the metrics") }

// add appends text to a file of the record; what names the text in the error.
func (r *Run) add(name string, text []byte, what string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	f, err := r.at.Edit(name, 0o600, true)
	if err == nil {
		var n int
		if n, err = f.Write(text); r.roomAfter(err) {
			_, err = f.Write(text[n:])
		}
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		return fmt.Errorf("%s: %s cannot be kept: %w", filepath.Join(r.dir, name), what, plain.Cause(err))
	}
	return nil
}

// KeepOutput gives the record its own name for a file in the project's outputs/: a hard link, which costs no space,
// because later runs replace files rather than change them. Where links are not possible, the record has only the list.
func (r *Run) KeepOutput(project, name string) error {
	top, err := disk.Open(project)
	if err != nil {
		return err
	}
	defer top.Close()
	outputs, err := top.Sub("outputs")
	if err != nil {
		return err
	}
	defer outputs.Close()
	folder, leaf, err := r.placeOutput(name)
	if err != nil {
		return err
	}
	defer folder.Close()
	return outputs.Link(name, folder, leaf)
}

// KeepLink does so for a link whose target is in outputs/, too.
func (r *Run) KeepLink(name, target string) error {
	folder, leaf, err := r.placeOutput(name)
	if err != nil {
		return err
	}
	defer folder.Close()
	return folder.Symlink(filepath.FromSlash(target), leaf)
}

// placeOutput opens the folder for the record's own name of something in outputs/, which is free.
func (r *Run) placeOutput(name string) (*disk.Dir, string, error) {
	to := path.Join(OutputsName, name)
	folder, err := r.at.MakeSub(path.Dir(to), 0o700)
	if err != nil {
		return nil, "", err
	}
	if err := folder.Remove(path.Base(to)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		folder.Close()
		return nil, "", err
	}
	return folder, path.Base(to), nil
}
