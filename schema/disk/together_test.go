//go:build unix

package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/schema/testkit"
)

// TestMakeAll: all files appear or none, and folders that were made for them go.
func TestMakeAll(t *testing.T) {
	files := []File{{"a/b/one", []byte("1")}, {"a/two", nil}, {"three", []byte("3")}}
	made := map[string]string{"a/b/one": "1", "a/two": "", "three": "3"}
	for name, test := range map[string]struct {
		before map[string]string
		taken  string // "" when they are made
	}{
		"all are new":      {nil, ""},
		"a folder is":      {map[string]string{"a/b/": ""}, ""},
		"the last is not":  {map[string]string{"three": "mine"}, "three"},
		"the first is not": {map[string]string{"a/b/one": "mine"}, "a/b/one"},
		"a dangling link":  {map[string]string{"three": "-> nowhere"}, "three"},
	} {
		t.Run(name, func(t *testing.T) {
			d, top := tree(t, test.before)
			before := contents(t, top)
			err := d.MakeAll(files)
			want := made
			if test.taken != "" {
				want = before
				if at := new(fs.PathError); !errors.As(err, &at) || at.Path != test.taken || !errors.Is(err, fs.ErrExist) {
					t.Errorf("got %v", err)
				}
				if _, err := os.Lstat(filepath.Join(top, "a", "b")); name == "the last is not" && err == nil {
					t.Error("a folder that was made is left")
				}
			} else if err != nil {
				t.Error(err)
			}
			testkit.Same(t, want, contents(t, top))
		})
	}
}

// TestMakeFolder: the folder is new or was empty; what is in the way stays.
func TestMakeFolder(t *testing.T) {
	for name, test := range map[string]struct {
		before map[string]string
		taken  bool
	}{
		"new":           {nil, false},
		"empty":         {map[string]string{"x/out/": ""}, false},
		"in use":        {map[string]string{"x/out/mine": "1"}, true},
		"a file":        {map[string]string{"x/out": "1"}, true},
		"a link":        {map[string]string{"x/out": "-> ../real", "real/": ""}, true},
		"below a link":  {map[string]string{"x": "-> real", "real/": ""}, true},
		"below a file":  {map[string]string{"x": "1"}, true},
		"dangling link": {map[string]string{"x/out": "-> nowhere"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			d, top := tree(t, test.before)
			want := contents(t, top)
			err := d.MakeFolder("x/out", []File{{"a", []byte("1")}, {"b/c", []byte("2")}})
			if !test.taken {
				want = map[string]string{"x/out/a": "1", "x/out/b/c": "2"}
			}
			if (err != nil) != test.taken {
				t.Errorf("got %v", err)
			}
			testkit.Same(t, want, contents(t, top))
		})
	}
	d, top := tree(t, nil)
	if err := d.MakeFolder("x/out", []File{{"a", nil}, {".git/hooks/x", nil}}); err == nil {
		t.Error("a file of git's was made")
	}
	if list, _ := os.ReadDir(top); len(list) != 0 {
		t.Errorf("%v is left", list)
	}
}

// TestUpdate: a file that is not what was read stays as it is.
func TestUpdate(t *testing.T) {
	for name, test := range map[string]struct {
		there     string
		old       []byte
		unchanged bool
	}{
		"as read":        {"old", []byte("old"), true},
		"empty":          {"", []byte{}, true},
		"absent":         {"absent", nil, true},
		"saved since":    {"newer", []byte("old"), false},
		"longer since":   {"old and more", []byte("old"), false},
		"appeared since": {"old", nil, false},
		"removed since":  {"absent", []byte("old"), false},
	} {
		t.Run(name, func(t *testing.T) {
			files := map[string]string{"x/f": test.there, "x/y": ""}
			if test.there == "absent" {
				delete(files, "x/f")
			}
			d, top := tree(t, files)
			err := d.Update("x/f", test.old, []byte("updated"))
			if test.unchanged {
				files["x/f"] = "updated"
			}
			if test.unchanged != (err == nil) || err != nil && !errors.Is(err, ErrChanged) {
				t.Errorf("got %v", err)
			}
			if diff := cmp.Diff(map[string]string{"x/y": "", "x/f": files["x/f"]}, contents(t, top), cmp.FilterPath(func(p cmp.Path) bool {
				return files["x/f"] == "" && p.Last().String() == `["x/f"]`
			}, cmp.Ignore())); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestReadInside(t *testing.T) {
	d, _ := tree(t, map[string]string{"real/f": "text", "in": "-> real", "up": "-> ../..", "abs": "-> /etc", "real/back": "-> ../real/f", "real/long": "12345678901"})
	for name, want := range map[string]string{"real/f": "text", "in/f": "text", "in/back": "text", "abs/passwd": "", "up/x": "", "real": "", "real/long": "", "none": "", "../x": ""} {
		if text, err := d.ReadInside(name, 10); string(text) != want || (err == nil) != (want != "") {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
}

// TestSweep: what a killed program was putting together goes when the next one writes there, but nothing that may be of
// use to somebody.
func TestSweep(t *testing.T) {
	old := ".amlfix-0123456789abcdef0123456789abcdef.tmp"
	d, top := tree(t, map[string]string{old + ".new": "x", "sub/" + old + ".new/job.yml": "x", old: "a transaction's", "mine.new": "x", "sub/keep": "x", ".amlfix-x.tmp.new": "x"})
	young := strings.Replace(old, "0", "f", 1) + ".new"
	testkit.OK(t, os.WriteFile(filepath.Join(top, young), nil, 0o600))
	then := time.Now().Add(-2 * time.Hour)
	for _, name := range []string{old + ".new", old, "sub/" + old + ".new", ".amlfix-x.tmp.new", "mine.new"} {
		testkit.OK(t, os.Chtimes(filepath.Join(top, name), then, then))
	}
	testkit.OK(t, errors.Join(d.MakeAll([]File{{"new", nil}}), d.MakeFolder("sub/azureml", []File{{"job.yml", []byte("y")}})))
	want := map[string]string{old: "a transaction's", young: "", "mine.new": "x", "sub/keep": "x", ".amlfix-x.tmp.new": "x", "new": "", "sub/azureml/job.yml": "y"}
	testkit.Same(t, want, contents(t, top))
	then = then.Add(-time.Hour)
	testkit.OK(t, errors.Join(os.WriteFile(filepath.Join(top, old+".new"), nil, 0o600), os.Chtimes(filepath.Join(top, old+".new"), then, then), d.Update("new", []byte{}, []byte("2"))))
	if _, err := os.Stat(filepath.Join(top, old+".new")); err == nil {
		t.Error("Update leaves it")
	}
}
