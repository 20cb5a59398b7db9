package secret_test

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/amlfix/amlfix/schema/secret"
	"github.com/amlfix/amlfix/schema/testkit"
)

// shown returns text with its secrets masked.
func shown(text string) string {
	b := []byte(text)
	for _, s := range slices.Backward(secret.Spans(b)) {
		b = slices.Replace(b, s.Start, s.End, []byte(secret.Mask)...)
	}
	return string(b)
}

func TestSpans(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"plain", "password: hunter2\nusername: me\n", "password: ***\nusername: me\n"},
		{"with a comment", "password: hunter2 # mine\n", "password: *** # mine\n"},
		{"a hash inside", "password: hun#ter2\n", "password: ***\n"},
		{"a hash first", "password: #hunter2\n", "password: ***\n"},
		{"a quote inside", "password: it's # a#b", "password: *** # a#b"},
		{"commas are part of it", "password: a,b}c\n", "password: ***\n"},
		{"CRLF", "password: hunter2\r\nusername: me\r\n", "password: ***\r\nusername: me\r\n"},
		{"CR", "password: hunter2\rusername: me\r", "password: ***\rusername: me\r"},
		{"a byte order mark", "\ufeffpassword: |\n  hunter2\nusername: me\n", "\ufeffpassword: ***\n  ***\nusername: me\n"},
		{"no space after the colon", "password:hunter2\n", "password:***\n"},
		{"a scheme before it", "- AUTH=Basic  aHVudGVyMg== --x\n- \"-e TOKEN=token hunter2\"\n", "- AUTH=*** --x\n- \"-e TOKEN=***\"\n"},
		{"a scheme by itself", "run --auth basic --x AUTH=Basic $TOKEN\n", "run --auth *** --x AUTH=*** $TOKEN\n"},
		{"a missing colon", "password hunter2 # mine\r\nusername me\r\n", "password *** # mine\r\nusername me\r\n"},
		{"a missing colon and a colon inside", "  adminPassword hun:ter 2\n", "  adminPassword ***\n"},
		{"a lost colon in JSON", "{\n  \"password\" \"hunter2\",\n  \"a\": 1\n}", "{\n  \"password\" ***,\n  \"a\": 1\n}"},
		{"two words are a key too", "password hint: mother\npassword policy:\npassword\n", "password hint: mother\npassword policy:\npassword\n"},
		{"words in a comment", "# password hunter2\n", "# password hunter2\n"},
		{"empty", "password:\nusername: me\n", "password:\nusername: me\n"},
		{"nested", "a:\n  my_password: hunter2\n  b: c\n", "a:\n  my_password: ***\n  b: c\n"},
		{"a tag", "password: !!str hunter2\n", "password: ***\n"},
		{"an explicit key", "? password\n: hunter2\nusername: me\n", "? password\n: ***\nusername: me\n"},
		{"a storage key", "  STORAGE_ACCOUNT_KEY: abc==\n", "  STORAGE_ACCOUNT_KEY: ***\n"},
		{"of an item", "- password: |\n  hunter2\n  username: me\n- x\n", "- password: ***\n  ***\n  username: me\n- x\n"},

		{"quoted", "password: 'it''s # me' # c\n", "password: *** # c\n"},
		{"double-quoted", `password: "a\"b" # c`, "password: *** # c"},
		{"capitals in the key", "adminPassword: 'a''b'", "adminPassword: ***"},
		{"quoted, never closed", "password: \"hunter2\nusername: me\n", "password: ***\nusername: me\n"},
		{"quoted, never closed, over two lines", "password: \"hun\nter2\nusername: me\n", "password: ***\n***\nusername: me\n"},
		{"quoted, with more behind", "password: \"hun\"ter2 x\nusername: me\n", "password: ***\nusername: me\n"},
		{"over two lines", "password: \"hun\r\n  ter2\"\r\nusername: me\r\n", "password: ***\r\n  ***\r\nusername: me\r\n"},

		{"block scalar", "password: |\n  hun\n\n  ter\nusername: me\n", "password: ***\n  ***\n\n  ***\nusername: me\n"},
		{"block scalar with a hash", "password: |\n  # hun\n  ter\nusername: me\n", "password: ***\n  ***\n  ***\nusername: me\n"},
		{"block scalar, not indented", "password: |\nhun\nter\nusername: me\n", "password: ***\n***\n***\nusername: me\n"},
		{"block scalar in a comment", "# password: |\n#   hun: ter\n# username: me\n", "# password: ***\n***\n# username: me\n"},
		{"on the next line", "password:\n  hunter2\nusername: me\n", "password:\n  ***\nusername: me\n"},
		{"after a comment", "password:\n# token: x\n  hunter2\nusername: me\n", "password:\n# token: ***\n  ***\nusername: me\n"},
		{"the end of a document", "password:\n---\na\n", "password:\n---\na\n"},
		{"commented out", "# password: hunter2\n", "# password: ***\n"},
		{"an open quote in a comment", "# token: \"x\n\na: b\nc: \"d\"\n", "# token: ***\n\na: b\nc: \"d\"\n"},
		{"an open quote in a comment after a value", "x: 1 # token: \"x\na: b\nc: \"d\"\n", "x: 1 # token: ***\na: b\nc: \"d\"\n"},
		{"an open quote in a comment after a key", "a: # token: \"x\n  - b\n", "a: # token: ***\n  - b\n"},
		{"a quote that a comment does not close", "x: \"a # b\", pwd: 'x\na: b'\n", "x: \"a # b\", pwd: ***\n***\n"},
		{"an open bracket in a comment", "# token: [\n#   x\na: b ]\n", "# token: ***\n***\na: b ]\n"},
		{"a comment of several lines", "# token: \"x\n  #  y\" z\na: b\n", "# token: ***\n  ***\na: b\n"},

		{"a list", "password: [one, two] # c\n", "password: *** # c\n"},
		{"a multi-line list", "password: [\none,\n'tw]o',\nthree\n]\nusername: me\n", "password: ***\n***\n***\n***\n***\nusername: me\n"},
		{"a list of capitals", "KEYS: [ABCD1234]\npassword: [HUNTER, TWO]\n", "KEYS: ***\npassword: ***\n"},
		{"a list never closed", "password: [one\n  two\nusername: me\n", "password: ***\n  ***\nusername: me\n"},
		{"items", "password:\n  - one\n  - two\nusername: me\n", "password:\n  ***\n  ***\nusername: me\n"},
		{"items below the key", "a:\n- password:\n  - one\n    more\n  - two\n- x\n", "a:\n- password:\n  ***\n    ***\n  ***\n- x\n"},
		{"the next item is another's", "- password:\n- x\n", "- password:\n- x\n"},

		{"JSON", `{"password": "a,b", "username": "me"}`, `{"password": ***, "username": "me"}`},
		{"a member of JSON", `"password": "a\"b", "x": 1`, `"password": ***, "x": 1`},
		{"JSON, a number", "{\"password\": 1234, \"username\": \"me\"}", "{\"password\": ***, \"username\": \"me\"}"},
		{"JSON, a list", "{\n\"password\": [\"a\",\n \"b\"],\n\"username\": \"me\"}", "{\n\"password\": ***\n ***,\n\"username\": \"me\"}"},
		{"JSON, on the next line", "{\"password\":\n\"a\", \"username\":\n \"me\"}", "{\"password\":\n***, \"username\":\n \"me\"}"},
		{"JSON, without quotes", "{\"password\": a}b,c, \"username\": \"me\"}", "{\"password\": ***, \"username\": \"me\"}"},
		{"JSON, cut off", "{\"password\": [\"a\", \"b\"", "{\"password\": ***"},
		{"JSON, without a value", "{\"password\":\n\"username\": \"me\"}", "{\"password\":\n\"username\": \"me\"}"},
		{"flow mapping", "vm: {password: x1, username: me}\n", "vm: {password: ***, username: me}\n"},
		{"multi-line flow mapping", "vm: {password: x1\n  y2, username: me}\n", "vm: {password: ***\n  ***, username: me}\n"},

		{"SAS", "- https://a.example.com/x.whl?sv=1&sig=ab%3D&se=2\n", "- https://a.example.com/x.whl?sv=1&sig=***&se=2\n"},
		{"SAS in JSON", `["https://h/x?sv=1\u0026sig=ab", "x"]`, `["https://h/x?sv=1\u0026sig=***", "x"]`},
		{"SAS, a placeholder", "- https://h/x?sig=${SIG}&se=2\n- https://h/x?sig=<sig>\n- https://h/x?design=abc\n", "- https://h/x?sig=${SIG}&se=2\n- https://h/x?sig=<sig>\n- https://h/x?design=abc\n"},
		{"the key of an account", "x: " + strings.Repeat("A", 86) + "==\ny: " + strings.Repeat("A", 87) + "==\n", "x: ***\ny: " + strings.Repeat("A", 87) + "==\n"},
		{"connection string", "- AccountName=a;AccountKey=b==;End=c\n", "- AccountName=a;AccountKey=***;End=c\n"},
		{"connection string at the end", "c: DefaultEndpointsProtocol=https;AccountKey=a/b==;", "c: DefaultEndpointsProtocol=https;AccountKey=***;"},
		{"signs in a password", "- Server=a;Password=a;b&c,d;Uid=e\n", "- Server=a;Password=***;Uid=e\n"},
		{"quoted in a connection string", `- "Server=a;Password='a b';x=y"`, `- "Server=a;Password='***';x=y"`},
		{"argument", "- --password=hunter2\n", "- --password=***\n"},
		{"argument in brackets", "a: [--password=a,b, --x]\n", "a: [--password=***, --x]\n"},
		{"quoted in a command", `- "run --password=\"a b\" --x"`, `- "run --password=\"***\" --x"`},
		{"a word in a command", "- run --password hunter2 --x\n", "- run --password *** --x\n"},
		{"an assignment", "# api_key = 'a b'\n", "# api_key = '***'\n"},
		{"the next item", `a: ["--password", "hun,ter2", "--x"]`, `a: ["--password", ***, "--x"]`},
		{"the next plain item", "a: [--password, hun]ter2, --x]", "a: [--password, ***, --x]"},
		{"the next item of a block", "a:\n- --api-key\n- 'hunter2'\n- x\n", "a:\n- --api-key\n- ***\n- x\n"},
		{"the next plain item of a block", "a:\n- -token\n- a,b # c\n- x\n", "a:\n- -token\n- *** # c\n- x\n"},
		{"an option without a value", "a: [--password, --x]", "a: [--password, --x]"},
		{"address", "- git+https://me:hunter2@example.com/x\n", "- git+https://me:***@example.com/x\n"},
		{"signs in an address", "- https://me:p@ss:w@example.com/x@y\n", "- https://me:***@example.com/x@y\n"},
		{"a token in an address", "- git+https://0123456789abcdefghij@example.com/x\n", "- git+https://***@example.com/x\n"},
		{"a private key", "a: |\n  -----BEGIN RSA PRIVATE KEY-----\n  ab\n  -----END RSA PRIVATE KEY-----\n  b\n", "a: |\n  ***\n  ***\n  ***\n  b\n"},

		{"an alias", "x: &pw hunter2\ny: &other a\npassword: *pw\nz: {token: *q, w: &q 'a b'}\n", "x: &pw ***\ny: &other a\npassword: ***\nz: {token: ***, w: &q ***}\n"},

		{"null", "password: null\ntoken: ~\n", "password: null\ntoken: ~\n"},
		{"null and booleans in JSON", `{"password":null,"secret": true}`, `{"password":null,"secret": true}`},
		{"a placeholder", "password: <your password> # c\n", "password: <your password> # c\n"},
		{"a line of dashes", "account_key = '----------------'\npassword: \"....\"\n", "account_key = '----------------'\npassword: \"....\"\n"},
		{"a quoted placeholder", "password: \"<password>\"\n", "password: \"<password>\"\n"},
		{"a placeholder in brackets", "password: [AZUREML SECRET]\n", "password: [AZUREML SECRET]\n"},
		{"a placeholder in a list", "password: [\"<password>\"]\n", "password: [\"<password>\"]\n"},
		{"a placeholder in a command", "- --password=<your password> --key=${KEY}\n", "- --password=<your password> --key=${KEY}\n"},
		{"a reference", "password: AzureMlSecret=vm#user#00000000\n", "password: AzureMlSecret=vm#user#00000000\n"},
		{"the file of a key", "privateKeyFile: ~/.ssh/id_rsa\n", "privateKeyFile: ~/.ssh/id_rsa\n"},
		{"an image", "baseDockerImage: registry/api-key:plus-0.9.9\n", "baseDockerImage: registry/api-key:plus-0.9.9\n"},
		{"packages", "- tiktoken=0.5\n- secretstorage==3.1.*\n", "- tiktoken=0.5\n- secretstorage==3.1.*\n"},
		{"early versions", "- azure-keyvault-keys==4.9.0b3\n- my-token==1.0.post1\n", "- azure-keyvault-keys==4.9.0b3\n- my-token==1.0.post1\n"},
		{"no version", "my-token==1.0.x4f\nmy-password=19.84b7\n--password=19.84b7\n", "my-token=***\nmy-password=***\n--password=***\n"},
		{"nothing secret", "tokenizer: a\nnum_tokens: 3\nkeywords: b\n- https://a/b:1\n- https://me@example.com\n", "tokenizer: a\nnum_tokens: 3\nkeywords: b\n- https://a/b:1\n- https://me@example.com\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			testkit.Same(t, tt.want, shown(tt.text))
			checkTokenless(t, []byte(tt.text))
		})
	}
}

