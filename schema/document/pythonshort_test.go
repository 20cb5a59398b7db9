package document

import "testing"

// TestReadsWithoutPatterns compares what Read knows of a scalar without the readers' patterns with what they say, for
// all short texts of characters that numbers and dates have.
func TestReadsWithoutPatterns(t *testing.T) {
	texts := []string{""}
	for i := 0; len(texts[i]) < 5; i++ {
		for _, c := range "018.-_:/e" {
			texts = append(texts, texts[i]+string(c))
		}
	}
	for _, s := range append(texts[1:], "12345.678", "0001.50", "2026-11-27 10:00:00", "2026-11-27T1/10:00:00", "../data", "./train.py") {
		for _, python := range []Python{PyYAML, Ruamel} {
			if s[0] == '_' || s[0] == ':' || s[0] == '/' || s[0] == 'e' {
				continue // text, whatever follows
			}
			if got, want := python.Read(s), python.match(s); got != want {
				t.Fatalf("%q, reader %d: %v, and %v by its patterns", s, python, got, want)
			}
		}
	}
}
