package secret_test

import (
	"encoding/base64"
	"strings"
	"testing"
	"time"

	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/secret"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestArgument finds the key of a command wherever it is, if it is long enough, and nothing that only looks like one.
func TestArgument(t *testing.T) {
	for before := range 60 {
		for letters := 30; letters < 36; letters++ {
			key := strings.Repeat("5af3_", 8)[:letters]
			text := "# " + strings.Repeat("a.", before) + "\nrun: wandb login --host=h \"" + key + "\" " + strings.Repeat("-b", 30)
			var want []string
			if letters >= 32 {
				want = []string{key}
			}
			var got []string
			for _, token := range secret.Tokens([]byte(text)) {
				got = append(got, text[token.Value.Start:token.Value.End])
			}
			testkit.Same(t, want, got, "%q", text)
		}
	}
}

// TestTokens checks what is a secret by its form; "" marks what only looks like one.
func TestTokens(t *testing.T) {
	key := strings.Repeat("Ab1+", 21) + "xy" // 86 base64 digits
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
		"machine h login me password bm90 machine":                     {"bm90"},
		"echo 'machine h login me password bm90' > ~/.netrc":           {"bm90"},
		"machine h login me password $TOKEN":                           nil,
		"enter your login or the password please":                      nil,
		"see the login page password reset":                            nil,
		"echo machine h login u password $(cat key) >> ~/.netrc":       nil,
		"echo machine h login u password {{ key }} >> ~/.netrc":        nil,
		"X: cGFzc3dvcmQ9aHVudGVyMmh1bnRlcjI=":                          {"cGFzc3dvcmQ9aHVudGVyMmh1bnRlcjI="},
		"eyJ1IjogImEiLCAicGFzc3dvcmQiOiAiaHVudGVyMmh1bnRlcjIifQ":       {"eyJ1IjogImEiLCAicGFzc3dvcmQiOiAiaHVudGVyMmh1bnRlcjIifQ"},
		"YXBwX25hbWU9aHVudGVyMmh1bnRlcjI=":                             nil,
		"cGFzc3dvcmQ9JHtQQVNTV09SRH0gYQ==":                             nil,
		base64.StdEncoding.EncodeToString([]byte(`db password=os.getenv("X")  and more text here`)): nil,
		"": nil,
	} {
		var got []string
		for _, token := range secret.Tokens([]byte(text)) {
			got = append(got, text[token.Value.Start:token.Value.End])
		}
		testkit.Same(t, want, got, "%q", text)
	}
}

// TestShapes checks that each vendor's tokens are found where they occur, and that longer words and placeholders are
// not.
func TestShapes(t *testing.T) {
	const alnum = "Zq3Kd7Xw2Lp9Rt5Yv8Bn4Mc6Hj"
	letters := map[string]string{"hex": "3fa85d1c9e7b2046", "base32": "Q3KD7XW2LP5RT"}
	body := func(set string, n int) string {
		if letters[set] == "" {
			set = "alnum"
			letters[set] = alnum
		}
		return strings.Repeat(letters[set], n/len(letters[set])+1)[:n]
	}
	for _, shape := range catalog.SecretShapes() {
		before := body(shape.Letters, shape.Before)
		if shape.Before == 4 {
			before = "Zq38"
		}
		token := before + shape.Mark + body(shape.Letters, shape.Min)
		if len(token) < 20 {
			t.Errorf("%s: %d letters are too few", shape.ID, len(token))
		}
		for _, place := range []string{"§", "x: §\n", "x: \"\\n§\"\n", "- --x=§ --y\n", "# see §, and more\n", "{\"a\": \"§\"}", "https://example.com/?x=§&y=z\n"} {
			text := strings.ReplaceAll(place, "§", token)
			if got := shown(text); strings.Contains(got, token[len(before)+len(shape.Mark):]) || !strings.Contains(got, secret.Mask) {
				t.Errorf("%s: %q is shown as %q", shape.ID, text, got)
			}
			if !secret.Contains(text) || len(secret.Tokens([]byte(text))) != 1 {
				t.Errorf("%s: %q is reported to contain no token", shape.ID, text)
			}
		}
		for offset := range 45 { // not every byte is looked at
			text := strings.Repeat("of ", offset)[:offset]
			if n := len(secret.Tokens([]byte(text + "\n" + token + "\n"))); n != 1 {
				t.Errorf("%s: %d tokens after %d bytes", shape.ID, n, offset)
			}
		}
		dummies := []string{shape.Mark + strings.Repeat("x", shape.Min)}
		if shape.Max > 0 {
			dummies = append(dummies, token+body(shape.Letters, shape.Max+1))
		}
		for _, word := range dummies {
			if found := secret.Tokens([]byte("x: " + word + "\n")); len(found) > 0 {
				t.Errorf("%s: %q is detected as a token", shape.ID, word)
			}
		}
	}
}

