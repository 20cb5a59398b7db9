// Package template recognises text that a program fills in before a file is used:
// what CI systems and generators leave in job files that people keep.
package template

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// marks are what the common programs replace: {{ name }} and {% if %} of Jinja,
// Handlebars and cookiecutter, #{NAME}# of Azure Pipelines' token tasks, __NAME__,
// ${NAME} of envsubst, $(NAME) of Azure Pipelines, <NAME> and CHANGE_ME for a person,
// path/to/… of documentation, and DECIDE of amlfix's own migrations. ${{name}} is
// none: Azure ML reads that itself.
var marks = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:^|[^$])\{\{|\{%|#\{[^}\n]*\}#?|__[A-Za-z0-9]+(?:_[A-Za-z0-9]+)*__|` +
		`\$\{[A-Za-z_][A-Za-z0-9_]*(?::?[-=?+][^}\n]*)?\}|\$\([A-Za-z_][A-Za-z0-9_.-]*\)|< ?[A-Za-z_][A-Za-z0-9_ .-]*>|\b(?:CHANGE|REPLACE)_?ME\b|\b(?:CHANGE|REPLACE)_?ME_[A-Z0-9_]+\b|\bDECIDE\b|^/?path/to/`)
})

// In reports whether something in a text is to be filled in, so that nothing can
// be said about the value that it will be part of.
func In(text string) bool {
	return likely(text) && marks().MatchString(text) // which takes its time
}

// byHand matches a whole text in words, which no program looks for.
var byHand = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^<\s*[A-Za-z]+(?:\s+[A-Za-z]+)+\s*>$`) })

// ByHand reports whether a text is a note that asks a person to write something in
// its place, as in "< your environment name >".
func ByHand(text string) bool { return strings.HasPrefix(text, "<") && byHand().MatchString(text) }

// likely reports whether a text has something that a mark begins with: most have not.
func likely(text string) bool {
	for i := range len(text) - 1 {
		switch text[i : i+2] {
		case "{%", "#{", "$(", "__":
			return true
		case "{{":
			if i == 0 || text[i-1] != '$' {
				return true
			}
		case "${":
			if !strings.HasPrefix(text[i+2:], "{") {
				return true
			}
		}
		if text[i] == '<' {
			return true
		}
	}
	return slices.ContainsFunc([]string{"CHANGE", "REPLACE", "DECIDE", "path/to/"}, func(word string) bool { return strings.Contains(text, word) })
}
