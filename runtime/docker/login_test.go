package docker

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/schema/testkit"
)

func TestFindLogin(t *testing.T) {
	for _, tt := range []struct {
		name, config, ref string
		want              *Login
		fails             string
	}{
		{name: "no file", ref: "a/b"},
		{name: "not JSON", config: "{", ref: "a/b", fails: "is not valid JSON, so the image is pulled without a login: fix it, or sign in again"},
		{name: "hub", config: `{"auths":{"https://index.docker.io/v1/":{"auth":"YTpi"}}}`, ref: "a/b:1", want: &Login{Username: "a", Password: "b", ServerAddress: hubKey}},
		{name: "token", config: `{"auths":{"r.example.com":{"auth":"YTo=","identitytoken":"t"}}}`, ref: "r.example.com/b", want: &Login{Username: "a", IdentityToken: "t", ServerAddress: "r.example.com"}},
		{name: "two names of one registry", config: `{"auths":{"http://r.example.com":{"auth":"Yzpk"},"https://r.example.com/v1/":{"auth":"ZTpm"},"r.example.com":{"auth":"YTpi"},"s.example.com":{}}}`, ref: "r.example.com/b",
			want: &Login{Username: "a", Password: "b", ServerAddress: "r.example.com"}},
		{name: "not base64", config: `{"auths":{"r.example.com":{"auth":"?"}}}`, ref: "r.example.com/b"},
		{name: "helper missing", config: `{"credsStore":"amlfix-none"}`, ref: "a/b",
			fails: "docker-credential-amlfix-none: the credential helper gave no login, so the image is pulled without one: there is no such program: install it, or remove it from docker's config.json"},
		{name: "helper with a path", config: `{"credsStore":"../../evil"}`, ref: "a/b", fails: "it must be a name without a path"},
	} {
		dir := t.TempDir()
		t.Setenv("DOCKER_CONFIG", dir)
		if tt.config != "" {
			testkit.OK(t, os.WriteFile(filepath.Join(dir, "config.json"), []byte(tt.config), 0o600))
		}
		got, err := FindLogin(t.Context(), tt.ref)
		if d := cmp.Diff(tt.want, got); d != "" || (err != nil) != (tt.fails != "") || err != nil && !strings.Contains(err.Error(), tt.fails) {
			t.Errorf("%s: %v\n%s", tt.name, err, d)
		}
	}
}

func TestLoginPrintsNoSecret(t *testing.T) {
	l := Login{Username: "u", Password: "secret", IdentityToken: "secret", ServerAddress: "r"}
	if s := fmt.Sprint(l, &l) + fmt.Sprintf("%v %s", l, l); strings.Contains(s, "secret") {
		t.Error(s)
	}
}