// checkTokenless checks that nothing else is hidden in a text that is known to have no tokens.
func checkTokenless(t *testing.T, text []byte) {
	if len(secret.Tokens(text)) == 0 {
		testkit.Same(t, secret.Spans(text), secret.Search(text, true).Spans, "%q", text)
	}
}

func TestHide(t *testing.T) {
	for in, want := range map[string]string{
		"use https://a/b?sig=xyz&se=1":        "use https://a/b?sig=***&se=1",
		"x=1 is pip's spelling":               "x=1 is pip's spelling",
		"plain words":                         "plain words",
		"ssh://u:p@h and sig=1":               "ssh://u:***@h and sig=***",
		"write <https://a/?sig=b>":            "write <https://a/?sig=***>",
		"leave out --password here":           "leave out --password here",
		`the arguments ["--password", "abc"]`: `the arguments ["--password", ***]`,
		`"password": must be text`:            `"password": must be text`,
	} {
		testkit.Same(t, want, secret.Hide(in), "Hide(%q)", in)
	}
}

func TestNameIsSecret(t *testing.T) {
	for name, want := range map[string]bool{
		"SSHPASS": true, "password": true, "DbPwd": true, "AZURE_STORAGE_KEY": true, "my-token": true, "AZURE_STORAGE_CONNECTION_STRING": true, "SAS": true, "sasUrl": true, "SASUrl": true,
		"KEY": true, "KEY_1": true, "key2": true, "sshkey": true, "awsAccessKeyId": true, "DB_PASS": true, "GITHUB_TOKEN_RW": true, "x.api.keys": true, "--password": true, "PWD": true,
		"secretName": false, "key_size": false, "password-length": false, "TOKEN_EXPIRY": false, "secret-scope": false, "credential_type": false, "keycolumn": false, "passphrase-env": false, "token_dim": false, "secret_id": true, "privateKeyFile": false, "privatekeyfilepath": false, "passwordProfile": true,
		"": false, "x": false, "tokenizer": false, "num_tokens": false, "keywords": false, "monkeys": false, "passes": false, "disaster": false, "username": false, "EPOCHS": false, "partition_keys": false, "partitionKeys": false, "key_vault": false,
		"num_keys": true, "num_password": true, "NUM_SECRET": true, "secret_index": true, "client_secret_pattern": true, "max_mind_key": true, "number_key": true, "numb_key": true, "token_limit": true, "keyCount": true, "pad_token": false, "mask-token": false, "join_key": false, "image-key": false, "primary_key": true, "hf_token": true, "translator_text_key": true,
		"pad_token_id": false, "eosTokenId": true, "token_pattern": false, "monkey": false, "monkey_key": true, "token_id": true,
		"--pad-token": false, "tokenizer.pad_token": false, "PAD_TOKEN": true, "SEP_TOKEN": true, "my_pad_token": true, "launchpad_token": true, "LAUNCHPAD_TOKEN": true, "IPAD_TOKEN": true, "VIDEOS_TOKEN": true, "UNMASK_TOKEN": true, "CHUNK_TOKEN": true,
		"TOMORROW_KEY": true, "arrow_key": true, "arrowkey": true, "whitelabel_key": true, "COMPUTER_VISION_IMAGE_KEY": true, "image_key": false, "LONDON_KEY": true, "common_key": true, "adhoc.key": true, "api_token_pattern": true,
		"storepass": true, "keypass": true, "KEYPASS_PROD": true, "-srcstorepass": true, "destkeypass": true, "restore-passes": false, "keypassthrough": false,
	} {
		testkit.Same(t, want, secret.NameIsSecret(name), name)
	}
}

