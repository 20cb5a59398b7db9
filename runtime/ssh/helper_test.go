//go:build linux

package ssh

import (
	"archive/tar"
	"io"
	"os/exec"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

func run(t *testing.T, name string, args ...string) {
	t.Helper()
	testkit.Output(t, exec.Command(name, args...))
}

// awaitDead waits until a Line has noticed that its connection is gone.
func awaitDead(t *testing.T, l *Line) {
	t.Helper()
	testkit.Receive(t, "the line notices", l.dead)
}

func tarOf(name string, text []byte) func(io.Writer) error {
	return func(w io.Writer) error {
		tw := tar.NewWriter(w)
		if err := tw.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(text))}); err != nil {
			return err
		}
		if _, err := tw.Write(text); err != nil {
			return err
		}
		return tw.Close()
	}
}

func untar(r io.Reader, w io.Writer) error {
	tr := tar.NewReader(r)
	for {
		if _, err := tr.Next(); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if _, err := io.Copy(w, tr); err != nil {
			return err
		}
	}
}
