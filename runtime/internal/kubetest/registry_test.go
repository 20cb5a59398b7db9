//go:build linux

package kubetest

import (
	"encoding/base64"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/registry"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"golang.org/x/tools/txtar"

	"github.com/amlfix/amlfix/runtime/internal/enginetest"
	"github.com/amlfix/amlfix/schema/testkit"
)

// hub is a registry on this machine that requires a login. The node pulls from it without TLS because it is on the
// loopback interface.
type hub struct {
	host   string
	config string // a folder with the docker command's configuration and the login
}

const hubUser, hubPassword = "ann", "pass:word"

func newHub(t *testing.T) hub {
	t.Helper()
	handler := registry.New(registry.Logger(log.New(io.Discard, "", 0)))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if user, password, _ := q.BasicAuth(); user != hubUser || password != hubPassword {
			w.Header().Set("WWW-Authenticate", `Basic realm="test"`)
			http.Error(w, `{"errors":[{"code":"UNAUTHORIZED","message":"authentication required"}]}`, http.StatusUnauthorized)
			return
		}
		handler.ServeHTTP(w, q)
	}))
	t.Cleanup(server.Close)
	h := hub{host: strings.TrimPrefix(server.URL, "http://"), config: t.TempDir()}
	text := fmt.Sprintf(`{"auths": {%q: {"auth": %q}}}`, h.host, base64.StdEncoding.EncodeToString([]byte(hubUser+":"+hubPassword)))
	testkit.OK(t, os.WriteFile(filepath.Join(h.config, "config.json"), []byte(text), 0o600))
	return h
}

// store pushes an image from the node's folder and returns its name.
func (h hub) store(t *testing.T, n *Node, archive string) string {
	t.Helper()
	img, err := tarball.ImageFromPath(filepath.Join(n.dir, "image", archive), nil)
	testkit.OK(t, err)
	ref, err := name.ParseReference(h.host + "/" + strings.TrimSuffix(archive, ".tar") + ":1")
	testkit.OK(t, err)
	testkit.OK(t, remote.Write(ref, img, remote.WithAuth(&authn.Basic{Username: hubUser, Password: hubPassword})))
	return ref.String()
}

// login creates the secret with the login in the scene's namespace.
func (s *scene) login(h hub) {
	s.t.Helper()
	s.Kubectl(s.t, "-n", s.namespace, "create", "secret", "docker-registry", "login", "--docker-server="+h.host, "--docker-username="+hubUser, "--docker-password="+hubPassword)
}

// TestNoShell checks that an image without a shell is recognized from its registry before anything is created, and that
// one with a shell runs.
func TestNoShell(t *testing.T) {
	s, h := newScene(t), newHub(t)
	s.login(h)
	bare, job := h.store(t, s.Node, "bare.tar"), h.store(t, s.Node, "job.tar")
	run := func(image string, flags ...string) ended {
		cmd := s.job("none", append(flags, "--image", image, "--k8s", "pull-secret=login")...)
		cmd.Env = append(cmd.Env, "DOCKER_CONFIG="+h.config)
		return finish(cmd)
	}
	for _, flags := range [][]string{nil, {"--check"}} {
		got := run(bare, flags...)
		if got.code != 125 || !strings.Contains(joined(got.out)+got.last(), "the image has no shell (sh), which amlfix needs to start jobs: use an image with a shell") || strings.Contains(got.err, "creating job") {
			t.Errorf("%d\n%s%s", got.code, got.out, got.err)
		}
	}
	if got := run(job, "--check"); got.code != 0 || !strings.Contains(got.out, "ok        image        the registry has "+job+";") || !strings.Contains(got.out, "secret login, with the login for the image's registry, exists") {
		t.Errorf("%d\n%s%s", got.code, got.out, got.err)
	}
	if got := run(h.host+"/job:2", "--check"); !strings.Contains(joined(got.out), "the registry "+h.host+" says that there is no image "+h.host+"/job:2: check its name") {
		t.Errorf("%d\n%s%s", got.code, got.out, got.err)
	}
	if got := run(job); got.code != 0 {
		t.Errorf("%d\n%s", got.code, got.err)
	}
	s.NothingLeft(t, s.namespace)
}

// joined returns the output of --check with each next step joined to its problem, as a run prints it.
func joined(out string) string { return regexp.MustCompile(`\n +-> `).ReplaceAllString(out, ": ") }