func TestVariable(t *testing.T) {
	for _, tt := range []struct {
		name, value string
		secret      bool
	}{
		{"AZURE_STORAGE_KEY", "x", true}, {"my-token", "x", true}, {"DbPwd", "x", true}, {"AZURE_STORAGE_CONNECTION_STRING", "x", true}, {"SAS", "x", true},
		{"PWD", "/home", false}, {"OLDPWD", "/home", false}, {"EPOCHS", "3", false}, {"URL", "https://h/x?sv=2017&sig=abc%3D", true}, {"URL", "https://h/x", false},
		{"CONN", "DefaultEndpointsProtocol=https;AccountName=a;AccountKey=b==", true}, {"CONN", "Server=a;Password=b", true}, {"CONN", "SharedAccessSignature=sv=1", true},
		{"DB", "postgres://me:pw@host/db", true}, {"DB", "postgres://me@host/db", false}, {"DB", "postgres://host/a:b@c", false},
		{"ARGS", "--password hunter2", true}, {"USE_TOKEN", "true", false}, {"NUM_KEYS", "8", false}, {"NUM_KEYS", "8x", true}, {"NUM_PASSWORD", "8", true}, {"TOKEN_LIMIT", "512", false}, {"REGISTRY_AUTH", "None", false}, {"secret", "warning", false}, {"API_KEY", "${API_KEY}", false}, {"PASSWORD", "", false},
	} {
		if got := secret.Variable(tt.name, tt.value); got != tt.secret {
			t.Errorf("%s=%s: %v", tt.name, tt.value, got)
		}
	}
}

