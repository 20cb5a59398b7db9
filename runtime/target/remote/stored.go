package remote

import (
	"context"

	"github.com/amlfix/amlfix/runtime/docker"
	"github.com/amlfix/amlfix/runtime/project"
	sshjob "github.com/amlfix/amlfix/runtime/remote"
	"github.com/amlfix/amlfix/runtime/session"
	"github.com/amlfix/amlfix/runtime/store"
)

// least is from how many bytes on a project stays on the machine: to compare it takes as long as to send so much.
const least = 4_000_000

// Stored has a large project stay at a place after the run; nil: nothing stays. The use is to be closed. What is sent is
// said with say.
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
		_ = use.Keep(st.Begun) // nobody knows of it otherwise: it is removed later
		for _, t := range use.Excess() {
			excess = append(excess, t.Name)
		}
		return use.Known(), excess
	}
	return use
}
