package migrate

import (
	"encoding/json"
	"strings"

	"github.com/amlfix/amlfix/schema/python"
)

// notebookCell is a cell of a notebook.
type notebookCell struct {
	kind  string
	lines []string
	at    []int // the line of the file that each is on, from 0
}

// notebook returns the code of a notebook as a program whose lines are where they are
// in the file. Cells that are no Python, such as those for the shell, and cells whose
// lines share a line of the file are left out.
func notebook(text string) string {
	out := make([]string, strings.Count(text, "\n")+1)
	for _, c := range cells(text) {
		code := make([]string, len(c.lines))
		for i, line := range c.lines {
			line = strings.TrimRight(line, "\r\n")
			if i == 0 && strings.HasPrefix(line, "%%") && !strings.HasPrefix(line, "%%time") && !strings.HasPrefix(line, "%%capture") {
				code = nil
				break
			}
			if first := strings.TrimSpace(line); first != "" && strings.ContainsRune("%!?", rune(first[0])) {
				line = ""
			}
			code[i] = line
		}
		tokens, ok := python.Scan(strings.Join(code, "\n"))
		if _, read := python.Statements(tokens); c.kind != "code" || !ok || !read || len(code) == 0 {
			continue
		}
		if !ownLines(code, c.at) {
			continue
		}
		for i, line := range code {
			out[c.at[i]] = line
		}
	}
	return strings.Join(out, "\n")
}

// ownLines reports whether each line of a cell is on a line of the file of its own.
func ownLines(code []string, at []int) bool {
	for i, line := range code {
		if strings.Contains(line, "\n") || i > 0 && at[i] == at[i-1] {
			return false
		}
	}
	return true
}

// cells returns the cells of a notebook, as far as it can be read.
func cells(text string) (list []notebookCell) {
	d := json.NewDecoder(strings.NewReader(text))
	var path []string // keys, "" for an item of a list
	keys, key := []bool{}, ""
	line, seen := 0, int64(0)
	for {
		t, err := d.Token()
		if err != nil {
			return list
		}
		at := d.InputOffset()
		line += strings.Count(text[seen:at], "\n")
		seen = at
		inObject := len(keys) > 0 && keys[len(keys)-1]
		switch v := t.(type) {
		case json.Delim:
			if v == '}' || v == ']' {
				path, keys, key = path[:len(path)-1], keys[:len(keys)-1], ""
				continue
			}
			path, keys = append(path, key), append(keys, v == '{')
			if key = ""; strings.Join(path, "/") == "/cells/" && v == '{' {
				list = append(list, notebookCell{})
			}
			continue
		case string:
			if inObject && key == "" {
				key = v
				continue
			}
			switch strings.Join(path, "/") + "/" + key {
			case "/cells//cell_type":
				list[len(list)-1].kind = v
			case "/cells//source", "/cells//source/":
				c := &list[len(list)-1]
				c.lines, c.at = append(c.lines, v), append(c.at, line)
			}
		}
		key = ""
	}
}
