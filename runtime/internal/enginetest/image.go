//go:build linux

package enginetest

import (
	"archive/tar"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/amlfix/amlfix/schema/testkit"
)

// JobImage is the name of the image that contains only testjob, at /testjob.
const JobImage = "amlfix-test/job:1"

const jobPackage = "github.com/amlfix/amlfix/runtime/internal/enginetest/testjob"

// LayerBytes is the file system of JobImage as a tar archive, built once.
var LayerBytes = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "amlfix-testjob-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	program := filepath.Join(dir, "testjob")
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", program, jobPackage)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(program)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, f := range []struct {
		name, text string
		mode       int64
	}{{"tmp/", "", 0o1777}, {"etc/", "", 0o755}, {"bin/", "", 0o755}, {"usr/bin/", "", 0o755},
		{"etc/passwd", "root:x:0:0::/:/bin/false\njobs:x:1234:1234::/:/bin/false\n", 0o644}, {"testjob", string(text), 0o755}} {
		h := &tar.Header{Name: f.name, Mode: f.mode, Size: int64(len(f.text)), ModTime: time.Unix(0, 0), Typeflag: tar.TypeReg}
		if strings.HasSuffix(f.name, "/") {
			h.Typeflag = tar.TypeDir
		}
		if err := w.WriteHeader(h); err != nil {
			return nil, err
		}
		if _, err := w.Write([]byte(f.text)); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
})

// Layer returns the file system of JobImage as a tar archive.
func Layer(t testing.TB) []byte {
	t.Helper()
	b, err := LayerBytes()
	testkit.OK(t, err)
	return b
}

// Import makes an image from a tar archive. changes are Dockerfile lines such as "USER jobs".
func (e *Engine) Import(t testing.TB, name string, archive []byte, changes ...string) {
	t.Helper()
	repo, tag, _ := strings.Cut(name, ":")
	q := url.Values{"fromSrc": {"-"}, "repo": {repo}, "tag": {tag}, "changes": changes}
	if _, err := e.do(http.MethodPost, "/images/create?"+q.Encode(), bytes.NewReader(archive)); err != nil {
		t.Fatal(err)
	}
}

// Job returns the name of an image with testjob, which it makes if it does not exist.
func (e *Engine) Job(t testing.TB) string {
	t.Helper()
	e.mu.Lock()
	defer e.mu.Unlock()
	if _, err := e.do(http.MethodGet, "/images/"+JobImage+"/json", nil); err != nil {
		e.Import(t, JobImage, Layer(t))
	}
	return JobImage
}

// ShellJob returns the name of an image with testjob and the programs of Python's image, including sh and sleep. It
// makes the image if it does not exist.
func (e *Engine) ShellJob(t testing.TB) string {
	t.Helper()
	r := tar.NewReader(bytes.NewReader(Layer(t)))
	for {
		h, err := r.Next()
		testkit.OK(t, err)
		if h.Name == "testjob" {
			break
		}
	}
	program, err := io.ReadAll(r)
	testkit.OK(t, err)
	const name = "amlfix-test/shelljob:1"
	e.Derive(t, name, e.Python(t), map[string]string{"/testjob": string(program)})
	return name
}

// Derive makes an image from another one, unless an image of that name exists: with additional files, which everyone
// may execute, and changes, which are Dockerfile lines such as "ENV A=b".
func (e *Engine) Derive(t testing.TB, name, base string, files map[string]string, changes ...string) {
	t.Helper()
	e.mu.Lock()
	defer e.mu.Unlock()
	if _, err := e.do(http.MethodGet, "/images/"+name+"/json", nil); err == nil {
		return
	}
	config, err := json.Marshal(map[string]any{"Image": base, "Cmd": []string{"true"}})
	testkit.OK(t, err)
	made, err := e.do(http.MethodPost, "/containers/create", bytes.NewReader(config))
	testkit.OK(t, err)
	var container struct{ ID string }
	testkit.OK(t, json.Unmarshal(made, &container))
	defer func() { _, _ = e.do(http.MethodDelete, "/containers/"+container.ID, nil) }()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for path, text := range files {
		h := &tar.Header{Name: strings.TrimPrefix(path, "/"), Mode: 0o755, Size: int64(len(text)), ModTime: time.Unix(0, 0), Typeflag: tar.TypeReg}
		testkit.OK(t, w.WriteHeader(h))
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	testkit.OK(t, w.Close())
	if _, err := e.do(http.MethodPut, "/containers/"+container.ID+"/archive?path=/", &b); err != nil {
		t.Fatal(err)
	}
	repo, tag, _ := strings.Cut(name, ":")
	q := url.Values{"container": {container.ID}, "repo": {repo}, "tag": {tag}, "changes": changes}
	if _, err := e.do(http.MethodPost, "/commit?"+q.Encode(), nil); err != nil {
		t.Fatal(err)
	}
}

// RemoveImage removes an image's name, and the image unless others are based on it.
func (e *Engine) RemoveImage(t testing.TB, name string) {
	t.Helper()
	e.mu.Lock()
	defer e.mu.Unlock()
	if _, err := e.do(http.MethodDelete, "/images/"+name, nil); err != nil {
		t.Fatal(err)
	}
}
