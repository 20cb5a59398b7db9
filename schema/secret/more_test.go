package secret_test

import (
	"strconv"
	"testing"

	"github.com/amlfix/amlfix/schema/secret"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestPlacesOfSecrets covers secrets that are recognized only by where they are, and harmless words in the same places.
func TestPlacesOfSecrets(t *testing.T) {
	const key = "0123456789abcdef0123456789abcdef01234567"
	for text, want := range map[string]string{
		"https://f.azurewebsites.net/api/x?code=" + key + "==&a=b":                    "https://f.azurewebsites.net/api/x?code=***&a=b",
		"https://f.example.com/x?a=b&code=" + key:                                     "https://f.example.com/x?a=b&code=***",
		"https://h/x?code=200&country_code=DE":                                        "https://h/x?code=200&country_code=DE",
		"pip install x && wandb login " + key + " && python train.py":                 "pip install x && wandb login *** && python train.py",
		"wandb login --relogin --host=https://h.example.com " + key:                   "wandb login --relogin --host=https://h.example.com ***",
		"wandb login && python a_script_with_a_very_long_name_indeed_x.py":            "wandb login && python a_script_with_a_very_long_name_indeed_x.py",
		"https://api.telegram.org/bot123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw_/x": "https://api.telegram.org/bot***/x",
		"x.py --bot 123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw_":                    "x.py --bot ***",
		"registry/name1234:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw_":                       "registry/name1234:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw_",
		"wandb login $WANDB_API_KEY":                                                  "wandb login $WANDB_API_KEY",
		"- {name: DB_PASSWORD, value: hunter2}\n":                                     "- {name: DB_PASSWORD, value: ***}\n",
		"- name: API_TOKEN\n  value: hunter2\n- name: MODE\n  value: fast\n":          "- name: API_TOKEN\n  value: ***\n- name: MODE\n  value: fast\n",
		`[{"name": "DB_PASSWORD", "value": "hunter2"}, {"name": "A", "value": "b"}]`:  `[{"name": "DB_PASSWORD", "value": ***}, {"name": "A", "value": "b"}]`,
		"DBPASS: hunter2\n":         "DBPASS: ***\n",
		"SESSION_ID: abc123\n":      "SESSION_ID: ***\n",
		"ENCRYPTION_SALT: abc123\n": "ENCRYPTION_SALT: ***\n",
		"CARD_PIN: 1234\n":          "CARD_PIN: ***\n",
		"LOGIN_TOKEN: abc\n":        "LOGIN_TOKEN: ***\n",
		"PIN_MEMORY: true\n":        "PIN_MEMORY: true\n",

		`v = {"API_KEY": os.environ["API_KEY"], "B": "b"}`:                  `v = {"API_KEY": os.environ["API_KEY"], "B": "b"}`,
		`v = {"API_KEY": os.environ["API_KEY"]}`:                            `v = {"API_KEY": os.environ["API_KEY"]}`,
		`v = {"API_KEY": os.environ.get("API_KEY")}`:                        `v = {"API_KEY": os.environ.get("API_KEY")}`,
		`v = {"API_KEY": os.getenv("API_KEY", "hunter2")}`:                  `v = {"API_KEY": ***}`,
		`v = {"API_KEY": ws.get_default_keyvault().get_secret(name="key")}`: `v = {"API_KEY": ws.get_default_keyvault().get_secret(name="key")}`,

		"spin: 3\nbypass: all\n":     "spin: 3\nbypass: all\n",
		"compass: north\nvalue: 3\n": "compass: north\nvalue: 3\n",
	} {
		testkit.Same(t, want, shown(text), "%q", text)
	}
}

// TestHideAgain hides the same in more texts than are remembered, each time it is asked.
func TestHideAgain(t *testing.T) {
	for range 3 {
		for i := range 1500 {
			clean := "the image " + strconv.Itoa(i) + " is a CPU image"
			testkit.Same(t, clean, secret.Hide(clean))
			testkit.Same(t, clean+": https://me:***@h.example.com", secret.Hide(clean+": https://me:hunter2@h.example.com"))
		}
	}
}

// TestJoinedQuotes hides the whole of a word that is put together from several parts.
func TestJoinedQuotes(t *testing.T) {
	for text, want := range map[string]string{
		`PASSWORD=ab'cd'ef python x.py`:                  `PASSWORD=*** python x.py`,
		`PASSWORD="ab"'cd'ef python x.py`:                `PASSWORD="*** python x.py`,
		`x.py --password "ab"cd --x y`:                   `x.py --password "*** --x y`,
		"password = r\"hunter2\"\n":                      "password = ***\n",
		"password => 'hunter2', 'x' => 'y'\n":            "password => '***', 'x' => 'y'\n",
		`["--password=abc", "--x=def"]`:                  `["--password=***", "--x=def"]`,
		`["--password=abc","--x=def"]`:                   `["--password=***","--x=def"]`,
		`--token="ab"key='$hunter2' x`:                   `--token="***"key='***' x`,
		`login(password='abc',user='def')`:               `login(password='***',user='def')`,
		"ENV API_KEY hunter2\nENV MODE fast\n":           "ENV API_KEY ***\nENV MODE fast\n",
		`[{"key": "A", "value": "b"}]`:                   `[{"key": ***, "value": "b"}]`,
		`[{"key": "DB_PASSWORD", "value": "hunter2"}]`:   `[{"key": ***, "value": ***}]`,
		"keytool -storepass hunter2\nPasswort: geheim\n": "keytool -storepass ***\nPasswort: ***\n",
	} {
		testkit.Same(t, want, shown(text), "%q", text)
	}
}

// TestCountedSecrets leaves a number of keys visible, and hides what is not a number or has another name.
func TestCountedSecrets(t *testing.T) {
	for _, text := range []string{
		"x.py --num-keys 8", "x.py --num_keys=8 --y", "x.py --max-num-keys '3' y", "x.py --model.num_keys=3", "x.py --minNumKeys 3", "--num-keys 8\n",
		`["--num-keys", "8"]`, "- --num-keys\n- 8\n", "num_keys: 8 # x\n", "{num_keys: 8, x: y}\n", `{"key_count": "8"}`, "secret_index: 3\n", "SMTP_PASSWORD_INDEX=3 x.py",
	} {
		testkit.Same(t, text, shown(text), "%q", text)
	}
	for text, want := range map[string]string{
		"num_keys: hunter2\n": "num_keys: ***\n", "num_keys: 8 hunter2\n": "num_keys: ***\n", "x.py --num-keys 8x": "x.py --num-keys ***", "NUM_KEYS='8'x": "NUM_KEYS='***",
		"num_password: 8\n": "num_password: ***\n", "x.py --num-secret=8": "x.py --num-secret=***", "secret_index: hunter2\n": "secret_index: ***\n", "enum_keys: 8\n": "enum_keys: ***\n",
		"secret_account: 8\n": "secret_account: ***\n", "num_keys: 8#x\n": "num_keys: ***\n", "x.py --key_count=8,hunter2": "x.py --key_count=***", "NUM_KEYS='8 hunter2'": "NUM_KEYS='***'",
	} {
		testkit.Same(t, want, shown(text), "%q", text)
	}
}
