package rules

import (
	"slices"
	"strings"
	"unicode"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/secret"
)

var secretEnv = Rule{
	ID:       "secret/env",
	Severity: finding.Warning,
	Since:    "2026-11-20",
	Doc:      "An environment variable of a run configuration contains a key or password.",
	Why: `Run configurations, including these values, go into the repository and the run history. A storage key among
the environment variables gives everyone who has the file access to the whole account.`,
	Remedy: "With --unsafe, clears the value. Also renew the key, because everyone who had the file has it.",
	Facts:  []string{"secret_shapes", "credentials"},
	Bad: `
-- aml_config/docker.runconfig --
ArgumentVector: ["$file"]
Target: docker
Framework: Python
EnvironmentVariables:
  STORAGE_ACCOUNT_KEY: bm90IGEgcmVhbCBrZXksIGJ1dCBsb25nIGVub3VnaA==
-- aml_config/docker.compute --
type: localdocker
-- aml_config/conda_dependencies.yml --
dependencies: []
`,
	Good: `
-- aml_config/docker.runconfig --
ArgumentVector: ["$file"]
Target: docker
Framework: Python
EnvironmentVariables:
  STORAGE_ACCOUNT_KEY: <YOUR_STORAGE_ACCOUNT_KEY>
  MAX_TOKENS: 512
  PARTITION_KEY: customerId
-- aml_config/docker.compute --
type: localdocker
-- aml_config/conda_dependencies.yml --
dependencies: []
`,
	Check: func(p *Pass) {
		for _, job := range p.Project.Jobs {
			secretVariables(p, job.File, job.Variables)
		}
	},
}

func secretVariables(p *Pass, f *schema.File, variables []schema.Variable) {
	for _, v := range variables {
		n := v.Value.Node.Resolve()
		if p.full(f.Source) || n == nil || n.Kind != document.Scalar || !secretVariable(v.Name, n) {
			continue
		}
		var fix *finding.Fix
		if !f.Stream.Repaired {
			fix = v.Value.Fix(finding.Text(""), finding.Unsafe, "clear "+v.Name)
		}
		p.report(v.Value.Location(v.Name+
			" contains what looks like a secret, which everyone who gets the file can read: remove it, renew it, and set the variable where the job is started"), fix)
	}
}

// secretVariable reports whether a variable holds a secret, judging by its name or the form of its value.
func secretVariable(name string, n *document.Node) bool {
	value := strings.TrimSpace(n.Value)
	is := variableKinds.Of(name, kindOfName)
	const longKey = 88 // length of a storage account's key
	if is == (nameKind{}) && len(value) != longKey {
		return false
	}
	tokens := reported([]byte(value))
	storage := func(t secret.Token) bool { return t.Kind == secret.StorageKey }
	account := len(value) == longKey && slices.ContainsFunc(tokens, storage)
	switch {
	case is == (nameKind{}) && !account:
		return false
	case n.IsNull() || placeholder(value) || slices.ContainsFunc(tokens, func(t secret.Token) bool { return !storage(t) }):
		return false // empty, a placeholder, or reported by secret/token
	case account || is.key && generated.Get().MatchString(value):
		return true
	case elsewhere.Get().MatchString(value):
		return false
	case is.word:
		return n.Tag() != "!!bool"
	}
	return is.lock && len(value) >= 8 && n.Tag() == "!!str" && !strings.ContainsAny(value, " \t")
}

// nameKind is what a variable's name says of its value: that it is a password or a secret, that it opens something, and
// that it may be a key of another kind.
type nameKind struct{ word, lock, key bool }

// variableKinds keeps what kindOfName returns: most files have the same names.
var variableKinds = plain.Memo[nameKind]{Longest: 64}

func kindOfName(name string) (is nameKind) {
	last, before := lastWords(name)
	is.word = endsWith(last, "password", "passwd", "passphrase", "pwd", "secret")
	is.key = last == "key"
	is.lock = secret.NameIsSecret(last) && last != "auth" && !strings.HasSuffix(last, "key") ||
		endsWith(last, "accountkey", "storagekey", "accesskey", "apikey", "secretkey", "subscriptionkey", "sharedkey") ||
		is.key && before != "" && !slices.Contains(harmlessKeys, before)
	return is
}

// lastWords returns the last word of a name and the one before it, in lower case; a number at the end, as in KEY_1, is
// not a word.
func lastWords(name string) (last, before string) {
	previous := ""
	eachWord(name, func(word string) {
		if previous == "" || strings.Trim(word, "0123456789") != "" {
			last, before = word, previous
		}
		previous = word
	})
	return strings.ToLower(last), strings.ToLower(before)
}

// harmlessKeys are the words before "key" that show that it is not a secret.
var harmlessKeys = []string{"partition", "primary", "foreign", "sort", "public", "hash", "group", "index", "cache", "row", "column",
	"join", "lookup", "map", "dict", "object", "id", "instrumentation", "vault"}

var (
	// generated matches long base64 or hexadecimal text, which nobody would write as a name.
	generated = plain.Regexp{Text: `^(?:[A-Za-z0-9+/]{40,}={0,2}|[0-9a-fA-F]{32,})$`}
	// elsewhere matches values that only say where a secret is: a path, an address, a variable.
	elsewhere = plain.Regexp{Text: `^(?:[./~]|[A-Za-z]:[\\/]|[a-z]+://|[$@%{])`}
)

// eachWord calls do for the words of STORAGE_KEY, storage.key and storageKey.
func eachWord(name string, do func(word string)) {
	start := -1 // of a word
	flush := func(end int) {
		if start >= 0 {
			do(name[start:end])
		}
	}
	var last rune
	for i, r := range name {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			flush(i)
			start, last = -1, 0
			continue
		case start < 0:
			start = i
		case unicode.IsUpper(r) && unicode.IsLower(last), unicode.IsDigit(r) != unicode.IsDigit(last):
			flush(i)
			start = i
		}
		last = r
	}
	flush(len(name))
}

func endsWith(word string, endings ...string) bool {
	return slices.ContainsFunc(endings, func(ending string) bool { return strings.HasSuffix(word, ending) })
}
