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

// Stored keeps the project of a run in a volume, which the container gets instead of a folder of its own. Its functions are
// called in this order, and not at the same time.
type Stored struct {
	// Owner is what the volume's StoreLabel says.
	Owner string
	// Choose names the tree whose volume it is, and what that is to be compared with by Script; no request: it is new.
	// open is as in Upload. No name: the project goes into the container as usual.
	Choose func(ctx context.Context, open bool) (tree string, request []byte)
	// Script is a program for Python 3, with the volume's folder and the file of a request as its arguments.
	Script string
	// Found takes what Script has said. After an error the volume is not used.
	Found func(said []byte) error
	// Renew names another tree, which is new.
	Renew func() (tree string)
	// Mark is a file of the volume that is there when Found has been called; without it Lost is called: the volume was
	// removed, and another one is there.
	Mark string
	Lost func()

	// Begun is set when the job has ended: when it began, by the engine's clock; zero: it was not seen.
	Begun time.Time
	// Removals are those of containers that have looked into the volume.
	Removals sync.WaitGroup
}

// requestFile is where a request is in the container that looks into a volume.
const requestFile = "/amlfix-request"

// lookLimit is how many bytes are read of what a script says: ten for each of a hundred million files.
const lookLimit = 1 << 30

// lookTime is how long a script may take.
const lookTime = 10 * time.Minute

// errNoPython is why a volume cannot be looked into.
var errNoPython = errors.New("the image has no python3")

// store gives a container the volume of the project, made ready for what Upload sends.
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

// isThere makes sure, now that a container has the volume, that it is the one that was compared.
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

// lookName is what the container is called that looks into the volume of a tree.
func lookName(tree string) string { return "amlfix-look-" + tree }

// Look has a script look into the volume of a tree of this owner, in a container of the same image and project as like, and
// returns what it writes to standard output. The container is gone when removals are done,
// which are waited for first.
func Look(ctx context.Context, eng Engine, removals *sync.WaitGroup, like Container, owner, tree, script string, request []byte) ([]byte, error) {
	removals.Wait()
	own := context.WithoutCancel(ctx)
	ctx, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	c := Container{Name: lookName(tree), RunID: tree, Image: like.Image, User: "0:0", Label: StoreLabel, Project: like.Project, Probe: true,
		Argv: []string{"python3", "-ESc", script, WorkDir, requestFile}, Mounts: []Mount{{Source: VolumeName(tree), Target: WorkDir, Volume: true, Owner: owner}}}
	if err := eng.Remove(ctx, c.Name); err != nil { // an amlfix was killed that had it
		return nil, err
	}
	id, err := create(ctx, eng, c, nil)
	if err != nil {
		return nil, err
	}
	defer removals.Go(func() { remove(own, eng, c.Name, nil) })
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

// quoted is the last line of what a program has complained of.
func quoted(complaint string) string {
	lines := strings.Split(strings.TrimSpace(complaint), "\n")
	if last := escape.Said(lines[len(lines)-1], 300); last != "" {
		return ", and says: " + last
	}
	return ""
}

// RemoveStored removes the volume of a tree, of which no run knows, with the container that a killed amlfix has left looking
// into it. It is an error while another container has it.
func RemoveStored(ctx context.Context, eng Engine, tree string) error {
	if err := eng.Remove(ctx, lookName(tree)); err != nil {
		return err
	}
	return eng.RemoveVolume(ctx, VolumeName(tree))
}
