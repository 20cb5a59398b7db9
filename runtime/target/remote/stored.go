package remote

import (
	"context"

	"github.com/amlfix/amlfix/runtime/docker"
	"github.com/amlfix/amlfix/runtime/project"
	sshjob "github.com/amlfix/amlfix/runtime/remote"
	"github.com/amlfix/amlfix/runtime/session"
	"github.com/amlfix/amlfix/runtime/store"
)

// least is the size in bytes from which a project is kept on the machine: comparing it takes as long as sending this
// much.
const least = 4_000_000

// Stored keeps a large project at a place after the run; nil: nothing is kept. The caller must close the use. say
// reports what is sent.
func Stored(ctx context.Context, s *session.Session, place string, spec *sshjob.Spec, snap project.Snapshot, say func(string)) *store.Use {
	if snap.Bytes < least {
		return nil
	}
	use := store.Begin(ctx, place, docker.ProjectMark(s.Plan.Project), snap, false)
	if use == nil {
		return nil
	}
	spec.Stored = &sshjob.Stored{Owner: use.Tree.Owner, Tree: use.Tree.Name, Bytes: use.Tree.Bytes, Request: use.Request(), Script: store.Script}
	spec.Stored.Found = func(said []byte) error {
		err := use.Found(said)
		if err == nil {
			say(use.Summary())
		}
		return err
	}
	spec.Stored.Renew = func() string {
		use.Renew()
		return use.Tree.Name
	}
	spec.Stored.Kept = func(st *sshjob.Stored) (known, excess []string) {
		_ = use.Keep(st.Begun) // if this fails, the tree is unknown and removed later
		for _, t := range use.Excess() {
			excess = append(excess, t.Name)
		}
		return use.Known(), excess
	}
	return use
}