func TestTexts(t *testing.T) {
	text := []byte("password: hunter2\nkey: \"a\\\"bcd\"\ntoken: 'it''s'\npwd: [one2, \"three\", null]\nsecret: x\npasswd: hunter2\napi_key: ApiKey abcd1234\n")
	want := []string{"ApiKey abcd1234", "abcd1234", "[one2, \"three\", null]", "\"a\\\"bcd\"", "'it''s'", "a\\\"bcd", "hunter2", "a\"bcd", "it''s", "three", "it's", "one2"}
	got := secret.Texts(text, secret.Spans(text))
	for _, s := range want {
		if !slices.Contains(got, s) {
			t.Errorf("%q is missing in %q", s, got)
		}
	}
	if !slices.IsSortedFunc(got, func(a, b string) int { return len(b) - len(a) }) {
		t.Errorf("not in order: %q", got)
	}
	for _, s := range got {
		if len(s) < secret.Shortest || s == "null" {
			t.Errorf("%q should not be searched as a secret", s)
		}
	}
}

// TestTime checks that the time is linear in the length of the text: eight times the text must not take thirty times
// the processor time.
//
//testkit:norace
func TestTime(t *testing.T) {
	least := func(text []byte, enough time.Duration) time.Duration {
		best := time.Duration(math.MaxInt64)
		for n := 0; n < 3 && best > enough; n++ {
			best = min(best, testkit.Cost(func() {
				secret.Spans(text)
				secret.HideValue(string(text))
			}))
		}
		return best
	}
	for _, part := range []string{
		"password:", "password: ", "password: x\n", "password: [", "password: {\n", "{password: ", "password: '", "password: \"\\\"", "pwd: \"x\n", "pwd: [\"x\n", "pwd: '''\n",
		"pwd: <x> # ", "{pwd: <x>, ", "AzureMlSecret=pwd:", "pwd=", "pwd=<x>;", "key = ", "-", "- ", "--key ", "--key\n- \"", "://", "://a:b@", "@", "=", ":", "\n", " ",
		"# password:\n", "# pwd: [\n", "# pwd: \"\nx\n", "# pwd: [\nx\n", "pwd:\n#\n", "AAAAAAAAAAAAAAAAAAAAAAA==", "sig=${x}&", "-----BEGIN PRIVATE KEY-----\n", "-----BEGIN ", "u:p@", "u:p@h ", "a:b", "://u:p@", "://h/t/x/", "https://h/t/", "Bearer ", "Bearer a1b2c3d4e5 ", "eyJ", "eyJhbGciOi.", "-eyJ0",
		"ghp_", "ghp_xxxxxx", "ya29.", "xoxb-", "Q~", "a8aQ~", ".atlasv1.", "AZDO", "sk-", "hooks.slack.com/services/", "\"pwd\": \"", "\\\"pwd\\\": \\\"x", "'pwd': ''", "--user ", "--user=a:b ", "-u a:b\n",
		"sshpass -p x ", "login -p", "- --pwd\n# x\n", "--pwd\n  ", "--pwd \\\n", "- --pwd\n- x\n  ", "0123456789abcdef ", "\\/", "x@sha256:", "earer ", "&a [", "&a '", "12345678:AA", "{\n", "[\"pwd\":\n\n", "pwd: [<x>]\n", "a", "A_",
		"env(\"pwd\", ", "env('pwd', \"", "env(\"pwd\", \"x'", "(", "<", "<pwd>", "<pwd", "git config ", "git config pwd ", "git config pwd '", "jdbc:oracle:a/", "jdbc:oracle:a/b@",
	} {
		for _, before := range []string{"", "pwd: *a\n", "{pwd:", "pwd:\n ", "  "} {
			const small = 1 << 11 // bytes
			of := func(size int) []byte {
				first := before
				if first == "  " {
					first = strings.Repeat(" ", size)
				}
				return []byte(first + strings.Repeat(part, size/len(part)+1))
			}
			short, long := of(small), of(8*small)
			slow := func() bool {
				most := max(time.Millisecond, 30*least(short, 0))
				return least(long, most) > most && least(of(64*small), 0) > 20*least(long, 0)
			}
			for tries := 1; slow(); tries++ { // a busy machine affects some measurements, but not all
				if tries == 6 {
					t.Errorf("%.20q and then %q again and again takes too long", before, part)
					break
				}
			}
		}
	}
}

