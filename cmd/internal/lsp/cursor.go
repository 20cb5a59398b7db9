package lsp

import (
	"strings"

	"github.com/amlfix/amlfix/schema/plain"
)

// cursor is the context in which someone types, derived from the lines above.
type cursor struct {
	way     []string          // keys from the root to the mapping or value; "-" for a list item
	beside  map[string]string // texts of the keys in the same mapping
	isValue bool
	typed   string // the part of the word or value before the cursor
}

var keyLine = plain.Regexp{Text: `^(\s*(?:- +)*)([\w.$-]+|"[^"]*"|'[^']*')\s*:(?:\s+(.*))?$`}

// cursorAt reads the lines up to a byte offset.
func cursorAt(text []byte, offset int) (c cursor) {
	lines := strings.Split(strings.ReplaceAll(string(text[:offset]), "\r\n", "\n"), "\n")
	now := lines[len(lines)-1]
	indent := len(now) - len(strings.TrimLeft(now, " -"))
	c.typed = strings.TrimLeft(now, " -")
	if m := keyLine.Get().FindStringSubmatch(now); m != nil {
		c.isValue, indent, c.typed = true, len(m[1]), m[3]
		c.way = []string{unquoted(m[2])}
	}
	inItem := strings.HasPrefix(strings.TrimLeft(now, " "), "-")
	c.beside = besides(text, offset, indent)
	for i := len(lines) - 2; i >= 0 && (indent > 0 || inItem); i-- {
		line := lines[i]
		if strings.TrimSpace(line) == "" || strings.HasPrefix(strings.TrimSpace(line), "#") {
			continue
		}
		m := keyLine.Get().FindStringSubmatch(line)
		if m == nil {
			continue
		}
		column := len(m[1])
		dash := strings.Index(m[1], "-")
		switch {
		case inItem && column <= len(now)-len(strings.TrimLeft(now, " ")) && m[3] == "":
			c.way = append([]string{unquoted(m[2]), "-"}, c.way...)
			indent, inItem = column, dash >= 0
			now = line
		case !inItem && column < indent && m[3] == "":
			c.way = append([]string{unquoted(m[2])}, c.way...)
			indent, inItem = column, dash >= 0
			now = line
		case !inItem && dash >= 0 && column == indent:
			inItem, now = true, line // the first key of the item that contains the cursor
		}
	}
	return c
}

func unquoted(key string) string { return strings.Trim(key, `"'`) }

// besides returns the texts of the keys around a byte offset that start in one column, up to lines that start further
// left.
func besides(text []byte, offset, column int) map[string]string {
	has := map[string]string{}
	take := func(line string) bool {
		if trimmed := strings.TrimLeft(line, " -"); trimmed != "" && trimmed[0] != '#' && len(line)-len(trimmed) < column {
			return false
		}
		if m := keyLine.Get().FindStringSubmatch(line); m != nil && len(m[1]) == column {
			has[unquoted(m[2])] = unquoted(m[3])
		}
		return true
	}
	before := strings.Split(string(text[:offset]), "\n")
	for i := len(before) - 2; i >= 0 && take(strings.TrimSuffix(before[i], "\r")); i-- {
	}
	after := strings.Split(string(text[offset:]), "\n")
	for i := 1; i < len(after) && take(strings.TrimSuffix(after[i], "\r")); i++ {
	}
	return has
}
