package secret_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/schema/secret"
)

// TestTokens checks what is a secret by its form; "" marks what only looks so.
func TestTokens(t *testing.T) {
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
		"?sig=YOUR_SIGNATURE":                                    {"YOUR_SIGNATURE"},
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
		"https://a:b:c@example.com":                                    {"b:c"},
		"git+ssh://git@example.com/x.git":                              nil,
		"me:bm90@example.com":                                          {"bm90"},
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
		for _, token := range secret.Tokens([]byte(text)) {
			got = append(got, text[token.Value.Start:token.Value.End])
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}
