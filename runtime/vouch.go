package runtime

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	goruntime "runtime"
	"strings"

	engine "github.com/amlfix/amlfix/runtime/docker"
	supervise "github.com/amlfix/amlfix/runtime/local"
	"github.com/amlfix/amlfix/runtime/plan"
	"github.com/amlfix/amlfix/runtime/project"
	"github.com/amlfix/amlfix/runtime/record"
	"github.com/amlfix/amlfix/runtime/session"
	"github.com/amlfix/amlfix/schema"
)

// vouch returns an error unless everything that a record says about the location of its run is what this program would
// have written for this run, this project and this user. Someone else may have written the record: unchecked, it could
// name a folder to remove, a container or a process to stop, or a machine to log in to. The error's text is the end of
// a sentence about the record.
//
// Depending on its kind, a job on this machine is found by its folder, whose name contains the run's ID; one in a
// container by the run's ID, at the engine that DOCKER_HOST names now; one in a cluster by the run's ID, which is its
// job's label, in one of the user's own contexts; one on another machine by the run's ID, on the machine that the
// project's files name.
func vouch(rec record.Record) error {
	h := rec.Handle
	t := targets.Kind(kindOf(rec))
	if t == nil {
		return fmt.Errorf("says that the run is of kind %q, which is unknown", rec.Kind)
	}
	if h.Container != "" && h.Container != engine.ContainerName(rec.ID.String()) {
		return fmt.Errorf("names the container %q, which is not that of run %s: remove the record", h.Container, rec.ID)
	}
	if h.Folder != "" {
		if err := vouchFolder(rec); err != nil {
			return err
		}
	}
	switch {
	case h.Host != "" || !t.About().Here():
		return vouchHost(rec)
	case h.Engine != "":
		return vouchEngine(h.Engine)
	}
	return nil
}

// vouchFolder is vouch for the working folder on this machine: DIR/amlfix-ID/PROJECT, accessible to this user only and
// outside the project. A folder that does not exist is accepted, since it can hold nothing.
func vouchFolder(rec record.Record) error {
	dir := rec.Handle.Folder
	base := filepath.Dir(dir)
	other := fmt.Errorf("names the working folder %q, which is not that of run %s: remove the record", dir, rec.ID)
	if !filepath.IsAbs(dir) || filepath.Clean(dir) != dir || filepath.Base(base) != session.FolderName(rec.ID) || filepath.Base(dir) != filepath.Base(rec.Project) || strings.HasPrefix(dir, `\\`) {
		return other
	}
	real, err := filepath.EvalSymlinks(filepath.Dir(base))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	rel, err2 := filepath.Rel(rec.Project, real)
	if err != nil || err2 == nil && filepath.IsLocal(rel) {
		return other
	}
	for _, folder := range []string{base, dir, filepath.Join(base, supervise.FilesDir)} {
		if err := record.Own(folder); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("names a working folder that is not trusted: %w", err)
		}
	}
	if info, err := os.Lstat(base); err == nil && goruntime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		return other
	}
	return nil
}

// vouchEngine is vouch for the engine of a run in a container on this machine.
func vouchEngine(address string) error {
	now, err := engine.Address()
	if err != nil {
		return err
	}
	if now != address {
		return fmt.Errorf("says that the run is on the Docker engine %q, and this user's is %s: set DOCKER_HOST to that engine to resume the run, if you know it", address, now)
	}
	return nil
}

// vouchHost is vouch for the machine of a run on another machine: a target of the project with the name in the record
// must name it.
func vouchHost(rec record.Record) error {
	roots, err := schema.Discover([]string{rec.Project})
	if err != nil {
		return err
	}
	for _, root := range roots {
		if dir, err := project.Canonical(root.Dir); err != nil || dir != rec.Project {
			continue
		}
		for _, target := range schema.Load(root, schema.Options{}).Targets {
			if hosts(target, rec) {
				return nil
			}
		}
	}
	return fmt.Errorf("says that the run is on %q as user %q, but the project's files have no target %q with that machine and user: no connection is made; write them into the target's file again to resume the run", rec.Handle.Host, rec.Handle.User, rec.Target)
}

// hosts reports whether a target's runs are where the record says.
func hosts(t *schema.Target, rec record.Record) bool {
	way, ok := targets.Way(t.Type.Text)
	address, user := plan.HostOf(t)
	return ok && way.Remote && t.Name == rec.Target && way.Kind == kindOf(rec) && address != "" && address == rec.Handle.Host && user == rec.Handle.User
}

// kindOf returns the kind of target that a record names.
func kindOf(rec record.Record) plan.Kind { return plan.Kind(rec.Kind) }
