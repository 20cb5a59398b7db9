//go:build linux

package docker

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"path"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/remote"

	"github.com/amlfix/amlfix/runtime/internal/enginetest"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/schema/testkit"
)

func TestRegistryIsAskedWithoutPulling(t *testing.T) {
	e, r := enginetest.Start(t), newRegistry(t)
	eng := connect(t, e)
	image := r.pushNew(t, "team/new:1")
	both := r.push(t, "team/arm:1", &v1.Platform{OS: "linux", Architecture: "arm64"})
	var blobs atomic.Int32
	r.before(func(_ http.ResponseWriter, q *http.Request) bool {
		if strings.Contains(q.URL.Path, "/blobs/") {
			blobs.Add(1)
		}
		return false
	})
	for name, want := range map[string][]string{image: {"linux/amd64"}, both: {"linux/arm64"}} {
		got, err := eng.Registry(t.Context(), name, nil)
		if d := cmp.Diff(want, got.Platforms); err != nil || d != "" || !strings.HasPrefix(got.Digest, "sha256:") {
			t.Errorf("%+v, %v %s", got, err, d)
		}
		if _, err := eng.Image(t.Context(), name); !Is(err, ImageNotFound) {
			t.Errorf("%s was pulled: %v", name, err)
		}
	}
	if blobs.Load() > 2 { // the configuration of an image for a single platform names that platform
		t.Errorf("%d blobs were fetched", blobs.Load())
	}
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	answer := func(code int, body string) func(http.ResponseWriter, *http.Request) bool {
		return func(w http.ResponseWriter, _ *http.Request) bool {
			w.WriteHeader(code)
			_, _ = io.WriteString(w, body)
			return true
		}
	}
	for _, tt := range []struct {
		name, image string
		front       func(http.ResponseWriter, *http.Request) bool
		problem     Problem
	}{
		{name: "no such tag", image: r.host + "/team/new:2", problem: ImageNotFound},
		{name: "no such repository", image: r.host + "/team/none:1", problem: ImageNotFound},
		{name: "too many", image: image, front: answer(429, `{"errors":[{"code":"TOOMANYREQUESTS","message":"You have reached your pull rate limit."}]}`), problem: RateLimited},
		{name: "login", image: image, front: guard("ann", "pass:word"), problem: LoginNeeded},
		{name: "away", image: strings.TrimPrefix(closed.URL, "http://") + "/a:1", problem: RegistryAway},
		{name: "invalid", image: "Team/Job:1", problem: ImageInvalid},
	} {
		t.Run(tt.name, func(t *testing.T) {
			front := tt.front
			if front == nil {
				front = func(http.ResponseWriter, *http.Request) bool { return false }
			}
			r.before(front)
			if _, err := eng.Registry(t.Context(), tt.image, nil); !Is(err, tt.problem) {
				t.Errorf("%v", err)
			}
		})
	}
	r.before(guard("ann", "pass:word"))
	login := &Login{Username: "ann", Password: "pass:word", ServerAddress: r.host}
	if got, err := eng.Registry(t.Context(), image, login); err != nil || got.Digest == "" {
		t.Errorf("with the login: %+v, %v", got, err)
	}
}

// TestPullCut makes the registry drop the connection in the middle of a layer that the engine does not have.
func TestPullCut(t *testing.T) {
	t.Parallel()
	e, r := enginetest.Start(t), newRegistry(t)
	image := r.pushNew(t, "team/cut:1")
	layers := layersOf(t, image)
	var cuts atomic.Int32
	r.before(func(w http.ResponseWriter, q *http.Request) bool {
		if q.Method != http.MethodGet || !slices.Contains(layers, path.Base(q.URL.Path)) {
			return false
		}
		cuts.Add(1)
		w.Header().Set("Content-Length", "1048576")
		_, _ = w.Write(make([]byte, 1000))
		panic(http.ErrAbortHandler)
	})
	eng := connect(t, e)
	err := eng.Pull(t.Context(), image, nil, func(Layer) {})
	if !Is(err, RegistryCut) || cuts.Load() == 0 {
		t.Errorf("after %d cuts: %v", cuts.Load(), err)
	}
	if _, err := eng.Image(t.Context(), image); !Is(err, ImageNotFound) {
		t.Errorf("half an image is there: %v", err)
	}
}

// layersOf returns the digests of an image's layers.
func layersOf(t *testing.T, image string) (digests []string) {
	t.Helper()
	ref, err := name.ParseReference(image)
	testkit.OK(t, err)
	img, err := remote.Image(ref)
	testkit.OK(t, err)
	layers, err := img.Layers()
	testkit.OK(t, err)
	for _, l := range layers {
		d, err := l.Digest()
		testkit.OK(t, err)
		digests = append(digests, d.String())
	}
	return digests
}

func TestFinishMakesAnImage(t *testing.T) {
	t.Parallel()
	e := enginetest.Start(t)
	eng, base := connect(t, e), e.Job(t)
	made := "amlfix-test/finished:1"
	want := Image{User: "jobs", Env: []string{"A=b c"}, Dir: "/tmp", Labels: map[string]string{"x": "y"}, Entrypoint: []string{}, Cmd: []string{"/testjob", "cat:/etc/new"}}
	for _, tt := range []struct {
		step  string
		there bool
	}{{"exit:3", false}, {"exit:0", true}} {
		j := launch(t.Context(), t, eng, base, process.Control{}, func(s *Spec) {
			s.Dir, s.Name, s.User = "/", EnvironmentName("1"), "0"
			s.RunID = "1"
			s.Finish = func(ctx context.Context, id string) error {
				_, err := eng.Commit(ctx, id, made, want)
				return err
			}
		}, "where", "write:/etc/new=made", tt.step)
		j.wait(t)
		if j.failure != nil || j.result.FinishErr != nil || !strings.HasPrefix(j.out.String(), "/ 0 ") {
			t.Fatalf("%+v, %v, %s", j.result, j.failure, j.out)
		}
		img, err := eng.Image(t.Context(), made)
		if tt.there != (err == nil) {
			t.Fatalf("after %s: %v", tt.step, err)
		}
		if !tt.there {
			continue
		}
		delete(img.Labels, Label)
		if d := cmp.Diff(want, Image{User: img.User, Env: slices.DeleteFunc(img.Env, func(v string) bool { return strings.HasPrefix(v, "PATH=") }), Dir: img.Dir, Labels: img.Labels, Entrypoint: img.Entrypoint, Cmd: img.Cmd},
			cmpopts.EquateEmpty()); d != "" { // containerd's image store does not keep an empty list
			t.Error(d)
		}
	}
	if left := e.Containers(t, "1"); len(left) > 0 {
		t.Errorf("containers were left behind: %v", left)
	}
	j := launch(t.Context(), t, eng, made, process.Control{}, nil, "cat:/etc/new", "env:A")
	j.wait(t)
	if j.out.String() != "madeA=\"b c\" true\n" {
		t.Errorf("%s, %v", j.out, j.failure)
	}
}
