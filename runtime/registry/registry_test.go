package registry

import (
	"archive/tar"
	"bytes"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/registry"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/tarball"

	"github.com/amlfix/amlfix/runtime/docker"
	"github.com/amlfix/amlfix/schema/testkit"
)

// layer returns a layer with these files.
func layer(t *testing.T, names ...string) v1.Layer {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, n := range names {
		testkit.OK(t, w.WriteHeader(&tar.Header{Name: n, Typeflag: map[bool]byte{true: tar.TypeDir, false: tar.TypeReg}[strings.HasSuffix(n, "/")], Mode: 0o755}))
	}
	testkit.OK(t, w.Close())
	l, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(b.Bytes())), nil })
	testkit.OK(t, err)
	return l
}

// TestShell checks that an image has a shell if it declares one or a layer contains one, and otherwise has none.
func TestShell(t *testing.T) {
	server := httptest.NewServer(registry.New(registry.Logger(log.New(io.Discard, "", 0))))
	t.Cleanup(server.Close)
	host := strings.TrimPrefix(server.URL, "http://")
	made := func(by string, none bool) []v1.History { return []v1.History{{CreatedBy: by, EmptyLayer: none}} }
	for id, tt := range map[string]struct {
		config v1.Config
		made   []v1.History
		files  []string
		want   Answer
	}{
		"run":        {made: made("/bin/sh -c apt-get update", false), want: Yes},
		"buildkit":   {made: made("RUN |1 A=b /bin/bash -o pipefail -c make # buildkit", false), want: Yes},
		"nothing":    {made: made(`/bin/sh -c #(nop)  CMD ["/a"]`, true), files: []string{"a"}, want: No},
		"copied":     {made: made("/bin/sh -c #(nop) ADD file:x in / ", false), files: []string{"a"}, want: No},
		"command":    {config: v1.Config{Cmd: []string{"bash"}}, want: Yes},
		"entrypoint": {config: v1.Config{Entrypoint: []string{"/bin/sh", "-c"}}, want: Yes},
		"file":       {files: []string{"usr/", "usr/bin/sh"}, want: Yes},
		"busybox":    {files: []string{"busybox/sh"}, want: Yes},
		"folder":     {files: []string{"etc/sh/", "usr/bin/ssh", "usr/bin/python.sh"}, want: No},
	} {
		t.Run(id, func(t *testing.T) {
			img, err := mutate.Append(empty.Image, mutate.Addendum{Layer: layer(t, tt.files...), History: append(tt.made, v1.History{})[0]})
			testkit.OK(t, err)
			config, err := img.ConfigFile()
			testkit.OK(t, err)
			config = config.DeepCopy()
			config.OS, config.Architecture, config.Config = "linux", "amd64", tt.config
			img, err = mutate.ConfigFile(img, config)
			testkit.OK(t, err)
			ref, err := name.ParseReference(host + "/" + id + ":1")
			testkit.OK(t, err)
			testkit.OK(t, remote.Write(ref, img))
			digest, err := img.Digest()
			testkit.OK(t, err)
			got, err := Look(t.Context(), ref.String(), "amd64", nil)
			testkit.OK(t, err)
			testkit.Same(t, Image{Yes, digest.String(), tt.want}, got)
		})
	}
	if got, err := Look(t.Context(), host+"/run:2", "amd64", nil); err != nil || got.Published != No || got.Shell != Unknown {
		t.Errorf("%+v, %v", got, err)
	}
	server.Close()
	if got, err := Look(t.Context(), host+"/run:1", "amd64", nil); err == nil || got != (Image{Unknown, "", Unknown}) {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestLogin checks that a registry is queried with the login that it, or the server that it names, requires, and that
// nothing is known without one.
func TestLogin(t *testing.T) {
	plain := registry.New(registry.Logger(log.New(io.Discard, "", 0)))
	var server *httptest.Server
	challenge := ""
	server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		user, password, _ := q.BasicAuth()
		known := user == "ann" && password == "pass:word"
		switch {
		case q.URL.Path == "/token":
			if q.FormValue("service") != "s" || q.FormValue("scope") != "repository:team/a:pull" || !known && q.FormValue("refresh_token") != "identity" {
				w.WriteHeader(http.StatusForbidden)
				return
			}
			_, _ = io.WriteString(w, `{"token":"given"}`)
		case challenge == "" || strings.HasPrefix(challenge, "Basic") && known || q.Header.Get("Authorization") == "Bearer given":
			plain.ServeHTTP(w, q)
		default:
			w.Header().Set("WWW-Authenticate", challenge)
			w.WriteHeader(http.StatusUnauthorized)
		}
	}))
	t.Cleanup(server.Close)
	host := strings.TrimPrefix(server.URL, "http://")
	ref, err := name.ParseReference(host + "/team/a:1")
	testkit.OK(t, err)
	img, err := mutate.Config(empty.Image, v1.Config{Cmd: []string{"sh"}})
	testkit.OK(t, err)
	testkit.OK(t, remote.Write(ref, img))
	token := `Bearer realm="` + server.URL + `/token",service="s",scope="repository:team/a:pull"`
	for id, tt := range map[string]struct {
		challenge string
		login     *docker.Login
		want      Answer
	}{
		"basic":         {`Basic realm="x"`, &docker.Login{Username: "ann", Password: "pass:word"}, Yes},
		"token":         {token, &docker.Login{Username: "ann", Password: "pass:word"}, Yes},
		"identity":      {token, &docker.Login{IdentityToken: "identity"}, Yes},
		"wrong":         {token, &docker.Login{Username: "ann", Password: "wrong"}, Unknown},
		"none":          {token, nil, Unknown},
		"none for it":   {`Basic realm="x"`, nil, Unknown},
		"another thing": {`Negotiate`, &docker.Login{Username: "ann", Password: "pass:word"}, Unknown},
	} {
		t.Run(id, func(t *testing.T) {
			challenge = tt.challenge
			got, err := Look(t.Context(), ref.String(), "amd64", tt.login)
			if got.Published != tt.want || got.Shell != tt.want || (err == nil) != (tt.want == Yes) {
				t.Errorf("%+v, %v", got, err)
			}
		})
	}
}
