package migrate

import (
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

func TestShmSize(t *testing.T) {
	for text, want := range map[string]string{
		"2g": "2g", "512m": "512m", "2048M": "2g", "2gb": "2g", "1.5g": "1536m", "1000": "1000b", "4t": "4096g", "much": "", "": "", "0": "", "-1g": "",
	} {
		testkit.Same(t, want, ShmSize(text), "%q", text)
	}
}

// TestCommandWords checks that a value is inserted as it is, in whichever order a CI file sets its variables.
func TestCommandWords(t *testing.T) {
	variables := map[string]string{"a": "$(b)", "b": "$(a)$(a)", "c": "x y", "long": strings.Repeat("x", longestValue+1)}
	for text, want := range map[string][]string{
		"$(c) '${{ env.c }}' ${c}/z": {"x", "y", "x y", "x", "y/z"},
		"$(a) $(b)":                  {"", ""},
		"-c $(long)":                 {"-c", ""},
		`"a b" c\d; e`:               {"a b", `c\d`},
		"$c/z $cc \"$c\"":            {"x", "y/z", "", "x y"},
		`'it'\''s' "say \"hi\"" .\s`: {"it's", `say "hi"`, `.\s`},
	} {
		for range 20 {
			testkit.Same(t, want, commandWords(text, variables), text)
		}
	}
}
