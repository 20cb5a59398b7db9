package docker

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
	"sync"
	"time"

	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/schema/escape"
)

// Stored keeps a run's project in a volume, which is mounted into the container instead of a private folder. Its
// functions are called in this order, never concurrently.
type Stored struct {
	// Owner is the value of the volume's StoreLabel.
	Owner string
	// Choose returns the name of the tree whose volume to use, and the request for Script to compare it with; no
	// request means a new volume. open is as in Upload. An empty name means that the project goes into the container as
	// usual.
	Choose func(ctx context.Context, open bool) (tree string, request []byte)
	// Script is a Python 3 program whose arguments are the volume's folder and a request file.
	Script string
	// Found receives Script's output. After an error the volume is not used.
	Found func(said []byte) error
	// Renew returns the name of another, new tree.
	Renew func() (tree string)
	// Mark is a file in the volume that exists once Found has been called. If it is missing, Lost is called: the volume
	// was removed and replaced by another.
	Mark string
	Lost func()

	// Begun is set when the job has ended, to the time it began, by the engine's clock; zero: not observed.
	Begun time.Time
	// Removals tracks the removal of containers that inspected the volume.
	Removals sync.WaitGroup
}

// requestFile is the path of a request in the container that inspects a volume.
const requestFile = "/amlfix-request"

// lookLimit is how many bytes of a script's output are read: ten for each of a hundred million files.
const lookLimit = 1 << 30

// lookTime is how long a script may take.
const lookTime = 10 * time.Minute

// errNoPython is why a volume cannot be inspected.
var errNoPython = errors.New("the image has no python3")

// store mounts the project's volume into a container, prepared for what Upload sends.
func (r *run) store(ctx context.Context, c Container, img Image) (Container, error) {
	if r.spec.Stored == nil {
		return c, nil
	}
	tree, request := r.spec.Stored.Choose(ctx, open(img))
	if tree == "" {
		return c, context.Cause(ctx)
	}
	if request != nil {
		r.say.Enter(progress.Checking, "comparing the project with what the engine has")
		said, err := Look(ctx, r.eng, &r.spec.Stored.Removals, c, r.spec.Stored.Owner, tree, r.spec.Stored.Script, request)
		if err == nil {
			err = r.spec.Stored.Found(said)
		}
		if err := context.Cause(ctx); err != nil {
			return c, err
		}
		if err != nil {
			r.say.Notice("the whole project is sent, because the engine's stored copy cannot be used: %s", Explain(err))
			r.spec.Stored.Removals.Wait()
			_ = r.eng.RemoveVolume(ctx, VolumeName(tree))
			tree, request = r.spec.Stored.Renew(), nil
		}
	}
	r.compared = request != nil
	c.Mounts = append(c.Mounts, Mount{Source: VolumeName(tree), Target: WorkDir, Volume: true, Owner: r.spec.Stored.Owner})
	return c, nil
}

// isThere checks that the volume the container got is the one that was compared.
func (r *run) isThere(ctx context.Context) error {
	if !r.compared {
		return nil
	}
	_, err := r.eng.Stat(ctx, r.id, path.Join(WorkDir, r.spec.Stored.Mark))
	if Is(err, PathNotFound) {
		r.say.Notice("the whole project is sent, because the engine's stored copy has just been removed")
		r.spec.Stored.Lost()
		return nil
	}
	return err
}

// lookName returns the name of the container that inspects a tree's volume.
func lookName(tree string) string { return "amlfix-look-" + tree }

// Look runs a script in the volume of a tree with this owner, in a container with the same image and project as like,
// and returns the script's standard output. The container is gone once removals is done. Look first waits for earlier
// removals.
func Look(ctx context.Context, eng Engine, removals *sync.WaitGroup, like Container, owner, tree, script string, request []byte) ([]byte, error) {
	removals.Wait()
	own := context.WithoutCancel(ctx)
	ctx, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	c := Container{Name: lookName(tree), RunID: tree, Image: like.Image, User: "0:0", Label: StoreLabel, Project: like.Project, Probe: true,
		Argv: []string{"python3", "-ESc", script, WorkDir, requestFile}, Mounts: []Mount{{Source: VolumeName(tree), Target: WorkDir, Volume: true, Owner: owner}}}
	if err := eng.Remove(ctx, c.Name); err != nil { // left by an amlfix that was killed
		return nil, err
	}
	id, err := create(ctx, eng, c, nil)
	if err != nil {
		return nil, err
	}
	defer removals.Go(func() { remove(own, eng, c.Name) })
	var files bytes.Buffer
	archive := tar.NewWriter(&files)
	if err := archive.WriteHeader(&tar.Header{Name: requestFile[1:], Mode: 0o600, Size: int64(len(request)), Typeflag: tar.TypeReg}); err != nil {
		return nil, err
	}
	if _, err := archive.Write(request); err != nil {
		return nil, err
	}
	if err := errors.Join(archive.Close(), eng.CopyIn(ctx, id, &files)); err != nil {
		return nil, err
	}
	output, err := eng.Attach(ctx, id)
	if err != nil {
		return nil, err
	}
	defer output.Close()
	ended := eng.Wait(ctx, id, true)
	if err := eng.Start(ctx, id); Is(err, CommandMissing) {
		return nil, errNoPython
	} else if err != nil {
		return nil, err
	}
	return listen(output, ended)
}

// listen reads what a container writes until it has ended.
func listen(output Output, ended <-chan Waited) ([]byte, error) {
	out, complaint := process.First{Limit: lookLimit}, process.First{Limit: 10_000}
	read := make(chan error, 1)
	go func() { read <- output.CopyTo(process.Streams{Stdout: &out, Stderr: &complaint}) }()
	end := <-ended
	select {
	case err := <-read:
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
	case <-time.After(drainTime):
		return nil, errors.New("its answer does not end")
	}
	if end.Err != nil {
		return nil, end.Err
	}
	if end.Code != 0 {
		return nil, fmt.Errorf("python3 ends with exit code %d%s", end.Code, quoted(complaint.String()))
	}
	return out.Bytes(), nil
}

// quoted returns the last line of a program's error output.
func quoted(complaint string) string {
	lines := strings.Split(strings.TrimSpace(complaint), "\n")
	if last := escape.Said(lines[len(lines)-1], 300); last != "" {
		return ", and says: " + last
	}
	return ""
}

// RemoveStored removes the volume of a tree that no run uses, along with any container that a killed amlfix left
// inspecting it. It fails while another container uses the volume.
func RemoveStored(ctx context.Context, eng Engine, tree string) error {
	if err := eng.Remove(ctx, lookName(tree)); err != nil {
		return err
	}
	return eng.RemoveVolume(ctx, VolumeName(tree))
}
