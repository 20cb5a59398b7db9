package docker

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Login holds a user's credentials for a registry. It is sent only to the engine, and never printed or written.
type Login struct {
	Username      string `json:"username,omitempty"`
	Password      string `json:"password,omitempty"`
	IdentityToken string `json:"identitytoken,omitempty"`
	ServerAddress string `json:"serveraddress,omitempty"`
}

// String hides the secret.
func (l Login) String() string { return "login at " + l.ServerAddress }

// hubKey is the name of Docker Hub in the docker command's configuration.
const hubKey = "https://index.docker.io/v1/"

// helperTime is how long a credential helper may take.
const helperTime = 15 * time.Second

// dockerConfig is the part of the docker command's configuration that `docker login` writes.
type dockerConfig struct {
	Auths map[string]struct {
		Auth          string `json:"auth"`
		IdentityToken string `json:"identitytoken"`
	} `json:"auths"`
	CredsStore  string            `json:"credsStore"`
	CredHelpers map[string]string `json:"credHelpers"`
}

// FindLogin looks up what `docker login` has stored for the registry of an image: in config.json in DOCKER_CONFIG or
// ~/.docker, or in the credential helper named there. It returns nil and no error if nothing is stored.
func FindLogin(ctx context.Context, ref string) (*Login, error) {
	dir := os.Getenv("DOCKER_CONFIG")
	if dir == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return nil, nil
		}
		dir = filepath.Join(home, ".docker")
	}
	file := filepath.Join(dir, "config.json")
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s: cannot be read, so the image is pulled without a login: check its permissions", file)
	}
	var c dockerConfig
	if err := json.Unmarshal(text, &c); err != nil {
		return nil, fmt.Errorf("%s: is not valid JSON, so the image is pulled without a login: fix it, or sign in again with `docker login`", file)
	}
	host := RegistryHost(ref)
	key := host
	if host == hub {
		key = hubKey
	}
	if helper := c.helper(host, key); helper != "" {
		return askHelper(ctx, helper, key)
	}
	named := slices.DeleteFunc(slices.Sorted(maps.Keys(c.Auths)), func(name string) bool { return name == key || registryOf(name) != host })
	for _, name := range append([]string{key}, named...) { // as in the docker command, the exact name comes first
		a := c.Auths[name]
		user, password, ok := decodeAuth(a.Auth)
		if a.IdentityToken != "" {
			return &Login{Username: user, IdentityToken: a.IdentityToken, ServerAddress: key}, nil
		}
		if ok {
			return &Login{Username: user, Password: password, ServerAddress: key}, nil
		}
	}
	return nil, nil
}

func (c dockerConfig) helper(host, key string) string {
	for _, name := range []string{host, key} {
		if h := c.CredHelpers[name]; h != "" {
			return h
		}
	}
	return c.CredsStore
}

// registryOf strips the scheme and path that old versions of the docker command stored.
func registryOf(name string) string {
	_, rest, found := strings.Cut(name, "://")
	if !found {
		rest = name
	}
	host, _, _ := strings.Cut(rest, "/")
	return host
}

func decodeAuth(auth string) (user, password string, ok bool) {
	text, err := base64.StdEncoding.DecodeString(auth)
	if err != nil {
		return "", "", false
	}
	user, password, ok = strings.Cut(string(text), ":")
	return user, strings.TrimRight(password, "\x00"), ok
}

// askHelper speaks the credential helper protocol. It never passes on what a helper prints, because that may contain
// the secret.
func askHelper(ctx context.Context, helper, key string) (*Login, error) {
	if strings.ContainsAny(helper, `/\`) {
		return nil, fmt.Errorf("docker config.json names the credential helper %q: it must be a name without a path", helper)
	}
	ctx, cancel := context.WithTimeout(ctx, helperTime)
	defer cancel()
	program := "docker-credential-" + helper
	cmd := exec.CommandContext(ctx, program, "get")
	cmd.Stdin = strings.NewReader(key)
	var out bytes.Buffer
	cmd.Stdout, cmd.WaitDelay = &out, time.Second
	err := cmd.Run()
	if strings.Contains(out.String(), "credentials not found") {
		return nil, nil
	}
	if err != nil {
		why := "it failed: check the output of `docker login`"
		if errors.Is(err, exec.ErrNotFound) {
			why = "there is no such program: install it, or remove it from docker's config.json"
		}
		return nil, fmt.Errorf("%s: the credential helper gave no login, so the image is pulled without one: %s", program, why)
	}
	var answer struct{ Username, Secret string }
	if json.Unmarshal(out.Bytes(), &answer) != nil || answer.Secret == "" {
		return nil, fmt.Errorf("%s: the credential helper gave no login, so the image is pulled without one", program)
	}
	if answer.Username == "<token>" {
		return &Login{IdentityToken: answer.Secret, ServerAddress: key}, nil
	}
	return &Login{Username: answer.Username, Password: answer.Secret, ServerAddress: key}, nil
}
