package diff_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/amlfix/amlfix/fixers/diff"
	"github.com/amlfix/amlfix/schema/escape"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestNames: whatever a file is called, the header steers no terminal and commands no CI, and git finds the file by it.
func TestNames(t *testing.T) {
	git := testkit.Program(t, "git")
	for _, name := range []string{"a", "a b", "ü日", "a\x1b[2J", "a\u009b2J", "\u202eb", "a\u2028b", "::error::x", "##vso[task.x]", "a##[command]", "a\\b\"", "\u200b", "a\tb"} {
		dir := t.TempDir()
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte("old\n"), 0o644); err != nil {
			t.Logf("%q: %v", name, err) // a system that has no such names
			continue
		}
		text := diff.Unified(name, []byte("old\n"), []byte("new\n"))
		for i, c := range text {
			if shown, _ := escape.Visible(string(text), i); shown != string(text[i]) && c != '\n' && c != '\t' && c < 0x80 {
				t.Errorf("%q: the header holds %q:\n%s", name, c, text)
			}
		}
		for _, r := range string(text) {
			if shown, _ := escape.Visible(string(r), 0); shown != string(r) && r != '\n' && r != '\t' && r != ':' {
				t.Errorf("%q: the header holds %q:\n%s", name, r, text)
			}
		}
		patch := filepath.Join(t.TempDir(), "patch")
		testkit.OK(t, os.WriteFile(patch, text, 0o644))
		cmd := exec.Command(git, "apply", patch)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%q: %v\n%s%s", name, err, out, text)
		}
		if got, err := os.ReadFile(file); string(got) != "new\n" {
			t.Errorf("%q: %q, %v", name, got, err)
		}
	}
}
