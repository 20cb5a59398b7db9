//go:build linux || darwin

package project

import (
	"archive/tar"
	"bytes"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

// occupied returns how many bytes of the disk a file takes.
func occupied(t *testing.T, name string) int64 {
	t.Helper()
	info, err := os.Stat(name)
	testkit.OK(t, err)
	return info.Sys().(*syscall.Stat_t).Blocks * 512
}

// TestHoles checks that a sparse file of the job stays one, however it comes back.
func TestHoles(t *testing.T) {
	const size = 4 << 20
	job := t.TempDir()
	name := filepath.Join(job, OutputsDir, "sparse.bin")
	testkit.OK(t, os.Mkdir(filepath.Dir(name), 0o755))
	testkit.OK(t, os.WriteFile(name, []byte("begin"), 0o644))
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	testkit.OK(t, err)
	_, err = f.WriteAt([]byte("middle"), size/2+1)
	testkit.OK(t, err)
	testkit.OK(t, f.Truncate(size))
	testkit.OK(t, f.Close())
	want, err := os.ReadFile(name)
	testkit.OK(t, err)
	stream := &bytes.Buffer{}
	tw := tar.NewWriter(stream)
	testkit.OK(t, tw.WriteHeader(&tar.Header{Name: "outputs/sparse.bin", Typeflag: tar.TypeReg, Mode: 0o644, Size: size}))
	_, err = tw.Write(want)
	testkit.OK(t, err)
	testkit.OK(t, tw.Close())

	for way, collect := range map[string]func(root string) (Collected, error){
		"folder": func(root string) (Collected, error) { return CollectDir(t.Context(), job, root) },
		"stream": func(root string) (Collected, error) { return CollectTar(t.Context(), stream, root) },
	} {
		root := t.TempDir()
		got, err := collect(root)
		testkit.OK(t, err)
		testkit.Same(t, int64(size), got.Bytes, "%s", way)
		back, err := os.ReadFile(filepath.Join(root, OutputsDir, "sparse.bin"))
		testkit.OK(t, err)
		if !bytes.Equal(want, back) {
			t.Errorf("%s: the content has changed", way)
		}
		if from, to := occupied(t, name), occupied(t, filepath.Join(root, OutputsDir, "sparse.bin")); from < size/2 && to > size/2 {
			t.Errorf("%s: the file occupies %d bytes, and the job's %d", way, to, from)
		}
	}
}

// TestHugeHole checks that the hole of a file of this machine is not read: this one would take hours.
func TestHugeHole(t *testing.T) {
	job, root := t.TempDir(), t.TempDir()
	testkit.Write(t, job, "outputs/sparse.bin", "begin")
	name := filepath.Join(job, OutputsDir, "sparse.bin")
	if err := os.Truncate(name, 8<<40); err != nil {
		t.Skipf("SKIPPED, SO NOT TESTED: no sparse files here: %v", err)
	}
	got, err := CollectDir(t.Context(), job, root)
	testkit.OK(t, err)
	testkit.Same(t, int64(8<<40), got.Bytes)
	if size := occupied(t, filepath.Join(root, OutputsDir, "sparse.bin")); size > 1<<20 {
		t.Errorf("occupies %d bytes", size)
	}
}
