package migrate

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"syscall"

	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/fixers/transaction"
	"github.com/amlfix/amlfix/schema/disk"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/source"
)

// Change is a difference between a file of an earlier migration and the new one.
type Change struct {
	// Path is slash-separated and relative to the folder that is written.
	Path string
	// Old and New are the contents. Old is nil for a file that does not exist, New for one that is no longer written.
	Old, New []byte
}

// Update is what has to change in an existing folder to match a migration.
type Update struct {
	// Changes have to be made together; they are sorted by path.
	Changes []Change
	// Kept are the files that were edited since they were written and are not changed; sorted.
	Kept []string

	migration *Migration
	below     string
}

// Existing compares the folder to write with the migration. The update is nil if the folder is absent or empty, so that
// Migration.Commit writes all files. The error wraps an ExistsError for a folder that no migration wrote.
func (m *Migration) Existing() (*Update, error) {
	d, below, err := m.openOut()
	if err != nil {
		return nil, err
	}
	defer d.Close()
	entries, err := d.ReadDir(below)
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && len(entries) == 0:
		return nil, nil
	case errors.Is(err, syscall.ENOTDIR):
		return nil, &transaction.PathError{Path: m.Options.Out, Err: ExistsError{}}
	case err != nil:
		return nil, unwritable(m.Options.Out, err)
	}
	u := &Update{migration: m, below: below}
	text, err := u.read(d, account.Report)
	report, sums, ok := readRecord(text)
	title, _, _ := bytes.Cut(report, []byte("\n"))
	if err != nil || !ok || !bytes.HasSuffix(title, []byte(titleWords+m.Emitter.Title())) {
		return nil, &transaction.PathError{Path: m.Options.Out, Err: ExistsError{}}
	}
	for _, f := range m.Files {
		if f.Path == account.Report {
			u.report(text, report, sums[f.Path], f.Text)
		} else if err := u.file(d, f.Path, sums[f.Path], f.Text); err != nil {
			return nil, err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(sums)) {
		if !slices.ContainsFunc(m.Files, func(f File) bool { return f.Path == name }) {
			if err := u.file(d, name, sums[name], nil); err != nil {
				return nil, err
			}
		}
	}
	plain.SortFunc(u.Changes, func(a, b Change) int { return cmp.Compare(a.Path, b.Path) })
	slices.Sort(u.Kept)
	return u, nil
}

// openOut opens the parent of the folder to write, and returns the folder's name.
func (m *Migration) openOut() (*disk.Dir, string, error) {
	d, below, err := disk.OpenAbove(cmp.Or(m.Options.Given, m.Options.Out), m.Options.Trees...)
	if err != nil {
		return nil, "", unwritable(m.Options.Out, err)
	}
	return d, below, nil
}

// maxReport is the maximum size of MIGRATION.md in bytes: it has a row of about 100 for each of MaxValues.
const maxReport = 16 << 20

// read returns the content of a file in the folder, or nil if it does not exist.
func (u *Update) read(d *disk.Dir, name string) ([]byte, error) {
	limit := int64(source.MaxSize)
	if name == account.Report {
		limit = maxReport
	}
	text, err := d.ReadFile(path.Join(u.below, name), limit)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s: cannot be read: %w", filepath.Join(u.migration.Options.Out, filepath.FromSlash(name)), plain.Cause(err))
	}
	return text, nil
}

// file compares one file with its new content, nil for none; digest is the digest of what was written.
func (u *Update) file(d *disk.Dir, name, digest string, text []byte) error {
	now, err := u.read(d, name)
	switch {
	case err != nil:
		return err
	case now == nil && text == nil, now != nil && text != nil && bytes.Equal(unix(now), unix(text)):
	case now != nil && sum(now) != digest:
		u.Kept = append(u.Kept, name)
	default:
		u.Changes = append(u.Changes, Change{name, now, text})
	}
	return nil
}

// report compares MIGRATION.md, whose record is always rewritten; edits to the rest are kept.
func (u *Update) report(now, report []byte, digest string, text []byte) {
	if sum(report) != digest {
		u.Kept = append(u.Kept, account.Report)
		if at := bytes.LastIndex(text, []byte(recordHead)); at >= 0 {
			text = slices.Concat(report, text[at:])
		}
	}
	if !bytes.Equal(unix(now), unix(text)) {
		u.Changes = append(u.Changes, Change{account.Report, now, text})
	}
}

// Commit makes the changes, writes the new files of the project, and rewrites the scripts if Options.RewriteScripts is
// set, in one transaction, which "amlfix undo" can revert; store is the store of transaction.Folder. The recovery says
// what was done first about an earlier process that was killed.
func (u *Update) Commit(store string) (*transaction.Recovery, error) {
	m := u.migration
	files := m.besideFiles(m.scriptFiles())
	if len(files)+len(u.Changes) == 0 {
		return nil, nil
	}
	s, recovery, err := transaction.Open(store, m.home, append(m.further(m.Options.Out), m.further(m.Project.Root)...)...)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	d, below, err := m.openOut()
	if err != nil {
		return recovery, err
	}
	defer d.Close()
	for _, f := range files {
		if f.Old == nil {
			if err := m.makeFolder(f.Path); err != nil {
				return recovery, err
			}
		}
	}
	for _, c := range u.Changes {
		if c.Old == nil && path.Dir(c.Path) != "." {
			sub, err := d.MakeSub(path.Join(below, path.Dir(c.Path)), 0o777)
			if err != nil {
				return recovery, err
			}
			sub.Close()
		}
		files = append(files, transaction.File{Path: filepath.Join(m.Options.Out, filepath.FromSlash(c.Path)), Old: c.Old, New: c.New})
	}
	return recovery, s.Commit(files)
}
