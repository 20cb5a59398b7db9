//go:build linux

package docker

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/registry"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/random"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/tarball"

	"github.com/amlfix/amlfix/runtime/internal/enginetest"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/schema/testkit"
)

// testRegistry is a real registry in this process, with a hook that can answer before it does.
type testRegistry struct {
	host  string
	front atomic.Pointer[func(http.ResponseWriter, *http.Request) bool] // returns true if it has answered
	slow  atomic.Bool
}

// slowly writes a megabyte in a sixth of a second.
type slowly struct{ http.ResponseWriter }

func (s slowly) Write(p []byte) (n int, err error) {
	for piece := range slices.Chunk(p, 32<<10) {
		time.Sleep(5 * time.Millisecond)
		m, err := s.ResponseWriter.Write(piece)
		if n += m; err != nil {
			return n, err
		}
	}
	return n, nil
}

func newRegistry(t *testing.T) *testRegistry {
	t.Helper()
	r := &testRegistry{}
	h := registry.New(registry.Logger(log.New(io.Discard, "", 0)))
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if front := r.front.Load(); front != nil && (*front)(w, q) {
			return
		}
		if r.slow.Load() {
			w = slowly{w}
		}
		h.ServeHTTP(w, q)
	}))
	t.Cleanup(s.Close)
	r.host = strings.TrimPrefix(s.URL, "http://")
	return r
}

func (r *testRegistry) before(f func(http.ResponseWriter, *http.Request) bool) { r.front.Store(&f) }

// jobImage returns the test image as a registry stores it.
var jobImage = sync.OnceValues(func() (v1.Image, error) {
	text, err := enginetest.LayerBytes()
	if err != nil {
		return nil, err
	}
	layer, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil },
		tarball.WithCompressionLevel(gzip.BestSpeed), tarball.WithCompressedCaching)
	if err != nil {
		return nil, err
	}
	img, err := mutate.AppendLayers(empty.Image, layer)
	if err != nil {
		return nil, err
	}
	config, err := img.ConfigFile()
	if err != nil {
		return nil, err
	}
	config = config.DeepCopy()
	config.OS, config.Architecture = "linux", "amd64"
	return mutate.ConfigFile(img, config)
})

// push stores the test image and returns its name.
func (r *testRegistry) push(t *testing.T, repo string, platform *v1.Platform) string {
	t.Helper()
	img, err := jobImage()
	testkit.OK(t, err)
	return r.store(t, repo, img, platform)
}

// pushNew stores an image with a layer that no engine can have.
func (r *testRegistry) pushNew(t *testing.T, repo string) string {
	t.Helper()
	return r.store(t, repo, withLayer(t, 1<<20), nil)
}

// withLayer returns the test image with an additional layer of size random bytes.
func withLayer(t *testing.T, size int64) v1.Image {
	t.Helper()
	img, err := jobImage()
	testkit.OK(t, err)
	layer, err := random.Layer(size, "application/vnd.docker.image.rootfs.diff.tar.gzip")
	testkit.OK(t, err)
	img, err = mutate.AppendLayers(img, layer)
	testkit.OK(t, err)
	return img
}

func (r *testRegistry) store(t *testing.T, repo string, img v1.Image, platform *v1.Platform) string {
	t.Helper()
	text := r.host + "/" + repo
	ref, err := name.ParseReference(text)
	testkit.OK(t, err)
	if platform != nil {
		index := mutate.AppendManifests(empty.Index, mutate.IndexAddendum{Add: img, Descriptor: v1.Descriptor{Platform: platform}})
		err = remote.WriteIndex(ref, index)
	} else {
		err = remote.Write(ref, img)
	}
	testkit.OK(t, err)
	return text
}

