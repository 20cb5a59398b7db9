package proof

import "testing"

// TestReadOtherwise compares the quick look at the first character with the expression, for all short texts.
func TestReadOtherwise(t *testing.T) {
	quiet := 0
	for a := range 256 {
		for b := range 256 {
			for _, text := range []string{string([]byte{byte(a)}), string([]byte{byte(a), byte(b)}), string([]byte{byte(a), byte(b)}) + ".5"} {
				got := readOtherwise(text)
				if want := otherTypes.Get().MatchString(text); got != want {
					t.Errorf("%q: %v, want %v", text, got, want)
				}
				if !got {
					quiet++
				}
			}
		}
	}
	if !readOtherwise("") || !readOtherwise("2018-01-01") || readOtherwise("PySpark") || readOtherwise(".") || quiet == 0 {
		t.Error("a text without quotes is judged wrongly")
	}
}
