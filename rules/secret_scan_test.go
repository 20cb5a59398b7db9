package rules

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestTokensIn checks what is a secret by its form; "" marks what only looks so.
func TestTokensIn(t *testing.T) {
	key := strings.Repeat("Ab1+", 21) + "xy" // 86 digits
	for text, want := range map[string][]string{
		"https://x.blob.core.windows.net/a?sv=1&sig=bm90%2Fa%3D": {"bm90%2Fa%3D"},
		"https://x.blob.core.windows.net/a?SIG=bm90&sv=1":        {"bm90"},
		`"https://x/a?sv=1\u0026sig=bm90"`:                       {"bm90"},
		"SharedAccessSignature=sv=1&sig=bm90;BlobEndpoint=x":     {"bm90"},
		"# ?sig=bm90 and &sig=c2Vj, twice":                       {"bm90", "c2Vj"},
		"?sig=bm9==":                                             {"bm9=="},
		"?sig=<sig>&a=b":                                         nil,
		"?sig=${SIG}":                                            nil,
		"?sig={{ sig }}":                                         nil,
		"?sig=":                                                  nil,
		"?sig=***":                                               nil,
		"?sig=xxxxxx":                                            nil,
		"?sig=YOUR_SIGNATURE":                                    nil,
		"?design=bm90":                                           nil,
		"sig=bm90":                                               nil,
		"AccountName=x;AccountKey=bm90IGEgcmVhbCBrZXk=;Suffix=x": {"bm90IGEgcmVhbCBrZXk="},
		"Endpoint=sb://x/;SharedAccessKey=bm90IGEgcmVhbCBrZXk=":  {"bm90IGEgcmVhbCBrZXk="},
		"AccountKey=<key>": nil,
		"AccountKey=short": nil,
		"SharedAccessKeyName=RootManageSharedAccessKey":                nil,
		"https://me:bm90@example.com/simple":                           {"bm90"},
		"git+https://:bm90@example.com/x.git":                          {"bm90"},
		"https://me@example.com":                                       nil,
		"https://me:@example.com":                                      nil,
		"https://me:PASSWORD@example.com":                              nil,
		"https://me:${PAT}@example.com":                                nil,
		"https://example.com:8080/a@b":                                 nil,
		"https://a:b:c@example.com":                                    nil,
		"git+ssh://git@example.com/x.git":                              nil,
		"me:bm90@example.com":                                          nil,
		"jdbc:sqlserver://x:1433;user=sa@y":                            nil,
		"key: " + key + "==":                                           {key + "=="},
		"'" + key + "=='":                                              {key + "=="},
		key + "=":                                                      nil,
		"a" + key + "==":                                               nil,
		"AccountKey=" + key + "==":                                     {key + "=="},
		strings.Repeat("a", 1000) + " " + key + "== " + key + "== end": {key + "==", key + "=="},
		"": nil,
	} {
		var got []string
		for _, token := range tokensIn([]byte(text)) {
			got = append(got, text[token.value.Start:token.value.End])
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

// FuzzTokensIn checks that secrets lie in the text, in order and apart, and that
// cutting them out ends well.
func FuzzTokensIn(f *testing.F) {
	for _, text := range []string{"?sig=a&sig=b", "://a:b@://c:d@", "AccountKey=bm90IGEgcmVhbCBrZXk==@", strings.Repeat("@", 100), strings.Repeat("a", 86) + "=="} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		last := 0
		for _, token := range tokensIn([]byte(text)) {
			if token.value.Start < last || token.value.Start < token.span.Start || token.value.End > token.span.End || token.span.End > len(text) {
				t.Fatalf("token %+v in %d bytes, after %d", token, len(text), last)
			}
			last = token.value.End
		}
		if cut := withoutTokens(text); len(cut) > len(text) {
			t.Fatalf("%q became %q", text, cut)
		}
	})
}

func TestWithoutTokens(t *testing.T) {
	for text, want := range map[string]string{
		"https://x/a.whl?sv=1&sig=bm90&se=2#egg=a":                  "https://x/a.whl#egg=a",
		"--find-links https://x/a?sig=bm90 --no-index":              "--find-links https://x/a --no-index",
		"SharedAccessSignature=sv=1&sig=bm90;BlobEndpoint=x":        "SharedAccessSignature=sv=1&sig=;BlobEndpoint=x",
		"AccountName=x;AccountKey=bm90IGEgcmVhbCBrZXk=;Suffix=x":    "AccountName=x;AccountKey=;Suffix=x",
		"https://me:bm90@example.com/a?b=c":                         "https://example.com/a?b=c",
		"https://me:bm90@example.com/a?sig=bm90 https://a:b@c/?x=y": "https://example.com/a https://c/?x=y",
		"nothing": "nothing",
	} {
		if got := withoutTokens(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestLastWords(t *testing.T) {
	for name, want := range map[string][2]string{
		"STORAGE_ACCOUNT_KEY": {"key", "account"}, "storageKey": {"key", "storage"}, "KEY_1": {"key", ""}, "APIKEY2": {"apikey", ""},
		"a.b-c": {"c", "b"}, "": {"", ""}, "__": {"", ""}, "42": {"42", ""}, "PARTITION_KEY": {"key", "partition"}, "APIKey": {"apikey", ""},
	} {
		last, before := lastWords(name)
		if got := [2]string{last, before}; got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
}

func TestSSHAddress(t *testing.T) {
	for address, want := range map[string]string{
		"a.azurehdinsight.net":               "a-ssh.azurehdinsight.net safe",
		"A.AzureHDInsight.NET:22":            "A-ssh.AzureHDInsight.NET:22 safe",
		"edge.a.azurehdinsight.net":          "edge.a-ssh.azurehdinsight.net safe",
		" a.azurehdinsight.net ":             "a-ssh.azurehdinsight.net",
		"https://a.azurehdinsight.net":       "a-ssh.azurehdinsight.net",
		"https://a-ssh.azurehdinsight.net/x": "a-ssh.azurehdinsight.net",
		"a.azurehdinsight.net/":              "a-ssh.azurehdinsight.net",
		"a-ssh.azurehdinsight.net":           "",
		"a-SSH.azurehdinsight.net:22":        "",
		"a-int.azurehdinsight.net":           "",
		"a.azurehdinsight.net.example.com":   "",
		"me@a.azurehdinsight.net":            "",
		".azurehdinsight.net":                "",
		"":                                   "",
	} {
		got := ""
		if right, plain, ok := sshAddress(address); ok {
			got = right
			if plain {
				got += " safe"
			}
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", address, got, want)
		}
	}
}

// TestPlaceholder tells words that ask for a value from keys in which the letters
// of "your" stand by chance.
func TestPlaceholder(t *testing.T) {
	for value, want := range map[string]bool{
		"YOUR_STORAGE_KEY": true, "your-key-1": true, "yourStorageAccountKey": true, "<your key>": true, "xxx": true,
		"q8YourT5" + strings.Repeat("aB3+", 19) + "==": false, strings.Repeat("aB3/", 10) + "your" + strings.Repeat("aB3/", 10): false,
	} {
		if placeholder(value) != want {
			t.Errorf("%q: placeholder %v", value, !want)
		}
	}
}
