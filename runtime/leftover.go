package runtime

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	engine "github.com/amlfix/amlfix/runtime/docker"
	supervise "github.com/amlfix/amlfix/runtime/local"
	"github.com/amlfix/amlfix/runtime/record"
	"github.com/amlfix/amlfix/runtime/runid"
	"github.com/amlfix/amlfix/runtime/session"
)

// Leftover is something that runs have left behind.
type Leftover struct {
	RunID runid.ID
	What  string // "container amlfix-…" or "folder /tmp/…"
	Busy  bool   // a job is still at work in it
	drop  func(context.Context) error
}

// Remove removes it, and ends the job that is at work in it.
func (l Leftover) Remove(ctx context.Context) error { return l.drop(ctx) }

// Leftovers lists the containers of eng (nil: none are looked for) and the working folders on this machine that belong
// to no run whose id is in known: an amlfix was killed and its record removed, or the record is elsewhere. Containers that
// are not called as a run's are left out, and so are folders of other users.
func Leftovers(ctx context.Context, eng engine.Engine, known []runid.ID) (list []Leftover, err error) {
	if eng != nil {
		containers, err := eng.Containers(ctx)
		if err != nil {
			return nil, err
		}
		for _, c := range containers {
			if id, err := runid.Parse(c.RunID); err == nil && !slices.Contains(known, id) && c.Name == engine.ContainerName(c.RunID) {
				list = append(list, Leftover{RunID: id, What: "container " + c.Name, Busy: c.Running, drop: func(ctx context.Context) error { return eng.Remove(ctx, c.Name) }})
			}
		}
	}
	folders, err := filepath.Glob(filepath.Join(os.TempDir(), session.FolderStart+"*"))
	for _, f := range folders {
		id, err := runid.Parse(strings.TrimPrefix(filepath.Base(f), session.FolderStart))
		if err != nil || slices.Contains(known, id) || record.Own(f) != nil {
			continue
		}
		list = append(list, Leftover{RunID: id, What: "folder " + f, Busy: supervise.Busy(f) || len(supervise.Processes(id)) > 0, drop: func(ctx context.Context) error {
			if err := supervise.End(ctx, id, f); err != nil {
				return err
			}
			session.RemoveFolder(f)
			return nil
		}})
	}
	return list, err
}
