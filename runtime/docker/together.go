package docker

import (
	"archive/tar"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
	"sync"

	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/progress"
)

// Rest is what else than outputs is to be read of the working folder. Engines start a process of their own for every
// archive that they make, so both come in one.
type Rest struct {
	// Limit is how many bytes it may have: with more, outputs are read alone.
	Limit int64
	// Entry takes a file or folder, by its path in the working folder. After an error outputs are read alone.
	Entry func(name string, h *tar.Header, content io.Reader) error
	// All is called when Entry has got everything; otherwise what it has got is not all.
	All func()
}

// bring has all read from the container that is wanted of it.
func (r *run) bring(exit process.Exit) (err error) {
	var looks, last sync.WaitGroup
	var rest *Rest
	if r.spec.Exited != nil {
		last.Go(func() { r.spec.Exited(exit) })
	}
	if r.spec.Look != nil {
		looks.Go(func() { rest = r.spec.Look() })
	}
	untouched := false
	if r.spec.Collect != nil {
		r.say.Enter(progress.Collecting, "")
		untouched = r.untouched()
	}
	looks.Wait()
	done := r.spec.Collect == nil
	if rest != nil && !done && !untouched {
		done, err = r.together(rest)
	}
	if r.spec.Last != nil {
		last.Go(r.spec.Last)
	}
	if !done {
		err = r.persist(func() error { return r.collect(untouched) })
	}
	last.Wait()
	return err
}

// together has outputs collected, and rest read, from one archive, and reports whether all has been read: err is that of
// collecting then. If not, nothing is lost: outputs can be collected again.
func (r *run) together(rest *Rest) (all bool, err error) {
	stream, err := r.eng.CopyOut(r.own, r.id, WorkDir)
	if err != nil {
		return false, nil //nolint:nilerr // who asks again finds out
	}
	defer func() { _ = stream.Close() }()
	pr, pw := io.Pipe()
	collected := make(chan error, 1)
	go func() {
		err := r.spec.Collect(r.own, pr)
		_ = pr.CloseWithError(io.ErrClosedPipe) // ends a writer that it has not listened to
		collected <- err
	}()
	divided := divide(stream, pw, rest)
	_ = pw.CloseWithError(divided)
	if err = <-collected; divided != nil {
		return false, nil
	}
	rest.All()
	return true, err
}

// divide writes the outputs folder of an archive of the working folder to another archive, and gives the others to rest.
func divide(archive io.Reader, outputs io.Writer, rest *Rest) error {
	in, out := tar.NewReader(archive), tar.NewWriter(outputs)
	left := rest.Limit
	for first := true; ; first = false {
		h, err := in.Next()
		if errors.Is(err, io.EOF) && !first {
			return out.Close()
		}
		if err != nil {
			return err
		}
		name, inside := strings.CutPrefix(path.Clean(h.Name), TarPrefix+"/")
		switch {
		case first && h.Typeflag == tar.TypeDir && path.Clean(h.Name) == TarPrefix:
		case first || !inside:
			return fmt.Errorf("%s: is not in a folder %s", h.Name, TarPrefix)
		case isOutput(name):
			err = pass(h, in, out)
		default:
			if left -= tarBlock; left < h.Size {
				return errors.New("the working folder is too large")
			}
			left -= h.Size
			err = rest.Entry(name, h, in)
		}
		if err != nil {
			return err
		}
	}
}

// tarBlock is how many bytes an archive has for a file without content.
const tarBlock = 512

func isOutput(name string) bool { return name == "outputs" || strings.HasPrefix(name, "outputs/") }

// pass writes an entry of the working folder as one of an archive of outputs.
func pass(h *tar.Header, content io.Reader, out *tar.Writer) error {
	h.Name = strings.TrimPrefix(h.Name, TarPrefix+"/")
	if h.Typeflag == tar.TypeLink {
		if h.Linkname = strings.TrimPrefix(h.Linkname, TarPrefix+"/"); !isOutput(path.Clean(h.Linkname)) {
			return fmt.Errorf("%s: its content is that of %s", h.Name, h.Linkname)
		}
	}
	h.Format = tar.FormatPAX // which has all that the others have
	if err := out.WriteHeader(h); err != nil {
		return err
	}
	_, err := io.Copy(out, content)
	return err
}
