//go:build linux

package docker

import (
	"archive/tar"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/amlfix/amlfix/runtime/internal/enginetest"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/schema/testkit"
)

// tripwire is the real engine with a trigger on one kind of request.
type tripwire struct {
	Engine
	at   string
	trip func()
}

func (w *tripwire) pass(name string) {
	if w.at == name {
		w.trip()
	}
}

func (w *tripwire) Info(ctx context.Context) (Info, error) { w.pass("Info"); return w.Engine.Info(ctx) }

func (w *tripwire) Image(ctx context.Context, ref string) (Image, error) {
	w.pass("Image")
	return w.Engine.Image(ctx, ref)
}

func (w *tripwire) Create(ctx context.Context, c Container) (string, error) {
	w.pass("Create")
	return w.Engine.Create(ctx, c)
}

func (w *tripwire) CopyIn(ctx context.Context, id string, r io.Reader) error {
	w.pass("CopyIn")
	return w.Engine.CopyIn(ctx, id, r)
}

func (w *tripwire) Attach(ctx context.Context, id string) (Output, error) {
	w.pass("Attach")
	return w.Engine.Attach(ctx, id)
}

func (w *tripwire) Start(ctx context.Context, id string) error {
	w.pass("Start")
	return w.Engine.Start(ctx, id)
}

func ticks(step string) string {
	var b strings.Builder
	n, _ := strconv.Atoi(strings.TrimPrefix(step, "tick:"))
	for i := range n {
		fmt.Fprintln(&b, "tick", i)
	}
	return b.String()
}

// withProject uploads a small project and stores what comes back in got, as name → content.
func withProject(_ *testing.T, got map[string]string) func(*Spec) {
	return func(s *Spec) {
		s.Fresh = time.Unix(123_456_789, 987_654_321)
		s.Upload = func(_ context.Context, w io.Writer, open bool) error {
			mode := int64(0o755)
			if open {
				mode = 0o777
			}
			tw := tar.NewWriter(w)
			for _, h := range []tar.Header{{Name: TarPrefix + "/", Typeflag: tar.TypeDir}, {Name: TarPrefix + "/outputs/", Typeflag: tar.TypeDir, ModTime: s.Fresh, Format: tar.FormatPAX},
				{Name: TarPrefix + "/data.txt", Typeflag: tar.TypeReg, Size: 5}} {
				h.Mode = mode
				if err := tw.WriteHeader(&h); err != nil {
					return err
				}
			}
			if _, err := io.WriteString(tw, "12345"); err != nil {
				return err
			}
			return tw.Close()
		}
		s.Collect = func(_ context.Context, r io.Reader) error {
			for tr := tar.NewReader(r); ; {
				h, err := tr.Next()
				if errors.Is(err, io.EOF) {
					return nil
				}
				if err != nil {
					return err
				}
				text, err := io.ReadAll(tr)
				if err != nil {
					return err
				}
				if h.Typeflag == tar.TypeReg {
					got[h.Name] = string(text)
				}
			}
		}
	}
}

func TestProjectGoesInAndOutputsComeOut(t *testing.T) {
	t.Parallel()
	e := enginetest.Start(t)
	e.Import(t, "amlfix-test/user:1", enginetest.Layer(t), "USER jobs")
	for _, tt := range []struct{ image, who string }{{e.Job(t), "/azureml-run 0 0 5\n"}, {"amlfix-test/user:1", "/azureml-run 1234 1234 5\n"}} {
		t.Run(tt.image, func(t *testing.T) {
			t.Parallel()
			got := map[string]string{}
			j := launch(t.Context(), t, connect(t, e), tt.image, process.Control{}, withProject(t, got), "where:", "cat:data.txt", "write:outputs/deep/model.bin=weights", "exit:3")
			j.wait(t)
			if j.failure != nil || j.result.CollectErr != nil || j.result.Code != 3 {
				t.Fatalf("%+v, %v, %s", j.result, j.failure, j.err)
			}
			testkit.Same(t, tt.who+"12345", j.out.String())
			testkit.Same(t, map[string]string{"outputs/deep/model.bin": "weights"}, got)
			e.NothingLeft(t, runID(t))
		})
	}
}

func TestMountedProject(t *testing.T) {
	t.Parallel()
	e := enginetest.Start(t)
	dir := t.TempDir()
	testkit.OK(t, os.WriteFile(filepath.Join(dir, "data.txt"), []byte("mounted"), 0o644))
	for p := dir; p != os.TempDir() && p != "/"; p = filepath.Dir(p) {
		testkit.OK(t, os.Chmod(p, 0o755))
	}
	testkit.OK(t, os.Chown(dir, 4321, 4321))
	j := launch(t.Context(), t, connect(t, e), e.Job(t), process.Control{}, func(s *Spec) {
		s.Mounts, s.User = []Mount{{Source: dir, Target: WorkDir}}, "4321:4321"
	}, "where:", "cat:data.txt", "write:outputs/a=b")
	j.wait(t)
	if j.failure != nil || j.result.Code != 0 || j.out.String() != "/azureml-run 4321 4321 4\nmounted" {
		t.Fatalf("%+v, %v, %q, %q", j.result, j.failure, j.out, j.err)
	}
	if b, err := os.ReadFile(filepath.Join(dir, "outputs/a")); err != nil || string(b) != "b" {
		t.Errorf("%q, %v", b, err)
	}
	e.NothingLeft(t, runID(t))
}

func TestNotStarted(t *testing.T) {
	t.Parallel()
	e := enginetest.Start(t)
	image := e.Job(t)
	unreadable := errors.New("train.py: cannot be copied")
	tests := []struct {
		name    string
		change  func(*Spec)
		problem Problem
		err     error
	}{
		{name: "mount of a missing folder", change: func(s *Spec) { s.Mounts = []Mount{{Source: "/amlfix/none", Target: WorkDir}} }, problem: MountRefused},
		{name: "invalid image name", change: func(s *Spec) { s.Image = "mmlspark::plus" }, problem: ImageInvalid},
		{name: "project cannot be read", change: func(s *Spec) {
			s.Upload = func(context.Context, io.Writer, bool) error { return unreadable }
		}, err: unreadable},
		{name: "project is not a tar stream", change: func(s *Spec) {
			s.Upload = func(_ context.Context, w io.Writer, _ bool) error {
				_, err := w.Write(make([]byte, 100))
				return err
			}
		}, problem: Unknown},
		{name: "start refused", change: func(s *Spec) { s.User = "nobody-of-that-name" }, problem: Unknown},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			j := launch(t.Context(), t, connect(t, e), image, process.Control{}, tt.change, "exit:0")
			j.wait(t)
			if j.result.Ran() || j.failure == nil {
				t.Fatalf("%+v, %v", j.result, j.failure)
			}
			if tt.err != nil && !errors.Is(j.failure, tt.err) || tt.err == nil && !Is(j.failure, tt.problem) {
				t.Errorf("%v", j.failure)
			}
			e.NothingLeft(t, runID(t))
		})
	}
}
