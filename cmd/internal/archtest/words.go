package archtest

import (
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
)

//go:embed words.txt
var wordList string

// oddWord is a word or phrase that reads as translated.
type oddWord struct {
	pattern *regexp.Regexp
	stem    string // what every match contains in lower case: faster to search for
	instead string
}

// words parses words.txt: the odd words, and what to remove before the search.
var words = sync.OnceValues(func() (odd []oddWord, allowed []*regexp.Regexp) {
	for line := range strings.Lines(wordList) {
		left, right, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		if left == "allowed:" {
			allowed = append(allowed, whole(right))
			continue
		}
		odd = append(odd, oddWord{whole(left), stem(left), right})
	}
	return odd, allowed
})

func whole(pattern string) *regexp.Regexp { return regexp.MustCompile(`(?i)\b(?:` + pattern + `)\b`) }

// varying matches the parts of a pattern that are not plain text.
var varying = regexp.MustCompile(`\([^)]*\)\??|\w\?|\\S\+`)

// stem returns the longest plain text in a pattern.
func stem(pattern string) string {
	parts := varying.Split(pattern, -1)
	slices.SortStableFunc(parts, func(a, b string) int { return len(b) - len(a) })
	return parts[0]
}

// hump matches where a word in a name ends and the next begins: lookWhether, HTMLText.
var hump = regexp.MustCompile(`([a-z0-9])([A-Z])|([A-Z])([A-Z][a-z])|_`)

// joined is a text in lower case without what can be between the words of a name.
func joined(text string) string { return betweenWords.Replace(strings.ToLower(text)) }

var betweenWords = strings.NewReplacer(" ", "", "_", "")

// in returns the words whose stem is in a text.
func in(text string, odd []oddWord) (found []oddWord) {
	text = joined(text)
	for _, w := range odd {
		if strings.Contains(text, joined(w.stem)) {
			found = append(found, w)
		}
	}
	return found
}

// OddWords returns a sentence for each odd word in a text, whether in comments, messages or names. It does not find
// phrases that are split across lines.
func OddWords(name, text string) (list []string) {
	odd, allowed := words()
	odd = in(text, odd)
	if len(odd) == 0 {
		return nil
	}
	n := 0
	for line := range strings.Lines(text) {
		n++
		odd := in(line, odd)
		if len(odd) == 0 {
			continue
		}
		line = hump.ReplaceAllString(line, "$1$3 $2$4")
		for _, w := range odd {
			for _, a := range allowed {
				line = a.ReplaceAllString(line, "")
			}
			for _, found := range w.pattern.FindAllString(line, -1) {
				list = append(list, fmt.Sprintf("%s:%d: %q; write: %s", name, n, found, w.instead))
			}
		}
	}
	return list
}
