package migrate

import (
	"encoding/json"
	"iter"
	"path"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/schema/python"
)

// notebookCell is a cell of a notebook.
type notebookCell struct {
	kind  string
	lines []string
	at    []int // the line of the file that each is on, 0-based
}

// notebook returns the code of a notebook as a program whose lines have the same numbers as in the file. Code lines on
// the same line of the file are separated by a carriage return, which ends a line in Python only. Cells that are not
// Python, such as those for the shell, are omitted.
func notebook(text string) string {
	out := make([]string, strings.Count(text, "\n")+1)
	for _, c := range cells(text) {
		c = c.split()
		code := make([]string, len(c.lines))
		for i, line := range c.lines {
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
		for i, line := range code {
			if at := c.at[i]; out[at] == "" {
				out[at] = line
			} else {
				out[at] += "\r" + line
			}
		}
	}
	joined := strings.Join(out, "\n")
	if len(out) == 1 {
		joined += "\n" // without a line end, carriage returns would count as line ends
	}
	return joined
}

// writtenBy returns where a notebook writes files with %%writefile, as FILE:LINE, by the last names of the files.
func writtenBy(name, text string) map[string]string {
	if !strings.Contains(text, "%%writefile") {
		return nil
	}
	written := map[string]string{}
	for _, c := range cells(text) {
		if len(c.lines) == 0 {
			continue
		}
		first, _, _ := strings.Cut(c.lines[0], "\n")
		if words := strings.Fields(first); len(words) > 1 && words[0] == "%%writefile" {
			written[path.Base(words[len(words)-1])] = name + ":" + strconv.Itoa(c.at[0]+1)
		}
	}
	return written
}

// split returns a cell with one text per line of its code.
func (c notebookCell) split() notebookCell {
	out := notebookCell{kind: c.kind}
	for i, text := range c.lines {
		for line := range strings.SplitSeq(strings.TrimRight(text, "\r\n"), "\n") {
			out.lines, out.at = append(out.lines, strings.TrimRight(line, "\r")), append(out.at, c.at[i])
		}
	}
	return out
}

// codeLines yields the lines of a program with the numbers that they have in its file.
func codeLines(text string) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		n := 0
		for line := range strings.Lines(text) {
			n++
			for part := range strings.SplitSeq(strings.TrimRight(line, "\r\n"), "\r") {
				if !yield(n, part) {
					return
				}
			}
		}
	}
}

// cells returns the cells of a notebook, as far as it can be parsed.
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
