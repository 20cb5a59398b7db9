package secret

import (
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/plain"
)

// parts are texts that mark a name as a secret's anywhere in it; names are compared in lower case without "_", "-" and
// ".".
var parts = []string{
	"password", "passwd", "passphrase", "pwd", "secret", "credential", "connectionstring", "accesssignature",
	"accesstoken", "authtoken", "accountkey", "accesskey", "privatekey", "apikey", "storagekey", "sharedkey",
	"clientkey", "subscriptionkey", "passcode", "authconfig", "authheader", "sshpass",
	"dbpass", "userpass", "adminpass", "rootpass", "sessionid", "encryptionsalt", "passwordsalt",
	"passwort", "kennwort", "motdepasse", "contrasena",
}

// words mark a name as a secret's if they are separate words: dbPass, KEY_1. "num_tokens", "tokenizer" and "keywords"
// are not secrets.
var words = []string{"pass", "storepass", "keypass", "key", "keys", "token", "sas", "cred", "creds", "webhook"}

// lastWords mark a name as a secret's if they are its last word: GITHUB_PAT, BASIC_AUTH. With another word after them,
// the name is about a property of the secret: AUTH_MODE.
var lastWords = []string{"auth", "auths", "pat", "pw", "psw", "jwt", "bearer", "cookie", "pin"}

// ends mark a name as a secret's if it ends with them, even as part of a word: sshkey.
var ends = []string{"password", "passwd", "passphrase", "pwd", "secret", "credential", "credentials", "token", "key", "sas", "authorization", "storepass", "keypass"}

// whereabouts are the endings of names whose values say where or what a secret is but do not contain it:
// privateKeyFile, secretName, key_size. "id" is not one: a secret_id of Vault is a secret.
var whereabouts = []string{"file", "path", "name", "scope", "env", "column", "type", "length", "size", "dim", "expiry"}

// others are the names of other keys and tokens: those of columns and of vocabularies, and words that end so. Only a
// lowercase name as a whole, or what follows its last ".", is one: TOMORROW_KEY and LAUNCHPAD_TOKEN are secrets.
var others = []string{
	"partition_key", "row_key", "sort_key", "foreign_key", "join_key", "image_key", "label_key", "token_pattern",
	"pad_token", "eos_token", "bos_token", "sep_token", "cls_token", "unk_token", "mask_token",
	"monkey", "turkey", "hockey", "donkey",
}

// NameIsSecret reports whether the value of a key, an option or a variable with this name is a secret. Capitals, "_",
// "-" and "." matter only as separators of words. "PWD" counts as a secret's name because it is one in connection
// strings. So does num_keys, although a number is not a secret there, which Variable and Spans respect.
func NameIsSecret(key string) bool {
	return len(key) >= len("pw") && judged.Of(key, nameIsSecret)
}

// judged are the results for names: most files have the same ones.
var judged = plain.Memo[bool]{Longest: 64}

func nameIsSecret(key string) bool {
	var buffer [64]byte
	small := buffer[:0]
	for i := range len(key) {
		switch c := key[i]; {
		case 'A' <= c && c <= 'Z':
			small = append(small, c+'a'-'A')
		case c != '_' && c != '-' && c != '.':
			small = append(small, c)
		}
	}
	name := strings.TrimRight(string(small), "0123456789")
	whole := strings.ReplaceAll(strings.TrimLeft(key[strings.LastIndexByte(key, '.')+1:], "-"), "-", "_")
	if slices.Contains(others, strings.TrimSuffix(whole, "_id")) ||
		name == "partitionkeys" || name == "keyvault" { // names of columns of a parallel job; the id of a workspace's vault
		return false
	}
	for rest, cut := name, true; cut; {
		if rest, cut = cutAny(rest, whereabouts); cut && endsInAny(rest, ends) {
			return false
		}
	}
	return endsInAny(name, ends) ||
		slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(name, part) }) ||
		hasWord(key)
}

// counted matches the names of numbers: num_keys, key_count.
var counted = plain.Regexp{Text: `((^|[-_.])(?i:num)|[a-z]Num)[-_]?(?i:keys)$|([-_](?i:count|limit|index)|[a-z](Count|Limit|Index))$`}

// digits are those of a number that is not a secret if its name matches counted.
const digits = "0123456789."

// isSecret reports whether what is at an offset, after the name of a key, an option or a variable, is a secret. After
// the colon of a key, more words belong to the same value.
func (s *scanner) isSecret(name string, at int) bool {
	if !NameIsSecret(name) {
		return false
	}
	from := s.skip(at, " \t\r\n\"'\\=:,-")
	end := s.skip(from, digits)
	stop := s.skip(end, `"'\`)
	c := s.byteAt(stop)
	ends := s.endsValue(stop) || s.byteAt(at) != ':' && strings.IndexByte(" \t;&)", c) >= 0
	return from == end || isQuote(s.text[from-1]) && stop == end || !ends ||
		strings.IndexByte(",;&", c) >= 0 && !s.endsPart(stop) || !counted.Get().MatchString(name)
}

// isCount reports whether a value is a number, and its name says so.
func isCount(name, value string) bool {
	return strings.Trim(value, digits) == "" && counted.Get().MatchString(name)
}

func cutAny(name string, endings []string) (rest string, cut bool) {
	for _, ending := range endings {
		if rest, cut := strings.CutSuffix(name, ending); cut {
			return rest, true
		}
	}
	return name, false
}

func endsInAny(name string, endings []string) bool {
	return slices.ContainsFunc(endings, func(ending string) bool { return strings.HasSuffix(name, ending) })
}

// hasWord reports whether one of the words of a name marks it as a secret's.
func hasWord(name string) bool {
	start, last := 0, ""
	for i := 1; i <= len(name); i++ {
		if i < len(name) && !parted(name, i) {
			continue
		}
		word := strings.Trim(name[start:i], "_-.")
		start = i
		switch {
		case isOneOf(words, word):
			return true
		case strings.Trim(word, "0123456789") != "": // a number at the end, as in KEY_1, is not a word
			last = word
		}
	}
	return isOneOf(lastWords, last)
}

func isOneOf(list []string, word string) bool {
	return slices.ContainsFunc(list, func(s string) bool { return strings.EqualFold(s, word) })
}

// parted reports whether a word of a name begins at i: at a separator, at capitals as in accessKey and SASUrl, or at
// digits.
func parted(name string, i int) bool {
	before, c := name[i-1], name[i]
	switch {
	case isUpper(c):
		return !isUpper(before) || i+1 < len(name) && isLower(name[i+1])
	case isLower(c):
		return !isLower(before) && !isUpper(before)
	}
	return isLower(before) || isUpper(before)
}

func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }
func isLower(c byte) bool { return 'a' <= c && c <= 'z' }
func isDigit(c byte) bool { return '0' <= c && c <= '9' }
func isAlnum(c byte) bool { return isLower(c) || isUpper(c) || isDigit(c) }

// inName reports whether a byte may be part of a key in a file.
func inName(c byte) bool { return inNames[c] }
