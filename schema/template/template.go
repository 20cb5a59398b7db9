// Package template recognizes text that a program fills in before a file is used, such as the placeholders of CI
// systems and generators in job files.
package template

import (
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/plain"
)

// marks matches what common programs replace: {{ name }} and {% if %} of Jinja, Handlebars and cookiecutter, #{NAME}#
// of Azure Pipelines' token tasks, __NAME__, ${NAME} of envsubst, $(NAME) of Azure Pipelines, <NAME>, CHANGE_ME,
// YOUR_NAME and NAME_PLACEHOLDER for a person, path/to/… of documentation, and DECIDE of amlfix's own migrations. It
// does not match ${{name}}, which Azure ML itself reads.
var marks = plain.Regexp{Text: ofPrograms + `|< ?[A-Za-z_][A-Za-z0-9_ .-]*>|\b(?:CHANGE|REPLACE)_?ME\b|\b(?:CHANGE_?ME|REPLACE_?ME|REPLACE_WITH|YOUR)_[A-Z0-9_]+\b|(?:\b|_)PLACEHOLDER(?:\b|_)|\bDECIDE\b|^/?path/to/`}

const ofPrograms = `(?:^|[^$])\{\{|\{%|#\{[^}\n]*\}#?|__[A-Za-z0-9]+(?:_[A-Za-z0-9]+)*__|` +
	`\$\{[A-Za-z_][A-Za-z0-9_]*(?::?[-=?+][^}\n]*)?\}|\$\([A-Za-z_][A-Za-z0-9_.-]*\)`

// byProgram matches what is not left to a person, or a variable of the shell alone.
var byProgram = plain.Regexp{Text: ofPrograms + `|^\$[A-Za-z_][A-Za-z0-9_]*$`}

// ByProgram reports whether a program fills in part of a text, as In does, but not a person. Workbench's own $file is
// not filled in.
func ByProgram(text string) bool {
	return text != "$file" && (strings.ContainsAny(text, "{$") || strings.Contains(text, "__")) && byProgram.Get().MatchString(text)
}

// In reports whether part of a text has to be filled in, so that its final value is not known.
func In(text string) bool {
	return likely(text) && marks.Get().MatchString(text) // the match is slow
}

// byHand matches a whole text of words in angle brackets, which no program replaces.
var byHand = plain.Regexp{Text: `^<\s*[A-Za-z]+(?:\s+[A-Za-z]+)+\s*>$`}

// ByHand reports whether a text is a note that asks a person to replace it, as in "< your environment name >".
func ByHand(text string) bool { return strings.HasPrefix(text, "<") && byHand.Get().MatchString(text) }

// begins has the bytes that marks begin with, except for path/to/.
var begins = [256]bool{'{': true, '#': true, '$': true, '_': true, '<': true, 'C': true, 'R': true, 'D': true, 'P': true, 'Y': true}

// likely reports whether a text contains the beginning of a mark, which most texts do not.
func likely(text string) bool {
	if strings.HasPrefix(strings.TrimPrefix(text, "/"), "path/to/") {
		return true
	}
	for i := range len(text) {
		if begins[text[i]] && begun(text[i:], i > 0 && text[i-1] == '$') {
			return true
		}
	}
	return false
}

// begun reports whether a text begins as a mark; expression says that a $ precedes it.
func begun(text string, expression bool) bool {
	switch text[0] {
	case '<':
		return true
	case '{':
		return strings.HasPrefix(text, "{%") || strings.HasPrefix(text, "{{") && !expression
	case '$':
		return strings.HasPrefix(text, "$(") || strings.HasPrefix(text, "${") && !strings.HasPrefix(text, "${{")
	default:
		return slices.ContainsFunc([]string{"#{", "__", "CHANGE", "REPLACE", "DECIDE", "PLACEHOLDER", "YOUR_"}, func(word string) bool { return strings.HasPrefix(text, word) })
	}
}
