package docker

import (
	"context"
	"path"
	"strings"
	"time"

	engine "github.com/amlfix/amlfix/runtime/docker"
	"github.com/amlfix/amlfix/runtime/project"
)

// What finding out what a job has written may cost, before the engine compares the whole container with its image: that
// takes seconds when the image is large.
const (
	askedFolders = 8        // each is a request
	listedHere   = 64 << 20 // bytes of what the job has written, beside the project, from an engine of this machine
	listedThere  = 4 << 20  // from another one
)

// sentRoot is the time that the working folder is sent with.
var sentRoot = time.Unix(0, 0)

// written finds out what a job that works in the container's own folder has written there: files that did not go with it.
func (c *run) written(ctx context.Context, name string) {
	ctx = context.WithoutCancel(ctx)
	switch {
	case c.sent == nil:
		return
	case c.stored != nil && c.stored.use != nil:
		c.s.Elsewhere(c.changed(ctx))
		return
	case c.untouched(ctx, name):
		return
	}
	limit := int64(listedThere)
	if info, err := c.eng.Info(ctx); err == nil && info.Local { // it is remembered
		limit = listedHere
	}
	paths, err := engine.Files(ctx, c.eng, name, c.s.Size+limit)
	if err != nil {
		paths, _ = c.eng.Changes(ctx, name) // without an answer nothing is said
	}
	folders := map[string]bool{}
	for _, p := range paths {
		folders[path.Dir(p)] = true
	}
	var files []string
	for _, p := range paths {
		rel, inside := strings.CutPrefix(p, engine.WorkDir+"/")
		if _, went := c.sent[rel]; inside && !went && !folders[p] {
			files = append(files, rel)
		}
	}
	c.s.Elsewhere(files)
}

// untouched reports whether no file was made in the folders that went with the job, but for outputs/: they have the times
// that they were sent with.
func (c *run) untouched(ctx context.Context, name string) bool {
	times := map[string]time.Time{".": sentRoot}
	for p, e := range c.sent {
		if e.Mode.IsDir() && p != project.OutputsDir {
			times[p] = e.ModTime
		}
	}
	if len(times) > askedFolders {
		return false
	}
	for p, sent := range times {
		s, err := c.eng.Stat(ctx, name, path.Join(engine.WorkDir, p))
		if err != nil || !s.Mode.IsDir() || !s.ModTime.Equal(sent) {
			return false
		}
	}
	return true
}
