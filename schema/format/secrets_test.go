package format_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/format"
	"github.com/amlfix/amlfix/schema/source"
)

// TestSecretsStayPut validates faulty files with secrets against every schema, and checks that no finding repeats a
// secret.
func TestSecretsStayPut(t *testing.T) {
	const number, word = "3141592653", "hunter2hunter2"
	texts := []string{
		"type: remotedocker\naddress: a\nusername: b\npassword: " + number + "\n",
		"type: remotedocker\naddress: a\nusername: b\npassword: [" + word + "]\n",
		"type: remotedocker\naddress: https://user:" + word + "@host\nprivateKey: " + number + "\nnodeCount: https://user:" + word + "@host\n",
		"type: ghp_" + word + word + "\n",
		"type: local\nAccountKey=" + word + ": x\n",
		"type: local\nnodeCount: sig=" + word + "\n",
		"type: sig=" + word + "\nTarget: x\nFramework: https://x/?sig=" + word + "\nTrackedRun: AccountKey=" + word + "\n",
		"Target: a\nEnvironmentVariables:\n  STORAGE_KEY: [" + word + "]\n  Password: {" + word + ": " + word + "}\n",
		"environment:\n  docker:\n    baseImageRegistry:\n      password: [" + word + "]\n      username: {a: " + word + "}\nhistory:\n  ambientAuthentication:\n    secret: true\n    method: --token=" + word + "\n    deleteSecretAfterRun: " + word + "\n",
		"dependencies: https://x/?sig=" + word + "\nchannels: https://user:" + word + "@host\n",
		"packages: https://x/?sig=" + word + "\nversion: https://x/?sig=" + word + "\n",
	}
	found := 0
	for _, text := range texts {
		src := source.New("file", []byte(text))
		root := document.Parse(src).Root()
		for _, kind := range format.Kinds() {
			for _, f := range format.Validate(format.Kind(kind), src, root) {
				found++
				if said := everythingSaid(f); strings.Contains(said, number) || strings.Contains(said, word) {
					t.Errorf("%s of %q: %s", kind, text, said)
				}
			}
		}
	}
	if found < 50 {
		t.Errorf("only %d findings", found)
	}
}

// everythingSaid returns all texts of a finding except the bytes that it points to.
func everythingSaid(f finding.Finding) string {
	said := fmt.Sprintf("%s %+v", f.Message, f.Fix)
	for _, r := range f.Related {
		said += r.Message
	}
	if f.Fix != nil {
		for _, c := range f.Fix.Changes {
			said += fmt.Sprintf("%+v", c)
		}
	}
	return said
}
