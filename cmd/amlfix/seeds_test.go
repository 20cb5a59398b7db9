package main

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/testkit"
)

// seed is a secret in one place of one file: the value there, and the part of it that must never be shown.
type seed struct{ value, secret string }

// seeder generates unique secrets in all forms that schema/secret knows.
type seeder struct {
	forms []func(n int) seed
	next  int
	made  []seed
}

// random returns letters of an alphabet, different for every n.
func random(n, length int, alphabet string) string {
	var b strings.Builder
	for i := 0; b.Len() < length; i++ {
		for _, c := range sha256.Sum256(fmt.Appendf(nil, "%d/%d", n, i)) {
			b.WriteByte(alphabet[int(c)%len(alphabet)])
		}
	}
	return b.String()[:length]
}

const alnum = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

// alphabets match the catalog's column "letters", without characters at which a token could end early.
var alphabets = map[string]string{"hex": "0123456789abcdef", "base32": "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"}

// newSeeder returns a seeder that starts with the form of this number.
func newSeeder(first int) *seeder {
	s := &seeder{next: first * 1_000_003} // each number once, even across tests
	form := func(format string) {
		s.forms = append(s.forms, func(n int) seed {
			secret := random(n, 24, alnum) + "7"
			return seed{strings.ReplaceAll(format, "§", secret), secret}
		})
	}
	for _, f := range []string{
		"https://c.blob.core.windows.net/x?sv=2017&sig=§&se=1", "defaultendpoints=https;accountname=a;AccountKey=§==;x=y", "server=a;Password=§;uid=b",
		"endpoint=sb://x/;SharedAccessKey=§=", "https://u:§@registry.example.com/x", "me:§@vm.example.com", "https://conda.example.com/t/§/main",
		"git+https://§abcdef@example.com/x", "postgres://me:§/x@db.example.com/y", "Bearer §", "x-header: bearer §", `{"password": "§"}`, `{"a": 1, 'apiKey': '§'}`,
		"{\"x\": {\"client_secret\": \"§\"}}", "--user=me:§", "--user me:§", "curl -u me:§ https://example.com", "--password=§", "--password §", "--x 1 --api-key '§' --y", "sshpass -p § ssh h",
		"sshpass -p§ ssh h", "docker login -p §", "mysql -u me -p§", "export GITHUB_PAT=§", "GITHUB_PAT=§ AUTH=§ x", "aws_secret_access_key = §", "password: §", "authorization: basic §",
		"redis-cli -a §", "sqlcmd -S h -P §", "unzip -P § x.zip", "7z x -p§ x.7z", "echo § | docker login --password-stdin", "os.environ['API_KEY'] = '§'", "machine h login me password §",
	} {
		form(f)
	}
	s.forms = append(s.forms, func(n int) seed { // a JSON web token
		secret := random(n, 40, alnum)
		return seed{"eyJ0eXAiOiJKV1QifQ.eyJ" + secret + "." + secret, secret}
	}, func(n int) seed {
		secret := random(n, 64, alnum)
		return seed{"-----BEGIN RSA PRIVATE KEY-----\n" + secret + "\n-----END RSA PRIVATE KEY-----\n", secret}
	}, func(n int) seed { // a storage account key
		secret := random(n, 86, alnum)
		return seed{secret + "==", secret}
	})
	for _, shape := range catalog.SecretShapes() {
		s.forms = append(s.forms, func(n int) seed {
			letters := alphabets[shape.Letters]
			if letters == "" {
				letters = alnum
			}
			secret := random(n, shape.Min, letters)
			before := random(n+1, shape.Before, letters)
			if shape.ID == "azure-client" {
				before = before[1:] + "8"
			}
			value := before + shape.Mark + secret
			if len(secret) < 12 {
				secret = value
			}
			return seed{value, secret}
		})
	}
	return s
}

// value returns a new secret, in the next form.
func (s *seeder) value() string {
	made := s.forms[s.next%len(s.forms)](s.next)
	s.next++
	s.made = append(s.made, made)
	return made.value
}

// plain returns a new secret without a recognizable form, for places whose names reveal it.
func (s *seeder) plain() string {
	secret := random(s.next, 24, alnum)
	s.next++
	s.made = append(s.made, seed{secret, secret})
	return secret
}

// fill replaces SEED and PLAIN in a text with secrets.
func (s *seeder) fill(text string) string {
	for strings.Contains(text, "PLAIN") {
		text = strings.Replace(text, "PLAIN", s.plain(), 1)
	}
	for strings.Contains(text, "SEED") {
		quoted, _ := json.Marshal(s.value())
		if s.next%2 == 0 {
			if q, err := yaml.Marshal(strings.ReplaceAll(s.made[len(s.made)-1].value, "\n", " ")); err == nil {
				quoted = []byte(strings.TrimSpace(string(q)))
			}
		}
		text = strings.Replace(text, "SEED", string(quoted), 1)
	}
	return text
}

// shownIn returns the secrets of which a text shows a part. It reads the text once: there are many secrets.
func (s *seeder) shownIn(text string) (shown []seed) {
	const part = 10
	of := map[string]seed{}
	for _, made := range s.made {
		for _, p := range []string{made.secret[:part], made.secret[len(made.secret)-part:]} {
			of[strings.ToLower(p)] = made // IDs are derived from names
		}
	}
	text = strings.ToLower(text)
	for i := range len(text) - part + 1 {
		if made, ok := of[text[i:i+part]]; ok && !slices.Contains(shown, made) {
			shown = append(shown, made)
		}
	}
	return shown
}

// example returns a document with every key of a JSON Schema, and a secret in every place of it.
func (s *seeder) example(root, schema map[string]any, depth int) any {
	if ref, ok := schema["$ref"].(string); ok {
		node := any(root)
		for _, part := range strings.Split(strings.TrimPrefix(ref, "#/"), "/") {
			node = node.(map[string]any)[part]
		}
		schema = node.(map[string]any)
	}
	if all, ok := schema["allOf"].([]any); ok && schema["properties"] == nil {
		return s.example(root, all[0].(map[string]any), depth)
	}
	properties, _ := schema["properties"].(map[string]any)
	more, open := schema["additionalProperties"].(map[string]any)
	if depth > 8 || len(properties) == 0 && !open {
		if items, ok := schema["items"].(map[string]any); ok && depth <= 8 {
			return []any{s.example(root, items, depth+1), s.example(root, items, depth+1)}
		}
		return s.value()
	}
	out := map[string]any{}
	names := make([]string, 0, len(properties))
	for name := range properties {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if p, ok := properties[name].(map[string]any); ok {
			out[name] = s.example(root, p, depth+1)
		}
	}
	if open {
		out["x"] = s.example(root, more, depth+1)
		out["GITHUB_PAT"], out["AUTH"] = s.plain(), s.plain()
	}
	return out
}

// everyKey returns a file of a kind with a secret at each of its keys.
func (s *seeder) everyKey(t *testing.T, kind string, asJSON bool) []byte {
	t.Helper()
	var schema map[string]any
	if err := json.Unmarshal([]byte(amlfix(t, t.TempDir(), "schema", kind).out), &schema); err != nil {
		t.Fatalf("%s: %v", kind, err)
	}
	encode := yaml.Marshal
	if asJSON {
		encode = json.Marshal
	}
	text, err := encode(s.example(schema, schema, 0))
	testkit.OK(t, err)
	return text
}