func TestTokenForms(t *testing.T) {
	const secretText = "Zq3Kd7Xw2Lp9Rt5Yv8Bn4"
	for _, form := range []string{
		"§eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0.¤§", "Bearer §¤§", "-H 'x: bearer §¤§'", "https://h.example.com/t/§¤§/main", "conda config --add channels https://h/x/t/§¤§",
		"https://u:§¤§@registry.example.com/x:1", "https://u:§pa/¤§@h/x", "u:§¤@x§@registry.example.com/x", "address: u:§¤§@10.0.0.4:22", "https:\\/\\/u:§¤§@h\\/x", "https://§¤x§:x-oauth-basic@github.com/x",
		"https://s3.example.com/x?X-Amz-Signature=§¤§&x=1", "https://storage.example.com/x?Signature=§¤§",
	} {
		parts := strings.Split(strings.ReplaceAll(form, "¤", secretText), "§")
		text, want := strings.Join(parts, ""), parts[0]+secret.Mask+parts[2]
		if form == "§eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0.¤§" {
			want = secret.Mask
		}
		testkit.Same(t, want, secret.Hide(text), "%q", text)
	}
	for _, text := range []string{ // not secrets
		"https://discuss.example.com/t/how-to-do-this/1234", "https://forum.example.com/t/how-to-do-this", "https://h/t/$TOKEN/main", "https://h/t/<TOKEN>/main", "azureml:env@latest", "azureml:my-env@default", "azureml://registries/r/models/t/versions/1",
		"wasbs://a-container-of-some-length@account.blob.core.windows.net/x", "registry/x:tag@sha256:0123456789abcdef0123456789abcdef", "mailto:me@example.com", "bearer authentication is used", "the bearer of this",
		"git@github.com:org/repo.git", "pkg @ https://example.com/x.whl", "abfss://a-long-file-system-name@account.dfs.core.windows.net/x", "models:/name@champion", "jdbc:sqlserver://x:1433;user=sa@y",
	} {
		if got := secret.Hide(text); got != text {
			t.Errorf("%q is shown as %q", text, got)
		}
	}
}

func TestArguments(t *testing.T) {
	for _, tt := range []struct{ args, hidden string }{
		{"--password|x1|--y|z", "0100"}, {"--password=x1|z", "10"}, {"--password|--x|y", "000"}, {"sshpass|-p|x1|ssh", "0010"}, {"sshpass|-px1!|ssh", "010"}, {"ssh|-p|22", "000"}, {"train.py|-p|0.5", "000"},
		{"docker|login|-u|me|-p|x1", "000001"}, {"curl|-u|me:x1|https://h", "0010"}, {"--user|me:x1", "01"}, {"--user=me:x1", "1"}, {"--user|1000:1000", "00"}, {"--user=me", "0"}, {`{"password": "x1"}`, "1"},
		{`{"a": {"apiKey": 1}, 'token': 'x1'}`, "1"}, {"password: x1", "1"}, {"--token|$TOKEN", "00"}, {"--token|${{inputs.token}}", "00"}, {"mysql|-px1", "01"}, {"mysql|-P|3306|-p|db", "00000"},
		{"redis-cli|-a|x1", "001"}, {"ls|-a|x1", "000"}, {"sqlcmd|-Px1", "01"}, {"unzip|-P|x1|f", "0010"}, {"gzip|-P|x1", "000"}, {"7z|-px1|f", "010"}, {"wc|-w|x1", "000"}, {"unzip|a.zip|&&|xargs|-P|8", "000000"},
		{"run --password 'a b' --x", "1"}, {"--num-tokens|3", "00"}, {"|--key|x1", "001"},
	} {
		args := strings.Split(tt.args, "|")
		got := ""
		for _, hidden := range secret.Arguments(args) {
			got += map[bool]string{true: "1", false: "0"}[hidden]
		}
		if got != tt.hidden {
			t.Errorf("%q: %s hidden, want %s", args, got, tt.hidden)
		}
	}
}

func TestKnown(t *testing.T) {
	known := secret.NewKnown([]string{"hunter2", "hunter2hunter2", "a-much-longer-secret-than-others", "x"})
	for text, want := range map[string]string{
		"x hunter2, hunter2hunter2.": "x ***, ***.", "hunter": "hunter", "a-much-longer-sec…": "***…", `"a-much-longer-sec" is`: `"***" is`, "a-much-longer way": "a-much-longer way", "": "", "hunte…": "***…",
	} {
		testkit.Same(t, want, known.Replace(text, secret.Mask), "%q", text)
	}
	testkit.Same(t, "hunter2", (secret.Known{}).Replace("hunter2", secret.Mask), "none known")
	for _, part := range []string{"a", "aaaaaaab", "u:p@", "aaaa…"} { // the time must be linear in the length
		long := strings.Repeat(part, 1<<20/len(part))
		took := testkit.Cost(func() {
			secret.NewKnown([]string{long[:len(long)/2] + "!", long[:1000] + "?", long[:len(long)/3]}).Replace(long, secret.Mask)
		})
		if took > time.Second {
			t.Errorf("%q again and again: %v", part, took)
		}
	}
}