// builds has jobs whose images are built from a Dockerfile, from a conda file, and from both.
const builds = `
-- .amlfix.yaml --
kubernetes: {context: node, namespace: $NAMESPACE, pull-secret: login, registry: $HUB/team}
-- docker.yml --
type: command
command: python main.py
code: src
environment: {build: {path: context}}
-- conda.yml --
type: command
command: python main.py
code: .
environment: {image: $IMAGE, conda_file: {dependencies: [python=3.11, {pip: [--no-index, --find-links wheels, amlfixtest]}]}}
-- conda-in-pod.yml --
type: command
command: python main.py
code: src
environment: {image: $HUB/team/conda:1, conda_file: {dependencies: [python=3.11, activated]}}
-- context/Dockerfile --
FROM $IMAGE
COPY module.py /usr/lib/python3/dist-packages/amlfixtest.py
-- context/module.py --
word = "built"
-- src/main.py --
import os
try:
    import amlfixtest
    print(amlfixtest.word)
except ImportError:
    print(os.environ["CUDA_HOME"] == os.environ["CONDA_PREFIX"] + "/cuda", os.environ["ORDER"])
`

func newBuilds(t *testing.T) (*scene, hub, *enginetest.Engine) {
	t.Helper()
	s, h, e := newPackages(t), newHub(t), enginetest.Start(t)
	s.login(h)
	for _, f := range txtar.Parse([]byte(strings.NewReplacer("$NAMESPACE", s.namespace, "$IMAGE", Image, "$HUB", h.host).Replace(builds))).Files {
		testkit.Write(t, s.dir, f.Name, f.Data)
	}
	archive := testkit.Read(t, s.Node.dir, "image/job.tar")
	e.Do(t, http.MethodPost, "/images/load", archive)
	return s, h, e
}

func (s *scene) withEngine(h hub, e *enginetest.Engine, args ...string) *exec.Cmd {
	cmd := s.Command(s.t, s.dir, append([]string{"run"}, args...)...)
	cmd.Env = append(cmd.Env, "DOCKER_CONFIG="+h.config, "DOCKER_HOST="+e.Host)
	return cmd
}

// TestBuild checks that --build makes the engine build an image from a Dockerfile, or from a conda file on top of an
// image, and that the pod runs the image with the digest that was pushed.
func TestBuild(t *testing.T) {
	s, h, e := newBuilds(t)
	for name, want := range map[string]string{"docker.yml": "built\n", "conda.yml": "installed True\n"} {
		got := finish(s.withEngine(h, e, name, "-t", "k8s", "--build"))
		if got.code != 0 || got.out != want || !strings.Contains(got.err, "pushing the image to "+h.host+"/team/amlfix:") {
			t.Errorf("%s: %d\n%s\n%s", name, got.code, got.out, got.err)
		}
	}
	s.NothingLeft(t, s.namespace)
	got := finish(s.withEngine(h, e, "docker.yml", "-t", "k8s", "--build", "--check"))
	if got.code != 0 || !strings.Contains(got.out, "builds the image when the job runs, and pushes it to "+h.host+"/team/amlfix") {
		t.Errorf("%d\n%s%s", got.code, got.out, got.err)
	}
	testkit.OK(t, os.WriteFile(filepath.Join(h.config, "config.json"), []byte("{}"), 0o600))
	got = finish(s.withEngine(h, e, "docker.yml", "-t", "k8s", "--build"))
	if got.code != 125 || !strings.Contains(got.last(), "log in with `docker login "+h.host+"` as a user who may push there") || strings.Contains(got.err, "creating job") {
		t.Errorf("%d\n%s", got.code, got.err)
	}
	s.NothingLeft(t, s.namespace)
}

// TestCondaInPod checks that an image with conda makes the environment with it, and that its activation takes effect.
// Conda is a stand-in: see enginetest.CondaText.
func TestCondaInPod(t *testing.T) {
	s, h, e := newBuilds(t)
	e.Derive(t, "amlfix-test/conda-in-pod:1", Image, map[string]string{"/opt/miniconda3/bin/conda": enginetest.CondaText})
	for _, args := range [][]string{{"tag", "amlfix-test/conda-in-pod:1", h.host + "/team/conda:1"}, {"push", h.host + "/team/conda:1"}} {
		testkit.Output(t, exec.Command("docker", append([]string{"-H", e.Host, "--config", h.config}, args...)...))
	}
	got := finish(s.withEngine(h, e, "conda-in-pod.yml", "-t", "k8s"))
	if got.code != 0 || got.out != "True ab\n" || !strings.Contains(got.err, "conda env create -p /amlfix/.amlfix/env/") {
		t.Errorf("%d\n%s\n%s", got.code, got.out, got.err)
	}
	s.NothingLeft(t, s.namespace)
}
