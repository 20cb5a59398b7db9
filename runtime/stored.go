package runtime

import (
	"context"
	"errors"
	"fmt"

	engine "github.com/amlfix/amlfix/runtime/docker"
	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/runtime/project"
	"github.com/amlfix/amlfix/runtime/store"
	"github.com/amlfix/amlfix/runtime/target/docker"
)

// Copy is a copy of a project that is kept on the machine of its jobs, so that the next run sends only what has
// changed.
type Copy struct {
	What    string // for people: whose it is, its size, where it is
	Expired bool   // no run uses it any more, or none has for a month
	drop    func(context.Context) error
}

// Remove removes the copy: immediately from an engine that can be reached without SSH; elsewhere it is marked for
// removal by the next run there.
func (c Copy) Remove(ctx context.Context) error { return c.drop(ctx) }

// errTaken is why a copy that was free a moment ago is not removed.
var errTaken = errors.New("a run has taken it")

// Copies lists the known copies of the project in dir (if empty, of all projects), and the volumes of eng about which
// nothing is known any longer: those of all projects may belong to other users, so they do not count as expired. eng is
// the one that DOCKER_HOST names, or nil.
func Copies(ctx context.Context, eng engine.Engine, dir string) (list []Copy, err error) {
	s, err := store.Open()
	if err != nil {
		return nil, err
	}
	defer s.Close()
	owner, here := "", ""
	if dir != "" {
		if canonical, err := project.Canonical(dir); err == nil {
			dir = canonical
		}
		owner = s.Owner(engine.ProjectMark(dir))
	}
	if eng != nil {
		info, err := eng.Info(ctx)
		if err != nil {
			return nil, err
		}
		here = docker.Place(info)
	}
	for _, t := range s.List() {
		if owner != "" && t.Owner != owner {
			continue
		}
		c := Copy{What: fmt.Sprintf("the copy of %s (%s) on %s", t.Project, progress.Bytes(t.Bytes), t.Place), Expired: t.Expired()}
		if t.Place != here {
			c.What += ", the next time a run is there"
		}
		c.drop = func(ctx context.Context) error {
			s, err := store.Open()
			if err != nil {
				return err
			}
			defer s.Close()
			if !s.Forget(t) {
				return errTaken
			}
			if t.Place != here {
				return nil
			}
			return engine.RemoveStored(ctx, eng, t.Name)
		}
		list = append(list, c)
	}
	if eng == nil {
		return list, nil
	}
	lost, err := docker.Lost(ctx, eng, owner, s.Names(here))
	for _, v := range lost {
		list = append(list, Copy{What: "the volume " + engine.VolumeName(v.Tree) + " with a project, which no run here knows", Expired: owner != "",
			drop: func(ctx context.Context) error { return engine.RemoveStored(ctx, eng, v.Tree) }})
	}
	return list, err
}
