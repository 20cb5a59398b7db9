package migrate

import (
	"bytes"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/python"
	"github.com/amlfix/amlfix/schema/secret"
	"github.com/amlfix/amlfix/schema/source"
)

// hidesIn reports whether a field's value contains a secret.
func (m *Migration) hidesIn(f schema.Field) bool {
	if f.Node == nil || f.File == nil {
		return false
	}
	return source.AnyOverlaps(m.Ledger.Hidden(f.File), f.Node.Span) || secret.Contains(argumentText(f.Node))
}

// secretWord returns the word that replaces an argument or a command that contains a secret, which the new files must
// not.
func (m *Migration) secretWord(s *schema.Job, f schema.Field) Word {
	id := fmt.Sprintf("secret-line-%d", f.File.Source.LineAt(f.Node.Span.Start))
	answer, open := m.Decide(&account.Question{ID: id, Scope: s.Name, Ask: "What replaces the secret at " + account.Place(f) + "?", Example: "'NAME'",
		Why: "passwords and keys are never copied: let the script read it from a Key Vault, and answer with the name of the secret"})
	m.Ledger.Decide(s.Name, "", id, f)
	if open {
		return literal(account.Marker)
	}
	return literal(answer)
}

// hideSecrets is the last check before anything is written: it masks all secrets of the sources in the new files,
// however they got there. It returns the secrets, to mask them in the report.
func (m *Migration) hideSecrets() secret.Known {
	var answered []string // secrets in a file's answers; those on the command line are intended
	for _, a := range m.Options.Answers {
		if a.From == FromFlag {
			continue
		}
		answered = append(answered, secret.Texts([]byte(a.Value), secret.Spans([]byte(a.Value)))...)
	}
	var all []string
	const shortest = 6 // shorter ones may be equal to ordinary words
	own, seen := m.ownWords(), map[*source.Source]bool{}
	hidden := map[*schema.File][]string{}
	for _, f := range m.Project.Files {
		if f.Err != nil || seen[f.Source] || Written(filepath.Dir(f.Path), m.Project.Root) {
			continue // an earlier migration copied no secret
		}
		seen[f.Source] = true // of all that one program builds
		for _, text := range secret.Texts(f.Source.Text, m.secretsOf(f)) {
			text = strings.Trim(text, `"'`) // the source's quotes would otherwise be removed from the new file's YAML
			if len(text) >= shortest && !own[text] {
				hidden[f] = append(hidden[f], text)
			}
		}
		all = append(all, hidden[f]...)
	}
	every := secret.NewKnown(all)
	var copied []int // the new files with secrets, nearly always none
	for i, f := range m.Files {
		if text := string(f.Text); every.Replace(text, account.Marker) != text {
			copied = append(copied, i)
		}
	}
	for _, f := range m.Project.Files {
		if len(hidden[f]) == 0 || len(copied) == 0 {
			continue
		}
		known := secret.NewKnown(hidden[f])
		for _, i := range copied {
			masked := known.Replace(string(m.Files[i].Text), account.Marker)
			if masked == string(m.Files[i].Text) {
				continue
			}
			answer, open := m.Decide(&account.Question{ID: "secret-" + account.Slug(f.Name()), Scope: f.Rel, Ask: "What replaces the secret in " + m.Files[i].Path + "?", Example: "'NAME'",
				Why: account.Name(f.Rel) + " contains it, and secrets are never copied: answer with the name of a secret in a Key Vault"})
			if !open {
				masked = known.Replace(string(m.Files[i].Text), answer)
			}
			m.Files[i].Text = []byte(masked)
		}
	}
	known := secret.NewKnown(answered)
	for i := range m.Files {
		m.Files[i].Text = []byte(known.Replace(string(m.Files[i].Text), account.Marker))
	}
	return secret.NewKnown(append(all, answered...))
}

// ownKeys are keys of Azure ML whose parts may be secrets of other files. Names of inputs and variables, which users
// choose, are not among them: masking hunter_swordfish breaks nothing that Azure ML reads.
const ownKeys = " primary_metric display_name experiment_name environment_variables sampling_algorithm early_termination instance_count conda_file "

// ownWords are the words that amlfix writes into the new files whatever is in the old ones: their keys, and some names.
// A password such as "environment" cannot be found there, and hiding it would break the files.
func (m *Migration) ownWords() map[string]bool {
	own := map[string]bool{account.Marker: true, "azureml": true, "python": true, "docker": true, "ubuntu": true, "openmpi": true, "latest": true}
	for _, f := range m.Files {
		for line := range strings.Lines(string(f.Text)) {
			if key, _, found := strings.Cut(strings.TrimLeft(line, " -"), ":"); found && strings.Trim(key, "abcdefghijklmnopqrstuvwxyz_") == "" {
				if strings.Contains(ownKeys, " "+key+" ") {
					for part := range strings.SplitSeq(key, "_") {
						own[part] = true // masking "primary" would break primary_metric
					}
				}
				own[key] = true
			}
		}
	}
	return own
}

// secretsOf returns the secrets of a file. Those of a program are inside its strings: lines that follow {"KEY": name
// are part of a value only in YAML.
func (m *Migration) secretsOf(f *schema.File) (spans []source.Span) {
	hidden := m.Ledger.Hidden(f)
	if len(hidden) == 0 || !slices.Contains([]string{".py", ".ipynb"}, path.Ext(f.Source.Path)) {
		return hidden
	}
	tokens, ok := python.Scan(string(f.Source.Text))
	if !ok {
		return hidden
	}
	ends := func(i int) bool { return i < 0 || i >= len(tokens) || tokens[i].Kind == python.Newline }
	for i, t := range tokens {
		if t.Kind != python.String && t.Kind != python.Other {
			continue
		}
		statement := ends(i-1) && ends(i+1)
		if before := bytes.TrimRight(f.Source.Text[:t.At], " "); bytes.HasSuffix(before, []byte("key ==")) && !bytes.HasSuffix(before, []byte("_key ==")) {
			continue // such as dist.key == "pandas"
		}
		named := i > 1 && tokens[i-1].Text == "=" && tokens[i-2].Text == "key" && ends(i-3) && ends(i+1) && isTitle(t.Text)
		for _, span := range hidden {
			within := source.Span{Start: max(span.Start, t.At), End: min(span.End, t.End)}
			if within.Start >= within.End || named || statement && isWord(f.Source.Slice(within)) {
				continue // a statement that is a text is prose, such as "Token authentication", or commented out; so is key = "Bank Marketing"
			}
			if f.Source.Text[t.At] == 'f' && f.Source.Text[within.Start] == '{' {
				continue // f"Key: {primary}" contains only a name
			}
			spans = append(spans, within)
		}
	}
	return spans
}

// isTitle reports whether a literal is two or three short words that each begin with a capital letter. Generated keys
// have no spaces, and people write passphrases in lowercase.
func isTitle(literal string) bool {
	const longest = 12
	words := strings.Split(strings.Trim(literal, `"'`), " ")
	return len(words) > 1 && len(words) < 4 && !slices.ContainsFunc(words, func(w string) bool {
		return len(w) < 2 || len(w) > longest || w[0] < 'A' || w[0] > 'Z' || strings.Trim(w[1:], "abcdefghijklmnopqrstuvwxyz") != ""
	})
}

// isWord reports whether a text has only letters.
func isWord(text []byte) bool {
	return !bytes.ContainsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) })
}
