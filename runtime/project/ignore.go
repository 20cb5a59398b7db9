package project

import (
	"regexp"
	"strings"
)

// ignoreFiles are the names to look for in the project's root, in this order; only the first that exists is used.
var ignoreFiles = []string{".amlignore", ".gitignore"}

// ignoreLimit is how many bytes of an ignore file are read, some 20,000 patterns; the rest is ignored.
const ignoreLimit = 1 << 20

// ignore is an ignore file, in the syntax of gitignore(5). Ignore files in subfolders are not read.
type ignore struct {
	name  string
	rules []ignoreRule
}

type ignoreRule struct {
	line    int
	again   bool // "!": includes a path again
	folders bool // final "/": matches folders only
	match   *regexp.Regexp
}

func parseIgnore(name, text string) ignore {
	ig := ignore{name: name}
	for i, line := range strings.Split(strings.TrimPrefix(text, "\ufeff"), "\n") {
		if r, ok := parseIgnoreLine(strings.TrimSuffix(line, "\r")); ok {
			r.line = i + 1
			ig.rules = append(ig.rules, r)
		}
	}
	return ig
}

func parseIgnoreLine(line string) (ignoreRule, bool) {
	line = trimSpaces(line)
	if line == "" || line[0] == '#' {
		return ignoreRule{}, false
	}
	var r ignoreRule
	if line[0] == '!' {
		r.again, line = true, line[1:]
	}
	if strings.HasSuffix(line, "/") {
		r.folders, line = true, strings.TrimRight(line, "/")
	}
	rooted := strings.Contains(line, "/")
	line = strings.TrimPrefix(line, "/")
	if line == "" {
		return ignoreRule{}, false
	}
	expr := globExpr(line)
	if !rooted {
		expr = "(?:.*/)?" + expr
	}
	m, err := regexp.Compile("(?s)^" + expr + "$")
	if err != nil { // as in git, an impossible range such as [z-a] matches nothing
		return ignoreRule{}, false
	}
	r.match = m
	return r, true
}

// trimSpaces removes trailing spaces, except one that a backslash protects.
func trimSpaces(s string) string {
	for strings.HasSuffix(s, " ") && !strings.HasSuffix(s, `\ `) {
		s = s[:len(s)-1]
	}
	return s
}

// globExpr converts a pattern without leading or trailing slash to a regular expression.
func globExpr(glob string) string {
	var b strings.Builder
	for i := 0; i < len(glob); {
		rest := glob[i:]
		switch {
		case strings.HasPrefix(rest, "**/") && (i == 0 || glob[i-1] == '/'):
			b.WriteString("(?:.*/)?")
			i += 3
		case rest == "**" && i > 0 && glob[i-1] == '/':
			b.WriteString(".+")
			i += 2
		case rest[0] == '*':
			b.WriteString("[^/]*")
			i++
		case rest[0] == '?':
			b.WriteString("[^/]")
			i++
		case rest[0] == '[':
			class, n := globClass(rest)
			b.WriteString(class)
			i += n
		case rest[0] == '\\' && len(rest) > 1:
			b.WriteString(regexp.QuoteMeta(rest[1:2]))
			i += 2
		default:
			b.WriteString(regexp.QuoteMeta(rest[:1]))
			i++
		}
	}
	return b.String()
}

// globClass converts "[…]" at the start of s to a regular expression, and returns how many bytes it consumed. As in
// git, a pattern with an unclosed bracket matches nothing.
func globClass(s string) (string, int) {
	i := 1
	if i < len(s) && (s[i] == '!' || s[i] == '^') {
		i++
	}
	body := i
	if i < len(s) && s[i] == ']' {
		i++
	}
	for i < len(s) && s[i] != ']' {
		i++
	}
	if i >= len(s) {
		return `[^\x00-\x{10FFFF}]`, len(s)
	}
	inner := strings.NewReplacer(`\`, `\\`, `[`, `\[`, `]`, `\]`, `&`, `\&`, `~`, `\~`).Replace(s[body:i])
	if body > 1 {
		return "[^/" + inner + "]", i + 1
	}
	return "[" + inner + "]", i + 1
}

// excludes reports whether path (slash-separated, relative) is excluded, and by which line. Excluding the contents of
// an excluded folder is up to the caller.
func (ig ignore) excludes(path string, folder bool) (line int, out bool) {
	for _, r := range ig.rules {
		if (!r.folders || folder) && r.match.MatchString(path) {
			line, out = r.line, !r.again
		}
	}
	return line, out
}
