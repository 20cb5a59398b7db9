package migrate

import (
	"encoding/json"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/schema/plain"
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
	var out strings.Builder
	at, filled := 0, false // the line of the file that is written, and whether there is code on it
	written := writings("", text)
	number := -1
	for _, c := range cells(text) {
		c = c.split()
		code := make([]string, len(c.lines))
		for i, line := range c.lines {
			if i == 0 && isWriting(c.kind, line) {
				number++
				code = []string{written[number].writes(number)}
				break
			}
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
			for ; at < c.at[i]; at++ {
				out.WriteByte('\n')
				filled = false
			}
			if filled {
				out.WriteByte('\r')
			}
			out.WriteString(line)
			filled = filled || line != ""
		}
	}
	lines := max(strings.Count(text, "\n"), 1) // without a line end, carriage returns would count as line ends
	return out.String() + strings.Repeat("\n", lines-at)
}

// writing is a cell that writes a file with %%writefile.
type writing struct {
	at      string // FILE:LINE
	name    string // as written in the cell
	appends bool
	text    string
}

// writings returns the cells of a notebook that write files, in their order.
func writings(notebook, text string) (list []writing) {
	if !strings.Contains(text, "%%writefile") {
		return nil
	}
	for _, c := range cells(text) {
		head, body, _ := strings.Cut(strings.Join(c.lines, ""), "\n")
		if !isWriting(c.kind, head) {
			continue
		}
		words := strings.Fields(head)
		w := writing{at: notebook + ":" + strconv.Itoa(c.at[0]+1), name: words[len(words)-1], text: strings.ReplaceAll(body, "\r\n", "\n")}
		w.appends = slices.Contains(words[1:len(words)-1], "-a") || slices.Contains(words[1:len(words)-1], "--append")
		if !strings.HasSuffix(w.text, "\n") {
			w.text += "\n" // Jupyter ends every cell with one
		}
		if len(words) > 3 || len(words) == 3 && !w.appends {
			w.name = "" // with spaces, or in quotes
		}
		list = append(list, w)
	}
	return list
}

// isWriting reports whether a cell with a first line writes a file.
func isWriting(kind, first string) bool {
	words := strings.Fields(first)
	return kind == "code" && len(words) > 1 && words[0] == "%%writefile"
}

// writes returns what Jupyter makes of the line that begins a cell with %%writefile, with the number of the cell among
// such cells instead of its text, or "" if that is not certain.
func (w writing) writes(number int) string {
	rest := braces.Get().ReplaceAllString(w.name, "")
	if w.name == "" || w.name[0] == '~' || strings.ContainsAny(rest, "{}\"'\\") {
		return ""
	}
	name := variable.Get().ReplaceAllString(w.name, "{$1}$2")
	if strings.Contains(name, "$") {
		return ""
	}
	return `get_ipython().run_cell_magic("writefile", f"` + name + `", ` + strconv.Itoa(number) + `)`
}

// variable and braces match names in a magic line that Jupyter replaces by their values.
var (
	variable = plain.Regexp{Text: `\$([A-Za-z_]\w*)([^\w.$]|$)`}
	braces   = plain.Regexp{Text: `\{[A-Za-z_]\w*\}`}
)

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
			if key = ""; len(path) == 3 && v == '{' && strings.Join(path, "/") == "/cells/" {
				list = append(list, notebookCell{})
			}
			continue
		case string:
			if inObject && key == "" {
				key = v
				continue
			}
			if len(path) > 4 {
				break
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
