package dockerfile

import (
	"bytes"
	"strings"

	"github.com/amlfix/amlfix/schema/requirement"
	"github.com/amlfix/amlfix/schema/source"
)

// Requirements returns the lines of a requirements file as pip joins them, without comments and with their spans. A
// line that includes another file is a RequirementFile with the path as its text.
func Requirements(text []byte) (list []Item) {
	at := 0
	if bytes.HasPrefix(text, []byte("\ufeff")) {
		at = len("\ufeff")
	}
	for at < len(text) {
		start, line := at, []byte(nil)
		for at < len(text) {
			n := bytes.IndexByte(text[at:], '\n')
			if n < 0 {
				n = len(text) - at - 1
			}
			added := text[at : at+n+1]
			line, at = append(line, added...), at+n+1
			end := len(bytes.TrimRight(line, "\r\n"))
			if end == 0 || line[end-1] != '\\' || bytes.HasPrefix(bytes.TrimLeft(added, " \t"), []byte("#")) {
				break
			}
			erase(line[end-1:])
		}
		if item, ok := requirementLine(line, start); ok {
			list = append(list, item)
		}
	}
	return list
}

// requirementLine returns the item in a line; ok is false if it is empty.
func requirementLine(line []byte, start int) (item Item, ok bool) {
	for n := 1; n < len(line); n++ {
		if line[n] == '#' && isSpace(line[n-1]) {
			line = line[:n]
			break
		}
	}
	trimmed := bytes.TrimLeft(line, " \t\r\n")
	start += len(line) - len(trimmed)
	body := strings.TrimRight(string(trimmed), " \t\r\n")
	if body == "" || body[0] == '#' {
		return Item{}, false
	}
	item = Item{Manager: requirement.Pip, Text: body, Span: source.Span{Start: start, End: start + len(body)}}
	for _, option := range []string{"--requirement", "-r"} {
		if rest, is := strings.CutPrefix(body, option); is {
			item.Kind, item.Text = RequirementFile, unquoted(strings.TrimLeft(rest, "= \t"))
			return item, true
		}
	}
	if body[0] == '-' {
		item.Kind = Option
	}
	return item, true
}
