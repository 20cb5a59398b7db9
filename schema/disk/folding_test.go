//go:build linux

package disk

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/schema/disk/disktest"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestFoldingCase: git's folder is refused under each of its names.
func TestFoldingCase(t *testing.T) {
	top := disktest.Folding(t)
	for _, name := range []string{".git/hooks", ".amlfix/runs", "aml_config"} {
		testkit.OK(t, os.MkdirAll(filepath.Join(top, name), 0o755))
	}
	d, err := Open(top)
	testkit.OK(t, err)
	defer d.Close()
	before := contents(t, top)
	for _, name := range []string{".GIT/x", ".Git/hooks/x", "GIT~1/x", "git~1/hooks/x", ".AMLFIX/x", "AMLFIX~1/runs/x", ".gIt", ".git./x", ".git /x"} {
		for how, change := range changes {
			if err := change(d, name); err == nil {
				t.Errorf("%s of %q was not refused", how, name)
			}
		}
	}
	testkit.Same(t, before, contents(t, top), "changed")
	if err := d.WriteNew("AML_CONFIG/x", nil, 0o644); err != nil || len(contents(t, filepath.Join(top, "aml_config"))) != 1 {
		t.Errorf("a project's own folder: %v", err)
	}
}

// TestSlotWithoutLinks: a repair, a new file and a removal where the file system has no hard links and no owners.
func TestSlotWithoutLinks(t *testing.T) {
	top := disktest.Folding(t)
	d, err := Open(top)
	testkit.OK(t, err)
	defer d.Close()
	for _, step := range []struct{ old, updated string }{{"", "1"}, {"1", "2"}, {"2", ""}} {
		content := func(s string) []byte {
			if s == "" {
				return nil
			}
			return []byte(s)
		}
		s := Slot{Dir: d, Name: "A.compute", Temp: TempName(), Mode: 0o644}
		now, err := s.Look(10)
		if err != nil || string(now) != step.old {
			t.Fatalf("%q, %v", now, err)
		}
		if step.updated != "" {
			testkit.OK(t, s.Stage([]byte(step.updated)))
		}
		if err := s.Place([]byte("other"), content(step.updated)); !errors.Is(err, ErrChanged) {
			t.Errorf("got %v", err)
		}
		testkit.OK(t, s.Place(content(step.old), content(step.updated)))
		if err := s.Drop(); err != nil {
			t.Error(err)
		}
		want := map[string]string{"A.compute": step.updated}
		if step.updated == "" {
			want = map[string]string{}
		}
		if diff := cmp.Diff(want, contents(t, top)); diff != "" && !strings.Contains(diff, "a.compute") {
			t.Error(diff)
		}
	}
}