// TestTimeOfLongLines is TestTime for what is so fast that it shows only in a line of 1 MB.
//
//testkit:norace
func TestTimeOfLongLines(t *testing.T) {
	for _, part := range []string{"{\"pwd\": \"", "{\\\"pwd\\\": \\\""} {
		cost := func(size int) time.Duration {
			text := []byte(strings.Repeat(part, size/len(part)))
			return testkit.Cost(func() { secret.Spans(text) })
		}
		for tries := 1; cost(1<<20) > max(100*time.Millisecond, 24*cost(1<<17)); tries++ { // a busy machine affects some
			if tries == 6 {
				t.Errorf("%q again and again takes too long", part)
				break
			}
		}
	}
}

func FuzzSpans(f *testing.F) {
	f.Add("password: |\n  a\n", "hunter2")
	f.Add("{\"password\":\"", "a\\\"b")
	f.Add("a: [--key, ", "x]")
	f.Add("-----BEGIN PRIVATE KEY-----\r", "://a:b@")
	f.Fuzz(func(t *testing.T, before, letters string) {
		text := []byte(before + letters)
		checkTokenless(t, text)
		end := -1
		for _, s := range secret.Spans(text) {
			if s.Start <= end || s.End <= s.Start || s.End > len(text) || strings.Contains(string(text[s.Start:s.End]), "\n") {
				t.Fatalf("Spans(%q): %v", text, s)
			}
			end = s.End
		}
		word := "s3cr3t" + strings.Map(func(r rune) rune {
			if 'a' <= r && r <= 'z' {
				return r
			}
			return -1
		}, letters)
		if strings.Contains(before, word) {
			return
		}
		for _, style := range []string{
			"password: WORD\n", "password: [x, WORD]\n", "password: |\n  x\n  WORD\n", "{\"password\": \"WORD\"}\n", "{\"password\": [\"x\",\n\"WORD\"]}\n", "password:\n- WORD\n",
			"- --password=WORD\n", "- https://me:WORD@host\n",
		} {
			if got := shown(before + "\n" + strings.Replace(style, "WORD", word, 1)); strings.Contains(got, word) {
				t.Errorf("%q is shown in %q", word, got)
			}
		}
	})
}

