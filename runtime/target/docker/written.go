package docker

import (
	"archive/tar"
	"context"
	"errors"
	"io"
	"path"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	engine "github.com/amlfix/amlfix/runtime/docker"
	"github.com/amlfix/amlfix/runtime/project"
	"github.com/amlfix/amlfix/runtime/shim"
)

// Limits on finding out what a job has written, before the engine compares the whole container with its image, which
// takes seconds for a large image.
const (
	askedFolders = 8        // each is a request
	listedHere   = 64 << 20 // bytes of what the job has written, besides the project, from an engine on this machine
	listedThere  = 4 << 20  // from another one
)

// The size in bytes up to which the working directory, except outputs/, is read together with outputs/: one more
// archive takes an engine as long as sending this much.
const (
	togetherHere  = 8 << 20 // from an engine on this machine
	togetherThere = 1 << 20 // from another one
)

// sentRoot is the time given to the working directory when it is sent.
func sentRoot() time.Time { return time.Unix(0, 0) }

// written finds the files that a job created in the container's own folder, beyond those sent with it.
func (c *run) written(ctx context.Context, name string) {
	ctx = context.WithoutCancel(ctx)
	switch {
	case c.sent == nil:
		return
	case c.stored != nil && c.stored.use != nil:
		c.s.Elsewhere(c.changed(ctx))
		return
	case !c.touched:
		return
	case !c.listed:
		c.list(ctx, name)
	}
	c.s.Elsewhere(slices.DeleteFunc(c.files, func(name string) bool {
		_, went := c.sent[name]
		return went
	}))
}

// list lists the files in the working directory.
func (c *run) list(ctx context.Context, name string) {
	paths, err := engine.Files(ctx, c.eng, name, c.s.Size+c.limit(ctx, listedHere, listedThere))
	if err != nil {
		paths, _ = c.eng.Changes(ctx, name) // without an answer nothing is reported
	}
	folders := map[string]bool{}
	for _, p := range paths {
		folders[path.Dir(p)] = true
	}
	for _, p := range paths {
		if rel, inside := strings.CutPrefix(p, engine.WorkDir+"/"); inside && !folders[p] {
			c.files = append(c.files, rel)
		}
	}
}

// limit returns how much may be read: here from an engine on this machine, there from another one.
func (c *run) limit(ctx context.Context, here, there int64) int64 {
	if info, err := c.eng.Info(ctx); err == nil && info.Local { // cached
		return here
	}
	return there
}

// look determines, when the job has ended, what to read of the working directory: metrics, and the names of files if
// some may have been created. It offers to read a small folder together with outputs/.
func (c *run) look(ctx context.Context, name string) *engine.Rest {
	if c.sent == nil || c.stored != nil && c.stored.use != nil {
		return nil
	}
	ctx = context.WithoutCancel(ctx)
	var all sync.WaitGroup
	var metrics engine.Stat
	all.Go(func() {
		var err error
		if metrics, err = c.eng.Stat(ctx, name, path.Join(engine.WorkDir, shim.MetricsFile)); engine.Is(err, engine.PathNotFound) {
			c.measured.Store(new([]byte))
		}
	})
	c.touched = !c.untouched(ctx, name)
	all.Wait()
	limit := c.limit(ctx, togetherHere, togetherThere)
	if !c.touched && metrics.Size == 0 || c.s.Size+metrics.Size > limit {
		return nil
	}
	return c.rest(2 * limit)
}

// rest extracts metrics and file names from an archive of the working directory.
func (c *run) rest(limit int64) *engine.Rest {
	var files []string
	var measured []byte
	return &engine.Rest{Limit: limit, Entry: func(name string, h *tar.Header, content io.Reader) (err error) {
		if h.Typeflag != tar.TypeDir {
			files = append(files, name)
		}
		if name == shim.MetricsFile && h.Typeflag != tar.TypeReg {
			return errors.New("the metrics are not a file")
		}
		if name == shim.MetricsFile {
			measured, err = io.ReadAll(content)
		}
		return err
	}, All: func() {
		c.files, c.listed = files, true
		c.measured.Store(&measured)
	}}
}

// untouched reports whether no file was created in the folders sent with the job, except outputs/: their times are
// those they were sent with.
func (c *run) untouched(ctx context.Context, name string) bool {
	times := map[string]time.Time{".": sentRoot()}
	for p, e := range c.sent {
		if e.Mode.IsDir() && p != project.OutputsDir {
			times[p] = e.ModTime
		}
	}
	if len(times) > askedFolders {
		return false
	}
	var changed atomic.Bool
	var all sync.WaitGroup
	for p, sent := range times {
		all.Go(func() {
			s, err := c.eng.Stat(ctx, name, path.Join(engine.WorkDir, p))
			if err != nil || !s.Mode.IsDir() || !s.ModTime.Equal(sent) {
				changed.Store(true)
			}
		})
	}
	all.Wait()
	return !changed.Load()
}
