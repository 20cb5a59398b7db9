package catalog

import "strings"

// cells splits a table into lines of cells without copying: nearly every lint looks something up, and encoding/csv
// copies each cell. A test checks that encoding/csv reads every table in the same way.
func cells(text string) [][]string {
	all := make([]string, 0, strings.Count(text, ",")+strings.Count(text, "\n")+1)
	lines := make([][]string, 0, strings.Count(text, "\n")+1)
	for begin := 0; text != ""; {
		var cell string
		cell, text = nextCell(text)
		all = append(all, cell)
		if text == "" || text[0] == '\n' {
			lines = append(lines, all[begin:len(all):len(all)])
			begin = len(all)
		}
		if text != "" {
			text = text[1:]
		}
	}
	return lines
}

// nextCell returns the first cell and the rest of the text, starting at the comma or line end after it.
func nextCell(text string) (cell, rest string) {
	if text[0] != '"' {
		n := strings.IndexAny(text, ",\n")
		if n < 0 {
			n = len(text)
		}
		return text[:n], text[n:]
	}
	doubled := false
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] != '"':
		case i+1 < len(text) && text[i+1] == '"':
			doubled = true
			i++
		default:
			if cell = text[1:i]; doubled {
				cell = strings.ReplaceAll(cell, `""`, `"`)
			}
			return cell, text[i+1:]
		}
	}
	return text[1:], ""
}