// FuzzHide checks that no token remains, and that a message without tokens is not changed.
func FuzzHide(f *testing.F) {
	f.Add("sig=1&password='x'", "word")
	f.Fuzz(func(t *testing.T, before, letters string) {
		if got := secret.Hide(before); !strings.Contains(got, secret.Mask) && got != before {
			t.Errorf("Hide(%q) = %q", before, got)
		}
		word := "s3cr3t" + strings.Map(func(r rune) rune {
			if 'a' <= r && r <= 'z' {
				return r
			}
			return -1
		}, letters)
		for _, form := range []string{" https://h/?sig=WORD&x", " AccountKey=WORD;", " https://me:WORD@h", ` ["--password", "WORD"]`} {
			message := before + strings.Replace(form, "WORD", word, 1)
			if got := secret.Hide(message); strings.Contains(got, word) && !strings.Contains(before, word) {
				t.Errorf("Hide(%q) = %q", message, got)
			}
			if !secret.Contains(message) || !secret.Variable("x", message) {
				t.Errorf("%q is reported to contain no secret", message)
			}
		}
	})
}

func BenchmarkSpans(b *testing.B) {
	text := []byte(strings.Repeat("# What this setting means, and what it is set to: see https://example.com\nbaseDockerImage: \"microsoft/mmlspark:plus-0.9.9\"\n", 10) + "username: me\npassword: hunter2\n")
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		secret.Spans(text)
	}
}

