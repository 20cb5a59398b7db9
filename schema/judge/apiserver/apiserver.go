//go:build linux

// Package apiserver checks manifests with an API server of Kubernetes. It is only for tests, and apart from judge
// because every test program that contains net/http links longer.
package apiserver

import (
	"bytes"
	"context"
	"crypto/tls"
	"embed"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"sigs.k8s.io/yaml"

	"github.com/amlfix/amlfix/schema/testkit"
	"github.com/amlfix/amlfix/schema/testkit/daemon"
)

//go:embed apiserver.sh apiserver.go.txt
var source embed.FS

// Cluster is a Kubernetes API server with an etcd, and nothing else: no controller creates pods for Jobs.
type Cluster struct {
	address string
	client  *http.Client
}

// Start starts the API server, which is built once from the Go module proxy and kept in the user's cache folder, and
// the machine's etcd.
func Start(t testing.TB) *Cluster {
	t.Helper()
	etcd := testkit.Program(t, "etcd")
	program, err := server()
	if err != nil {
		testkit.Unavailable(t, err.Error())
	}
	dir := t.TempDir()
	ports := []string{strconv.Itoa(daemon.FreePort()), strconv.Itoa(daemon.FreePort()), strconv.Itoa(daemon.FreePort())}
	store := "http://127.0.0.1:" + ports[0]
	serve(t, dir, etcd, "--data-dir", filepath.Join(dir, "etcd"), "--listen-client-urls", store, "--advertise-client-urls", store,
		"--listen-peer-urls", "http://127.0.0.1:"+ports[1], "--initial-advertise-peer-urls", "http://127.0.0.1:"+ports[1],
		"--initial-cluster", "default=http://127.0.0.1:"+ports[1], "--unsafe-no-fsync")
	key := filepath.Join(dir, "sa.key")
	out, err := exec.CommandContext(t.Context(), "openssl", "genrsa", "-out", key, "2048").CombinedOutput()
	if err != nil {
		t.Fatalf("openssl: %v: %s", err, out)
	}
	tokens := filepath.Join(dir, "tokens.csv")
	testkit.OK(t, os.WriteFile(tokens, []byte("token,admin,1,system:masters\n"), 0o600))
	serve(t, dir, program, "--etcd-servers="+store, "--bind-address=127.0.0.1", "--secure-port="+ports[2], "--cert-dir="+dir, "--token-auth-file="+tokens,
		"--authorization-mode=RBAC", "--service-cluster-ip-range=10.96.0.0/16", "--service-account-issuer=https://kubernetes.default.svc",
		"--service-account-key-file="+key, "--service-account-signing-key-file="+key, "--endpoint-reconciler-type=none", "--disable-admission-plugins=ServiceAccount")
	c := &Cluster{address: "https://127.0.0.1:" + ports[2], client: &http.Client{Timeout: time.Minute, Transport: &http.Transport{
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, //nolint:gosec // its certificate is created when it starts
	}}}
	testkit.Until(t, "the API server is ready", func() bool {
		status, _, err := c.send(t.Context(), http.MethodGet, "/readyz", nil)
		return err == nil && status == http.StatusOK
	})
	return c
}

// server builds the API server.
var server = sync.OnceValues(func() (string, error) {
	dir, err := testkit.Cached("apiserver", "sh apiserver.sh", source, "apiserver.sh", "apiserver.go.txt")
	return filepath.Join(dir, "kube-apiserver"), err
})

// Namespace creates a namespace.
func (c *Cluster) Namespace(t testing.TB, name string) {
	t.Helper()
	body, err := json.Marshal(map[string]any{"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": name}})
	testkit.OK(t, err)
	if status, answer, err := c.send(t.Context(), http.MethodPost, "/api/v1/namespaces", body); err != nil || status != http.StatusCreated {
		t.Fatalf("namespace %s: %d %v %s", name, status, err, answer)
	}
}

// Create sends the documents of a manifest to the server, as `kubectl create --validate=strict` does: unknown and
// duplicate fields are errors. The error contains the server's message.
func (c *Cluster) Create(ctx context.Context, namespace string, manifest []byte) (created int, err error) {
	for document := range bytes.SplitSeq(manifest, []byte("\n---\n")) {
		var kind struct{ Kind string }
		if err := yaml.Unmarshal(document, &kind); err != nil {
			return created, err
		}
		way, ok := map[string]string{
			"Job": "/apis/batch/v1/namespaces/%s/jobs", "Service": "/api/v1/namespaces/%s/services", "PersistentVolumeClaim": "/api/v1/namespaces/%s/persistentvolumeclaims",
		}[kind.Kind]
		if !ok {
			return created, fmt.Errorf("a document of kind %q", kind.Kind)
		}
		status, answer, err := c.send(ctx, http.MethodPost, fmt.Sprintf(way, namespace)+"?fieldValidation=Strict", document)
		if err != nil {
			return created, err
		}
		if status != http.StatusCreated {
			return created, fmt.Errorf("%s: %d: %s", kind.Kind, status, answer)
		}
		created++
	}
	return created, nil
}

func (c *Cluster) send(ctx context.Context, method, way string, body []byte) (status int, answer string, err error) {
	r, err := http.NewRequestWithContext(ctx, method, c.address+way, bytes.NewReader(body))
	if err != nil {
		return 0, "", err
	}
	r.Header.Set("Authorization", "Bearer token")
	r.Header.Set("Content-Type", "application/yaml")
	r.Header.Set("Accept", "application/json")
	response, err := c.client.Do(r)
	if err != nil {
		return 0, "", err
	}
	defer response.Body.Close() //nolint:errcheck // only read from
	text, err := io.ReadAll(response.Body)
	return response.StatusCode, string(text), err
}

// serve starts a program that ends with the test.
func serve(t testing.TB, dir, program string, args ...string) {
	t.Helper()
	server, err := daemon.Start(exec.Command(program, args...), filepath.Join(dir, filepath.Base(program)+".log"))
	testkit.OK(t, err)
	server.EndWith(t)
}
