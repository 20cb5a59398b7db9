package schema

import (
	"math/rand/v2"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

// TestCleanOnce checks that paths that are not cleaned again are clean.
func TestCleanOnce(t *testing.T) {
	parts := []string{"a", "b.yml", "aml_config", ".azureml", "..", ".", "", "..c", "d..", "é"}
	for range 20_000 {
		words := make([]string, 1+rand.IntN(4))
		for i := range words {
			words[i] = parts[rand.IntN(len(parts))]
		}
		name := strings.Join(words, "/")
		if got, want := slashed(name), path.Clean(name); got != want {
			t.Fatalf("slashed(%q) = %q, want %q", name, got, want)
		}
		if got, want := folderOf(name), path.Dir(name); got != want {
			t.Fatalf("folderOf(%q) = %q, want %q", name, got, want)
		}
		top, err := filepath.Abs(filepath.FromSlash("/" + name))
		if err != nil {
			t.Fatal(err)
		}
		if got, want := above(top), filepath.Dir(top); got != want {
			t.Fatalf("above(%q) = %q, want %q", top, got, want)
		}
		folder := filepath.Join(top, words[0])
		rel := filepath.Clean(filepath.FromSlash(name))
		for i, got := range placesOf(rel, top, folder) {
			want := rel
			if !filepath.IsAbs(rel) {
				want = filepath.Join([]string{top, folder, filepath.Dir(folder)}[i], rel)
			}
			repeated := i > 0 && filepath.IsAbs(rel) || i == 2 && filepath.Dir(folder) == top
			if repeated {
				want = ""
			}
			if got != want {
				t.Fatalf("place %d of %q below %q is %q, want %q", i, rel, top, got, want)
			}
		}
	}
}