// TestCommands checks what is hidden of lines of shell and Python.
func TestCommands(t *testing.T) {
	for text, want := range map[string]string{
		"echo hunter2 | docker login -u me --password-stdin":     "echo *** | docker login -u me --password-stdin",
		"echo -n 'a b' | helm registry login --password-stdin x": "echo -n '***' | helm registry login --password-stdin x",
		"echo $TOKEN | docker login --password-stdin":            "echo $TOKEN | docker login --password-stdin",
		"cat f | docker login --password-stdin":                  "cat f | docker login --password-stdin",
		"echo done; cat f || docker login --password-stdin":      "echo done; cat f || docker login --password-stdin",
		"os.environ['API_KEY']='hunter2'":                        "os.environ['API_KEY']='***'",
		`os.environ["API_KEY"] = "hunter2"; x`:                   `os.environ["API_KEY"] = "***"; x`,
		`python -c "os.environ[\"API_KEY\"] = \"hunter2\""`:      `python -c "os.environ[\"API_KEY\"] = \"***\""`,
		"weights['layer']=3; counts[token]=5":                    "weights['layer']=3; counts[token]=5",
		"ldapsearch -x -w hunter2 -b dc=x":                       "ldapsearch -x -w *** -b dc=x",
		"ssh-keygen -N hunter2 -f k":                             "ssh-keygen -N *** -f k",
		"python x.py -P 3 -w 4 -a 5 -N 6 -p 7":                   "python x.py -P 3 -w 4 -a 5 -N 6 -p 7",

		`os.environ.setdefault("API_KEY","hunter2")`:                   `os.environ.setdefault("API_KEY","***")`,
		`python -c "os.putenv(\"API_KEY\", \"hunter2\")"`:              `python -c "os.putenv(\"API_KEY\", \"***\")"`,
		"x = os.getenv('DB_PASSWORD', 'hunter2') or y":                 "x = os.getenv('DB_PASSWORD', '***') or y",
		"spark.conf.set('fs.azure.account.key.a', 'hunter2')":          "spark.conf.set('fs.azure.account.key.a', '***')",
		`os.getenv("API_KEY", ""), os.getenv("API_KEY", default)`:      `os.getenv("API_KEY", ""), os.getenv("API_KEY", default)`,
		`left.join("key", "id"); d.setdefault("epochs", "3"); f("a")`:  `left.join("key", "id"); d.setdefault("epochs", "3"); f("a")`,
		"git config --global http.password hunter2 && x":               "git config --global http.password *** && x",
		"git config x.https://h/.token 'a b'":                          "git config x.https://h/.token '***'",
		"npm config set //h/:_authToken hunter2":                       "npm config set //h/:_authToken ***",
		"aws configure set aws_secret_access_key hunter2 --profile x":  "aws configure set aws_secret_access_key *** --profile x",
		"dvc remote modify --local o account_key hunter2":              "dvc remote modify --local o account_key ***",
		"git config credential.helper store; git config --get x.token": "git config credential.helper store; git config --get x.token",
		"git config user.password $TOKEN; git config\npassword x":      "git config user.password $TOKEN; git config\npassword x",
		"<settings><password>hunter2</password></settings>":            "<settings><password>***</password></settings>",
		"<dbPassword a=\"b\">hun\nter2</dbPassword>":                   "<dbPassword a=\"b\">***\n***</dbPassword>",
		"<password></password> <api-key> or <token>":                   "<password></password> <api-key> or <token>",
		"<password>${PW}</password> <name>x</name> <key>x</key> a<b":   "<password>${PW}</password> <name>x</name> <key>x</key> a<b",
		"jdbc:oracle:thin:me/hunter2@h:1521/x":                         "jdbc:oracle:thin:me/***@h:1521/x",
		"x: 'jdbc:oracle:oci:me/hunter2@//h/x'":                        "x: 'jdbc:oracle:oci:me/***@//h/x'",
		"x --key ${{ secrets.KEY }} --password {{ x }}":                "x --key ${{ secrets.KEY }} --password {{ x }}",
		"--url jdbc:oracle:thin:\nimage: me:hunter2@h.com/x":           "--url jdbc:oracle:thin:\nimage: me:***@h.com/x",
		"jdbc:oracle:thin:me:hunter2@h":                                "jdbc:***@h",
		"os.environ.setdefault('API_KEY', f'hunter{two}')":             "os.environ.setdefault('API_KEY', f'***')",
		"jdbc:oracle:thin:@//h:1521/x, jdbc:oracle:thin: a/b@c":        "jdbc:oracle:thin:@//h:1521/x, jdbc:oracle:thin: a/b@c",
	} {
		testkit.Same(t, want, secret.HideValue(text), "%q", text)
	}
}
