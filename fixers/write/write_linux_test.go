package write_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/amlfix/amlfix/fixers/write"
)

// mount mounts a file system of 64 KiB with a file in it.
func mount(t *testing.T, text string) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=64k"); err != nil {
		t.Skipf("SKIPPED: no small file system can be mounted here (it takes root): %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	})
	if err := os.WriteFile(filepath.Join(dir, "a.yml"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestFullDisk(t *testing.T) {
	dir := mount(t, "old")
	p := filepath.Join(dir, "a.yml")
	fails(t, write.File(p, dir, []byte("old"), []byte(strings.Repeat("x", 1<<20))), p, "no space left")
	holds(t, dir, map[string]string{"a.yml": "old"})
}

func TestReadOnlyFileSystem(t *testing.T) {
	dir := mount(t, "old")
	if err := syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	p := filepath.Join(dir, "a.yml")
	fails(t, write.File(p, dir, []byte("old"), []byte("new")), p, "no file can be created in its folder: read-only file system")
	holds(t, dir, map[string]string{"a.yml": "old"})
}

// TestReadOnlyFolder runs as nobody when the tests run as root, which may write anywhere.
func TestReadOnlyFolder(t *testing.T) {
	const role = "AMLFIX_TEST_FOLDER"
	if dir := os.Getenv(role); dir != "" {
		p := filepath.Join(dir, "a.yml")
		fails(t, write.File(p, dir, []byte("old"), []byte("new")), p, "no file can be created in its folder: no permission")
		holds(t, dir, map[string]string{"a.yml": "old"})
		return
	}
	dir := folder(t, map[string]string{"a.yml": "old"})
	if err := os.Chmod(filepath.Join(dir, "a.yml"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(dir, 0o755) })
	for up := filepath.Dir(dir); up != filepath.Clean(os.TempDir()) && len(up) > 1; up = filepath.Dir(up) {
		if info, err := os.Stat(up); err == nil && info.Mode().Perm()&0o001 == 0 {
			_ = os.Chmod(up, 0o755)
		}
	}
	cmd := exec.Command(testBinary(t), "-test.run", "^TestReadOnlyFolder$")
	cmd.Env, cmd.Dir = append(os.Environ(), role+"="+dir), "/"
	if os.Getuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// testBinary returns a copy of this test program where everyone may run it.
func testBinary(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("/proc/self/exe")
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "amlfix-write")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	p := filepath.Join(dir, "test")
	if err := os.WriteFile(p, text, 0o755); err != nil {
		t.Fatal(err)
	}
	return p
}

// TestOwner checks that a file that root repairs stays its owner's.
func TestOwner(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("SKIPPED: only root can give files away")
	}
	dir := folder(t, map[string]string{"a.yml": "old"})
	p := filepath.Join(dir, "a.yml")
	if err := os.Chown(p, 1234, 2345); err != nil {
		t.Fatal(err)
	}
	if err := write.File(p, dir, []byte("old"), []byte("new")); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(p)
	if err != nil {
		t.Fatal(err)
	}
	if stat := info.Sys().(*syscall.Stat_t); stat.Uid != 1234 || stat.Gid != 2345 {
		t.Errorf("owner %d:%d, want it kept", stat.Uid, stat.Gid)
	}
}