func TestPull(t *testing.T) {
	t.Setenv("DOCKER_CONFIG", t.TempDir())
	e, r := enginetest.Start(t), newRegistry(t)
	image := r.store(t, "team/job:1", withLayer(t, 4<<20), nil)
	r.slow.Store(true) // every 100 ms, engine 29 checks how many whole megabytes it has received
	var stages []progress.State
	var most progress.Event
	say := func(v progress.Event) {
		if v.State != "" {
			stages = append(stages, v.State)
		}
		if v.Transfer() && v.Total >= most.Total {
			most = v
		}
		if strings.Contains(v.Text, " 0 B") || !v.Transfer() && strings.Contains(v.Text, "of 2 layers") {
			t.Errorf("nothing is known yet, and it is said: %+v", v)
		}
	}
	var out bytes.Buffer
	eng := connect(t, e)
	spec := Spec{RunID: runID(t), Image: image, Argv: []string{"/testjob", "out:pulled"}}
	result, err := Run(t.Context(), eng, spec, process.Streams{Stdout: &out, Stderr: &out}, process.Control{}, say)
	if err != nil || result.Code != 0 || out.String() != "pulled" {
		t.Fatalf("%+v, %v, %q", result, err, out.String())
	}
	want := []progress.State{progress.Checking, progress.Preparing, progress.Creating, progress.Starting, progress.Running, progress.Removing}
	testkit.Same(t, want, stages)
	if most.Total < 1<<20 || most.Moved == 0 || !strings.HasPrefix(most.Text, "pulling "+image+": ") || !strings.Contains(most.Text, "of 2 layers") {
		t.Errorf("progress %+v", most)
	}
	stages = nil
	if _, err := Run(t.Context(), eng, spec, process.Streams{Stdout: &out, Stderr: &out}, process.Control{}, say); err != nil {
		t.Fatal(err)
	}
	if stages[1] == progress.Preparing {
		t.Error("an image that is there was pulled again")
	}
	e.NothingLeft(t, runID(t))
}

func TestPullFailures(t *testing.T) {
	t.Setenv("DOCKER_CONFIG", t.TempDir())
	e, r := enginetest.Start(t), newRegistry(t)
	arm := r.push(t, "team/arm:1", &v1.Platform{OS: "linux", Architecture: "arm64"})
	r.push(t, "team/job:1", nil)
	old := func(w http.ResponseWriter, q *http.Request) bool {
		if strings.Contains(q.URL.Path, "/manifests/") {
			w.Header().Set("Content-Type", "application/vnd.docker.distribution.manifest.v1+prettyjws")
			w.Header().Set("Docker-Content-Digest", "sha256:"+strings.Repeat("0", 64))
			_, _ = io.WriteString(w, `{"schemaVersion":1,"name":"team/job","tag":"1","architecture":"amd64","fsLayers":[],"history":[]}`)
			return true
		}
		return false
	}
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	answer := func(code int, header, body string) func(http.ResponseWriter, *http.Request) bool {
		return func(w http.ResponseWriter, _ *http.Request) bool {
			if header != "" {
				w.Header().Set("WWW-Authenticate", header)
			}
			w.WriteHeader(code)
			_, _ = io.WriteString(w, body)
			return true
		}
	}
	tests := []struct {
		name, image string
		front       func(http.ResponseWriter, *http.Request) bool
		problem     Problem
		text        string
		since       int // the engine's API
	}{
		{name: "no such tag", image: r.host + "/team/job:2", problem: ImageNotFound, text: "the registry does not have it, or no longer"},
		{name: "no such repository", image: r.host + "/team/none:1", problem: ImageNotFound},
		{name: "other processor", image: arm, problem: ImagePlatform, text: "for this engine's processor"},
		{name: "login", image: r.host + "/team/job:1", front: answer(401, `Basic realm="x"`, `{"errors":[{"code":"UNAUTHORIZED","message":"authentication required"}]}`),
			problem: LoginNeeded, text: "`docker login " + r.host + "`"},
		{name: "denied", image: r.host + "/team/job:1", front: answer(403, "", `{"errors":[{"code":"DENIED","message":"requested access to the resource is denied"}]}`), problem: LoginNeeded},
		{name: "too many", image: r.host + "/team/job:1", front: answer(429, "", `{"errors":[{"code":"TOOMANYREQUESTS","message":"You have reached your pull rate limit."}]}`),
			problem: RateLimited, text: "has used up its limit"},
		{name: "registry away", image: strings.TrimPrefix(closed.URL, "http://") + "/team/job:1", problem: RegistryAway, text: "cannot reach 127.0.0.1:"},
		{name: "no such registry", image: "registry.amlfix.invalid/team/job:1", problem: RegistryAway},
		{name: "old format", image: r.host + "/team/job:1", front: old, problem: ImageFormat, text: "in a format from before 2017", since: 52}, // older engines want a signature first
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if api := e.API(t); api < tt.since {
				t.Skipf("the engine speaks API 1.%d: only from 1.%d on this is refused as such", api, tt.since)
			}
			front := tt.front
			if front == nil {
				front = func(http.ResponseWriter, *http.Request) bool { return false }
			}
			r.before(front)
			j := launch(t.Context(), t, connect(t, e), tt.image, process.Control{}, nil, "exit:0")
			j.wait(t)
			if !Is(j.failure, tt.problem) || !strings.Contains(Explain(j.failure), tt.text) || j.result.Ran() {
				t.Errorf("%+v, %v", j.result, j.failure)
			}
			if !strings.HasPrefix(Explain(j.failure), "image "+tt.image+": ") {
				t.Errorf("the image is not named: %v", j.failure)
			}
			e.NothingLeft(t, runID(t))
		})
	}
}

