package document_test

import (
	"testing"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/source"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestEscapesOfJSON checks that the escapes that JSON has are read together: yaml.v3 knows neither \/ nor the two
// halves of an emoji, which Python's json.dumps writes.
func TestEscapesOfJSON(t *testing.T) {
	for text, want := range map[string]string{
		`{"a": "\u00e9\/b"}`: "é/b", `{"a": "\ud83d\ude00"}`: "😀", `{"a": "\u0041\ud83d\ude00\n"}`: "A😀\n",
	} {
		s := document.Parse(source.New("a.json", []byte(text)))
		if len(s.Problems) > 0 {
			t.Errorf("%s: %v", text, s.Problems)
			continue
		}
		testkit.Same(t, want, s.Documents[0].Get("a").Text(), text)
	}
	for _, text := range []string{`{"a": "\ud83d"}`, `{"a": "\ude00\ud83d"}`, `{"a": "\u00e"}`, `{"a": "\u+041"}`, `{"a": "\u"}`} {
		if s := document.Parse(source.New("a.json", []byte(text))); len(s.Problems) == 0 {
			t.Errorf("%s: no problem", text)
		}
	}
}

// TestEscapedSlashes checks that an escaped slash is read in texts that only yaml.v3 reads, and that backslashes before
// other slashes stay.
func TestEscapedSlashes(t *testing.T) {
	const text = "a: &x \"\\/b\\\\/\"\nb: c\\/d\nc: 'e\\/'\nd: |\n  f\\/\\\\/\n"
	s := document.Parse(source.New("a.yml", []byte(text)))
	if len(s.Problems) > 0 || !s.Exact {
		t.Fatalf("problems %v, exact %v", s.Problems, s.Exact)
	}
	for key, want := range map[string]string{"a": `/b\/`, "b": `c\/d`, "c": `e\/`, "d": "f\\/\\\\/\n"} {
		testkit.Same(t, want, s.Root().Get(key).Text(), key)
	}
	for _, text := range []string{"a: &x \"\\/\\v\"\n", "a: &x \"\\/\\q\"\nb: [\n"} {
		if s := document.Parse(source.New("a.yml", []byte(text))); len(s.Problems) == 0 {
			t.Errorf("%q: no problem", text)
		}
	}
}
