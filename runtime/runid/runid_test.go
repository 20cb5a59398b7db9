package runid

import (
	"encoding/json"
	"regexp"
	"testing"
	"time"

	"github.com/amlfix/amlfix/schema/escape"
	"github.com/amlfix/amlfix/schema/testkit"
)

func TestParse(t *testing.T) {
	now := time.Date(2026, 11, 22, 10, 11, 12, 0, time.FixedZone("", 3600))
	id := New(now)
	if again, err := Parse(id.String()); err != nil || again != id || id.String()[:16] != "20261122-091112-" {
		t.Errorf("%v, %v", again, err)
	}
	if second, third := New(now), New(now); second == id && third == id {
		t.Error("ids repeat")
	}
	for _, text := range []string{
		"", "no-run", ".", "..", "a/b", "20261122-091112", "20261122-091112-", "20261122-091112-abcde", "20261122-091112-abcdefa", "20261122-091112-ABCDEF", "20261322-091112-abcdef",
		"20261122-251112-abcdef", "20261122-091112-abcde\n", "20261122-091112-abcd\"x", " 20261122-091112-abcde", "20261121-000000-\"; cd; touch X; : \"", "20261122 091112-abcdef",
		"20261122-091112_abcdef", "20261122-091112-abcde٣", "+0261122-091112-abcdef", "20261122-0911.2-abcdef", "20261122-091112-../..",
	} {
		if id, err := Parse(text); err == nil || !id.IsZero() || escape.Terminal(err.Error()) != err.Error() {
			t.Errorf("%q is taken for an id, or reported badly: %v", text, err)
		}
	}
}

// TestZero checks that an ID that was never parsed has no meaning anywhere.
func TestZero(t *testing.T) {
	var id ID
	if text, err := json.Marshal(id); err == nil {
		t.Errorf("it is written as %s", text)
	}
	if _, err := Parse(id.String()); err == nil {
		t.Error("it is read again")
	}
	for _, text := range []string{`{"id": ""}`, `{"id": "../x"}`, `{"id": 5}`, `{"id": ["20261122-091112-abcdef"]}`} {
		var rec struct{ ID ID }
		if err := json.Unmarshal([]byte(text), &rec); err == nil || !rec.ID.IsZero() {
			t.Errorf("%s: %v", text, rec)
		}
	}
	testkit.Same(t, "no-run", id.String())
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"", "20261122-091112-abcdef", "20261122-091112-\"; x", "20261122-091112-abcde\x00"} {
		f.Add(seed)
	}
	strict := regexp.MustCompile(`\A\d{8}-\d{6}-[0-9a-f]{6}\z`)
	f.Fuzz(func(t *testing.T, text string) {
		id, err := Parse(text)
		if err != nil {
			if !id.IsZero() || escape.Terminal(err.Error()) != err.Error() {
				t.Errorf("%q: %v", text, err)
			}
			return
		}
		if !strict.MatchString(text) || id.String() != text || escape.Word(text) != text {
			t.Errorf("%q is taken for an id", text)
		}
	})
}
