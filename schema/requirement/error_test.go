package requirement

import (
	"strings"
	"testing"
)

func TestParseErrorText(t *testing.T) {
	for in, want := range map[string]string{
		"numpy\t1":           "byte 6: an operator is missing before the version: write name==version",
		"numpy==\t\n":        "byte 7: the version after == is missing",
		"numpy==1.0\r":       "",
		"x;a=='b'\nc":        "byte 9: expected 'and', 'or' or the end of the marker, found 'c'",
		"x[a\tb]":            "byte 4: expected ',' or ']' after an extra, found 'b'",
		"x[\x00]":            "byte 2: expected the name of an extra, found an invisible character (U+0000)",
		"x @ https://h/a\nb": "byte 15: a space inside the address",
	} {
		_, err := ParsePip(in)
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// TestErrorsKeepSecrets checks that no reason quotes more than one character of a URL.
func TestErrorsKeepSecrets(t *testing.T) {
	for _, in := range []string{
		"https://user:hunter2@h.example/a b", "https://h.example/a.whl?sig=hunter2", "x @ https://h.example/?sig=hunter2 y",
		"--index-url https://hunter2@h.example/simple hunter2", "hunter2 hunter2", "x[hunter2", "x==1;hunter2",
	} {
		_, pip := ParsePip(in)
		_, conda := ParseConda(in)
		for _, err := range []error{pip, conda} {
			if err != nil && strings.Contains(err.Error(), "hun") {
				t.Errorf("%q: %v", in, err)
			}
		}
		if pip == nil {
			t.Errorf("%q: no error", in)
		}
	}
}
