package fixers

import (
	"cmp"
	"path/filepath"
	"slices"

	"github.com/amlfix/amlfix/fixers/diff"
	"github.com/amlfix/amlfix/fixers/transaction"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/plain"
)

// Patch is the proved repair of one project, not written yet.
type Patch struct {
	// Root is the project's folder; nothing outside it is written, except below Boundary, the folder that the user
	// named.
	Root, Boundary string
	// Files are the changed files, sorted by path.
	Files []FilePatch
	// Applied are the fixes that were made, in order.
	Applied []Applied
	// Also are findings that those fixes removed as well: their own fixes are the same, or have nothing left to change
	// (Vanished).
	Also []Applied
	// Refused are the fixes that were allowed but could not be made or proved; those that a later round could make are
	// not among them.
	Refused []Refused
	// Remaining are all findings of the repaired project.
	Remaining []finding.Finding
}

// FilePatch is a changed file.
type FilePatch struct {
	// Path is the file's path as in schema.File.Path.
	Path string
	// Old is the text that was read, nil only for a file that is created; New is the repaired text.
	Old, New []byte
}

// Applied is a fix that was made.
type Applied struct {
	Finding finding.Finding
	// Title is the fix's title, such as "set nvidiaDocker to true".
	Title string
	// Path and Line (from 1) are where the finding was, in the text of the round in which it was fixed; earlier rounds
	// may have moved lines.
	Path string
	Line int
	// Uncovered reports that the finding did not exist, or had no fix to be made, before other fixes were made.
	Uncovered bool
}

// Refused is a fix that was not made.
type Refused struct {
	Finding finding.Finding
	// Clause is the clause of the proof that did not hold, or "" if the fix could not be made at all.
	Clause string
	// Reason says why in plain English.
	Reason string
}

// Then returns the two patches as one; next is a patch of the project that results from p.
func (p *Patch) Then(next *Patch) *Patch {
	joined := &Patch{Root: p.Root, Boundary: p.Boundary, Applied: slices.Concat(p.Applied, next.Applied), Also: slices.Concat(p.Also, next.Also),
		Refused: slices.Concat(p.Refused, next.Refused), Remaining: next.Remaining, Files: slices.Clone(p.Files)}
	for _, f := range next.Files {
		i := slices.IndexFunc(joined.Files, func(first FilePatch) bool { return first.Path == f.Path })
		if i < 0 {
			joined.Files = append(joined.Files, f)
			continue
		}
		joined.Files[i].New = f.New
	}
	plain.SortFunc(joined.Files, func(a, b FilePatch) int { return cmp.Compare(a.Path, b.Path) })
	return joined
}

// Changed returns the new texts of the changed files, as schema.Project.With takes them.
func (p *Patch) Changed() map[string][]byte {
	changed := map[string][]byte{}
	for _, f := range p.Files {
		changed[f.Path] = f.New
	}
	return changed
}

// DiffOptions says how a diff is shown.
type DiffOptions struct {
	// Raw gives exact bytes, for "git apply". Without it, secrets are masked, and a line before the file's diff says
	// so.
	Raw bool
	// Name returns the name under which a file is shown; nil shows its path.
	Name func(path string) string
}

// Diff returns the patch as a unified diff, empty when nothing changes.
func (p *Patch) Diff(opts DiffOptions) []byte {
	show := diff.Masked
	if opts.Raw {
		show = diff.Unified
	}
	name := opts.Name
	if name == nil {
		name = filepath.ToSlash
	}
	var out []byte
	for _, f := range p.Files {
		out = append(out, show(name(f.Path), f.Old, f.New)...)
	}
	return out
}

// Commit writes the changed files as one transaction: all or none. folder is where the journal and the undo data are
// kept (see transaction.Folder). The recovery, when not nil, says what was first done about an earlier process that was
// killed. See transaction.Store.Commit for the errors.
func (p *Patch) Commit(folder string) (*transaction.Recovery, error) {
	if len(p.Files) == 0 {
		return nil, nil
	}
	store, recovery, err := transaction.Open(folder, p.Root, cmp.Or(p.Boundary, p.Root))
	if err != nil {
		return nil, err
	}
	defer store.Close()
	files := make([]transaction.File, len(p.Files))
	for i, f := range p.Files {
		files[i] = transaction.File{Path: f.Path, Old: f.Old, New: f.New}
	}
	return recovery, store.Commit(files)
}
