package docker

import (
	"context"
	"slices"
	"time"

	engine "github.com/amlfix/amlfix/runtime/docker"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/project"
	"github.com/amlfix/amlfix/runtime/record"
	"github.com/amlfix/amlfix/runtime/session"
	"github.com/amlfix/amlfix/runtime/store"
)

// The size in bytes from which a project is kept on the engine's machine: inspecting a volume takes as long as sending
// this much.
const (
	leastHere  = 48_000_000 // for an engine on this machine
	leastThere = 4_000_000
)

// stored is the state of a run whose project is kept in a volume.
type stored struct {
	engine.Stored
	use    *store.Use // nil until chosen, or if nothing is kept
	image  string
	looked bool // what the job has changed is known
}

// sweepTime is how old an unknown volume must be to be removed: one that is in use may not be known yet.
const sweepTime = time.Hour

// store keeps a large project on the engine's machine after the run.
func (c *run) store(spec *engine.Spec, snap project.Snapshot) {
	least := int64(leastThere)
	info, err := c.eng.Info(context.Background()) // cached
	if err != nil {
		return // the run will report this
	}
	if info.Local {
		least = leastHere
	}
	if snap.Bytes < least {
		return
	}
	st := &stored{image: spec.Image}
	note := func() string {
		name := st.use.Tree.Name
		volume := engine.VolumeName(name)
		c.s.Record(func(rec *record.Record) { rec.Handle.Volume = volume })
		return name
	}
	st.Script = store.Script
	st.Choose = func(ctx context.Context, open bool) (string, []byte) {
		if st.use = store.Begin(ctx, Place(info), spec.Project, snap, open); st.use == nil {
			return "", nil
		}
		st.Owner = st.use.Tree.Owner
		return note(), st.use.Request()
	}
	st.Mark, st.Lost = store.Mark, func() { st.use.Lost() }
	st.Found = func(said []byte) error {
		err := st.use.Found(said)
		if err == nil {
			c.s.Say.Notice("%s", st.use.Summary())
		}
		return err
	}
	st.Renew = func() string {
		st.use.Renew()
		return note()
	}
	spec.Stored, c.stored = &st.Stored, st
}

// changed lists the files that a job created or changed in its volume. Without an answer the volume is not used again.
func (c *run) changed(ctx context.Context) (files []string) {
	ctx, st := context.WithoutCancel(ctx), c.stored
	like := engine.Container{Image: st.image, Project: engine.ProjectMark(c.job.Plan.Project)}
	said, err := engine.Look(ctx, c.eng, &st.Removals, like, st.Owner, st.use.Tree.Name, store.Script, st.use.Changed(st.Begun))
	if err == nil {
		files, err = store.Paths(said)
	}
	st.looked = err == nil
	return files
}

// keep keeps the volume for the next run, or removes it, and removes surplus volumes.
func (c *run) keep(ctx context.Context, result engine.Result) {
	st := c.stored
	if st == nil || st.use == nil {
		return
	}
	defer st.use.Close()
	st.Removals.Wait()
	if result.Cause == process.Lost || result.CollectErr != nil { // the container is using it
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), sweepPatience)
	defer cancel()
	if !result.Ran() || !st.looked || st.Begun.IsZero() || st.use.Keep(st.Begun) != nil {
		_ = engine.RemoveStored(ctx, c.eng, st.use.Tree.Name) // a later run removes it if this fails
	}
	for _, t := range st.use.Excess() {
		_ = engine.RemoveStored(ctx, c.eng, t.Name)
	}
	lost, _ := Lost(ctx, c.eng, st.use.Tree.Owner, st.use.Known())
	for _, v := range lost { // the engine refuses to remove those that a container uses
		_ = engine.RemoveStored(ctx, c.eng, v.Tree)
	}
}

// sweepPatience is how long handling volumes may delay the end of a run.
const sweepPatience = 30 * time.Second

// Lost lists the volumes that hold a project of this owner (empty: of any) and are not in known: the amlfix that used
// them was killed. It omits recent ones.
func Lost(ctx context.Context, eng engine.Engine, owner string, known []string) (lost []engine.Volume, err error) {
	volumes, err := eng.Volumes(ctx)
	if err != nil || len(volumes) == 0 {
		return nil, err
	}
	info, err := eng.Info(ctx)
	if err != nil {
		return nil, err
	}
	for _, v := range volumes {
		if age := info.Now.Sub(v.Made); slices.Contains(known, v.Tree) || owner != "" && v.Owner != owner || age < sweepTime && age > -sweepTime {
			continue
		}
		lost = append(lost, v)
	}
	return lost, nil
}

// Place returns how trees identify an engine.
func Place(info engine.Info) string { return "the Docker engine " + info.Host }

// dropUnstarted removes what a run has left that another process began and that has made no container for its job. If
// the machine cannot be reached, this stays and is removed later.
func dropUnstarted(ctx context.Context, s *session.Session, rec record.Record) {
	c := containerOf(&s.Job)
	defer c.close()
	if c.connect(session.Reaching(ctx)) == nil {
		c.dropVolume(ctx, rec)
		c.dropHelpers(ctx, rec)
	}
}

// dropHelpers removes the containers in which a run that another process began made its environment or tried something.
func (c *container) dropHelpers(ctx context.Context, rec record.Record) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), sweepPatience)
	defer cancel()
	list, _ := c.eng.Containers(ctx)
	for _, l := range list {
		if l.Helps() && l.RunID == rec.ID.String() {
			_ = c.eng.Remove(ctx, l.Name)
		}
	}
}

// dropVolume removes the volume of a run that another process began, unless its container stays: what that process knew
// about the volume is lost.
func (c *container) dropVolume(ctx context.Context, rec record.Record) {
	if rec.Handle.Volume == "" {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), sweepPatience)
	defer cancel()
	volumes, _ := c.eng.Volumes(ctx)
	for _, v := range volumes { // the name in the record is not trusted
		if engine.VolumeName(v.Tree) == rec.Handle.Volume && v.Project == engine.ProjectMark(rec.Project) {
			_ = engine.RemoveStored(ctx, c.eng, v.Tree)
		}
	}
}