// TestPullOverTLS uses registries that are not on loopback, where engines do not check certificates.
func TestPullOverTLS(t *testing.T) {
	t.Setenv("DOCKER_CONFIG", t.TempDir())
	e := enginetest.Start(t)
	for _, tt := range []struct {
		name  string
		start func(*httptest.Server)
		said  string
	}{
		{"certificate for another name", (*httptest.Server).StartTLS, "its certificate is for another name"},
		{"untrusted certificate", func(s *httptest.Server) {
			s.TLS = &tls.Config{Certificates: []tls.Certificate{ownCertificate(t, s.Listener.Addr())}}
			s.StartTLS()
		}, "its certificate is not signed by an authority that this computer trusts"},
		{"no TLS", (*httptest.Server).Start, "it answers without encryption"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := httptest.NewUnstartedServer(registry.New(registry.Logger(log.New(io.Discard, "", 0))))
			s.Config.ErrorLog = log.New(io.Discard, "", 0)
			_ = s.Listener.Close()
			s.Listener = listenOutside(t)
			tt.start(s)
			defer s.Close()
			host := s.Listener.Addr().String()
			j := launch(t.Context(), t, connect(t, e), host+"/team/job:1", process.Control{}, nil, "exit:0")
			j.wait(t)
			want := "image " + host + "/team/job:1: no trusted connection to " + host + ": install its certificate, or list it as insecure-registries in daemon.json ("
			if text := Explain(j.failure); !Is(j.failure, RegistryTLS) || !strings.HasPrefix(text, want) || !strings.Contains(text, tt.said) {
				t.Errorf("%v", j.failure)
			}
			e.NothingLeft(t, runID(t))
		})
	}
}

// ownCertificate returns a self-signed certificate for address.
func ownCertificate(t *testing.T, address net.Addr) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	testkit.OK(t, err)
	about := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{address.(*net.TCPAddr).IP}}
	text, err := x509.CreateCertificate(rand.Reader, about, about, key.Public(), key)
	testkit.OK(t, err)
	return tls.Certificate{Certificate: [][]byte{text}, PrivateKey: key}
}

// listenOutside listens on an address of this machine other than loopback.
func listenOutside(t *testing.T) net.Listener {
	t.Helper()
	addresses, err := net.InterfaceAddrs()
	testkit.OK(t, err)
	for _, a := range addresses {
		ip, ok := a.(*net.IPNet)
		if !ok || ip.IP.IsLoopback() || ip.IP.IsLinkLocalUnicast() {
			continue
		}
		if l, err := net.Listen("tcp", net.JoinHostPort(ip.IP.String(), "0")); err == nil {
			return l
		}
	}
	testkit.Unavailable(t, "this machine has no address but those on loopback")
	return nil
}

