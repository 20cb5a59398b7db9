//go:build unix

package disk

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

// TestCreateNamed: what the user names is written to; what a tree's links lead to is not.
func TestCreateNamed(t *testing.T) {
	for name, test := range map[string]struct{ want, why string }{
		"tree/new":            {"tree/new", ""},
		"tree/there":          {"tree/there", ""},
		"tree/sub/new":        {"tree/sub/new", ""},
		"sym/new":             {"tree/new", ""},
		"insub/new":           {"tree/sub/new", ""},
		"file":                {"outside/f", ""},
		"outside/new":         {"outside/new", ""},
		"chain/new":           {"outside/new", ""},
		"tree/link":           {"", "link is a link"},
		"tree/out/new":        {"", "out is a link"},
		"tree/in/new":         {"", "in is a link"},
		"tree/dangling":       {"", "dangling is a link"},
		"sym/out/new":         {"", "out is a link"},
		"insub/out/new":       {"", "out is a link"},
		"tree/.git/hooks/new": {"", "belongs to git"},
		"tree/.GIT/new":       {"", "belongs to git"},
		"tree/.amlfix/new":    {"", "belongs to git or amlfix"},
		"hooks/new":           {"", "belongs to git"},
		"hook":                {"", "belongs to git"},
		"records/new":         {"", "belongs to git or amlfix"},
		"missing":             {"", "is a link"},
		"tree/pipe":           {"", "is not a regular file"},
		"tree/sub":            {"", "is not a regular file"},
		"none/new":            {"", "no such file"},
	} {
		t.Run(name, func(t *testing.T) {
			_, top := tree(t, map[string]string{
				"tree/there": "old text", "tree/sub/x": "", "tree/.git/hooks/h": "git", "tree/.amlfix/r": "record", "outside/f": "theirs",
				"tree/link": "-> ../outside/f", "tree/out": "-> ../outside", "tree/in": "-> sub", "tree/dangling": "-> ../outside/new", "tree/sub/out": "-> ../../outside",
				"sym": "-> tree", "insub": "-> tree/sub", "file": "-> outside/f", "chain": "-> chain2", "chain2": "-> outside",
				"hooks": "-> tree/.git/hooks", "hook": "-> tree/.git/hooks/h", "records": "-> tree/.amlfix", "missing": "-> outside/none",
			})
			testkit.OK(t, syscall.Mkfifo(filepath.Join(top, "tree", "pipe"), 0o644))
			want := contents(t, top)
			f, err := CreateNamed(filepath.Join(top, name), filepath.Join(top, "tree"))
			if err == nil {
				_, _ = f.WriteString("report")
				_ = f.Close()
				want[test.want] = "report"
			}
			if (err == nil) != (test.why == "") || err != nil && !strings.Contains(err.Error(), test.why) {
				t.Errorf("got %v, want %q", err, test.why)
			}
			testkit.Same(t, want, contents(t, top))
		})
	}
}

// TestCloseNamed: a file that could not be written completely is removed, and nothing else is.
func TestCloseNamed(t *testing.T) {
	full := errors.New("no space left on device")
	for name, test := range map[string]struct {
		written error
		swap    bool
		gone    string
	}{
		"tree/new":     {full, false, "tree/new"},
		"sym/new":      {full, false, "tree/new"},
		"file":         {full, false, "outside/f"},
		"tree/there":   {nil, false, ""},
		"tree/another": {full, true, ""},
	} {
		_, top := tree(t, map[string]string{"tree/x": "", "tree/another": "", "outside/f": "theirs", "sym": "-> tree", "file": "-> outside/f"})
		path, dir := filepath.Join(top, name), filepath.Join(top, "tree")
		f, err := CreateNamed(path, dir)
		testkit.OK(t, err)
		want := contents(t, top)
		if test.swap {
			testkit.OK(t, os.Rename(path, path+".old"))
			testkit.OK(t, os.WriteFile(path, nil, 0o600))
			want = contents(t, top)
		}
		if err := CloseNamed(f, test.written, path, dir); !errors.Is(err, test.written) {
			t.Errorf("%s: got %v", name, err)
		}
		delete(want, test.gone)
		testkit.Same(t, want, contents(t, top))
	}
}

// TestCreateNamedDevice: devices and pipes of the system are what the user says.
func TestCreateNamedDevice(t *testing.T) {
	r, w, err := os.Pipe()
	testkit.OK(t, err)
	defer r.Close()
	defer w.Close()
	for _, name := range []string{os.DevNull, "/dev/fd/" + strconv.Itoa(int(w.Fd()))} {
		f, err := CreateNamed(name, "/", t.TempDir())
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if _, err := f.WriteString("x"); err != nil {
			t.Error(err)
		}
		_ = f.Close()
	}
	var b [1]byte
	if _, err := r.Read(b[:]); err != nil || b[0] != 'x' {
		t.Errorf("%q, %v", b, err)
	}
}