// FuzzMask checks that masked text contains no part of a secret that was found, and that masking it again changes
// nothing.
func FuzzMask(f *testing.F) {
	f.Add("ghp_0a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6e7f https://u:hunter2@h/t/hunter2/x")
	f.Add("x: --user=me:hunter2 Bearer abcdefgh1234 {\"password\": \"hunter2\"}")
	f.Add("env(\"pwd\", 'x') <pwd>x</pwd> git config pwd x jdbc:oracle:t:a/b@//h")
	f.Add("AKIAQ3KD7XW2LP5RTQ3K -----BEGIN PRIVATE KEY-----\nx sshpass -phunter2")
	f.Fuzz(func(t *testing.T, text string) {
		for name, hide := range map[string]func(string) string{"Hide": secret.Hide, "HideValue": secret.HideValue} {
			once := hide(text)
			if hide(once) != once {
				t.Errorf("%s(%q) = %q, and again %q", name, text, once, hide(once))
			}
			for _, token := range secret.Tokens([]byte(text)) {
				const long = 16 // shorter ones may occur by chance
				if value := text[token.Value.Start:token.Value.End]; len(value) >= long && strings.Count(text, value) == 1 && strings.Contains(once, value) {
					t.Errorf("%s(%q) = %q shows %q", name, text, once, value)
				}
			}
		}
	})
}
