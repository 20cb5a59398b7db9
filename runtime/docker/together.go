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

// Rest says what to read of the working directory besides the outputs. Both come in a single archive, because engines
// start a separate process for every archive.
type Rest struct {
	// Limit is the most bytes that it may have; if there are more, outputs are read alone.
	Limit int64
	// Entry receives a file or folder, with its path in the working directory. After an error outputs are read alone.
	Entry func(name string, h *tar.Header, content io.Reader) error
	// All is called when Entry has received everything; otherwise it has received only a part.
	All func()
}

// bring reads everything that is wanted from the container.
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

// together reads the outputs and rest from one archive, and reports whether it read everything; err is then the error
// of collecting. If it did not, nothing is lost: the outputs can be collected again.
func (r *run) together(rest *Rest) (all bool, err error) {
	stream, err := r.eng.CopyOut(r.own, r.id, WorkDir)
	if err != nil {
		return false, nil //nolint:nilerr // asking again shows why
	}
	defer func() { _ = stream.Close() }()
	pr, pw := io.Pipe()
	collected := make(chan error, 1)
	go func() {
		err := r.spec.Collect(r.own, pr)
		_ = pr.CloseWithError(io.ErrClosedPipe) // ends a writer whose output was not read
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

// divide copies the outputs folder of an archive of the working directory to another archive, and passes everything
// else to rest.
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

// tarBlock is the size in bytes of an archive entry without content.
const tarBlock = 512

func isOutput(name string) bool { return name == "outputs" || strings.HasPrefix(name, "outputs/") }

// pass writes an entry of the working directory to an archive of outputs.
func pass(h *tar.Header, content io.Reader, out *tar.Writer) error {
	h.Name = strings.TrimPrefix(h.Name, TarPrefix+"/")
	if h.Typeflag == tar.TypeLink {
		if h.Linkname = strings.TrimPrefix(h.Linkname, TarPrefix+"/"); !isOutput(path.Clean(h.Linkname)) {
			return fmt.Errorf("%s: its content is that of %s", h.Name, h.Linkname)
		}
	}
	h.Format = tar.FormatPAX // which has everything the others have
	if err := out.WriteHeader(h); err != nil {
		return err
	}
	_, err := io.Copy(out, content)
	return err
}
