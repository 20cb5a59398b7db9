package migrate

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/source"
)

// variablesOf returns the variables that a CI file sets to a text, by name.
func variablesOf(rel, text string) map[string]string {
	if ext := path.Ext(rel); ext != ".yml" && ext != ".yaml" {
		return nil
	}
	found := map[string]string{}
	add := func(name string, n *document.Node) {
		if n = n.Resolve(); n != nil && n.Kind == document.Scalar {
			found[name] = n.Text()
		}
	}
	var walk func(n *document.Node)
	walk = func(n *document.Node) {
		for _, e := range n.Entries() {
			if e.Key.Value == "variables" || e.Key.Value == "env" {
				if e.Value.IsMapping() {
					for _, v := range e.Value.Resolve().Entries() {
						add(v.Key.Value, v.Value)
					}
				}
				for _, item := range e.Value.List() {
					if name := item.Get("name"); name != nil {
						add(name.Text(), item.Get("value"))
					}
				}
			}
			walk(e.Value)
		}
		for _, item := range n.Items() {
			walk(item)
		}
	}
	for _, root := range document.Parse(source.New(rel, []byte(text))).Documents {
		walk(root)
	}
	return found
}

// longestValue is the length of the longest value that replaces a variable, in bytes: a file may use each many times.
const longestValue = 256

// commandWords splits the rest of a command line into words and replaces known variables, but not those in their
// values; a word with other variables is "".
func commandWords(text string, variables map[string]string) (words []string) {
	var pairs []string
	for _, form := range []string{"$(%s)", "${{ variables.%s }}", "${{ env.%s }}", "${{ variables['%s'] }}", "${%s}"} {
		for _, name := range slices.Sorted(maps.Keys(variables)) {
			if value := variables[name]; len(value) <= longestValue {
				pairs = append(pairs, fmt.Sprintf(form, name), value)
			}
		}
	}
	text = strings.NewReplacer(pairs...).Replace(text)
	words = splitWords(shellVariable.Get().ReplaceAllStringFunc(text, func(name string) string {
		if value, ok := variables[name[1:]]; ok && len(value) <= longestValue {
			return value
		}
		return name
	}), ";&|>")
	for i, word := range words {
		if strings.Contains(word, "$") {
			words[i] = ""
		}
	}
	return words
}

// shellVariable matches a variable without braces.
var shellVariable = plain.Regexp{Text: `\$[A-Za-z_][A-Za-z0-9_]*`}

// splitWords splits a command line into words, until one of the characters in end. Backslashes are those of paths,
// except before a quote.
func splitWords(text, end string) (words []string) {
	var b strings.Builder
	quote, within, escaped := rune(0), false, false
	add := func() {
		if within {
			words = append(words, b.String())
		}
		within = false
		b.Reset()
	}
	for i, r := range text {
		quoted := strings.HasPrefix(text[i:], `\"`) || quote == 0 && strings.HasPrefix(text[i:], `\'`)
		switch {
		case escaped:
			b.WriteRune(r)
			escaped, within = false, true
		case r == '\\' && quoted && quote != '\'':
			escaped = true
		case r == quote:
			quote = 0
		case quote != 0:
			b.WriteRune(r)
		case r == '"' || r == '\'':
			quote, within = r, true
		case r == ' ' || r == '\t' || r == '\r':
			add()
		case strings.ContainsRune(end, r):
			add()
			return words
		case r != '\\' || within:
			within = true
			b.WriteRune(r)
		}
	}
	add()
	return words
}
