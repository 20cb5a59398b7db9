package catalog

import (
	"regexp"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

// scan calls found with the first group of each match, and fails the test if nothing matches.
func scan(t *testing.T, pattern string, found func(path, value string)) {
	t.Helper()
	re, n := regexp.MustCompile(pattern), 0
	for path, text := range testkit.Files(t, testkit.Corpus(t)) {
		for _, m := range re.FindAllStringSubmatch(string(text), -1) {
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

// TestCorpusPasswords classifies the passwords of the corpus. They are redacted, except for one literal password.
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
		t.Error("the literal password of the corpus was not found")
	}
}
