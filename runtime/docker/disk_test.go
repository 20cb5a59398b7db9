//go:build linux

package docker

import (
	"archive/tar"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/runtime/internal/enginetest"
	"github.com/amlfix/amlfix/runtime/process"
)

const smallDisk = 32 << 20

// zeros writes a tar stream with one file of size bytes.
func zeros(size int64) func(context.Context, io.Writer, bool) error {
	return func(_ context.Context, w io.Writer, _ bool) error {
		tw := tar.NewWriter(w)
		if err := tw.WriteHeader(&tar.Header{Name: TarPrefix + "/big.bin", Mode: 0o644, Size: size}); err != nil {
			return err
		}
		if _, err := io.CopyN(tw, zero{}, size); err != nil {
			return err
		}
		return tw.Close()
	}
}

type zero struct{}

func (zero) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// TestFullDisk uses an engine whose disk is too small for an image, for a project, and for what a job writes.
func TestFullDisk(t *testing.T) {
	t.Setenv("DOCKER_CONFIG", t.TempDir())
	e, r := enginetest.StartSmall(t, smallDisk), newRegistry(t)
	image, eng := e.Job(t), connect(t, e)
	full := "the disk of the Docker engine at " + e.Host + ", " + e.Dir + "/data, is full: free some of it with `docker system prune -a`, or give it a larger one (it said: "
	t.Run("job", func(t *testing.T) {
		got := map[string]int64{}
		j := launch(t.Context(), t, eng, image, process.Control{}, func(s *Spec) {
			s.Collect = func(_ context.Context, stream io.Reader) error {
				for tr := tar.NewReader(stream); ; {
					h, err := tr.Next()
					if errors.Is(err, io.EOF) {
						return nil
					}
					if err != nil {
						return err
					}
					got[h.Name], err = io.Copy(io.Discard, tr)
					if err != nil {
						return err
					}
				}
			}
		}, "write:outputs/first=x", "fill:outputs/big")
		j.wait(t)
		if r := j.result; j.failure != nil || r.Code != 99 || r.Cause != process.Ended || r.CollectErr != nil || !strings.Contains(j.err.String(), "no space left on device") {
			t.Errorf("%+v, %v, %s", r, j.failure, j.err)
		}
		if got["outputs/first"] != 1 || got["outputs/big"] < smallDisk/2 {
			t.Errorf("%v came back", got)
		}
		e.NothingLeft(t, runID(t))
	})
	for _, tt := range []struct {
		name, image string
		change      func(*Spec)
	}{
		{"project", image, func(s *Spec) { s.Upload = zeros(2 * smallDisk) }},
		// last, because engine 29 keeps the parts of an image it has received until the image is pulled again or a day
		// has passed
		{"image", r.store(t, "team/big:1", withLayer(t, smallDisk), nil), nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			j := launch(t.Context(), t, eng, tt.image, process.Control{}, tt.change, "out:ran")
			j.wait(t)
			if !Is(j.failure, NoSpace) || j.result.Ran() || !strings.HasPrefix(Explain(j.failure), full) || !strings.Contains(Explain(j.failure), "no space left on device") || j.out.String() != "" {
				t.Errorf("%+v, %v", j.result, j.failure)
			}
			e.NothingLeft(t, runID(t))
		})
	}
}
