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
