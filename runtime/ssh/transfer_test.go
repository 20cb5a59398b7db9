//go:build linux

package ssh

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/runtime/internal/sshtest"
	"github.com/amlfix/amlfix/schema/testkit"
)

func TestPutAndGet(t *testing.T) {
	t.Parallel()
	s := sshtest.Start(t, sshtest.Options{})
	l := connected(t, s, nil)
	dir := filepath.Join(s.HomeOf(sshtest.Root), "a b'c")
	testkit.OK(t, os.Mkdir(dir, 0o755))
	text := bytes.Repeat([]byte("0123456789abcdef"), 1<<17) // 2 MB
	testkit.OK(t, l.Put(t.Context(), "a b'c", tarOf("some file.bin", text)))
	if b, err := os.ReadFile(filepath.Join(dir, "some file.bin")); err != nil || !bytes.Equal(b, text) {
		t.Errorf("%d bytes, %v", len(b), err)
	}
	var got bytes.Buffer
	if err := l.Get(t.Context(), dir, "some file.bin", func(r io.Reader) error { return untar(r, &got) }); err != nil || !bytes.Equal(got.Bytes(), text) {
		t.Errorf("%d bytes, %v", got.Len(), err)
	}
	if err := l.Get(t.Context(), dir, "nothing", func(r io.Reader) error { return untar(r, &got) }); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	var exit *ExitError
	if err := l.Put(t.Context(), "nowhere", tarOf("f", text)); !errors.As(err, &exit) || !strings.Contains(err.Error(), "No such file") {
		t.Error(err)
	}
	bad := errors.New("cannot be read")
	if err := l.Put(t.Context(), dir, func(io.Writer) error { return bad }); !errors.Is(err, bad) {
		t.Error(err)
	}
	if err := l.Get(t.Context(), dir, "some file.bin", func(io.Reader) error { return bad }); !errors.Is(err, bad) {
		t.Error(err)
	}
}

func TestDialUnix(t *testing.T) {
	t.Parallel()
	s := sshtest.Start(t, sshtest.Options{})
	l := connected(t, s, nil)
	socket := filepath.Join(s.Dir, "echo.sock")
	echo, err := net.Listen("unix", socket)
	testkit.OK(t, err)
	defer func() { _ = echo.Close() }()
	go func() {
		c, err := echo.Accept()
		if err == nil {
			_, _ = io.Copy(c, c)
			_ = c.Close()
		}
	}()
	c, err := l.DialUnix(t.Context(), socket)
	testkit.OK(t, err)
	_, _ = io.WriteString(c, "hello")
	_ = c.(interface{ CloseWrite() error }).CloseWrite()
	if b, err := io.ReadAll(c); string(b) != "hello" || err != nil {
		t.Errorf("%q, %v", b, err)
	}
	if _, err := l.DialUnix(t.Context(), socket+"-none"); err == nil || Is(err, LineLost) {
		t.Error(err)
	}
	p, err := l.Pipe(t.Context(), "cat; echo problem >&2")
	testkit.OK(t, err)
	_, _ = io.WriteString(p, "hello")
	_ = p.CloseWrite()
	b, err := io.ReadAll(p)
	p.Wait()
	if string(b) != "hello" || err != nil || p.Said() != "problem" {
		t.Errorf("%q, %v, %q", b, err, p.Said())
	}
}
