package runtime

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	engine "github.com/amlfix/amlfix/runtime/docker"
	supervise "github.com/amlfix/amlfix/runtime/local"
	"github.com/amlfix/amlfix/runtime/project"
	"github.com/amlfix/amlfix/runtime/record"
	"github.com/amlfix/amlfix/runtime/runid"
	"github.com/amlfix/amlfix/runtime/session"
)

// Leftover is something that a run left behind.
type Leftover struct {
	RunID runid.ID
	What  string // "container amlfix-…" or "folder /tmp/…"
	Busy  bool   // a job is still using it
	// Kept names the outputs in it that were not retrieved; empty if there are none.
	Kept string
	// Project is its ProjectMark, and Name the name of the project's folder; both are empty if unknown.
	Project, Name string
	drop          func(context.Context) error
}

// Of reports whether, as far as it is known, a run of the project in a folder left it.
func (l Leftover) Of(dir string) bool {
	if canonical, err := project.Canonical(dir); err == nil {
		dir = canonical
	}
	return l.Project == engine.ProjectMark(dir) || l.Name != "" && l.Name == filepath.Base(dir)
}

// Remove removes the leftover, and ends the job that runs in it.
func (l Leftover) Remove(ctx context.Context) error { return l.drop(ctx) }

// Leftovers lists the containers of eng (unless nil) and the working folders on this machine that belong to no run
// whose ID is in known: amlfix was killed and its record removed, or the record is elsewhere. Containers without a
// run's name are left out, as are folders of other users.
func Leftovers(ctx context.Context, eng engine.Engine, known []runid.ID) (list []Leftover, err error) {
	if eng != nil {
		containers, err := eng.Containers(ctx)
		if err != nil {
			return nil, err
		}
		for _, c := range containers {
			if id, err := runid.Parse(c.RunID); err == nil && !slices.Contains(known, id) && (c.Name == engine.ContainerName(c.RunID) || c.Helps()) {
				l := Leftover{RunID: id, What: "container " + c.Name, Busy: c.Running, Project: c.Project, drop: func(ctx context.Context) error { return eng.Remove(ctx, c.Name) }}
				if !c.Running && !c.Helps() && engine.Keeps(ctx, eng, c.Name) {
					l.Kept = c.Name + ":" + path.Join(engine.WorkDir, project.OutputsDir)
				}
				list = append(list, l)
			}
		}
	}
	folders, err := filepath.Glob(filepath.Join(os.TempDir(), session.FolderStart+"*"))
	for _, f := range folders {
		id, err := runid.Parse(strings.TrimPrefix(filepath.Base(f), session.FolderStart))
		if err != nil || slices.Contains(known, id) || record.Own(f) != nil {
			continue
		}
		list = append(list, Leftover{RunID: id, What: "folder " + f, Kept: keptIn(f), Name: projectIn(f), Busy: supervise.Busy(f) || len(supervise.Processes(id)) > 0, drop: func(ctx context.Context) error {
			if err := supervise.End(ctx, id, f); err != nil {
				return err
			}
			session.RemoveFolder(f)
			return nil
		}})
	}
	return list, err
}

// projectIn returns the name of the project whose working folder is in a run's folder; empty if not known.
func projectIn(folder string) string {
	entries, _ := os.ReadDir(folder)
	for _, e := range entries {
		if e.IsDir() && e.Name() != supervise.FilesDir {
			return e.Name()
		}
	}
	return ""
}

// keptIn returns the outputs folder in a run's folder, if it holds a file; empty: there is none.
func keptIn(folder string) (kept string) {
	outputs := filepath.Join(folder, projectIn(folder), project.OutputsDir)
	_ = filepath.WalkDir(outputs, func(_ string, d fs.DirEntry, err error) error {
		if err != nil && !errors.Is(err, fs.ErrNotExist) || err == nil && !d.IsDir() { // what cannot be read may be a file
			kept = outputs
			return fs.SkipAll
		}
		return nil
	})
	return kept
}
