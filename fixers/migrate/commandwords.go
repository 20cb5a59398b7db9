package migrate

import (
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/escape"
	"github.com/amlfix/amlfix/schema/plain"
)

// ForShell reports whether a shell reads a part of the word.
func (w Word) ForShell() bool { return slices.ContainsFunc(w, func(p Part) bool { return p.ForShell }) }

// shellSyntax matches what only a shell gives a meaning, in a word of a command.
var shellSyntax = plain.Regexp{Text: `^(?:&&|\|\|?|;|&|[0-9]?>>?|<)$|\s(?:&&|\|\|?|;)\s|;$|\$(?:[A-Za-z_{(])`}

// forShell marks the words of a command that was written for a shell. SDK v1 joined a command's words with spaces and
// passed the result to a shell, so people wrote "export A=$PWD && python train.py".split(), or several words in one.
// What only a vector can mean, such as a text with spaces for an option, stays one word.
func forShell(words []Word) []Word {
	read := func(i int) bool {
		text, _ := words[i].Text()
		return i == 0 && strings.Contains(strings.TrimSpace(text), " ") || (i == 0 || !isScript(words[i-1])) && shellSyntax.Get().MatchString(text)
	}
	any := false
	for i := range words {
		any = any || read(i)
	}
	if !any {
		return words
	}
	var list []Word
	for i, w := range words {
		w = slices.Clone(w)
		for k := range w {
			w[k].ForShell = w[k].Text != "" && (i == 0 || !isScript(words[i-1]))
		}
		list = append(list, w)
	}
	return list
}

// isScript reports whether the word after this one is a script for another shell, as in sh -c "SCRIPT".
func isScript(w Word) bool {
	text, _ := w.Text()
	return slices.Contains([]string{"-c", "-lc", "-ec", "-xc"}, text)
}

// shellLine returns the words of a command as a line for a shell, with the paths of data left out. It is only read, not
// written, so expressions of Azure ML need not be kept from being replaced.
func shellLine(words []Word) string {
	var line []string
	for _, w := range words {
		text, _ := w.Text()
		if !w.ForShell() {
			text = escape.Word(text)
		}
		line = append(line, text)
	}
	return strings.Join(line, " ")
}
