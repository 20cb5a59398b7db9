package rules

import (
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

// FuzzReported checks that secrets can be removed from any text.
func FuzzReported(f *testing.F) {
	for _, text := range []string{"?sig=a&sig=b", "://a:b@://c:d@", "AccountKey=bm90IGEgcmVhbCBrZXk==@", strings.Repeat("@", 100), strings.Repeat("a", 86) + "=="} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if cut := withoutTokens(text); len(cut) > len(text) {
			t.Fatalf("%q became %q", text, cut)
		}
	})
}

// TestReported checks that a possible secret is masked but not reported.
func TestReported(t *testing.T) {
	for text, want := range map[string]int{
		"?sig=bm90": 1, "?sig=YOUR_SIGNATURE": 0, "?sig=xxxxxx": 0, "https://me:bm90@h": 1, "https://me:PASSWORD@h": 0, "https://me:{pw}@h": 0,
		"x: me:bm90@h": 1, "x me@h": 0, "x:me@h": 0, "  x:me@h": 0, "https://h:port/x@y": 0,
		"ghp_" + strings.Repeat("0a1b2c", 6): 1, "ghp_" + strings.Repeat("x", 36): 0,
	} {
		testkit.Same(t, want, len(reported([]byte(text))), "%q", text)
	}
}

func TestWithoutTokens(t *testing.T) {
	for text, want := range map[string]string{
		"https://x/a.whl?sv=1&sig=bm90&se=2#egg=a":                  "https://x/a.whl#egg=a",
		"--find-links https://x/a?sig=bm90 --no-index":              "--find-links https://x/a --no-index",
		"SharedAccessSignature=sv=1&sig=bm90;BlobEndpoint=x":        "SharedAccessSignature=sv=1&sig=;BlobEndpoint=x",
		"AccountName=x;AccountKey=bm90IGEgcmVhbCBrZXk=;Suffix=x":    "AccountName=x;AccountKey=;Suffix=x",
		"https://me:bm90@example.com/a?b=c":                         "https://example.com/a?b=c",
		"https://me:bm90@example.com/a?sig=bm90 https://a:b@c/?x=y": "https://example.com/a https://c/?x=y",
		"https://h.example.com/t/tk-1-2/main/linux-64":              "https://h.example.com/main/linux-64",
		"pull me:bm90@registry.example.com/x:1":                     "pull me@registry.example.com/x:1",
		"-H 'Authorization: Bearer abcdefghij0123456789'":           "-H 'Authorization: '",
		"--token=ghp_" + strings.Repeat("0a1b2c", 6) + " --x":       "--token= --x",
		"nothing": "nothing",
	} {
		testkit.Same(t, want, withoutTokens(text), "%q", text)
	}
}

func TestLastWords(t *testing.T) {
	for name, want := range map[string][2]string{
		"STORAGE_ACCOUNT_KEY": {"key", "account"}, "storageKey": {"key", "storage"}, "KEY_1": {"key", ""}, "APIKEY2": {"apikey", ""},
		"a.b-c": {"c", "b"}, "": {"", ""}, "__": {"", ""}, "42": {"42", ""}, "PARTITION_KEY": {"key", "partition"}, "APIKey": {"apikey", ""},
	} {
		last, before := lastWords(name)
		testkit.Same(t, want, [2]string{last, before}, "%q", name)
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

// TestPlaceholder distinguishes words that ask for a value from keys that contain the letters of "your" by chance.
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
