package registry

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"

	"github.com/amlfix/amlfix/runtime/docker"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/requirement"
)

// client queries one repository.
type client struct {
	base          string // the base of its URLs
	login         *docker.Login
	authorization string // sent with requests; empty: not needed so far
}

var asker = &http.Client{Transport: &http.Transport{Proxy: http.ProxyFromEnvironment}}

// errNotFound means that a registry does not have something.
var errNotFound = errors.New("not found")

// open returns a client for an image's repository, and the tag or digest that names the image. Like engines, it uses no
// TLS for registries on this machine.
func open(image string, login *docker.Login) (c *client, reference string, err error) {
	m, err := requirement.ParseImage(image)
	if err != nil {
		return nil, "", err
	}
	host, repository := docker.RegistryHost(image), m.Name()
	repository = strings.TrimPrefix(repository, host+"/")
	if host == "docker.io" {
		host = "registry-1.docker.io"
		if !strings.Contains(repository, "/") {
			repository = "library/" + repository
		}
	}
	scheme := "https"
	name, _, err := net.SplitHostPort(host)
	if err != nil {
		name = host
	}
	if name == "localhost" || strings.HasPrefix(name, "127.") && net.ParseIP(name) != nil || name == "::1" {
		scheme = "http"
	}
	return &client{base: scheme + "://" + host + "/v2/" + repository, login: login}, cmp.Or(m.Digest, m.Tag, "latest"), nil
}

// get requests something below the repository, and logs in if the registry requires it. The caller must close the body.
// The error is errNotFound, or says why.
func (c *client) get(ctx context.Context, path string, accept ...string) (*http.Response, error) {
	for tried := false; ; tried = true {
		q, err := http.NewRequestWithContext(ctx, http.MethodGet, c.base+path, nil)
		if err != nil {
			return nil, err
		}
		q.Header["Accept"] = accept
		if c.authorization != "" {
			q.Header.Set("Authorization", c.authorization)
		}
		r, err := asker.Do(q)
		if err != nil || r.StatusCode == http.StatusOK {
			return r, err
		}
		_ = r.Body.Close()
		switch {
		case r.StatusCode == http.StatusNotFound:
			return nil, errNotFound
		case r.StatusCode != http.StatusUnauthorized || tried:
			return nil, fmt.Errorf("the registry says %s", r.Status)
		}
		if err := c.authorize(ctx, r.Header.Get("WWW-Authenticate")); err != nil {
			return nil, err
		}
	}
}

// mostSaid limits how much of an answer is read.
const mostSaid = 4 << 20

// ask is like get but decodes a JSON answer.
func (c *client) ask(ctx context.Context, into any, path string, accept ...string) (http.Header, error) {
	r, err := c.get(ctx, path, accept...)
	if err != nil {
		return nil, err
	}
	defer func() { _ = r.Body.Close() }()
	return r.Header, json.NewDecoder(io.LimitReader(r.Body, mostSaid)).Decode(into)
}

var parameter = plain.Regexp{Text: `(\w+)="([^"]*)"`}

// authorize does what a registry requires before it answers: it logs in, or gets a token from another server.
func (c *client) authorize(ctx context.Context, challenge string) error {
	kind, rest, _ := strings.Cut(challenge, " ")
	asked := map[string]string{}
	for _, p := range parameter.Get().FindAllStringSubmatch(rest, -1) {
		asked[p[1]] = p[2]
	}
	switch {
	case strings.EqualFold(kind, "Basic") && c.login != nil && c.login.Password != "":
		q := http.Request{Header: http.Header{}}
		q.SetBasicAuth(c.login.Username, c.login.Password)
		c.authorization = q.Header.Get("Authorization")
		return nil
	case !strings.EqualFold(kind, "Bearer") || asked["realm"] == "":
		return errors.New("the registry requires a login")
	}
	form := url.Values{"service": {asked["service"]}, "scope": {asked["scope"]}}
	q, err := http.NewRequestWithContext(ctx, http.MethodGet, asked["realm"]+"?"+form.Encode(), nil)
	if c.login != nil && c.login.IdentityToken != "" {
		form.Set("grant_type", "refresh_token")
		form.Set("refresh_token", c.login.IdentityToken)
		form.Set("client_id", "amlfix")
		if q, err = http.NewRequestWithContext(ctx, http.MethodPost, asked["realm"], strings.NewReader(form.Encode())); err == nil {
			q.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		}
	}
	if err != nil {
		return err
	}
	if !trusted(q.URL, c.base) {
		return fmt.Errorf("the registry refers to %s for logins, which is not contacted without TLS", q.URL.Host)
	}
	if c.login != nil && c.login.Password != "" {
		q.SetBasicAuth(c.login.Username, c.login.Password)
	}
	r, err := asker.Do(q)
	if err != nil {
		return err
	}
	defer func() { _ = r.Body.Close() }()
	var said struct {
		Token  string `json:"token"`
		Access string `json:"access_token"`
	}
	if err := json.NewDecoder(io.LimitReader(r.Body, mostSaid)).Decode(&said); err != nil || r.StatusCode != http.StatusOK {
		return fmt.Errorf("the registry's login server says %s", r.Status)
	}
	c.authorization = "Bearer " + cmp.Or(said.Token, said.Access)
	return nil
}

// trusted reports whether a login may be sent to a URL that a registry names: without TLS, only if the registry itself
// is reached without TLS.
func trusted(to *url.URL, base string) bool {
	return to.Scheme == "https" || to.Scheme == "http" && strings.HasPrefix(base, "http://")
}
