package report

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// shown returns text with its secrets replaced.
func shown(text string) string {
	b := []byte(text)
	for _, s := range slices.Backward(Secrets(b)) {
		b = append(b[:s.Start:s.Start], append([]byte("***"), b[s.End:]...)...)
	}
	return string(b)
}

func TestSecrets(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"plain", "password: hunter2\nusername: me\n", "password: ***\nusername: me\n"},
		{"with a comment", "password: hunter2 # mine\n", "password: *** # mine\n"},
		{"a hash inside", "password: hun#ter2\n", "password: ***\n"},
		{"commas are part of it", "password: a,b}c\n", "password: ***\n"},
		{"CRLF", "password: hunter2\r\nusername: me\r\n", "password: ***\r\nusername: me\r\n"},
		{"quoted", "password: 'it''s # me' # c\n", "password: *** # c\n"},
		{"double-quoted", `password: "a\"b" # c`, "password: *** # c"},
		{"quoted, never closed", "password: \"hunter2\nusername: me\n", "password: ***\nusername: me\n"},
		{"over two lines", "password: \"hun\n  ter2\"\nusername: me\n", "password: ***\n***\nusername: me\n"},
		{"block scalar", "password: |\n  hun\n\n  ter\nusername: me\n", "password: ***\n  ***\n\n  ***\nusername: me\n"},
		{"on the next line", "password:\n  hunter2\nusername: me\n", "password:\n  ***\nusername: me\n"},
		{"empty", "password:\nusername: me\n", "password:\nusername: me\n"},
		{"no blank after the colon", "password:hunter2\n", "password:***\n"},
		{"JSON", `{"password": "a,b", "username": "me"}`, `{"password": ***, "username": "me"}`},
		{"JSON, a number", "{\"password\": 1234, \"username\": \"me\"}", "{\"password\": ***, \"username\": \"me\"}"},
		{"flow mapping", "vm: {password: x1, username: me}\n", "vm: {password: ***, username: me}\n"},
		{"commented out", "# password: hunter2\n", "# password: ***\n"},
		{"nested", "a:\n  my_password: hunter2\n  b: c\n", "a:\n  my_password: ***\n  b: c\n"},
		{"a placeholder", "password: <password>\n", "password: <password>\n"},
		{"a quoted placeholder", "password: \"<password>\"\n", "password: \"<password>\"\n"},
		{"a placeholder in brackets", "password: [AZUREML SECRET]\n", "password: [AZUREML SECRET]\n"},
		{"a list", "password: [one, two]\n", "password: ***\n"},
		{"a storage key", "  STORAGE_ACCOUNT_KEY: abc==\n", "  STORAGE_ACCOUNT_KEY: ***\n"},
		{"SAS", "- https://a.example.com/x.whl?sv=1&sig=ab%3D&se=2\n", "- https://a.example.com/x.whl?sv=1&sig=***&se=2\n"},
		{"connection string", "- AccountName=a;AccountKey=b==;End=c\n", "- AccountName=a;AccountKey=***;End=c\n"},
		{"argument", "- --password=hunter2\n", "- --password=***\n"},
		{"the next item", `a: ["--password", "hun,ter2", "--x"]`, `a: ["--password", ***, "--x"]`},
		{"the next plain item", "a: [--password, hunter2, --x]", "a: [--password, ***, --x]"},
		{"the next item of a block", "a:\n- --api-key\n- 'hunter2'\n- x\n", "a:\n- --api-key\n- ***\n- x\n"},
		{"an option without a value", "a: [--password, --x]", "a: [--password, --x]"},
		{"address", "- git+https://me:hunter2@example.com/x\n", "- git+https://me:***@example.com/x\n"},
		{"nothing secret", "tokenizer: a\nnum_tokens: 3\nkey: b\n- https://a/b:1\n", "tokenizer: a\nnum_tokens: 3\nkey: b\n- https://a/b:1\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if d := cmp.Diff(tt.want, shown(tt.text)); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestHideTokens(t *testing.T) {
	for in, want := range map[string]string{
		"use https://a/b?sig=xyz&se=1": "use https://a/b?sig=***&se=1",
		"x=1 is pip's spelling":        "x=1 is pip's spelling",
		"plain words":                  "plain words",
		"ssh://u:p@h and sig=1":        "ssh://u:***@h and sig=***",
	} {
		if got := HideTokens(in); got != want {
			t.Errorf("HideTokens(%q) = %q, want %q", in, got, want)
		}
	}
}

func FuzzSecrets(f *testing.F) {
	f.Add("password: |\n  a\n", "hunter2")
	f.Add("{\"password\":\"", "a\\\"b")
	f.Fuzz(func(t *testing.T, before, secret string) {
		spans := Secrets([]byte(before + secret))
		end := 0
		for _, s := range spans {
			if s.Start < end || s.End <= s.Start || s.End > len(before+secret) {
				t.Fatalf("Secrets(%q) = %v", before+secret, spans)
			}
			end = s.End
		}
		word := "s3cr3t" + strings.Map(func(r rune) rune {
			if 'a' <= r && r <= 'z' {
				return r
			}
			return -1
		}, secret)
		if got := shown(before + "\npassword: " + word + "\n"); strings.Contains(got, word) && !strings.Contains(before, word) {
			t.Errorf("%q is shown in %q", word, got)
		}
	})
}
