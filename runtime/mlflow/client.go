// Package mlflow sends runs to an MLflow tracking server through its REST API: the user's own server, or the endpoint
// of an Azure ML workspace. It reads what it sends from a run's record, so it can send while the run proceeds, and
// again after the server was unavailable.
package mlflow

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/amlfix/amlfix/runtime/cause"
	"github.com/amlfix/amlfix/schema/escape"
	"github.com/amlfix/amlfix/schema/secret"
)

// Times after which a server counts as unavailable: much more than a working server takes, and short enough for a
// waiting user.
const (
	dialTime   = 5 * time.Second
	answerTime = 20 * time.Second
)

// redirects is how often a request may be redirected, as by default in Go.
const redirects = 10

// Client is a connection to an MLflow tracking server. Its methods return an *Error if the server refuses a request.
type Client struct {
	base       *url.URL
	experiment string
	auth       func(*http.Request)
	http       *http.Client
}

// New reads MLFLOW_TRACKING_URI, MLFLOW_EXPERIMENT_NAME, MLFLOW_TRACKING_TOKEN, MLFLOW_TRACKING_USERNAME and
// MLFLOW_TRACKING_PASSWORD from the environment. It returns nil if the first is not set. The error says what to write
// instead if the URI cannot be used. New sends nothing.
func New(env func(string) string) (*Client, error) {
	uri := strings.TrimSpace(env("MLFLOW_TRACKING_URI"))
	if uri == "" {
		return nil, nil
	}
	u, err := url.Parse(uri)
	if err != nil {
		return nil, errors.New("MLFLOW_TRACKING_URI is not a valid address: use that of an MLflow server, such as http://localhost:5000")
	}
	switch {
	case u.Scheme == "azureml":
		return nil, fmt.Errorf("MLFLOW_TRACKING_URI=%s is a form that only Microsoft's Python package reads: write https:// instead of azureml://, and put a token in MLFLOW_TRACKING_TOKEN, "+
			"as `az account get-access-token --resource https://management.azure.com --query accessToken -o tsv` prints it", secret.Hide(uri))
	case u.Scheme == "file" || u.Scheme == "sqlite" || u.Scheme == "" && strings.ContainsAny(uri, `/\`):
		return nil, fmt.Errorf("MLFLOW_TRACKING_URI=%s is a path on a disk, which amlfix does not support: start `mlflow server` on it and use the server's address, such as http://localhost:5000", secret.Hide(uri))
	case u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return nil, fmt.Errorf("MLFLOW_TRACKING_URI=%s cannot be used: amlfix supports MLflow servers at http:// and https:// addresses", secret.Hide(uri))
	}
	c := &Client{base: u, experiment: env("MLFLOW_EXPERIMENT_NAME"), auth: func(*http.Request) {}}
	user, password := env("MLFLOW_TRACKING_USERNAME"), env("MLFLOW_TRACKING_PASSWORD")
	if u.User != nil && user == "" {
		user = u.User.Username()
		password, _ = u.User.Password()
	}
	u.User = nil
	switch token := env("MLFLOW_TRACKING_TOKEN"); {
	case user != "":
		c.auth = func(r *http.Request) { r.SetBasicAuth(user, password) }
	case token != "":
		c.auth = func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+token) }
	}
	dial := &net.Dialer{Timeout: dialTime}
	c.http = &http.Client{
		Transport: &http.Transport{Proxy: http.ProxyFromEnvironment, DialContext: dial.DialContext, TLSHandshakeTimeout: dialTime, ResponseHeaderTimeout: answerTime},
		// a server that redirects must not get the password sent elsewhere
		CheckRedirect: func(r *http.Request, via []*http.Request) error {
			if len(via) >= redirects {
				return errors.New("the server keeps redirecting")
			}
			if r.URL.Host != via[0].URL.Host || r.URL.Scheme != via[0].URL.Scheme {
				return errors.New("the server redirects to another one, " + r.URL.Scheme + "://" + r.URL.Host)
			}
			return nil
		},
	}
	return c, nil
}

// Name returns the server's address, without secrets.
func (c *Client) Name() string { return secret.Hide(c.base.String()) }

// Error is a refusal by the server.
type Error struct {
	Server string
	Status int    // the HTTP status
	Code   string // MLflow's error code, such as RESOURCE_DOES_NOT_EXIST
	Text   string // the server's message, escaped, on one line, at most textLimit characters
}

func (e *Error) Error() string {
	switch e.Status {
	case http.StatusUnauthorized, http.StatusForbidden:
		return e.Server + ": the MLflow server denies access: set MLFLOW_TRACKING_USERNAME and MLFLOW_TRACKING_PASSWORD, or MLFLOW_TRACKING_TOKEN"
	case http.StatusNotFound:
		if e.Code == "" {
			return e.Server + ": no MLflow server answers there: check the address in MLFLOW_TRACKING_URI"
		}
	}
	return fmt.Sprintf("%s: the MLflow server rejects the request: %s (%d)", e.Server, e.Text, e.Status)
}

// call sends an API request and decodes the answer into out.
func (c *Client) call(ctx context.Context, method, path string, query url.Values, in, out any) error {
	u := c.base.JoinPath("api/2.0/mlflow", path)
	u.RawQuery = query.Encode()
	var body io.Reader
	if in != nil {
		text, err := json.Marshal(in)
		if err != nil {
			return err
		}
		body = bytes.NewReader(text)
	}
	req, err := http.NewRequestWithContext(ctx, method, u.String(), body)
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	text, err := c.send(req)
	if err != nil || out == nil {
		return err
	}
	if err := json.Unmarshal(text, out); err != nil {
		return &Error{Server: c.Name(), Status: http.StatusNotFound}
	}
	return nil
}

// answerLimit is how many bytes of an answer are read: a hundred times the size of the longest one, a run with all its
// parameters and tags. textLimit is how many bytes of an error's text are quoted: about four lines on a terminal.
const (
	answerLimit = 4 << 20
	textLimit   = 300
)

func (c *Client) send(req *http.Request) ([]byte, error) {
	c.auth(req)
	req.Header.Set("User-Agent", "amlfix")
	r, err := c.http.Do(req)
	if err != nil {
		if u, ok := errors.AsType[*url.Error](err); ok {
			err = u.Err
		}
		return nil, fmt.Errorf("%s: the MLflow server cannot be reached: %s", c.Name(), secret.Hide(cause.Plain(err)))
	}
	defer func() { _ = r.Body.Close() }()
	text, err := io.ReadAll(io.LimitReader(r.Body, answerLimit))
	if err != nil {
		return nil, fmt.Errorf("%s: the MLflow server's answer was cut off: %s", c.Name(), cause.Plain(err))
	}
	if r.StatusCode >= 300 {
		e := &Error{Server: c.Name(), Status: r.StatusCode}
		var said struct {
			Code string `json:"error_code"`
			Text string `json:"message"`
		}
		if json.Unmarshal(text, &said) == nil {
			e.Code, e.Text = said.Code, escape.Said(secret.Hide(said.Text[:min(len(said.Text), 16*textLimit)]), textLimit)
		}
		if e.Text == "" {
			e.Text = http.StatusText(r.StatusCode)
		}
		return nil, e
	}
	return text, nil
}
