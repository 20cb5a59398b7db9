package catalog

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// corpus returns the text of each file of the corpus of real configuration
// files, by path. It lies beside the repository and is not part of it; without
// it the test is skipped.
func corpus(t *testing.T) map[string]string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("no go.mod above the package")
		}
		dir = filepath.Dir(dir)
	}
	root := filepath.Join(dir, "..", "shared", "corpus")
	if _, err := os.Stat(root); err != nil {
		t.Skip("no corpus of real files beside the repository; the table tests cover the same rows")
	}
	files := map[string]string{}
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		switch filepath.Ext(path) {
		case ".compute", ".runconfig", ".yml", ".yaml":
			data, err := os.ReadFile(path)
			files[path] = string(data)
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// scan calls found with the first group of each match and fails the test when
// there was none.
func scan(t *testing.T, pattern string, found func(path, value string)) {
	t.Helper()
	re, n := regexp.MustCompile(pattern), 0
	for path, text := range corpus(t) {
		for _, m := range re.FindAllStringSubmatch(text, -1) {
			n++
			found(path, strings.TrimSpace(m[1]))
		}
	}
	if n == 0 {
		t.Errorf("nothing in the corpus matches %s", pattern)
	}
}

func TestCorpusImages(t *testing.T) {
	scan(t, `(?m)^\s*"?baseDockerImage"?\s*:\s*["']?((?:microsoft|mcr\.microsoft\.com)/[\w./-]+(?::[\w.-]+)?)["',\s]`, func(path, value string) {
		repo, tag, _ := strings.Cut(value, ":")
		img, ok := LookupImage(repo, tag)
		if !ok || NeverPublished(repo, tag) {
			t.Errorf("%s: image %q is unknown", path, value)
		}
		if img.GPU != ImageNameSaysGPU(repo, tag) {
			t.Errorf("%s: image %q: GPU %v in the table, not by name", path, value, img.GPU)
		}
	})
}

func TestCorpusWheels(t *testing.T) {
	scan(t, `(https?://cntk\.ai/\S+)`, func(path, value string) {
		if _, ok := LookupWheel(value); !ok {
			t.Errorf("%s: wheel %s is unknown", path, value)
		}
	})
}

// TestCorpusPasswords: the corpus is redacted, so there is one literal password.
func TestCorpusPasswords(t *testing.T) {
	literals := 0
	scan(t, `(?m)^password[ \t]*:[ \t]*["']?([^"'\r\n]+?)["']?[ \t]*\r?$`, func(path, value string) {
		if CredentialKind(value) != CredentialLiteral || value == "null" {
			return
		}
		literals++
		if value != "correct-horse-battery" {
			t.Errorf("%s: a value of the corpus counts as a literal password", path)
		}
	})
	if literals == 0 {
		t.Error("the literal password of the corpus was not noticed")
	}
}
