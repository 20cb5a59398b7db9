package fixers_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/fixers"
	"github.com/amlfix/amlfix/schema/disk"
	"github.com/amlfix/amlfix/schema/testkit"
)

func TestCreate(t *testing.T) {
	files := []disk.File{{Name: "aml_config/vm.compute", Text: []byte("type: remotedocker\n")}, {Name: "aml_config/vm.runconfig", Text: []byte("Target: vm\n")}}
	t.Run("into an empty folder", func(t *testing.T) {
		root := t.TempDir()
		testkit.OK(t, fixers.Create(root, files))
		for _, f := range files {
			text, err := os.ReadFile(filepath.Join(root, f.Name))
			if err != nil || string(text) != string(f.Text) {
				t.Errorf("%s: %q, %v", f.Name, text, err)
			}
		}
	})
	for i, f := range files {
		t.Run("with "+f.Name, func(t *testing.T) {
			root := t.TempDir()
			name := filepath.Join(root, f.Name)
			testkit.OK(t, os.Mkdir(filepath.Dir(name), 0o777))
			testkit.OK(t, os.WriteFile(name, []byte("mine"), 0o666))
			var exists *fixers.ExistsError
			if err := fixers.Create(root, files); !errors.As(err, &exists) || exists.Path != f.Name {
				t.Errorf("Create = %v", err)
			}
			if text, _ := os.ReadFile(name); string(text) != "mine" {
				t.Errorf("%s was overwritten: %q", f.Name, text)
			}
			if _, err := os.Stat(filepath.Join(root, files[1-i].Name)); err == nil {
				t.Errorf("%s was made all the same", files[1-i].Name)
			}
		})
	}
	t.Run("a link that leads nowhere", func(t *testing.T) {
		root := t.TempDir()
		testkit.OK(t, os.Mkdir(filepath.Join(root, "aml_config"), 0o777))
		testkit.OK(t, os.Symlink("nowhere", filepath.Join(root, files[1].Name)))
		var exists *fixers.ExistsError
		if err := fixers.Create(root, files); !errors.As(err, &exists) {
			t.Errorf("Create = %v", err)
		}
	})
	t.Run("where a file is in the way", func(t *testing.T) {
		root := t.TempDir()
		testkit.OK(t, os.WriteFile(filepath.Join(root, "aml_config"), nil, 0o666))
		if err := fixers.Create(root, files); err == nil || strings.Contains(err.Error(), root) {
			t.Errorf("Create = %v", err)
		}
	})
}