func TestPullIsCancelled(t *testing.T) {
	t.Setenv("DOCKER_CONFIG", t.TempDir())
	e, r := enginetest.Start(t), newRegistry(t)
	image := r.pushNew(t, "team/slow:1")
	asked, release := make(chan struct{}, 16), make(chan struct{})
	defer close(release)
	r.before(func(_ http.ResponseWriter, q *http.Request) bool {
		if strings.Contains(q.URL.Path, "/blobs/") {
			asked <- struct{}{}
			select {
			case <-release:
			case <-q.Context().Done():
			}
		}
		return false
	})
	ctx, cancel := context.WithCancelCause(t.Context())
	j := launch(ctx, t, connect(t, e), image, process.Control{}, nil, "exit:0")
	select {
	case <-asked:
	case <-j.done:
		t.Fatalf("no layer was asked for: %v", j.failure)
	}
	why := &process.Signalled{Signal: os.Interrupt}
	cancel(why)
	j.wait(t) // nothing else releases the layer before
	if !errors.Is(j.failure, why) || j.result.Ran() {
		t.Errorf("%+v, %v", j.result, j.failure)
	}
	e.NothingLeft(t, runID(t))
}

// guard requires a user name and password.
func guard(user, password string) func(http.ResponseWriter, *http.Request) bool {
	return func(w http.ResponseWriter, q *http.Request) bool {
		if u, p, _ := q.BasicAuth(); u == user && p == password {
			return false
		}
		w.Header().Set("WWW-Authenticate", `Basic realm="x"`)
		w.WriteHeader(http.StatusUnauthorized)
		return true
	}
}

func TestPullWithLogin(t *testing.T) {
	e, r := enginetest.Start(t), newRegistry(t)
	var images []string
	for i := range 8 {
		images = append(images, r.push(t, fmt.Sprintf("team/private:%d", i), nil))
	}
	r.before(guard("ann", "pass:word"))
	encoded := base64.StdEncoding.EncodeToString([]byte("ann:pass:word"))
	for i, tt := range []struct {
		name   string
		config string // %s: the registry
		helper string
		fails  bool
	}{
		{name: "stored", config: `{"auths":{"%s":{"auth":"` + encoded + `"}}}`},
		{name: "stored with a scheme", config: `{"auths":{"http://%s/v2/":{"auth":"` + encoded + `"}}}`},
		{name: "helper of the registry", config: `{"credHelpers":{"%s":"amlfixtest"}}`, helper: `read host; echo "{\"ServerURL\":\"$host\",\"Username\":\"ann\",\"Secret\":\"pass:word\"}"`},
		{name: "helper of all", config: `{"auths":{"%s":{}},"credsStore":"amlfixtest"}`, helper: `echo '{"Username":"ann","Secret":"pass:word"}'`},
		{name: "wrong password", config: `{"auths":{"%s":{"auth":"YW5uOm5vcGU="}}}`, fails: true},
		{name: "another registry", config: `{"auths":{"example.com":{"auth":"` + encoded + `"}},"x":"%s"}`, fails: true},
		{name: "helper knows nothing", config: `{"credHelpers":{"%s":"amlfixtest"}}`, helper: `echo credentials not found in native keychain; exit 1`, fails: true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir, image := t.TempDir(), images[i]
			t.Setenv("DOCKER_CONFIG", dir)
			t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
			testkit.OK(t, os.WriteFile(filepath.Join(dir, "config.json"), fmt.Appendf(nil, tt.config, r.host), 0o600))
			testkit.OK(t, os.WriteFile(filepath.Join(dir, "docker-credential-amlfixtest"), []byte("#!/bin/sh\n"+tt.helper+"\n"), 0o755))
			j := launch(t.Context(), t, connect(t, e), image, process.Control{}, nil, "out:private")
			j.wait(t)
			if tt.fails && !Is(j.failure, LoginNeeded) || !tt.fails && (j.failure != nil || j.out.String() != "private") {
				t.Errorf("%+v, %v, %q", j.result, j.failure, j.out)
			}
			if said := j.said.String() + fmt.Sprint(j.failure); strings.Contains(said, "pass:word") || strings.Contains(said, encoded) {
				t.Errorf("a secret was printed: %s", said)
			}
		})
	}
}
